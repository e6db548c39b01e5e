// Interval timers beside the profiler: SIGALRM (real time), SIGVTALRM (user time) and SIGPROF (user
// and system time) interrupt a loop that holds a pattern in every register.
//
// setitimer(2): the three timers and their signals; they and profil(2) share the clock tick and do
// not disturb each other. sigaction(2): a handler's return resumes the interrupted code with its
// registers, HI, LO and the floating-point state included.
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "tests/guests/profiling.h"
#include "tests/guests/tap.h"

enum { COUNTERS = 16384, WANTED = 5, MAX_ROUNDS = 100000 };

int hold_registers(uint32_t times);
void disturb_registers(void);

static uint16_t counters[COUNTERS];
static volatile int alarms, virtual_alarms, profile_alarms;
static volatile uint32_t interrupted_pc;
static volatile int wrong_info;

// Without SA_SIGINFO.
static void on_alarm(int sig, siginfo_t* code, void* context) {
  (void)code;
  if (sig == SIGALRM) ++alarms;
  if (sig == SIGVTALRM) ++virtual_alarms;
  interrupted_pc = (uint32_t)((struct sigcontext*)context)->sc_pc;
  disturb_registers();
}

static void on_profile(int sig, siginfo_t* info, void* context) {
  if (sig == SIGPROF) ++profile_alarms;
  if (info == NULL || info->si_signo != SIGPROF) wrong_info = 1;
  interrupted_pc = ((ucontext_t*)context)->uc_gregs[CTX_EPC];
  disturb_registers();
}

static void start_timer(int which, int32_t interval_usec) {
  struct itimerval value = {{0, interval_usec}, {0, interval_usec}};
  check(setitimer(which, &value, NULL) == 0, "setitimer");
}

static void stop_timer(int which) {
  struct itimerval value = {{0, 0}, {0, 0}};
  struct itimerval rest;
  check(setitimer(which, &value, &rest) == 0 && rest.it_interval.tv_usec != 0,
        "setitimer stops the timer and reports its interval");
}

int main(void) {
  struct sigaction alarm = {.sa_sigaction = on_alarm};
  struct sigaction profile = {.sa_sigaction = on_profile, .sa_flags = SA_SIGINFO};
  sigaction(SIGALRM, &alarm, NULL);
  sigaction(SIGVTALRM, &alarm, NULL);
  sigaction(SIGPROF, &profile, NULL);
  profil(counters, sizeof counters, (uint32_t)_ftext, PROFIL_ONE_PER_INSTRUCTION);
  start_timer(ITIMER_REAL, 20000);
  start_timer(ITIMER_VIRTUAL, 30000);
  start_timer(ITIMER_PROF, 10000);

  int disturbed = 0;
  for (int i = 0; i < MAX_ROUNDS && !disturbed; ++i) {
    disturbed = hold_registers(100);
    if (alarms >= WANTED && virtual_alarms >= WANTED && profile_alarms >= WANTED) break;
  }
  stop_timer(ITIMER_REAL);
  stop_timer(ITIMER_VIRTUAL);
  stop_timer(ITIMER_PROF);
  profil(NULL, 0, 0, 0);

  check(alarms >= WANTED, "ITIMER_REAL sends SIGALRM");
  check(virtual_alarms >= WANTED, "ITIMER_VIRTUAL sends SIGVTALRM");
  check(profile_alarms >= WANTED, "ITIMER_PROF sends SIGPROF");
  check(!disturbed, "handlers leave the interrupted registers alone");
  check(!wrong_info, "SA_SIGINFO passes a siginfo");
  check(interrupted_pc >= (uint32_t)_ftext && interrupted_pc < (uint32_t)_etext,
        "the context holds the interrupted pc");
  check(sum_counters(counters, COUNTERS) > 0, "profiling goes on beside the timers");

  int alarms_before = alarms;
  int profiles_before = profile_alarms;
  burn_ticks(10);
  check(alarms == alarms_before && profile_alarms == profiles_before,
        "a stopped timer sends no more signals");
  printf("# SIGALRM %d, SIGVTALRM %d, SIGPROF %d\n", alarms, virtual_alarms, profile_alarms);
  return finish_checks();
}
