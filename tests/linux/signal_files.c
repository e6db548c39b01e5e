// signalfd(2): who reads it takes the signals that are pending for himself. QEMU's user mode loses the
// value of a signal where a long has 64 bits, and does not look at the size of a mask.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void show(const char* what, long result) {
  if (result < 0)
    printf("%s: %s\n", what, strerror(errno));
  else
    printf("%s: %ld\n", what, result);
}

static sigset_t set_of(int first, int second) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, first);
  if (second != 0) sigaddset(&set, second);
  return set;
}

static const char* name_of(int signal) {
  if (signal == SIGRTMIN) return "RTMIN";
  if (signal == SIGRTMIN + 1) return "RTMIN+1";
  return sigabbrev_np(signal);
}

static void tell(const struct signalfd_siginfo* one) {
  const int is_mine = one->ssi_pid == (uint32_t)getpid(), is_my_user = one->ssi_uid == getuid();
  printf("%s, code %d, errno %d, mine %d %d, int %d, status %d, timer %d, band %#x\n",
         name_of((int)one->ssi_signo), one->ssi_code, one->ssi_errno, is_mine, is_my_user, one->ssi_int,
         one->ssi_status, (int)one->ssi_tid, one->ssi_band);
}

static void take(const char* what, int file) {
  struct signalfd_siginfo found[4];
  memset(found, 0x55, sizeof found);
  const long bytes = read(file, found, sizeof found);
  show(what, bytes);
  for (long i = 0; i < bytes / (long)sizeof found[0]; ++i) tell(&found[i]);
}

static volatile int handled;

static void handle(int signal) {
  handled = signal;
}

static void basics(void) {
  printf("-- reads\n");
  sigset_t set = set_of(SIGUSR1, SIGRTMIN);
  sigaddset(&set, SIGKILL);
  sigprocmask(SIG_BLOCK, &set, NULL);
  const int file = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  printf("flags %d %d, size %d\n", (fcntl(file, F_GETFL) & O_NONBLOCK) != 0, fcntl(file, F_GETFD),
         (int)sizeof(struct signalfd_siginfo));
  take("none", file);
  raise(SIGUSR1);
  kill(getpid(), SIGUSR1);
  take("one's own and the process's", file);
  for (int i = 1; i <= 3; ++i) {
    const union sigval value = {.sival_int = -i};
    sigqueue(getpid(), SIGRTMIN, value);
  }
  struct signalfd_siginfo one;
  show("one", read(file, &one, sizeof one));
  tell(&one);
  show("too short", read(file, &one, sizeof one - 1));
  take("the rest", file);
  int place = 0;
  const union sigval value = {.sival_ptr = &place};
  sigqueue(getpid(), SIGRTMIN, value);
  show("pointer", read(file, &one, sizeof one));
  printf("the same %d\n", one.ssi_ptr == (uint64_t)(intptr_t)value.sival_ptr);
  show("write", write(file, &one, sizeof one));
  show("seek", lseek(file, 0, SEEK_SET));
  show("pread", pread(file, &one, sizeof one, 0));
  char path[40], name[80] = "";
  struct stat status;
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  show("readlink", readlink(path, name, sizeof name - 1));
  show("fstat", fstat(file, &status));
  printf("%s %o\n", name, (unsigned)status.st_mode);
  printf("-- another mask\n");
  sigset_t other = set_of(SIGUSR2, 0);
  sigprocmask(SIG_BLOCK, &other, NULL);
  raise(SIGUSR2);
  raise(SIGUSR1);
  printf("the same file %d\n", signalfd(file, &other, 0) == file);
  take("the other one", file);
  take("none", file);
  signalfd(file, &set, SFD_NONBLOCK);
  take("the first one", file);
  show("no signalfd", signalfd(1, &set, 0));
  show("not open", signalfd(77, &set, 0));
  show("flags", signalfd(-1, &set, 1));
  show("size", syscall(SYS_signalfd4, -1, &set, 3, 0));
  close(file);
}

