// Signals: handlers with and without siginfo, alternate stacks, masks, interrupted calls, timers.
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static volatile sig_atomic_t count, order;
static volatile double kept = 0;

static void plain(int number) {
  count += number;
  kept = 3.5 * number;  // floating-point registers come back
}

static void with_info(int number, siginfo_t* info, void* context) {
  ucontext_t* where = context;
  printf("signal %d code %d from me %d, uid %d, context %d\n", number, info->si_code,
         info->si_pid == getpid(), info->si_uid == getuid(), where != NULL);
}

static char alternate[65536];
static void on_alternate(int number) {
  char here;
  printf("signal %d on the alternate stack: %d\n", number,
         &here >= alternate && &here < alternate + sizeof alternate);
}

// A stack for handlers that lies on the stack: on PA-RISC above 0x80000000.
static char* high;
static void on_high(int number) {
  char here;
  printf("signal %d on a high stack: %d\n", number, &here >= high && &here < high + 65536);
}

static void nested(int number) {
  printf("enter %d\n", number);
  if (order++ == 0) raise(SIGUSR2);
  printf("leave %d\n", number);
}

static void set(int number, void (*handler)(int), int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  sigemptyset(&action.sa_mask);
  if (sigaction(number, &action, NULL) != 0) perror("sigaction");
}

static jmp_buf back;
static void jump(int number) {
  longjmp(back, number);
}

static sigjmp_buf fault_back;
static void on_fault(int number, siginfo_t* info, void* context) {
  (void)context;
  printf("fault: signal %d code %d\n", number, info->si_code);
  siglongjmp(fault_back, 1);
}

// Goes on behind the store that faulted, with another value in the register of function results:
// the context in memory is the one that is taken up.
static void skip(int number, siginfo_t* info, void* context) {
  mcontext_t* where = &((ucontext_t*)context)->uc_mcontext;
#ifdef __hppa__
  unsigned long* result = &where->sc_gr[28];
  where->sc_iaoq[0] = where->sc_iaoq[1];
  where->sc_iaoq[1] += 4;
#else
  unsigned long long* result = &where->gregs[2];
  where->pc += 4;
#endif
  printf("skip: signal %d at 16: %d, result %d\n", number, info->si_addr == (void*)16,
         (int)*result);
  *result = 1234;
}

static void skip_a_store(void) {
  struct sigaction action = {.sa_sigaction = skip, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &action, NULL);
  int result;
#ifdef __hppa__
  __asm__ volatile("ldi 77,%%r28\n stw %%r0,16(%%r0)\n copy %%r28,%0"
                   : "=r"(result)
                   :
                   : "r28", "memory");
#else
  __asm__ volatile(".set push\n.set noreorder\n li $2, 77\n sw $0, 16($0)\n move %0, $2\n.set pop"
                   : "=r"(result)
                   :
                   : "$2", "memory");
#endif
  printf("result afterwards %d\n", result);
}

static void faults(void) {
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &action, NULL);
  sigaction(SIGFPE, &action, NULL);
  sigaction(SIGTRAP, &action, NULL);
  // At 0, where PA-RISC's gateway page is, QEMU says SEGV_ACCERR, unlike Linux.
  if (sigsetjmp(fault_back, 1) == 0) *(volatile int*)4096 = 1;
  volatile int zero = 0;
  if (sigsetjmp(fault_back, 1) == 0) printf("%d\n", 1 / zero);
}

static volatile sig_atomic_t alarms;
static void on_alarm(int number) {
  (void)number;
  ++alarms;
}

static void timers(void) {
  set(SIGALRM, on_alarm, 0);
  struct itimerval timer = {{0, 20000}, {0, 20000}};
  setitimer(ITIMER_REAL, &timer, NULL);
  while (alarms < 3) pause();
  memset(&timer, 0, sizeof timer);
  setitimer(ITIMER_REAL, &timer, NULL);
  printf("alarms %d\n", alarms);
  set(SIGPROF, on_alarm, SA_RESTART);
  alarms = 0;
  timer.it_interval.tv_usec = timer.it_value.tv_usec = 10000;
  setitimer(ITIMER_PROF, &timer, NULL);
  while (alarms < 5) kept = kept * 1.0001;
  memset(&timer, 0, sizeof timer);
  setitimer(ITIMER_PROF, &timer, NULL);
  printf("profiling alarms %d\n", alarms);
  set(SIGALRM, on_alarm, 0);
  alarm(1);
  int ends[2];
  char byte;
  if (pipe(ends) != 0) perror("pipe");
  printf("read %zd", read(ends[0], &byte, 1));
  printf(" %s\n", strerror(errno));
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  set(SIGUSR1, plain, 0);
  double before = 1.25;
  kill(getpid(), SIGUSR1);
  printf("count %d, %.2f %.2f\n", count, before, kept);
  struct sigaction action = {.sa_sigaction = with_info, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR1, &action, NULL);
  kill(getpid(), SIGUSR1);
  sigaction(SIGRTMIN + 1, &action, NULL);
  kill(getpid(), SIGRTMIN + 1);
  stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate}, old;
  printf("sigaltstack %d\n", sigaltstack(&stack, &old));
  printf("old stack disabled %d\n", (old.ss_flags & SS_DISABLE) != 0);
  set(SIGUSR2, on_alternate, SA_ONSTACK);
  raise(SIGUSR2);
  char on_stack[65536];
  high = on_stack;
  stack.ss_sp = high;
  printf("sigaltstack %d, replaces the first: %d\n", sigaltstack(&stack, &old),
         old.ss_sp == alternate);
  set(SIGUSR2, on_high, SA_ONSTACK);
  raise(SIGUSR2);
  set(SIGUSR1, nested, SA_NODEFER);
  set(SIGUSR2, nested, 0);
  raise(SIGUSR1);
  sigset_t set_of_one, pending, previous;
  sigemptyset(&set_of_one);
  sigaddset(&set_of_one, SIGUSR1);
  sigaddset(&set_of_one, SIGRTMIN + 5);
  sigprocmask(SIG_BLOCK, &set_of_one, &previous);
  raise(SIGUSR1);
  sigpending(&pending);
  printf("pending %d %d\n", sigismember(&pending, SIGUSR1), sigismember(&pending, SIGUSR2));
  set(SIGUSR1, plain, SA_RESETHAND);
  count = 0;
  printf("sigsuspend %d", sigsuspend(&previous));
  printf(" %s, count %d\n", strerror(errno), count);
  sigprocmask(SIG_SETMASK, NULL, &pending);
  printf("still blocked %d %d\n", sigismember(&pending, SIGUSR1),
         sigismember(&pending, SIGRTMIN + 5));
  sigprocmask(SIG_SETMASK, &previous, NULL);
  sigaction(SIGUSR1, NULL, &action);
  printf("reset %d\n", action.sa_handler == SIG_DFL);
  signal(SIGUSR1, jump);
  int number = setjmp(back);
  if (number == 0) raise(SIGUSR1);
  printf("setjmp %d\n", number);
  printf("SIGKILL %d %s\n", sigaction(SIGKILL, NULL, &action), strerror(0));
  errno = 0;
  printf("catch SIGKILL %d", signal(SIGKILL, plain) == SIG_ERR);
  printf(" %s\n", strerror(errno));
  faults();
  skip_a_store();
  timers();
  int status;
  if (fork() == 0) {
    signal(SIGABRT, SIG_DFL);
    abort();
  }
  wait(&status);
  printf("child ended by signal %d\n", WTERMSIG(status));
  signal(SIGTERM, SIG_DFL);
  raise(SIGTERM);
  return 0;
}
