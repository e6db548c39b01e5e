// Clocks and timers of the time that processes and threads use, and what clocks are good for. The
// expected lines are those of Linux 6.18 on x86-64; an idle machine's QEMU gives the same.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static void show(const char* what, long result) {
  if (result < 0) {
    printf("%s: %s\n", what, strerror(errno));
  } else {
    printf("%s: %ld\n", what, result);
  }
}

static double seconds(clockid_t clock) {
  struct timespec time;
  if (clock_gettime(clock, &time) != 0) return -1;
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void work(double time) {
  const double end = seconds(CLOCK_THREAD_CPUTIME_ID) + time;
  volatile unsigned sum = 0;
  while (seconds(CLOCK_THREAD_CPUTIME_ID) < end) {
    for (unsigned i = 0; i < 1000; ++i) sum += i;
  }
}

static void* work_there(void* time) {
  work(*(double*)time);
  return NULL;
}

static void let_other_work(double time) {
  pthread_t other;
  pthread_create(&other, NULL, work_there, &time);
  pthread_join(other, NULL);
}

static volatile int count, by_target;
static volatile pid_t target;
static void on_signal(int signal) {
  (void)signal;
  ++count;
  by_target += syscall(SYS_gettid) == target;
}

static pthread_barrier_t barrier;
static void* work_between(void* unused) {
  work(0.05);
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  return unused;
}

// make_process_cpuclock() of Linux's include/linux/posix-timers.h: of a process or of a thread,
// what its ticks say, those in user mode, or all.
static clockid_t numbered(pid_t id, int is_thread, int what) {
  return (clockid_t)(~(unsigned)id << 3) | (is_thread ? 4 : 0) | what;
}

static void clocks(void) {
  pthread_t other;
  clockid_t clock;
  struct timespec time;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&other, NULL, work_between, NULL);
  pthread_barrier_wait(&barrier);
  printf("of a thread %d\n", pthread_getcpuclockid(other, &clock));
  printf("used there %d\n", seconds(clock) >= 0.05);
  printf("by its number %d\n", seconds(numbered(getpid(), 0, 2)) >= 0.05);
  show("resolution", clock_getres(clock, &time));
  printf("%ld %ld\n", (long)time.tv_sec, time.tv_nsec);
  pthread_barrier_wait(&barrier);
  pthread_join(other, NULL);
  printf("own %d\n", pthread_getcpuclockid(pthread_self(), &clock));
  printf("less than all %d\n", seconds(clock) + 0.04 < seconds(CLOCK_PROCESS_CPUTIME_ID));
  printf("of a process %d\n", clock_getcpuclockid(getpid(), &clock));
  printf("used %d\n", seconds(clock) >= 0.05);
  printf("the caller's %d\n", clock_getcpuclockid(0, &clock));
  printf("used %d\n", seconds(clock) >= 0.05);
  printf("nobody's %d\n", clock_getcpuclockid(99999999, &clock) == ESRCH);
  printf("nobody's thread %d\n",
         clock_gettime(numbered(99999999, 1, 2), &time) < 0 && errno == EINVAL);
  printf("no clock %d\n", clock_gettime(numbered(0, 1, 3), &time) < 0 && errno == EINVAL);
  work(0.05);
  for (int is_thread = 0; is_thread < 2; ++is_thread) {
    const clockid_t all = numbered(0, is_thread, 0), user = numbered(0, is_thread, 1);
    printf("ticks %d\n", seconds(all) > 0 && seconds(all) >= seconds(user));
    clock_getres(all, &time);
    printf("ticks are coarse %d\n", time.tv_nsec >= 1000000);
  }
  show("set", clock_settime(numbered(0, 0, 2), &(struct timespec){1, 0}));
  show("set", clock_settime(CLOCK_PROCESS_CPUTIME_ID, &(struct timespec){1, 0}));
  const clockid_t coarse[] = {CLOCK_REALTIME_COARSE, CLOCK_MONOTONIC_COARSE};
  for (int i = 0; i < 2; ++i) {
    clock_getres(coarse[i], &time);
    printf("coarse %d\n", time.tv_nsec >= 1000000);
    const double exact = seconds(i == 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC),
                 ago = exact - seconds(coarse[i]);
    printf("a tick old at most %d\n", ago > -0.02 && ago < 0.02);
  }
}