static void waits(void) {
  printf("-- waits\n");
  sigset_t set = set_of(SIGCHLD, SIGALRM);
  sigprocmask(SIG_BLOCK, &set, NULL);
  const int file = signalfd(-1, &set, 0);
  struct pollfd one = {file, POLLIN | POLLOUT, 0};
  show("poll", poll(&one, 1, 0));
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    usleep(20000);
    _exit(7);
  }
  struct signalfd_siginfo info;
  show("read", read(file, &info, sizeof info));
  printf("SIGCHLD %d, code %d, status %d, of the child %d\n", info.ssi_signo == SIGCHLD, info.ssi_code,
         info.ssi_status, info.ssi_pid == (uint32_t)child);
  waitpid(child, NULL, 0);
  const struct itimerval soon = {{0, 0}, {0, 30000}};
  setitimer(ITIMER_REAL, &soon, NULL);
  show("poll", poll(&one, 1, -1));
  printf("events %#x\n", one.revents);
  fd_set readable;
  FD_ZERO(&readable);
  FD_SET(file, &readable);
  show("select", select(file + 1, &readable, NULL, NULL, NULL));
  take("alarm", file);
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM, .sigev_value.sival_int = 5};
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  const struct itimerspec once = {{0, 0}, {0, 20000000}};
  timer_settime(timer, 0, &once, NULL);
  show("read", read(file, &info, sizeof info));
  printf("alarm %d, by a timer %d, int %d, overrun %d\n", info.ssi_signo == SIGALRM,
         info.ssi_code == SI_TIMER, info.ssi_int, (int)info.ssi_overrun);
  timer_delete(timer);
  printf("-- interrupted by another signal\n");
  struct sigaction action = {.sa_handler = handle};
  sigaction(SIGUSR1, &action, NULL);
  sigset_t free = set_of(SIGUSR1, 0);
  sigprocmask(SIG_UNBLOCK, &free, NULL);
  fflush(stdout);
  const pid_t sender = fork();
  if (sender == 0) {
    usleep(200000);
    kill(getppid(), SIGUSR1);
    usleep(200000);
    _exit(0);
  }
  const long result = read(file, &info, sizeof info);
  printf("%s, handled %d\n", result < 0 ? strerror(errno) : "read", handled == SIGUSR1);
  waitpid(sender, NULL, 0);
  close(file);
}

static void epolls(void) {
  printf("-- epoll\n");
  sigset_t set = set_of(SIGUSR2, SIGRTMIN + 1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  const int file = signalfd(-1, &set, SFD_NONBLOCK), level = epoll_create1(0), edge = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = file}, found[2];
  epoll_ctl(level, EPOLL_CTL_ADD, file, &event);
  event.events |= EPOLLET;
  epoll_ctl(edge, EPOLL_CTL_ADD, file, &event);
  printf("none %d %d\n", epoll_wait(level, found, 2, 0), epoll_wait(edge, found, 2, 0));
  raise(SIGRTMIN + 1);
  printf("first %d %d\n", epoll_wait(level, found, 2, 0), epoll_wait(edge, found, 2, 0));
  printf("still %d %d\n", epoll_wait(level, found, 2, 0), epoll_wait(edge, found, 2, 0));
  raise(SIGRTMIN + 1);
  printf("second %d %d\n", epoll_wait(level, found, 2, 0), epoll_wait(edge, found, 2, 0));
  take("both", file);
  printf("none %d %d\n", epoll_wait(level, found, 2, 0), epoll_wait(edge, found, 2, 0));
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    usleep(20000);
    kill(getppid(), SIGUSR2);
    _exit(0);
  }
  printf("waits %d, events %#x\n", epoll_wait(level, found, 2, -1), found[0].events);
  waitpid(child, NULL, 0);
  take("the child's", file);
  printf("-- whoever reads\n");
  raise(SIGUSR2);
  fflush(stdout);
  const pid_t reader = fork();
  if (reader == 0) {
    take("nothing is pending for the child", file);
    kill(getpid(), SIGUSR2);
    take("but for itself", file);
    fflush(stdout);
    _exit(0);
  }
  waitpid(reader, NULL, 0);
  const int copy = dup(file);
  close(file);
  take("by a copy", copy);
  close(copy);
}

static void* read_own(void* file) {
  take("a thread", *(int*)file);
  raise(SIGUSR1);
  take("its own", *(int*)file);
  return NULL;
}

static void threads(void) {
  printf("-- threads\n");
  sigset_t set = set_of(SIGUSR1, 0);
  sigprocmask(SIG_BLOCK, &set, NULL);
  int file = signalfd(-1, &set, SFD_NONBLOCK);
  pthread_t other;
  raise(SIGUSR1);
  pthread_create(&other, NULL, read_own, &file);
  pthread_join(other, NULL);
  take("the first one's", file);
}

int main(void) {
  basics();
  waits();
  epolls();
  threads();
  return 0;
}
