// Urgent data of a stream: MSG_OOB, SO_OOBINLINE, SIOCATMARK, SIGURG, POLLPRI, select(2)'s third
// set. Prints a line for each step.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int listener, writer, reader;
static volatile sig_atomic_t urgents;

static void count(int signal) {
  if (signal == SIGURG) ++urgents;
}

static void show(const char* what, long result) {
  if (result < 0) {
    printf("%s: %s\n", what, strerror(errno));
  } else {
    printf("%s: %ld\n", what, result);
  }
}

static void connect_them(void) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof at;
  listener = socket(AF_INET, SOCK_STREAM, 0);
  bind(listener, (struct sockaddr*)&at, sizeof at);
  listen(listener, 1);
  getsockname(listener, (struct sockaddr*)&at, &size);
  writer = socket(AF_INET, SOCK_STREAM, 0);
  connect(writer, (struct sockaddr*)&at, sizeof at);
  reader = accept(listener, NULL, NULL);
}

static void disconnect_them(void) {
  close(listener);
  close(writer);
  close(reader);
}

static void state(const char* what) {
  struct pollfd polled = {reader, POLLIN | POLLPRI, 0};
  int available = -1;
  fd_set readable, exceptional;
  struct timeval now = {0, 0};
  FD_ZERO(&readable);
  FD_ZERO(&exceptional);
  FD_SET(reader, &readable);
  FD_SET(reader, &exceptional);
  const int polls = poll(&polled, 1, 0);
  const int selects = select(reader + 1, &readable, NULL, &exceptional, &now);
  ioctl(reader, FIONREAD, &available);
  printf("%s: poll %d %x, select %d%s%s, mark %d, %d bytes\n", what, polls, polled.revents, selects,
         FD_ISSET(reader, &readable) ? " readable" : "",
         FD_ISSET(reader, &exceptional) ? " exceptional" : "", sockatmark(reader), available);
}

static void get(const char* what, int flags) {
  char text[32];
  const long count = recv(reader, text, sizeof text, flags | MSG_DONTWAIT);
  if (count < 0) {
    show(what, count);
  } else {
    printf("%s: '%.*s'\n", what, (int)count, text);
  }
}

static void apart(void) {
  printf("-- apart\n");
  connect_them();
  get("nothing", MSG_OOB);
  state("nothing");
  send(writer, "abc", 3, 0);
  show("send", send(writer, "de!", 3, MSG_OOB));
  state("urgent");
  get("look at it", MSG_OOB | MSG_PEEK);
  get("get it", MSG_OOB);
  get("again", MSG_OOB);
  state("taken");
  send(writer, "fgh", 3, 0);
  get("look", MSG_PEEK);
  get("to the mark", 0);
  state("at the mark");
  get("behind it", 0);
  state("the end");
  get("no more", 0);
  disconnect_them();
}

static void twice(void) {
  printf("-- twice\n");
  connect_them();
  send(writer, "a1", 2, MSG_OOB);
  send(writer, "b2", 2, MSG_OOB);
  state("two");
  get("the last", MSG_OOB);
  get("the others", 0);
  send(writer, "3", 1, MSG_OOB);
  state("alone");
  get("nothing else", 0);
  get("alone", MSG_OOB);
  send(writer, "z", 1, 0);
  get("then", 0);
  state("then");
  disconnect_them();
}

static void in_line(void) {
  const int yes = 1;
  printf("-- inline\n");
  connect_them();
  show("setsockopt", setsockopt(reader, SOL_SOCKET, SO_OOBINLINE, &yes, sizeof yes));
  send(writer, "abc", 3, 0);
  send(writer, "de!", 3, MSG_OOB);
  send(writer, "fgh", 3, 0);
  state("urgent");
  get("apart", MSG_OOB);
  get("to the mark", 0);
  state("at the mark");
  get("with it", 0);
  state("behind it");
  disconnect_them();
}

static void signals(void) {
  printf("-- signals\n");
  connect_them();
  signal(SIGURG, count);
  show("owner", fcntl(reader, F_GETOWN));
  send(writer, "!", 1, MSG_OOB);
  printf("%d signals\n", urgents);
  show("set", fcntl(reader, F_SETOWN, getpid()));
  show("owner", fcntl(reader, F_GETOWN) == getpid());
  send(writer, "!", 1, MSG_OOB);
  printf("%d signals\n", urgents);
  pid_t owner = -getpgrp();
  show("set", ioctl(reader, SIOCSPGRP, &owner));
  owner = 0;
  show("get", ioctl(reader, SIOCGPGRP, &owner));
  show("group", owner == -getpgrp());
  signal(SIGURG, SIG_DFL);
  send(writer, "!", 1, MSG_OOB);
  show("nobody", fcntl(reader, F_SETOWN, 12345678));
  show("set", fcntl(reader, F_SETOWN, 0));
  disconnect_them();
}

