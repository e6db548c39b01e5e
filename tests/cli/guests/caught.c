/* Where a tick counts that comes together with a signal that the program catches.

   caught timers: the ticks that a timer's signal ends, and where they counted
   caught kill: the ticks of ten calls of kill() that end with a signal, of which each should last
   one tick, likewise the call that ends a handler */
#include <hardclock/system.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/profil.h>
#include <sys/time.h>
#include <unistd.h>

#define COUNTERS 4096
#define WORDS_OF_A_STUB 4
#define SIGNAL_OF_KILL SIGTERM
static unsigned short counters[COUNTERS];
static volatile unsigned int i, seen;
extern char _ftext[];

static void __attribute__((noinline, noipa)) handler(int number) {
  ++seen;
  signal(number, handler);
}

static unsigned int counted(unsigned long from, unsigned long to) {
  unsigned long const start = (unsigned long)_ftext;
  unsigned int sum = 0, k;
  for (k = (from - start) / 4; k < (to - start) / 4 && k < COUNTERS; ++k) sum += counters[k];
  return sum;
}

static void kill_ten_times(void) {
  unsigned long const stub = _CODE_OF(kill), first = _CODE_OF(handler);
  int k;
  signal(SIGNAL_OF_KILL, handler);
  profil(counters, sizeof counters, (unsigned long)_ftext, 0x8000);
  for (k = 0; k < 10; ++k) kill(getpid(), SIGNAL_OF_KILL);
  profil(0, 0, 0, 0);
  printf("%u signals: %u ticks in kill, %u at the handler\n", seen,
         counted(stub, stub + 4 * WORDS_OF_A_STUB), counted(first, first + 4));
}

#ifdef _HAVE_ITIMER
static void __attribute__((noinline, noipa)) work(void) {
  for (i = 0; i < 200000; ++i) continue;
}
static void __attribute__((noinline, noipa, used)) behind_work(void) {
  i = 0;
}

static unsigned int counted_anywhere(void) {
  unsigned int sum = 0, k;
  for (k = 0; k < COUNTERS; ++k) sum += counters[k];
  return sum;
}

static void say(const char* name, unsigned int ticks) {
  /* PA-RISC nullifies the slot of the branch at the end, which is the next function's beginning. */
  unsigned int const in_work = counted(_CODE_OF(work), _CODE_OF(behind_work) + 4);
  unsigned int const others = counted_anywhere() - in_work;
  if (seen > 5 && in_work == ticks && others == 0) {
    printf("%s: every tick in work\n", name);
  } else {
    printf("%s: %u signals, %u ticks in work of %u, %u elsewhere\n", name, seen, in_work, ticks,
           others);
  }
}

static void work_with_timer(int which) {
  struct itimerval value;
  memset(&value, 0, sizeof value);
  value.it_value.tv_usec = value.it_interval.tv_usec = 10000;
  seen = 0;
  setitimer(which, &value, 0);
  work();
  memset(&value, 0, sizeof value);
  setitimer(which, &value, 0);
}

static void try_timers(void) {
  static struct {
    int which, number;
    const char* name;
  } const timers[] = {{ITIMER_REAL, SIGALRM, "real"},
                      {ITIMER_VIRTUAL, SIGVTALRM, "virtual"},
                      {ITIMER_PROF, SIGPROF, "prof"}};
  unsigned int k;
  for (k = 0; k < 3; ++k) {
    signal(timers[k].number, handler);
    memset(counters, 0, sizeof counters);
    profil(counters, sizeof counters, (unsigned long)_ftext, 0x8000);
    work_with_timer(timers[k].which);
    profil(0, 0, 0, 0);
    say(timers[k].name, seen);
  }
#ifdef PROF_FAST
  {
    unsigned int ticks;
    struct prof region = {counters, sizeof counters, (unsigned long)_ftext, 0x8000};
    memset(counters, 0, sizeof counters);
    sprofil(&region, 1, 0, PROF_USHORT | PROF_FAST);
    work_with_timer(ITIMER_REAL);
    profil(0, 0, 0, 0);
    /* Behind the last signal come less than ten. */
    ticks = counted_anywhere();
    say("fast", ticks / 10 == seen || (ticks + 9) / 10 == seen ? ticks : 0);
  }
#endif
}
#else
static void try_timers(void) {
  printf("no timers\n");
}
#endif

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "timers") == 0) {
    try_timers();
  } else {
    kill_ten_times();
  }
  return 0;
}