static void usage(void) {
  struct rusage used;
  let_other_work(0.2);
  show("RUSAGE_THREAD", getrusage(RUSAGE_THREAD, &used));
  const long own = used.ru_utime.tv_usec + used.ru_stime.tv_usec + used.ru_utime.tv_sec * 1000000;
  getrusage(RUSAGE_SELF, &used);
  const long all = used.ru_utime.tv_usec + used.ru_stime.tv_usec + used.ru_utime.tv_sec * 1000000;
  printf("own %d, less than all by the other's %d\n", own >= 20000, own + 150000 < all);
  show("nobody's", getrusage(2, &used));
}

static void timers(void) {
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  struct itimerspec setting = {{0, 10000000}, {0, 1}}, left;
  show("raw", timer_create(CLOCK_MONOTONIC_RAW, &event, &timer));
  show("coarse", timer_create(CLOCK_REALTIME_COARSE, &event, &timer));
  show("coarse", timer_create(CLOCK_MONOTONIC_COARSE, &event, &timer));
  show("nobody's", timer_create(numbered(99999999, 1, 2), &event, &timer));
  show("sleep raw",
       syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC_RAW, 0, &(struct timespec){0, 1}, NULL));
  signal(SIGUSR1, on_signal);
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_notify_thread_id = target = (pid_t)syscall(SYS_gettid);
  show("create", timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer));
  show("settime", timer_settime(timer, 0, &setting, NULL));
  work(0.3);
  printf("a signal in about 10 ms %d, here %d\n", count >= 15 && count <= 33, by_target == count);
  count = 0;
  let_other_work(0.2);
  printf("not for the other's time %d\n", count <= 3);
  timer_gettime(timer, &left);
  printf("interval %ld, left %d\n", left.it_interval.tv_nsec, left.it_value.tv_nsec <= 10000000);
  timer_delete(timer);
  clockid_t clock;
  clock_getcpuclockid(0, &clock);
  event.sigev_notify = SIGEV_SIGNAL;
  show("create", timer_create(clock, &event, &timer));
  timer_settime(timer, 0, &setting, NULL);
  count = 0;
  let_other_work(0.2);
  printf("for the other's time %d\n", count >= 1 && count <= 25);
  timer_delete(timer);
}

// The interval timers' signals find the thread that works.
static void intervals(void) {
  const struct itimerval often = {{0, 10000}, {0, 10000}}, never = {{0, 0}, {0, 0}};
  struct itimerval left;
  signal(SIGPROF, on_signal);
  target = getpid();
  count = by_target = 0;
  setitimer(ITIMER_PROF, &often, NULL);
  let_other_work(0.3);
  setitimer(ITIMER_PROF, &never, &left);
  printf("SIGPROF %d, few of them in the first thread %d\n", count >= 15, by_target * 4 <= count);
  printf("interval %ld\n", (long)left.it_interval.tv_usec);
  setitimer(ITIMER_VIRTUAL, &(struct itimerval){{0, 0}, {5, 0}}, NULL);
  getitimer(ITIMER_VIRTUAL, &left);
  // The tick under way may be almost over (kernel/time/itimer.c, set_cpu_itimer()).
  printf("more than asked for %d\n", left.it_value.tv_sec == 5 && left.it_value.tv_usec > 0);
  show("which", setitimer(3, &never, NULL));
  syscall(SYS_setitimer, ITIMER_VIRTUAL, NULL, NULL);
  getitimer(ITIMER_VIRTUAL, &left);
  printf("no value is 0 %ld\n", (long)left.it_value.tv_sec);
}

static void overruns(void) {
  sigset_t set;
  timer_t timer;
  siginfo_t info;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2};
  struct itimerspec setting = {{0, 10000000}, {0, 10000000}};
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  sigprocmask(SIG_BLOCK, &set, NULL);
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  timer_settime(timer, 0, &setting, NULL);
  nanosleep(&(struct timespec){0, 105000000}, NULL);
  printf("before it is taken %d\n", timer_getoverrun(timer));
  printf("taken %d\n", sigwaitinfo(&set, &info) == SIGUSR2);
  printf("overruns %d, told the same %d\n", timer_getoverrun(timer) >= 8,
         info.si_overrun == timer_getoverrun(timer));
  sigwaitinfo(&set, &info);
  printf("and not again %d\n", info.si_overrun <= 3);
  timer_delete(timer);
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  clocks();
  usage();
  timers();
  intervals();
  overruns();
  return 0;
}
