// Which thread takes a signal that is sent to its process: one that does not block it (signal(7)),
// and of those the first one, as complete_signal() of Linux's kernel/signal.c prefers. There, and
// so under QEMU's user mode, the first thread is passed over now and then while it is being waked.
// So a timer of the process's time wakes the first one up to Linux 6.3, and setitimer() finds the
// one that runs (kernel/time/posix-cpu-timers.c, cpu_timer_fire() and check_cpu_itimer()).
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile pid_t handled_by;
static pthread_barrier_t barrier;

static void note_thread(int signal) {
  (void)signal;
  handled_by = (pid_t)syscall(SYS_gettid);
}

static long count_of_first(void) {
  long by_first = 0;
  for (int i = 0; i < 10; i++) {
    handled_by = 0;
    kill(getpid(), SIGUSR2);
    for (int tries = 0; handled_by == 0 && tries < 1000; tries++) usleep(1000);
    by_first += handled_by == getpid();
  }
  return by_first;
}

static void* send_to_process(void* when) {
  if (when != NULL) pthread_barrier_wait(when);
  return (void*)count_of_first();
}

static pthread_t start(void* when) {
  pthread_t thread;
  pthread_create(&thread, NULL, send_to_process, when);
  return thread;
}

static long join(pthread_t thread) {
  void* result = NULL;
  pthread_join(thread, &result);
  return (long)result;
}

static volatile long signals, first_took;

static void count_signal(int signal) {
  (void)signal;
  ++signals;
  first_took += syscall(SYS_gettid) == getpid();
}

static void* work(void* unused) {
  const clock_t end = clock() + CLOCKS_PER_SEC / 5;
  while (clock() < end) continue;
  return unused;
}

static void count_timer(const char* what) {
  pthread_t thread;
  signals = first_took = 0;
  pthread_create(&thread, NULL, work, NULL);
  join(thread);
  printf("%s, signals %d: by the first thread %s\n", what, signals > 0,
         first_took == signals ? "all"
         : first_took == 0     ? "none"
                               : "some");
}

static void count_timers(void) {
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  const struct itimerval often = {{0, 10000}, {0, 10000}}, never = {{0, 0}, {0, 0}};
  timer_t timer;
  signal(SIGUSR1, count_signal);
  signal(SIGPROF, count_signal);
  timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer);
  timer_settime(timer, 0, &(struct itimerspec){{0, 10000000}, {0, 10000000}}, NULL);
  count_timer("timer_create");
  timer_delete(timer);
  setitimer(ITIMER_PROF, &often, NULL);
  count_timer("setitimer");
  setitimer(ITIMER_PROF, &never, NULL);
}

int main(void) {
  sigset_t set;
  struct sigaction action = {.sa_handler = note_thread, .sa_flags = SA_RESTART};
  setvbuf(stdout, NULL, _IONBF, 0);
  sigaction(SIGUSR2, &action, NULL);
  printf("by the first thread: %ld\n", join(start(NULL)));
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  pthread_barrier_init(&barrier, NULL, 2);
  const pthread_t thread = start(&barrier);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_barrier_wait(&barrier);
  printf("by the first thread, which blocks it: %ld\n", join(thread));
  count_timers();
  return 0;
}
