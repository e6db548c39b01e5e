// TAP: timers of POSIX.1b as IRIX has them. Sources: timer_create(3C), timer_settime(3C) and
// timer_getoverrun(3C) of IRIX; GNAT's s-osinte-irix.ads (clocks); a fork of QEMU for IRIX's
// programs, linux-user/syscall_defs.h (struct sigevent); Linux 2.6, include/asm-mips/siginfo.h
// (SIGEV_SIGNAL, SI_TIMER).
#include "guest/runtime/guest.h"

enum { TIMER_CREATE = 1212, TIMER_DELETE, TIMER_SETTIME, TIMER_GETTIME, TIMER_GETOVERRUN };
enum { CLOCK_REALTIME = 1, CLOCK_SGI_CYCLE, CLOCK_SGI_FAST };
enum { SIGEV_NONE = 128, SIGEV_SIGNAL, SIGEV_CALLBACK, SIGEV_THREAD };
enum { TIMER_ABSTIME = 1, SI_TIMER = -3, PAUSE = 1029 };

struct sigevent {
  int32_t notify;
  struct {
    int32_t signal;
    void* function;
  } how;
  void* value;
};

struct timespec {
  time_t tv_sec;
  long_t tv_nsec;
};

struct itimerspec {
  struct timespec interval, value;
};

static volatile int signals;
static volatile siginfo_t last;

static void note(int signal, void* info, void* context) {
  (void)signal;
  (void)context;
  ++signals;
  memcpy((void*)&last, info, sizeof last);
}

static int make_timer(int clock, int notify, int signal, int* timer) {
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.notify = notify;
  event.how.signal = signal;
  event.value = timer;
  return syscall(TIMER_CREATE, clock, &event, timer);
}

static int set_timer(int timer, int flags, int milliseconds, int interval, struct itimerspec* old) {
  struct itimerspec setting;
  memset(&setting, 0, sizeof setting);
  setting.value.tv_nsec = milliseconds * 1000000;
  setting.interval.tv_nsec = interval * 1000000;
  return syscall(TIMER_SETTIME, timer, flags, &setting, old);
}

static uint32_t milliseconds_now(void) {
  struct timeval now;
  BSD_getime(&now);
  return (uint32_t)now.tv_sec * 1000 + (uint32_t)now.tv_usec / 1000;
}

static void wait_for(int count) {
  while (signals < count) syscall(PAUSE);
}

static void test_creation(void) {
  int timer = -1, other = -1;
  check(make_timer(CLOCK_REALTIME, SIGEV_SIGNAL, SIGUSR1, &timer) == 0, "timer_create");
  check(make_timer(CLOCK_REALTIME, SIGEV_NONE, 0, &other) == 0 && other != timer, "a second one");
  check_error(make_timer(CLOCK_SGI_FAST, SIGEV_SIGNAL, SIGUSR1, &timer), EPERM,
              "CLOCK_SGI_FAST is for privileged users");
  check_error(make_timer(7, SIGEV_SIGNAL, SIGUSR1, &timer), EINVAL, "no such clock");
  check_error(make_timer(CLOCK_REALTIME, SIGEV_SIGNAL, 65, &timer), EINVAL, "no such signal");
  check_error(syscall(TIMER_CREATE, CLOCK_REALTIME, 0, (int*)8), EFAULT, "no place for the id");
  check(syscall(TIMER_DELETE, timer) == 0 && syscall(TIMER_DELETE, other) == 0, "timer_delete");
  check_error(syscall(TIMER_DELETE, timer), EINVAL, "which can be done once");
}

static void test_signals(void) {
  int timer = -1;
  struct itimerspec left;
  make_timer(CLOCK_REALTIME, SIGEV_SIGNAL, SIGUSR1, &timer);
  const uint32_t start = milliseconds_now();
  check(set_timer(timer, 0, 100, 50, 0) == 0, "timer_settime");
  check(syscall(TIMER_GETTIME, timer, &left) == 0 && left.interval.tv_nsec == 50000000 &&
            left.value.tv_sec == 0 && left.value.tv_nsec > 80000000 &&
            left.value.tv_nsec <= 100000000,
        "timer_gettime");
  wait_for(1);
  const uint32_t first = milliseconds_now() - start;
  check(first >= 100 && first < 125, "the first signal comes after the value");
  wait_for(3);
  const uint32_t third = milliseconds_now() - start;
  check(third >= 200 && third < 225, "others after each interval");
  check(last.si_signo == SIGUSR1 && last.si_code == SI_TIMER && last.data.address == &timer,
        "with SI_TIMER and the value");
  check(syscall(TIMER_GETOVERRUN, timer) == 0, "none was overrun");
  struct itimerspec old;
  check(set_timer(timer, 0, 0, 0, &old) == 0 && old.interval.tv_nsec == 50000000, "disarmed");
  const int seen = signals;
  syscall(1082, 12);
  check(signals == seen, "it sends nothing any more");
  syscall(TIMER_DELETE, timer);
}

static void test_overruns(void) {
  int timer = -1;
  const sigset_t set = {{1u << (SIGUSR1 - 1)}};
  make_timer(CLOCK_REALTIME, SIGEV_SIGNAL, SIGUSR1, &timer);
  sigprocmask(SIG_BLOCK, &set, 0);
  const int seen = signals;
  set_timer(timer, 0, 20, 20, 0);
  syscall(1082, 11);
  sigprocmask(SIG_UNBLOCK, &set, 0);
  check(signals == seen + 1, "a blocked signal comes once");
  const int overrun = syscall(TIMER_GETOVERRUN, timer);
  check(overrun >= 3 && overrun <= 5, "timer_getoverrun has the others");
  syscall(TIMER_DELETE, timer);
}

static void test_dates(void) {
  struct timeval now;
  struct itimerspec date;
  int timer = -1;
  const struct sigaction action = {.sa_handler = note, .sa_flags = SA_SIGINFO};
  sigaction(SIGALRM, &action, 0);
  check(syscall(TIMER_CREATE, CLOCK_REALTIME, 0, &timer) == 0, "without an event");
  BSD_getime(&now);
  memset(&date, 0, sizeof date);
  date.value.tv_sec = now.tv_sec + 1;
  date.value.tv_nsec = now.tv_usec * 1000;
  const int seen = signals;
  const uint32_t start = milliseconds_now();
  check(syscall(TIMER_SETTIME, timer, TIMER_ABSTIME, &date, 0) == 0, "a date");
  wait_for(seen + 1);
  const uint32_t passed = milliseconds_now() - start;
  check(passed >= 1000 && passed < 1025, "is waited for");
  check(last.si_signo == SIGALRM, "SIGALRM comes");
  const pid_t child = fork();
  if (child == 0) _exit(syscall(TIMER_DELETE, timer) == -1 && errno == EINVAL ? 3 : 4);
  siginfo_t info;
  waitsys(P_PID, child, &info, WEXITED, 0);
  check(info.data.child.status == 3, "a child of fork() has no timers");
}

int main(void) {
  const struct sigaction action = {.sa_handler = note, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR1, &action, 0);
  test_creation();
  test_signals();
  test_overruns();
  test_dates();
  return finish_checks();
}
