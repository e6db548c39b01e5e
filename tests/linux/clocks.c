// Clocks that move on, sleeping, and profil(), which the C library makes of SIGPROF and
// setitimer().
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

static unsigned short histogram[4096];
static unsigned short* volatile none;  // a null pointer ends profiling
static volatile unsigned work_done;

__attribute__((noinline)) static void work(void) {
  for (unsigned i = 0; i < 100000; ++i) work_done += i * i;
}

static double seconds(clockid_t clock) {
  struct timespec time = {0};
  if (clock_gettime(clock, &time) != 0) return -1;
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(void) {
  double before = seconds(CLOCK_MONOTONIC);
  struct timespec pause = {0, 50000000};
  printf("nanosleep %d\n", nanosleep(&pause, NULL));
  double slept = seconds(CLOCK_MONOTONIC) - before;
  printf("slept long enough %d\n", slept >= 0.05 && slept < 5);
  usleep(20000);
  printf("usleep %d\n", seconds(CLOCK_MONOTONIC) - before >= 0.07);
  printf("no such clock %g\n", seconds(99));
  struct timeval now;
  printf("gettimeofday %d, time agrees %d\n", gettimeofday(&now, NULL),
         time(NULL) - now.tv_sec <= 1);
  struct timespec resolution;
  printf("clock_getres %d %d\n", clock_getres(CLOCK_REALTIME, &resolution),
         resolution.tv_sec == 0 && resolution.tv_nsec > 0);
  char text[64];
  time_t start = 1000000000;
  strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", gmtime(&start));
  puts(text);
  profil(histogram, sizeof histogram, (size_t)work, 65536);
  clock_t ticks = clock();
  while (clock() - ticks < CLOCKS_PER_SEC / 4) work();
  profil(none, 0, 0, 0);
  unsigned in_work = 0;
  for (unsigned i = 0; i < 64; ++i) in_work += histogram[i];
  printf("samples in work() %d\n", in_work >= 15 && in_work <= 40);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("user time %d\n", usage.ru_utime.tv_sec > 0 || usage.ru_utime.tv_usec > 100000);
  struct tms used;
  times(&used);
  printf("times %d\n", used.tms_utime > 10);
  return 0;
}
