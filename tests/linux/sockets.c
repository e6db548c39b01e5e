// Sockets between the processes of one run: local and internet ones, streams and datagrams, their
// errors, what poll(2) says of them, and files that go along.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char* of(long result) {
  return result < 0 ? strerror(errno) : "done";
}

static void show(const char* what, long result) {
  if (result < 0) {
    printf("%s: %s\n", what, strerror(errno));
  } else {
    printf("%s: %ld\n", what, result);
  }
}

// What poll(2) says at once.
static int events(int file) {
  struct pollfd one = {file, POLLIN | POLLOUT | POLLRDHUP, 0};
  poll(&one, 1, 0);
  return one.revents;
}

static void pair_of(const char* name, int type) {
  int ends[2];
  char buffer[64] = "";
  printf("-- pair of %s: %s\n", name, of(socketpair(AF_UNIX, type, 0, ends)));
  printf("fresh %#x\n", events(ends[0]));
  show("write", write(ends[0], "one", 3));
  show("send", send(ends[0], "twoandmore", 10, 0));
  int bytes = 0;
  show("FIONREAD", ioctl(ends[1], FIONREAD, &bytes));
  printf("waiting %d, %#x\n", bytes, events(ends[1]));
  show("peek", recv(ends[1], buffer, 2, MSG_PEEK));
  show("short read", recv(ends[1], buffer, 2, 0));
  show("read", read(ends[1], buffer, sizeof buffer));
  show("read on, not waiting", recv(ends[1], buffer, sizeof buffer, MSG_DONTWAIT));
  struct stat status;
  fstat(ends[0], &status);
  printf("socket %d, flags %o\n", S_ISSOCK(status.st_mode), fcntl(ends[0], F_GETFL) & O_ACCMODE);
  show("lseek", lseek(ends[0], 0, SEEK_CUR));
  show("shutdown", shutdown(ends[0], SHUT_WR));
  printf("after it %#x %#x\n", events(ends[0]), events(ends[1]));
  show("send after it", send(ends[0], "x", 1, MSG_NOSIGNAL));
  if (type == SOCK_STREAM) show("read the end", read(ends[1], buffer, sizeof buffer));
  close(ends[0]);
  printf("closed %#x\n", events(ends[1]));
  show("send to the closed", send(ends[1], "x", 1, MSG_NOSIGNAL));
  close(ends[1]);
}

static volatile int broken = 0;
static void on_pipe(int signal) {
  (void)signal;
  broken = 1;
}

static void broken_pipe(void) {
  int ends[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  signal(SIGPIPE, on_pipe);
  close(ends[1]);
  show("write", write(ends[0], "x", 1));
  printf("SIGPIPE %d\n", broken);
  close(ends[0]);
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  write(ends[0], "unread", 6);
  close(ends[1]);
  char byte;
  show("read after a reset", read(ends[0], &byte, 1));
  show("and again", read(ends[0], &byte, 1));
  close(ends[0]);
}

static struct sockaddr_un local_name(const char* path) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  strcpy(name.sun_path, path);
  return name;
}

static void local_server(void) {
  printf("-- local\n");
  struct sockaddr_un name = local_name("server");
  int server = socket(AF_UNIX, SOCK_STREAM, 0);
  show("listen unbound", listen(server, 1));
  show("connect to nothing", connect(server, (struct sockaddr*)&name, sizeof name));
  show("bind", bind(server, (struct sockaddr*)&name, sizeof name));
  show("bind again", bind(server, (struct sockaddr*)&name, sizeof name));
  int other = socket(AF_UNIX, SOCK_STREAM, 0);
  show("bind another", bind(other, (struct sockaddr*)&name, sizeof name));
  show("connect before listen", connect(other, (struct sockaddr*)&name, sizeof name));
  struct stat status;
  show("stat", stat("server", &status));
  printf("a socket %d\n", S_ISSOCK(status.st_mode));
  show("open", open("server", O_RDWR));
  show("accept before listen", accept(server, 0, 0));
  show("listen", listen(server, 5));
  show("accept, not waiting", (fcntl(server, F_SETFL, O_NONBLOCK), accept(server, 0, 0)));
  fcntl(server, F_SETFL, 0);
  if (fork() == 0) {
    int client = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(client, (struct sockaddr*)&name, sizeof name) != 0) _exit(1);
    char answer[16] = "";
    write(client, "question", 8);
    ssize_t got = read(client, answer, sizeof answer);
    _exit(got == 6 && strcmp(answer, "answer") == 0 ? 0 : 2);
  }
  struct sockaddr_un from;
  socklen_t length = sizeof from;
  int connection = accept(server, (struct sockaddr*)&from, &length);
  printf("accepted %d, name of %u bytes, family %d\n", connection > 2, length, from.sun_family);
  char text[32] = "";
  show("read", read(connection, text, sizeof text));
  printf("%s\n", text);
  write(connection, "answer", 6);
  int end;
  wait(&end);
  printf("client %#x\n", end);
  show("read the end", read(connection, text, sizeof text));
  length = sizeof from;
  getsockname(connection, (struct sockaddr*)&from, &length);
  printf("its name is %s, %u\n", from.sun_path, length);
  close(connection);
  close(server);
  show("connect to a dead one", connect(other, (struct sockaddr*)&name, sizeof name));
  show("unlink", unlink("server"));
  show("connect to a removed one", connect(other, (struct sockaddr*)&name, sizeof name));
  close(other);
}