// The owner is the open file's, of which accept(2) makes a new one.
static void accepted(void) {
  printf("-- accepted\n");
  connect_them();
  struct sockaddr_in at;
  socklen_t size = sizeof at;
  getsockname(listener, (struct sockaddr*)&at, &size);
  show("set", fcntl(listener, F_SETOWN, getpid()));
  signal(SIGIO, SIG_IGN);
  show("flags", fcntl(listener, F_SETFL, O_NONBLOCK | O_ASYNC));
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  connect(client, (struct sockaddr*)&at, size);
  const int made = accept(listener, NULL, NULL);
  show("owner", fcntl(made, F_GETOWN));
  show("flags", fcntl(made, F_GETFL) & (O_NONBLOCK | O_ASYNC));
  signal(SIGURG, count);
  urgents = 0;
  send(client, "!", 1, MSG_OOB);
  printf("%d signals\n", urgents);
  signal(SIGURG, SIG_DFL);
  close(client);
  close(made);
  disconnect_them();
}

static volatile pid_t told;

static void note_thread(int signal) {
  if (signal == SIGURG) told = (pid_t)syscall(SYS_gettid);
}

static void* hear(void* unused) {
  (void)unused;
  struct f_owner_ex owner = {F_OWNER_TID, (int)syscall(SYS_gettid)};
  show("set thread", fcntl(reader, F_SETOWN_EX, &owner));
  send(writer, "!", 1, MSG_OOB);
  for (int tries = 0; told == 0 && tries < 1000; tries++) usleep(1000);
  show("told is the thread", told == owner.pid);
  return NULL;
}

// A thread is told, though another one could be.
static void signal_to_thread(void) {
  printf("-- a thread\n");
  struct sigaction action = {.sa_handler = note_thread, .sa_flags = SA_RESTART};
  pthread_t thread;
  connect_them();
  sigaction(SIGURG, &action, NULL);
  pthread_create(&thread, NULL, hear, NULL);
  pthread_join(thread, NULL);
  signal(SIGURG, SIG_DFL);
  disconnect_them();
}

static void waits(void) {
  printf("-- waits\n");
  fflush(stdout);
  connect_them();
  if (fork() == 0) {
    usleep(200000);
    send(writer, "first", 5, 0);
    usleep(200000);
    send(writer, "!", 1, MSG_OOB);
    usleep(200000);
    send(writer, "last", 4, 0);
    _exit(0);
  }
  close(writer);
  fd_set exceptional;
  FD_ZERO(&exceptional);
  FD_SET(reader, &exceptional);
  show("select", select(reader + 1, NULL, NULL, &exceptional, NULL));
  struct pollfd polled = {reader, POLLPRI, 0};
  show("poll", poll(&polled, 1, -1));
  struct epoll_event event = {.events = EPOLLPRI}, found = {0};
  const int epoll = epoll_create1(0);
  epoll_ctl(epoll, EPOLL_CTL_ADD, reader, &event);
  show("epoll", epoll_wait(epoll, &found, 1, -1));
  printf("%x\n", found.events);
  get("urgent", MSG_OOB);
  char text[9] = "";
  show("all", recv(reader, text, 5, MSG_WAITALL));
  printf("'%s'\n", text);
  wait(NULL);
  show("behind the mark", recv(reader, text, 4, MSG_WAITALL));
  printf("'%s'\n", text);
  show("the end", recv(reader, text, 4, 0));
  disconnect_them();
}

static void others(void) {
  int pair[2], mark = 7;
  printf("-- others\n");
  const int datagrams = socket(AF_INET, SOCK_DGRAM, 0);
  show("datagram", send(datagrams, "!", 1, MSG_OOB));
  show("datagram", recv(datagrams, &mark, 1, MSG_OOB | MSG_DONTWAIT));
  socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
  show("local", send(pair[0], "!", 1, MSG_OOB));
  show("local", recv(pair[0], &mark, 1, MSG_OOB | MSG_DONTWAIT));
  show("local mark", ioctl(pair[0], SIOCATMARK, &mark) < 0);
  show("no socket", ioctl(0, SIOCATMARK, &mark));
  connect_them();
  show("bad address", ioctl(reader, SIOCATMARK, 16));
  struct iovec vector = {&mark, 1};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
  send(writer, "a!", 2, MSG_OOB);
  show("message", recvmsg(reader, &message, MSG_OOB));
  printf("%x\n", message.msg_flags);
  message.msg_iovlen = 0;
  send(writer, "?", 1, MSG_OOB);
  show("no room", recvmsg(reader, &message, MSG_OOB));
  printf("%x\n", message.msg_flags & MSG_OOB);
  disconnect_them();
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  apart();
  twice();
  in_line();
  signals();
  accepted();
  signal_to_thread();
  waits();
  others();
  return 0;
}
