// What sockets tell of an end that broke the connection, of a cut datagram, and of who sent it. The
// expected lines are those of Linux 6.18 on x86-64.
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void show(const char* what, long result) {
  printf("%s: %ld, %s\n", what, result, result < 0 ? strerror(errno) : "ok");
  fflush(stdout);
}

// The two ends of a connection by 127.0.0.1.
static void connect_both(int ends[2]) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t size = sizeof address;
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  bind(listener, (struct sockaddr*)&address, sizeof address);
  listen(listener, 1);
  getsockname(listener, (struct sockaddr*)&address, &size);
  ends[0] = socket(AF_INET, SOCK_STREAM, 0);
  connect(ends[0], (struct sockaddr*)&address, sizeof address);
  ends[1] = accept(listener, NULL, NULL);
  close(listener);
}

static void send_as(int socket, const char* what, pid_t pid, uid_t user, gid_t group) {
  const struct ucred claim = {pid, user, group};
  char control[CMSG_SPACE(sizeof claim)] = {0};
  struct iovec part = {"x", 1};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  struct cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_CREDENTIALS;
  header->cmsg_len = CMSG_LEN(sizeof claim);
  memcpy(CMSG_DATA(header), &claim, sizeof claim);
  show(what, sendmsg(socket, &message, 0));
}

int main(void) {
  char bytes[16] = {0};
  int ends[2];
  signal(SIGPIPE, SIG_IGN);

  connect_both(ends);
  const struct linger hard = {1, 0};
  setsockopt(ends[0], SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
  close(ends[0]);
  show("lingers for nothing: read", read(ends[1], bytes, sizeof bytes));
  show("read again", read(ends[1], bytes, sizeof bytes));
  show("write", write(ends[1], "x", 1));
  close(ends[1]);

  connect_both(ends);
  write(ends[1], "unread", 6);
  close(ends[0]);
  show("closed with bytes unread: read", read(ends[1], bytes, sizeof bytes));
  show("write", write(ends[1], "x", 1));
  close(ends[1]);

  // MSG_TRUNC as an argument: how long the datagram was; bytes of TCP are dropped.
  socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
  send(ends[0], "abcdef", 6, 0);
  show("a cut datagram", recv(ends[1], bytes, 4, MSG_TRUNC));
  printf("%.4s\n", bytes);
  send(ends[0], "abcdef", 6, 0);
  show("without the flag", recv(ends[1], bytes, 4, 0));
  close(ends[0]);
  close(ends[1]);
  connect_both(ends);
  send(ends[0], "dropped", 7, 0);
  send(ends[0], "kept", 4, 0);
  memset(bytes, '-', sizeof bytes);
  show("a stream's", recv(ends[1], bytes, 7, MSG_TRUNC));
  printf("%.7s\n", bytes);
  show("the next", recv(ends[1], bytes, 4, 0));
  printf("%.4s\n", bytes);

  // Who is no superuser can only tell the truth.
  socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
  if (setgid(65534) != 0 || setuid(65534) != 0) errno = 0;
  send_as(ends[0], "itself", getpid(), getuid(), getgid());
  send_as(ends[0], "the superuser", getpid(), 0, getgid());
  send_as(ends[0], "its group", getpid(), getuid(), 0);
  send_as(ends[0], "its parent", getppid(), getuid(), getgid());
  return 0;
}