static void abstract_names(void) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  // Under QEMU such names are the whole host's.
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  const int written =
      snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "hardclock-%09ld", now.tv_nsec);
  socklen_t length = offsetof(struct sockaddr_un, sun_path) + 1 + written;
  int server = socket(AF_UNIX, SOCK_DGRAM, 0), client = socket(AF_UNIX, SOCK_DGRAM, 0);
  show("bind", bind(server, (struct sockaddr*)&name, length));
  show("bind again", bind(client, (struct sockaddr*)&name, length));
  show("send unconnected", send(client, "x", 1, 0));
  int nameless = socket(AF_UNIX, SOCK_DGRAM, 0);
  show("sendto", sendto(nameless, "hello", 5, 0, (struct sockaddr*)&name, length));
  close(nameless);
  struct sockaddr_un own = local_name("client");
  show("bind client", bind(client, (struct sockaddr*)&own, sizeof own));
  show("connect", connect(client, (struct sockaddr*)&name, length));
  show("send", send(client, "second", 6, 0));
  char text[16];
  struct sockaddr_un from;
  socklen_t room = sizeof from;
  show("recvfrom", recvfrom(server, text, sizeof text, 0, (struct sockaddr*)&from, &room));
  printf("from %u bytes\n", room);
  room = sizeof from;
  show("recvfrom", recvfrom(server, text, 3, 0, (struct sockaddr*)&from, &room));
  printf("from %s, %u\n", from.sun_path, room);
  unlink("client");
  close(server);
  show("send to the closed", send(client, "x", 1, 0));
  close(client);
}

