// time, gettimeofday, times, alarm, interval timers.
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "tests/cli/guests/systems/checks.h"

#ifdef _HAVE_ALARM
static volatile int signals_seen;

static void count_signal(int sig) {
  (void)sig;
  ++signals_seen;
}
#endif

#if defined(_HAVE_GETTIMEOFDAY) && defined(_HAVE_TIMES)
static long microseconds_since(const struct timeval* start) {
  struct timeval now;
  gettimeofday(&now, NULL);
  return (now.tv_sec - start->tv_sec) * 1000000 + now.tv_usec - start->tv_usec;
}
#endif

#ifdef _HAVE_GETTIMEOFDAY
static void test_gettimeofday(void) {
  struct timeval now;
  check(gettimeofday(&now, NULL) == 0 && now.tv_usec >= 0 && now.tv_usec < 1000000, "gettimeofday");
  const long seconds = (long)time(NULL);
  check(seconds == now.tv_sec || seconds == now.tv_sec + 1, "agrees with time");
  check_error(gettimeofday(BAD_POINTER, NULL), EFAULT, "gettimeofday to a bad address");
#if defined(_OS_BSD42_SIGNALS)
  // kern_time.c gettimeofday() copies the time out in any case.
  check_error(gettimeofday(NULL, NULL), EFAULT, "gettimeofday to nowhere");
#elif defined(_OS_BSD211) || defined(_OS_BSD44) || defined(_OS_SOLARIS)
  // kern_time.c of 4.4BSD and 2.11BSD, os/timers.c of illumos: only if there is a pointer.
  check_number(gettimeofday(NULL, NULL), 0, "gettimeofday to nowhere");
#endif
#if defined(_OS_BSD42_SIGNALS) || defined(_OS_BSD211) || defined(_OS_BSD44)
  struct timezone zone = {77, 77};
  check(gettimeofday(&now, &zone) == 0 && zone.tz_minuteswest != 77 && zone.tz_dsttime != 77,
        "gettimeofday stores the zone");
  check_error(gettimeofday(&now, BAD_POINTER), EFAULT, "gettimeofday with a bad zone pointer");
#endif
}
#endif

#ifdef _HAVE_TIMES
// times(2): sixtieths of a second on V7 and the BSDs, CLK_TCK (100) a second elsewhere.
#if defined(_OS_SVR4) || defined(_OS_HPUX)
enum { TIMES_RATE = 100 };
#else
enum { TIMES_RATE = 60 };
#endif

static void test_times(void) {
  struct tms start, end;
#ifdef _HAVE_GETTIMEOFDAY
  struct timeval before;
  gettimeofday(&before, NULL);
  const clock_t first = times(&start);
  while (microseconds_since(&before) < 1000000) spin(2000);
#else
  time_t now = time(NULL);
  while (time(NULL) == now) spin(2000);
  const clock_t first = times(&start);
  now = time(NULL);
  while (time(NULL) == now) spin(2000);
#endif
  const clock_t second = times(&end);
  const long used = end.tms_utime - start.tms_utime + end.tms_stime - start.tms_stime;
  check(used >= TIMES_RATE - 3 && used <= TIMES_RATE + 3, "times counts the CPU's use in its unit");
#if defined(_OS_SVR4) || defined(_OS_HPUX)
  check(second - first >= used - 1, "times returns the time that has passed");
#else
  // V7 sys4.c times() and its descendants leave the result alone.
  check(first == 0 && second == 0, "times returns nothing");
#endif
  check_error(times(BAD_POINTER), EFAULT, "times to a bad address");
}
#endif

#ifdef _HAVE_ALARM
// alarm(2), pause(2)
static void test_alarm(void) {
  check_number(alarm(100), 0, "alarm, the first");
  const unsigned int left = alarm(0);
  check(left == 100 || left == 99, "alarm returns the seconds that were left");
  check_number(alarm(0), 0, "and is off then");
  signal(SIGALRM, count_signal);
  const time_t before = time(NULL);
  alarm(2);
  check_error(pause(), EINTR, "pause ends with EINTR");
  check_number(signals_seen, 1, "after SIGALRM's handler");
  const long passed = (long)(time(NULL) - before);
  check(passed == 2 || passed == 1, "two seconds later");
}

static int die_by_alarm(void) {
  signal(SIGALRM, SIG_DFL);
  alarm(1);
  pause();
  return 0;
}
#endif

#ifdef _HAVE_ITIMER
// setitimer(2): the signals have the system's numbers.
static void test_timers(void) {
  const struct {
    int which;
    int signal;
  } timers[] = {{ITIMER_REAL, SIGALRM}, {ITIMER_VIRTUAL, SIGVTALRM}, {ITIMER_PROF, SIGPROF}};
  struct itimerval value = {{0, 0}, {0, 50000}};
  struct itimerval rest;
  for (size_t i = 0; i < ARRAY_LENGTH(timers); ++i) {
    signal(timers[i].signal, count_signal);
    signals_seen = 0;
    setitimer(timers[i].which, &value, NULL);
    getitimer(timers[i].which, &rest);
    spin_ticks(8);
    check(signals_seen == 1 && rest.it_value.tv_usec > 0 && rest.it_value.tv_usec <= 70000,
          "a timer's signal");
  }
  value.it_value.tv_usec = 1000000;
  check_error(setitimer(ITIMER_REAL, &value, NULL), EINVAL,
              "setitimer with a million microseconds");
  check_error(setitimer(9, &rest, NULL), EINVAL, "setitimer of an unknown timer");
  check_error(setitimer(ITIMER_REAL, BAD_POINTER, NULL), EFAULT, "setitimer from a bad address");
  check_error(getitimer(ITIMER_REAL, BAD_POINTER), EFAULT, "getitimer to a bad address");
}
#endif

void test_clocks(void) {
#ifdef _HAVE_TIME
  time_t stored = 0;
  const time_t now = time(&stored);
  // hardclock starts at 1996-01-01 (README, --time).
  check(now == stored && now >= 820454400 && now < 820454400 + 3600, "time");
#endif
#ifdef _HAVE_GETTIMEOFDAY
  test_gettimeofday();
#endif
#ifdef _HAVE_TIMES
  test_times();
#endif
#ifdef _HAVE_ALARM
  test_alarm();
  check_number(status_of(die_by_alarm), SIGALRM, "SIGALRM kills");
#endif
#ifdef _HAVE_ITIMER
  test_timers();
#endif
}
