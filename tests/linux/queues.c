// Signals that wait: real-time ones one behind the other, however they are sent, and others once
// (signal(7); Linux, kernel/signal.c, legacy_queue()); and RLIMIT_SIGPENDING. QEMU's user mode keeps
// one of each number itself. The expected lines are those of Linux 6.18 on x86-64.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile int calls;
static void count(int number) {
  (void)number;
  ++calls;
}

// Takes all that wait, and says how many and with which values.
static void take(const char* how, int number) {
  const struct timespec at_once = {0, 0};
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  siginfo_t info;
  printf("%s:", how);
  while (sigtimedwait(&set, &info, &at_once) == number) {
    printf(" %d", info.si_code == SI_QUEUE ? info.si_value.sival_int : 0);
  }
  printf("; no more\n");
}

static void queue(int number, int value) {
  if (sigqueue(getpid(), number, (union sigval){.sival_int = value}) != 0) {
    printf("sigqueue: %s\n", strerror(errno));
  }
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  const int real_time = SIGRTMIN + 1;
  sigset_t all, old;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &old);
  for (int i = 0; i < 3; ++i) kill(getpid(), real_time);
  take("kill, real-time", real_time);
  for (int i = 0; i < 3; ++i) raise(real_time);
  take("raise, real-time", real_time);
  queue(real_time, 1);
  kill(getpid(), real_time);
  queue(real_time, 2);
  take("mixed, real-time", real_time);
  queue(SIGUSR1, 1);
  queue(SIGUSR1, 2);
  kill(getpid(), SIGUSR1);
  take("sigqueue, SIGUSR1", SIGUSR1);
  raise(SIGUSR1);
  queue(SIGUSR1, 3);
  syscall(SYS_tkill, (int)syscall(SYS_gettid), SIGUSR1);
  take("raise and sigqueue, SIGUSR1", SIGUSR1);
  signal(real_time, count);
  for (int i = 0; i < 7; ++i) kill(getpid(), real_time);
  sigprocmask(SIG_SETMASK, &old, NULL);
  printf("handler: %d\n", calls);

  sigprocmask(SIG_BLOCK, &all, NULL);
  struct rlimit none = {0, 0};
  printf("setrlimit %d\n", setrlimit(RLIMIT_SIGPENDING, &none));
  queue(real_time, 1);
  take("none may wait, sigqueue", real_time);
  printf("tkill %d", (int)syscall(SYS_tkill, (int)syscall(SYS_gettid), real_time));
  printf(" %s\n", strerror(errno));
  kill(getpid(), real_time);
  kill(getpid(), real_time);
  take("none may wait, kill", real_time);
  queue(SIGUSR1, 1);
  sigset_t pending;
  sigpending(&pending);
  printf("none may wait, SIGUSR1 pending %d\n", sigismember(&pending, SIGUSR1));
  return 0;
}