static void files_along(void) {
  printf("-- files\n");
  int ends[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  int pipe_ends[2];
  pipe(pipe_ends);
  char control[CMSG_SPACE(2 * sizeof(int))];
  char byte = '!';
  struct iovec vector = {&byte, 1};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
  if (fork() == 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    struct cmsghdr* head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(2 * sizeof(int));
    int files[2] = {pipe_ends[0], pipe_ends[1]};
    memcpy(CMSG_DATA(head), files, sizeof files);
    _exit(sendmsg(ends[1], &message, 0) == 1 ? 0 : 1);
  }
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  int end;
  wait(&end);
  printf("sender %#x\n", end);
  byte = 0;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  show("recvmsg", recvmsg(ends[0], &message, MSG_CMSG_CLOEXEC));
  struct cmsghdr* head = CMSG_FIRSTHDR(&message);
  printf("byte %c, flags %#x, control %d, type %d, length %d\n", byte, message.msg_flags,
         (int)(message.msg_controllen == sizeof control), head->cmsg_type,
         head->cmsg_len == CMSG_LEN(2 * sizeof(int)));
  int files[2];
  memcpy(files, CMSG_DATA(head), sizeof files);
  show("write", write(files[1], "through", 7));
  char text[16] = "";
  show("read", read(files[0], text, sizeof text));
  printf("%s, closes on exec %d\n", text, fcntl(files[0], F_GETFD));
  close(files[0]);
  close(files[1]);
  socklen_t length = sizeof(struct ucred);
  struct ucred peer;
  show("SO_PEERCRED", getsockopt(ends[0], SOL_SOCKET, SO_PEERCRED, &peer, &length));
  printf("mine %d\n", peer.pid == getpid() && peer.uid == geteuid());
  close(ends[0]);
  close(ends[1]);
}

static struct sockaddr_in port_of(int file) {
  struct sockaddr_in name;
  socklen_t length = sizeof name;
  getsockname(file, (struct sockaddr*)&name, &length);
  return name;
}

static void internet_stream(void) {
  printf("-- internet\n");
  int server = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  printf("fresh %#x\n", events(server));
  show("recv", recv(server, &name, 1, 0));
  show("send", send(server, &name, 1, MSG_NOSIGNAL));
  show("bind", bind(server, (struct sockaddr*)&name, sizeof name));
  name = port_of(server);
  printf("port %d, %s\n", ntohs(name.sin_port) >= 1024, inet_ntoa(name.sin_addr));
  int client = socket(AF_INET, SOCK_STREAM, 0);
  show("bind the same", bind(client, (struct sockaddr*)&name, sizeof name));
  show("refused", connect(client, (struct sockaddr*)&name, sizeof name));
  show("listen", listen(server, 5));
  show("connect", connect(client, (struct sockaddr*)&name, sizeof name));
  show("connect again", connect(client, (struct sockaddr*)&name, sizeof name));
  struct sockaddr_in from;
  socklen_t length = sizeof from;
  int connection = accept4(server, (struct sockaddr*)&from, &length, SOCK_CLOEXEC);
  printf("accepted %d, %u bytes, same %d\n", connection > 2, length,
         from.sin_port == port_of(client).sin_port);
  printf("closes on exec %d\n", fcntl(connection, F_GETFD));
  getpeername(client, (struct sockaddr*)&from, &length);
  printf("peer %d %s\n", from.sin_port == name.sin_port, inet_ntoa(from.sin_addr));
  show("send", send(client, "abcdef", 6, 0));
  char text[16] = "";
  show("wait for all", recv(connection, text, 6, MSG_WAITALL));
  printf("%s %#x\n", text, events(connection));
  struct timeval patience = {0, 20000};
  setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  show("time over", recv(connection, text, 6, 0));
  shutdown(client, SHUT_WR);
  printf("half closed %#x %#x\n", events(client), events(connection));
  show("read the end", recv(connection, text, 6, 0));
  show("back", send(connection, "still", 5, 0));
  show("read", recv(client, text, sizeof text, 0));
  close(connection);
  printf("closed %#x\n", events(client));
  close(client);
  close(server);
}

static void not_waiting(void) {
  int server = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  bind(server, (struct sockaddr*)&name, sizeof name);
  listen(server, 5);
  name = port_of(server);
  int client = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  show("connect, not waiting", connect(client, (struct sockaddr*)&name, sizeof name));
  struct pollfd one = {client, POLLOUT, 0};
  show("poll", poll(&one, 1, 1000));
  int error = -1;
  socklen_t length = sizeof error;
  show("SO_ERROR", getsockopt(client, SOL_SOCKET, SO_ERROR, &error, &length));
  printf("error %d\n", error);
  char byte;
  show("read, not waiting", read(client, &byte, 1));
  close(server);
  close(client);
  client = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  show("connect to nobody", connect(client, (struct sockaddr*)&name, sizeof name));
  one.fd = client;
  show("poll", poll(&one, 1, 1000));
  printf("%#x\n", one.revents);
  getsockopt(client, SOL_SOCKET, SO_ERROR, &error, &length);
  printf("refused %d\n", error != 0);  // QEMU gives the host's number
  close(client);
}

static void internet_datagrams(void) {
  printf("-- datagrams\n");
  int server = socket(AF_INET, SOCK_DGRAM, 0), client = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
  show("bind", bind(server, (struct sockaddr*)&name, sizeof name));
  name = port_of(server);
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  show("send to nobody", send(client, "x", 1, 0));
  show("sendto", sendto(client, "one", 3, 0, (struct sockaddr*)&name, sizeof name));
  show("sendto", sendto(client, "", 0, 0, (struct sockaddr*)&name, sizeof name));
  char text[16];
  struct sockaddr_in from;
  socklen_t length = sizeof from;
  show("recvfrom", recvfrom(server, text, 2, MSG_TRUNC * 0, (struct sockaddr*)&from, &length));
  printf("from %d %s\n", from.sin_port == port_of(client).sin_port, inet_ntoa(from.sin_addr));
  show("an empty one", recv(server, text, sizeof text, 0));
  show("none", recv(server, text, sizeof text, MSG_DONTWAIT));
  static char large[70000];
  show("too large", sendto(client, large, sizeof large, 0, (struct sockaddr*)&name, sizeof name));
  show("connect", connect(client, (struct sockaddr*)&name, sizeof name));
  show("send", send(client, "two", 3, 0));
  show("recv", recv(server, text, sizeof text, 0));
  close(server);
  show("send to a closed one", send(client, "x", 1, 0));
  show("and again", send(client, "x", 1, 0));
  close(client);
}

static void errors(void) {
  printf("-- errors\n");
  show("family", socket(200, SOCK_STREAM, 0));
  show("kind", socket(AF_UNIX, 9, 0));
  show("invalid kind", socket(AF_UNIX, 15, 0));
  show("protocol", socket(AF_INET, SOCK_STREAM, IPPROTO_UDP));
  show("local protocol", socket(AF_UNIX, SOCK_STREAM, 7));
  int ends[2];
  show("internet pair", socketpair(AF_INET, SOCK_STREAM, 0, ends));
  show("not a socket", listen(1, 1));
  show("not open", listen(77, 1));
  int file = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in name = {.sin_family = AF_INET};
  socklen_t length = sizeof name;
  show("no peer", getpeername(file, (struct sockaddr*)&name, &length));
  show("short", bind(file, (struct sockaddr*)&name, 8));
  name.sin_family = 99;
  show("another family", bind(file, (struct sockaddr*)&name, sizeof name));
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(0x08080808);
  show("another's address", bind(file, (struct sockaddr*)&name, sizeof name));
  show("shutdown", shutdown(file, SHUT_RDWR));
  show("how", shutdown(file, 7));
  show("bad address", bind(file, (struct sockaddr*)8, 16));
  int value = 1, type = 0;
  length = sizeof type;
  show("option", setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &value, sizeof value));
  show("unknown option", setsockopt(file, SOL_SOCKET, 12345, &value, sizeof value));
  show("short option", setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &value, 2));
  show("type", getsockopt(file, SOL_SOCKET, SO_TYPE, &type, &length));
  printf("stream %d\n", type == SOCK_STREAM);
  value = 0;
  show("asked", getsockopt(file, SOL_SOCKET, SO_REUSEADDR, &value, &length));
  printf("kept %d\n", value);
  value = 1;
  show("no delay", setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &value, sizeof value));
  value = 0;
  getsockopt(file, IPPROTO_TCP, TCP_NODELAY, &value, &length);
  printf("kept %d\n", value);
  struct linger linger = {1, 5}, told = {0, 0};
  setsockopt(file, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
  length = sizeof told;
  getsockopt(file, SOL_SOCKET, SO_LINGER, &told, &length);
  printf("linger %d %d\n", told.l_onoff, told.l_linger);
  value = 8192;
  setsockopt(file, SOL_SOCKET, SO_RCVBUF, &value, sizeof value);
  length = sizeof value;
  getsockopt(file, SOL_SOCKET, SO_RCVBUF, &value, &length);
  printf("buffer %d\n", value);
  close(file);
}

// A process fills a stream until it must wait; another drains it.
static void much(void) {
  printf("-- much\n");
  int ends[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  if (fork() == 0) {
    close(ends[0]);
    static char block[10000];
    for (int i = 0; i < 200; ++i) {
      memset(block, i, sizeof block);
      if (write(ends[1], block, sizeof block) != sizeof block) _exit(1);
    }
    _exit(0);
  }
  close(ends[1]);
  static unsigned char part[7777];
  long total = 0, sum = 0;
  ssize_t got;
  while ((got = read(ends[0], part, sizeof part)) > 0) {
    total += got;
    for (ssize_t i = 0; i < got; ++i) sum += part[i];
  }
  int end;
  wait(&end);
  printf("%ld bytes, sum %ld, %#x\n", total, sum, end);
  close(ends[0]);
}

int main(void) {
  setvbuf(stdout, 0, _IOLBF, 0);
  pair_of("streams", SOCK_STREAM);
  pair_of("datagrams", SOCK_DGRAM);
  pair_of("packets", SOCK_SEQPACKET);
  broken_pipe();
  local_server();
  abstract_names();
  files_along();
  internet_stream();
  not_waiting();
  internet_datagrams();
  errors();
  much();
  return 0;
}
