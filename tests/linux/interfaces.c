// The network interfaces, as getifaddrs(3) and if_nameindex(3) ask for them: netlink(7), rtnetlink(7).
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static void show(const char* what, long result) {
  if (result < 0)
    printf("%s: %s\n", what, strerror(errno));
  else
    printf("%s: %ld\n", what, result);
}

static void show_address(const char* what, const struct sockaddr* address) {
  if (address == NULL || address->sa_family != AF_INET) return;
  printf(" %s %s", what, inet_ntoa(((const struct sockaddr_in*)address)->sin_addr));
}

// Of those that every machine has.
static void by_library(void) {
  struct ifaddrs* all = NULL;
  show("getifaddrs", getifaddrs(&all));
  for (const struct ifaddrs* one = all; one != NULL; one = one->ifa_next) {
    if (strcmp(one->ifa_name, "lo") != 0 || one->ifa_addr == NULL) continue;
    const int family = one->ifa_addr->sa_family;
    if (family != AF_INET && family != AF_PACKET) continue;
    printf("%s, family %d, flags %#x", one->ifa_name, family, one->ifa_flags);
    show_address("address", one->ifa_addr);
    show_address("mask", one->ifa_netmask);
    printf("\n");
  }
  freeifaddrs(all);
  struct if_nameindex* names = if_nameindex();
  if (names == NULL) return show("if_nameindex", -1);
  printf("%d %s\n", names[0].if_index, names[0].if_name);
  if_freenameindex(names);
}

struct request {
  struct nlmsghdr header;
  struct ifinfomsg link;
};

static void ask(const char* what, int file, int type, int flags, int index) {
  struct request request = {.header = {.nlmsg_len = sizeof request,
                                       .nlmsg_type = type,
                                       .nlmsg_flags = NLM_F_REQUEST | flags,
                                       .nlmsg_seq = 77},
                            .link = {.ifi_index = index}};
  const struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
  show(what, sendto(file, &request, sizeof request, 0, (const struct sockaddr*)&kernel, sizeof kernel));
}

static void tell(int file) {
  union {
    struct nlmsghdr header;
    char bytes[16384];
  } answer;
  struct sockaddr_nl from;
  socklen_t size = sizeof from;
  const long count = recvfrom(file, &answer, sizeof answer, MSG_DONTWAIT, (struct sockaddr*)&from, &size);
  if (count < 0) return show("receive", count);
  const struct nlmsghdr* header = &answer.header;
  printf("type %d, flags %#x, sequence %d, mine %d, from %d, address of %d bytes", header->nlmsg_type,
         header->nlmsg_flags, (int)header->nlmsg_seq, header->nlmsg_pid == (unsigned)getpid(),
         (int)from.nl_pid, (int)size);
  if (header->nlmsg_type == NLMSG_ERROR) {
    const int error = ((const struct nlmsgerr*)NLMSG_DATA(header))->error;
    printf(", %s", error == 0 ? "done" : strerror(-error));
  } else if (header->nlmsg_type == RTM_NEWLINK) {
    const struct ifinfomsg* link = NLMSG_DATA(header);
    printf(", index %d, type %d, flags %#x", link->ifi_index, link->ifi_type, link->ifi_flags);
  }
  printf("\n");
}

static void by_hand(void) {
  show("protocol", socket(AF_NETLINK, SOCK_RAW, 77));
  show("type", socket(AF_NETLINK, SOCK_STREAM, NETLINK_ROUTE));
  const int file = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
  struct stat status;
  fstat(file, &status);
  printf("a socket %d\n", S_ISSOCK(status.st_mode));
  struct sockaddr_nl address = {.nl_family = AF_NETLINK};
  socklen_t size = sizeof address;
  show("getsockname", getsockname(file, (struct sockaddr*)&address, &size));
  printf("port %d\n", (int)address.nl_pid);
  show("short", bind(file, (struct sockaddr*)&address, 2));
  show("bind", bind(file, (struct sockaddr*)&address, sizeof address));
  show("getsockname", getsockname(file, (struct sockaddr*)&address, &size));
  printf("mine %d\n", address.nl_pid == (unsigned)getpid());
  const int other = socket(AF_NETLINK, SOCK_DGRAM, NETLINK_ROUTE);
  address.nl_pid = 0;
  show("bind another", bind(other, (struct sockaddr*)&address, sizeof address));
  show("getsockname", getsockname(other, (struct sockaddr*)&address, &size));
  printf("another port %d\n", address.nl_pid != (unsigned)getpid() && address.nl_pid != 0);
  close(other);
  const int bytes = 32768;
  show("buffer", setsockopt(file, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes));
  struct pollfd one = {file, POLLIN, 0};
  show("poll", poll(&one, 1, 0));
  tell(file);
  ask("one", file, RTM_GETLINK, 0, 1);
  show("poll", poll(&one, 1, 0));
  tell(file);
  ask("none", file, RTM_GETLINK, 0, 12345);
  tell(file);
  ask("one with an answer", file, RTM_GETLINK, NLM_F_ACK, 1);
  tell(file);
  tell(file);
  ask("change", file, RTM_DELLINK, 0, 12345);
  tell(file);
  ask("all", file, RTM_GETADDR, NLM_F_DUMP, 0);
  char part[16];
  struct iovec vector = {part, sizeof part};
  struct msghdr message = {.msg_name = &address, .msg_namelen = sizeof address, .msg_iov = &vector, .msg_iovlen = 1};
  const long whole = recvmsg(file, &message, MSG_PEEK | MSG_TRUNC);
  printf("more %d, cut %d, from %d\n", whole > 16, (message.msg_flags & MSG_TRUNC) != 0, (int)address.nl_pid);
  show("cut", recvmsg(file, &message, 0));
  tell(file);
  tell(file);
  close(file);
}

int main(void) {
  by_library();
  by_hand();
  return 0;
}
