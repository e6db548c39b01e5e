// epoll(7) and eventfd(2), and signal masks that last as long as a call waits.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void show(const char* what, long result) {
  if (result < 0) {
    printf("%s: %s\n", what, strerror(errno));
  } else {
    printf("%s: %ld\n", what, result);
  }
}

static int compare(const void* a, const void* b) {
  const struct epoll_event *x = a, *y = b;
  return x->data.u64 < y->data.u64 ? -1 : x->data.u64 > y->data.u64;
}

static void wait_for_some(const char* what, int epoll, int most) {
  struct epoll_event found[8];
  int count = epoll_wait(epoll, found, most, 0);
  printf("%s: %d", what, count);
  if (count > 0) qsort(found, count, sizeof found[0], compare);
  for (int i = 0; i < count; ++i) {
    printf(", %llu %#x", (unsigned long long)found[i].data.u64, found[i].events);
  }
  printf("\n");
}

static int control(int epoll, int operation, int file, uint32_t events, uint64_t data) {
  struct epoll_event event = {.events = events, .data.u64 = data};
  return epoll_ctl(epoll, operation, file, &event);
}

static void numbers(void) {
  printf("-- eventfd\n");
  int file = eventfd(3, EFD_NONBLOCK);
  uint64_t value = 0;
  show("read", read(file, &value, 8));
  printf("%llu\n", (unsigned long long)value);
  show("read none", read(file, &value, 8));
  value = 5;
  show("write", write(file, &value, 8));
  show("write", write(file, &value, 8));
  show("short", read(file, &value, 4));
  show("read", read(file, &value, 8));
  printf("%llu\n", (unsigned long long)value);
  value = UINT64_MAX;
  show("too much", write(file, &value, 8));
  value = UINT64_MAX - 1;
  show("most", write(file, &value, 8));
  struct pollfd one = {file, POLLIN | POLLOUT, 0};
  show("poll", poll(&one, 1, 0));
  printf("%#x\n", one.revents);
  value = 1;
  show("full", write(file, &value, 8));
  close(file);
  file = eventfd(2, EFD_SEMAPHORE | EFD_CLOEXEC);
  show("semaphore", read(file, &value, 8));
  printf("%llu, closes on exec %d\n", (unsigned long long)value, fcntl(file, F_GETFD));
  show("lseek", lseek(file, 0, SEEK_SET));
  close(file);
  show("flags", eventfd(0, 1 << 20));
}

