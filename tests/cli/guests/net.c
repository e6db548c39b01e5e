/* The host's network. net HOW HOST PORT [MORE]: HOST is an IPv4 address or a name. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct sockaddr_in there;

static void fail(const char *what) {
  printf("%s: %s\n", what, strerror(errno));
  exit(1);
}

static const char *text(const struct sockaddr_in *address) {
  return inet_ntoa(address->sin_addr);
}

static int connected(void) {
  const int socket_ = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(socket_, (struct sockaddr *)&there, sizeof there) < 0) fail("connect");
  return socket_;
}

static void put(int file, const char *what) {
  if (write(file, what, strlen(what)) != (ssize_t)strlen(what)) fail("write");
}

/* Until the other end writes no more. */
static void show_all(int from) {
  char bytes[4096];
  ssize_t count;
  while ((count = read(from, bytes, sizeof bytes)) > 0) fwrite(bytes, 1, (size_t)count, stdout);
  if (count < 0) fail("read");
}

static void fetch(void) {
  const int from = connected();
  struct sockaddr_in own, peer;
  socklen_t size = sizeof own;
  getpeername(from, (struct sockaddr *)&peer, &size);
  printf("peer %s %d\n", text(&peer), peer.sin_port == there.sin_port);
  getsockname(from, (struct sockaddr *)&own, &size);
  printf("own %s %d\n", text(&own), own.sin_port != 0);
  put(from, "ask\n");
  shutdown(from, SHUT_WR);
  show_all(from);
}

/* connect(2) that does not wait, and what poll(2) and SO_ERROR tell of it. */
static void later(void) {
  const int from = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  struct pollfd polled = {from, POLLOUT, 0};
  int error = -1;
  socklen_t size = sizeof error;
  if (connect(from, (struct sockaddr *)&there, sizeof there) == 0) fail("at once");
  printf("%s\n", strerror(errno));
  printf("poll %d\n", poll(&polled, 1, 10000));
  getsockopt(from, SOL_SOCKET, SO_ERROR, &error, &size);
  printf("%s\n", strerror(error));
  if (error != 0) return;
  put(from, "ask\n");
  shutdown(from, SHUT_WR);
  polled.events = POLLIN;
  poll(&polled, 1, -1);
  fcntl(from, F_SETFL, 0);
  show_all(from);
}

static int listening(void) {
  const int server = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
  setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(server, (struct sockaddr *)&there, sizeof there) < 0) fail("bind");
  if (listen(server, 5) < 0) fail("listen");
  return server;
}

/* Answers one line of one client with the same line. */
static void serve(void) {
  const int server = listening();
  struct sockaddr_in from;
  socklen_t size = sizeof from;
  fd_set set;
  char line[100];
  printf("listening\n");
  fflush(stdout);
  FD_ZERO(&set);
  FD_SET(server, &set);
  if (select(server + 1, &set, NULL, NULL, NULL) != 1) fail("select");
  const int client = accept(server, (struct sockaddr *)&from, &size);
  if (client < 0) fail("accept");
  printf("from %s\n", text(&from));
  const ssize_t count = read(client, line, sizeof line);
  if (count < 0 || write(client, line, (size_t)count) != count) fail("echo");
}

static void datagram(void) {
  const int socket_ = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in from;
  socklen_t size = sizeof from;
  char bytes[8] = "";
  sendto(socket_, "question", 8, 0, (struct sockaddr *)&there, sizeof there);
  const ssize_t count = recvfrom(socket_, bytes, 4, 0, (struct sockaddr *)&from, &size);
  printf("%d '%s' from %s %d\n", (int)count, bytes, text(&from), from.sin_port == there.sin_port);
  if (connect(socket_, (struct sockaddr *)&there, sizeof there) < 0) fail("connect");
  send(socket_, "question", 8, 0);
  struct pollfd polled = {socket_, POLLIN, 0};
  printf("poll %d\n", poll(&polled, 1, -1));
  memset(bytes, 0, sizeof bytes);
  printf("%d '%s'\n", (int)recv(socket_, bytes, sizeof bytes - 1, 0), bytes);
}

/* The child waits for an answer that comes only when the parent, who can run, has asked for it. */
static void both(void) {
  const int waits = connected(), asks = connected();
  volatile unsigned sum = 0;
  fflush(stdout);
  if (fork() == 0) {
    struct epoll_event event = {EPOLLIN, {0}};
    const int epoll = epoll_create1(0);
    close(asks);
    epoll_ctl(epoll, EPOLL_CTL_ADD, waits, &event);
    printf("child: %d\n", epoll_wait(epoll, &event, 1, -1));
    show_all(waits);
    exit(0);
  }
  close(waits);
  for (unsigned i = 0; i < 300000; ++i) sum += i;
  put(asks, "now\n");
  shutdown(asks, SHUT_WR);
  show_all(asks);
  wait(NULL);
}

