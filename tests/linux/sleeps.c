// How long a wait for a millisecond lasts: to the next clock tick, or not much longer than asked
// for where the kernel has high resolution timers, as clock_getres(2) says (time(7),
// "High-resolution timers"). Linux 6.1 has them on MIPS (arch/mips/kernel/cevt-r4k.c, with
// CONFIG_HIGH_RES_TIMERS), and neither on PA-RISC nor on IA-64 (LEGACY_TIMER_TICK in their
// Kconfig), whose tick is 10 ms here.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static long microseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (long)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static const struct timespec millisecond = {0, 1000000};
static int epoll, timer_file;
static timer_t timer;
static sigset_t alarms;

static void by_nanosleep(void) {
  nanosleep(&millisecond, NULL);
}
static void by_poll(void) {
  poll(NULL, 0, 1);
}
static void by_select(void) {
  select(0, NULL, NULL, NULL, &(struct timeval){0, 1000});
}
static void by_epoll(void) {
  struct epoll_event event;
  epoll_wait(epoll, &event, 1, 1);
}
static void by_futex(void) {
  static int word;
  syscall(SYS_futex, &word, FUTEX_WAIT, 0, &millisecond, NULL, 0);
}
static void by_signal_wait(void) {
  sigtimedwait(&alarms, NULL, &millisecond);
}
static void by_timer(void) {
  int signal;
  timer_settime(timer, 0, &(struct itimerspec){{0, 0}, millisecond}, NULL);
  sigwait(&alarms, &signal);
}
static void by_interval_timer(void) {
  int signal;
  setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 1000}}, NULL);
  sigwait(&alarms, &signal);
}
static void by_timer_file(void) {
  uint64_t count;
  timerfd_settime(timer_file, 0, &(struct itimerspec){{0, 0}, millisecond}, NULL);
  if (read(timer_file, &count, sizeof count) != sizeof count) puts("short");
}

static void show(const char* what, void (*wait)(void), long resolution) {
  long least = 1000000, most = 0;
  for (int i = 0; i < 5; ++i) {
    const long start = microseconds();
    wait();
    const long time = microseconds() - start;
    least = time < least ? time : least;
    most = time > most ? time : most;
  }
  printf("%s: long enough %d, as the clock says %d\n", what, least >= 1000,
         most <= 1000 + resolution / 1000 + 500);
}

// A timer that nobody waits for wakes nobody: years pass at once.
static void wake_nobody(void) {
  const struct itimerspec often = {{0, 1000}, {0, 1000}};
  struct timespec years = {100000000, 0}, left;
  signal(SIGALRM, SIG_IGN);
  timer_settime(timer, 0, &often, NULL);
  setitimer(ITIMER_REAL, &(struct itimerval){{0, 1}, {0, 1}}, NULL);
  printf("slept %d\n", clock_nanosleep(CLOCK_MONOTONIC, 0, &years, &left));
  signal(SIGALRM, SIG_DFL);
  timer_settime(timer, 0, &often, NULL);
  setitimer(ITIMER_REAL, &(struct itimerval){{0, 1}, {0, 1}}, NULL);
  printf("slept %d\n", clock_nanosleep(CLOCK_MONOTONIC, 0, &years, &left));
}

int main(void) {
  struct timespec resolution;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  sigprocmask(SIG_BLOCK, &alarms, NULL);
  epoll = epoll_create1(0);
  timer_file = timerfd_create(CLOCK_MONOTONIC, 0);
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  clock_getres(CLOCK_MONOTONIC, &resolution);
#ifdef __hppa__
  printf("resolution %d\n", resolution.tv_nsec == 10000000);
#else
  printf("resolution %d\n", resolution.tv_nsec == 1);
#endif
  show("nanosleep", by_nanosleep, resolution.tv_nsec);
  show("poll", by_poll, resolution.tv_nsec);
  show("select", by_select, resolution.tv_nsec);
  show("epoll", by_epoll, resolution.tv_nsec);
  show("futex", by_futex, resolution.tv_nsec);
  show("sigtimedwait", by_signal_wait, resolution.tv_nsec);
  show("timer", by_timer, resolution.tv_nsec);
  show("interval timer", by_interval_timer, resolution.tv_nsec);
  show("timer file", by_timer_file, resolution.tv_nsec);
  wake_nobody();
  return 0;
}