static void levels_and_edges(void) {
  printf("-- epoll\n");
  show("size", epoll_create(0));
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  int one[2], two[2];
  pipe(one);
  socketpair(AF_UNIX, SOCK_STREAM, 0, two);
  show("add", control(epoll, EPOLL_CTL_ADD, one[0], EPOLLIN, 1));
  show("add again", control(epoll, EPOLL_CTL_ADD, one[0], EPOLLIN, 1));
  show("add", control(epoll, EPOLL_CTL_ADD, two[0], EPOLLIN | EPOLLRDHUP | EPOLLET, 0x200000002));
  show("add", control(epoll, EPOLL_CTL_ADD, one[1], EPOLLOUT | EPOLLONESHOT, 3));
  wait_for_some("writer", epoll, 8);
  wait_for_some("once", epoll, 8);
  show("again", control(epoll, EPOLL_CTL_MOD, one[1], EPOLLOUT | EPOLLONESHOT, 4));
  wait_for_some("writer", epoll, 8);
  write(one[1], "abc", 3);
  write(two[1], "abc", 3);
  wait_for_some("both", epoll, 8);
  wait_for_some("level only", epoll, 8);
  write(two[1], "d", 1);
  wait_for_some("an edge", epoll, 8);
  char text[8];
  read(one[0], text, sizeof text);
  wait_for_some("level is over", epoll, 8);
  close(two[1]);
  wait_for_some("hung up", epoll, 8);
  close(one[1]);
  wait_for_some("without writer", epoll, 8);
  show("remove", control(epoll, EPOLL_CTL_DEL, one[0], 0, 0));
  show("remove again", control(epoll, EPOLL_CTL_DEL, one[0], 0, 0));
  close(two[0]);
  wait_for_some("closed", epoll, 8);
  show("not open", control(epoll, EPOLL_CTL_ADD, 77, EPOLLIN, 1));
  show("itself", control(epoll, EPOLL_CTL_ADD, epoll, EPOLLIN, 1));
  show("not an epoll", control(one[0], EPOLL_CTL_ADD, epoll, EPOLLIN, 1));
  show("operation", control(epoll, 9, one[0], EPOLLIN, 1));
  show("none", epoll_wait(epoll, (struct epoll_event*)text, 0, 0));
  int file = open("file", O_RDWR | O_CREAT, 0644);
  show("a file", control(epoll, EPOLL_CTL_ADD, file, EPOLLIN, 1));
  close(file);
  unlink("file");
  int number = eventfd(0, 0), outer = epoll_create1(0);
  control(epoll, EPOLL_CTL_ADD, number, EPOLLIN, 6);
  control(outer, EPOLL_CTL_ADD, epoll, EPOLLIN, 7);
  show("a circle", control(epoll, EPOLL_CTL_ADD, outer, EPOLLIN, 8));
  wait_for_some("outer", outer, 8);
  uint64_t value = 1;
  write(number, &value, 8);
  wait_for_some("outer", outer, 8);
  int copy = dup(number);
  close(number);
  wait_for_some("a copy is left", epoll, 8);
  close(copy);
  wait_for_some("none is left", epoll, 8);
  close(outer);
  close(epoll);
}

static void across_processes(void) {
  int number = eventfd(0, 0), epoll = epoll_create1(0);
  control(epoll, EPOLL_CTL_ADD, number, EPOLLIN, 9);
  if (fork() == 0) {
    usleep(20000);
    uint64_t value = 1;
    write(number, &value, 8);
    _exit(0);
  }
  struct epoll_event found;
  show("waited", epoll_wait(epoll, &found, 1, -1));
  wait(0);
  uint64_t value;
  read(number, &value, 8);
  show("time over", epoll_wait(epoll, &found, 1, 30));
  close(epoll);
  close(number);
}

static volatile int seen = 0;
static void on_signal(int signal) {
  (void)signal;
  ++seen;
}

// The signal is blocked but in the call.
static void masks(void) {
  printf("-- masks\n");
  struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGUSR1, &action, 0);
  sigset_t none, blocked, now;
  sigemptyset(&none);
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  sigprocmask(SIG_BLOCK, &blocked, 0);
  raise(SIGUSR1);
  printf("seen %d\n", seen);
  int epoll = epoll_create1(0);
  struct epoll_event found;
  show("epoll_pwait", epoll_pwait(epoll, &found, 1, -1, &none));
  printf("seen %d\n", seen);
  sigprocmask(SIG_BLOCK, 0, &now);
  printf("blocked %d\n", sigismember(&now, SIGUSR1));
  raise(SIGUSR1);
  show("ppoll", ppoll(0, 0, 0, &none));
  printf("seen %d\n", seen);
  raise(SIGUSR1);
  struct timespec second = {1, 0};
  show("pselect", pselect(0, 0, 0, 0, &second, &none));
  printf("seen %d\n", seen);
  struct timespec little = {0, 10000000};
  show("pselect", pselect(0, 0, 0, 0, &little, &none));
  sigprocmask(SIG_BLOCK, 0, &now);
  printf("blocked %d\n", sigismember(&now, SIGUSR1));
  close(epoll);
}

int main(void) {
  setvbuf(stdout, 0, _IOLBF, 0);
  numbers();
  levels_and_edges();
  across_processes();
  masks();
  return 0;
}