/* With a time limit that is over first, and then for ever. */
static void patience(void) {
  const int from = connected();
  struct pollfd polled = {from, POLLIN, 0};
  struct timespec before, after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  printf("poll %d\n", poll(&polled, 1, 300));
  clock_gettime(CLOCK_MONOTONIC, &after);
  const long passed = (after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000;
  printf("%s\n", passed >= 290 && passed < 5000 ? "in time" : "not in time");
  fflush(stdout);
  show_all(from);
}

static volatile sig_atomic_t signals;

static void count(int signal) {
  signals += signal == SIGIO;
}

/* Signals tell of what comes. */
static void told(void) {
  const int from = connected();
  struct pollfd polled = {from, POLLIN, 0};
  char bytes[64];
  signal(SIGIO, count);
  fcntl(from, F_SETOWN, getpid());
  fcntl(from, F_SETFL, O_ASYNC | O_NONBLOCK);
  for (int i = 0; i < 2; ++i) {
    put(from, "more\n");
    while (signals <= i) poll(&polled, 1, -1);
    const ssize_t size = read(from, bytes, sizeof bytes);
    printf("told, %.*s", (int)(size < 0 ? 0 : size), bytes);
  }
  fcntl(from, F_SETFL, 0);
  put(from, "the last\n");
  show_all(from);
  printf("signals: %d\n", (int)signals);
}

/* Nobody but the signal ends these waits. */
static void suspended(void) {
  const int from = connected();
  char bytes[64];
  sigset_t io, none;
  sigemptyset(&none);
  sigemptyset(&io);
  sigaddset(&io, SIGIO);
  sigprocmask(SIG_BLOCK, &io, NULL);
  signal(SIGIO, count);
  fcntl(from, F_SETOWN, getpid());
  fcntl(from, F_SETFL, O_ASYNC | O_NONBLOCK);
  put(from, "more\n");
  for (ssize_t size = 1; size > 0;) {
    sigsuspend(&none);
    while ((size = read(from, bytes, sizeof bytes)) > 0) printf("woken, %.*s", (int)size, bytes);
    if (size < 0 && errno == EAGAIN) size = 1;
  }
  printf("ended\n");
}

/* Waits that no news can end, 0.2 s each. */
static void paces(void) {
  const struct timespec time = {0, 200000000};
  const struct itimerval alarm = {{0, 0}, {0, 200000}};
  struct timeval limit = {0, 200000};
  nanosleep(&time, NULL);
  select(0, NULL, NULL, NULL, &limit);
  poll(NULL, 0, 200);
  signal(SIGALRM, count);
  setitimer(ITIMER_REAL, &alarm, NULL);
  pause();
  if (fork() == 0) {
    nanosleep(&time, NULL);
    _exit(0);
  }
  wait(NULL);
  printf("waited\n");
}

/* The guests' own loopback network is not the host's. */
static void own(void) {
  const int server = listening(), client = connected();
  struct sockaddr_in peer;
  socklen_t size = sizeof peer;
  const int end = accept(server, (struct sockaddr *)&peer, &size);
  printf("from %s\n", text(&peer));
  put(client, "own\n");
  close(client);
  show_all(end);
}

int main(int argc, char **argv) {
  const struct {
    const char *name;
    void (*act)(void);
  } all[] = {{"fetch", fetch}, {"later", later}, {"serve", serve},       {"datagram", datagram},
             {"both", both},   {"own", own},     {"patience", patience}, {"told", told},
             {"suspended", suspended}, {"paces", paces}};
  if (argc < 4) return 2;
  there.sin_family = AF_INET;
  there.sin_port = htons((unsigned short)atoi(argv[3]));
  if (inet_aton(argv[2], &there.sin_addr) == 0) {
    const struct hostent *host = gethostbyname(argv[2]);
    if (host == NULL) {
      printf("%s: nobody\n", argv[2]);
      return 1;
    }
    memcpy(&there.sin_addr, host->h_addr, 4);
    printf("%s is %s\n", argv[2], text(&there));
  }
  for (unsigned i = 0; i < sizeof all / sizeof *all; ++i)
    if (strcmp(argv[1], all[i].name) == 0) all[i].act();
  return 0;
}
