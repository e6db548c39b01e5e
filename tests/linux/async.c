// Signals that tell of files: O_ASYNC, F_SETOWN, F_SETSIG, FIOASYNC. Prints one line a step.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t plain, told, last_fd, last_band, last_code;

static void on_io(int signal) {
  plain += signal == SIGIO;
}

static void on_news(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)context;
  ++told;
  last_fd = info->si_fd;
  last_band = (sig_atomic_t)info->si_band;
  last_code = info->si_code;
}

static void answer(const char *what, int result) {
  if (result < 0) {
    printf("%s: %s\n", what, strerror(errno));
  } else {
    printf("%s: %d\n", what, result);
  }
}

static void owners(int file) {
  answer("nobody", fcntl(file, F_GETOWN));
  answer("own", fcntl(file, F_SETOWN, getpid()));
  printf("is own: %d\n", fcntl(file, F_GETOWN) == getpid());
  answer("group", fcntl(file, F_SETOWN, -getpgrp()));
  struct f_owner_ex owner = {9, 9};
  answer("structure", fcntl(file, F_GETOWN_EX, &owner));
  printf("is group: %d\n", owner.type == F_OWNER_PGRP && owner.pid == getpgrp());
  owner.type = F_OWNER_TID;
  owner.pid = gettid();
  answer("thread", fcntl(file, F_SETOWN_EX, &owner));
  owner.type = owner.pid = 0;
  fcntl(file, F_GETOWN_EX, &owner);
  printf("is thread: %d\n", owner.type == F_OWNER_TID && owner.pid == gettid());
  owner.type = 7;
  answer("wrong type", fcntl(file, F_SETOWN_EX, &owner));
  answer("no such process", fcntl(file, F_SETOWN, 32000));
  answer("signal 99999", fcntl(file, F_SETSIG, 99999));
  answer("no signal", fcntl(file, F_GETSIG));
}

static void plain_signals(void) {
  int ends[2];
  if (pipe(ends) != 0) puts("no pipe");
  signal(SIGIO, on_io);
  write(ends[1], "a", 1);
  printf("not asked for: %d\n", plain);
  fcntl(ends[0], F_SETOWN, getpid());
  fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK);
  printf("flags: %d\n", (fcntl(ends[0], F_GETFL) & (O_ASYNC | O_NONBLOCK)) == (O_ASYNC | O_NONBLOCK));
  printf("what was there: %d\n", plain);
  write(ends[1], "b", 1);
  printf("one more: %d\n", plain);
  char bytes[9];
  read(ends[0], bytes, sizeof bytes);
  write(ends[1], "c", 1);
  printf("after a read: %d\n", plain);
  fcntl(ends[0], F_SETFL, 0);
  write(ends[1], "d", 1);
  printf("off: %d\n", plain);
  int on = 1;
  answer("ioctl", ioctl(ends[0], FIOASYNC, &on));
  close(ends[1]);
  printf("closed: %d\n", plain);
  close(ends[0]);
}

static void signals_with_information(void) {
  int pair[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_news;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGRTMIN + 1, &action, NULL);
  fcntl(pair[0], F_SETOWN, getpid());
  answer("set signal", fcntl(pair[0], F_SETSIG, SIGRTMIN + 1));
  printf("has signal: %d\n", fcntl(pair[0], F_GETSIG) == SIGRTMIN + 1);
  int on = 1;
  answer("on", ioctl(pair[0], FIOASYNC, &on));
  const pid_t child = fork();
  if (child == 0) {
    write(pair[1], "x", 1);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  printf("told: %d, of it %d, POLL_IN %d, band %d\n", told, last_fd == pair[0],
         last_code == POLL_IN, (last_band & POLLIN) != 0);
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGRTMIN + 1);
  sigprocmask(SIG_BLOCK, &blocked, NULL);
  write(pair[1], "y", 1);
  write(pair[1], "z", 1);
  sigprocmask(SIG_UNBLOCK, &blocked, NULL);
  printf("each is told of: %d\n", told);
  plain = 0;
  answer("back", fcntl(pair[0], F_SETSIG, 0));
  write(pair[1], "w", 1);
  printf("plain again: %d, %d\n", plain, told);
}

static void to_a_group(void) {
  int ends[2];
  if (pipe(ends) != 0) puts("no pipe");
  setpgid(0, 0);
  plain = 0;
  const pid_t child = fork();
  if (child == 0) {
    while (plain == 0) usleep(1000);
    _exit(7);
  }
  fcntl(ends[0], F_SETOWN, -getpgrp());
  fcntl(ends[0], F_SETFL, O_ASYNC);
  write(ends[1], "!", 1);
  int status = 0;
  waitpid(child, &status, 0);
  printf("group: %d, %d\n", plain, WEXITSTATUS(status));
}

static void pauses(void) {
  int ends[2];
  if (pipe(ends) != 0) puts("no pipe");
  plain = 0;
  sigset_t io, none;
  sigemptyset(&none);
  sigemptyset(&io);
  sigaddset(&io, SIGIO);
  sigprocmask(SIG_BLOCK, &io, NULL);
  fcntl(ends[0], F_SETOWN, getpid());
  fcntl(ends[0], F_SETFL, O_ASYNC);
  const pid_t child = fork();
  if (child == 0) {
    usleep(20000);
    write(ends[1], "!", 1);
    _exit(0);
  }
  printf("suspended: %d\n", sigsuspend(&none) == -1 && errno == EINTR && plain == 1);
  waitpid(child, NULL, 0);
}

int main(void) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) puts("no sockets");
  owners(pair[0]);
  plain_signals();
  signals_with_information();
  to_a_group();
  pauses();
  return 0;
}
