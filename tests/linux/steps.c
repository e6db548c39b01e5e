// ptrace(2)'s single steps on PA-RISC, as Linux makes them (arch/parisc/kernel/ptrace.c,
// user_enable_single_step(), and traps.c, the recovery counter's): a branch and its delay slot are
// a step each, so is what is nullified, and a call ends the step that enters it.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { offset_of_queue = 424, offset_of_result = 112, trace_code = 2 };

long walk(void);
long call(void);
asm("  .text\n"
    "  .align 16\n"
    "walk:\n"
    "  ldi 1,%r28\n"
    "  addi,tr 1,%r28,%r28\n"  // the next one is nullified
    "  ldi 99,%r28\n"
    "  b 1f\n"
    "  ldo 2(%r28),%r28\n"
    "  ldi 77,%r28\n"
    "1: bv %r0(%r2)\n"
    "  nop\n"
    "call:\n"
    "  ble 0x100(%sr2,%r0)\n"
    "  ldi 64,%r20\n"  // getppid
    "  bv %r0(%r2)\n"
    "  nop\n");
extern unsigned walk_code[] asm("walk"), call_code[] asm("call");

static unsigned long pc(pid_t child) {
  return ptrace(PTRACE_PEEKUSER, child, (void*)offset_of_queue, 0) & ~3ul;
}

// The signal for which the child has stopped; 0: it has ended.
static int step(pid_t child) {
  int status = 0;
  if (ptrace(PTRACE_SINGLESTEP, child, 0, 0) != 0) printf("step: %s\n", strerror(errno));
  waitpid(child, &status, 0);
  return WIFSTOPPED(status) ? WSTOPSIG(status) : 0;
}

static pid_t start(long (*function)(void)) {
  fflush(stdout);
  const pid_t child = fork();
  if (child != 0) {
    waitpid(child, NULL, 0);
    return child;
  }
  ptrace(PTRACE_TRACEME, 0, 0, 0);
  raise(SIGSTOP);
  _exit((int)function());
}

static void show(const char* what, long (*function)(void), const unsigned* code, unsigned words) {
  const unsigned long first = (unsigned long)code, end = first + 4 * words;
  const pid_t child = start(function);
  int steps = 0, traps = 0, in_kernel = 0;
  for (; pc(child) != first && steps < 5000; steps++) {
    traps += step(child) == SIGTRAP;
    in_kernel += pc(child) < 4096;
  }
  printf("%s: all traps %d, in the kernel's page %d\n", what, steps > 0 && traps == steps, in_kernel);
  siginfo_t info;
  ptrace(PTRACE_GETSIGINFO, child, 0, &info);
  printf("code %d, address %d\n", info.si_code == trace_code, ((unsigned long)info.si_addr & ~3ul) == first);
  while (pc(child) >= first && pc(child) < end && step(child) == SIGTRAP) {
    if (pc(child) >= first && pc(child) < end) printf(" %lu", pc(child) - first);
  }
  printf(" back: %d\n", (int)ptrace(PTRACE_PEEKUSER, child, (void*)offset_of_result, 0) ==
                              (function == walk ? 4 : getpid()));
  ptrace(PTRACE_KILL, child, 0, 0);
  waitpid(child, NULL, 0);
}

static volatile sig_atomic_t caught;

static void note(int signal) {
  caught += signal == SIGUSR1;
}

static long raise_twice(void) {
  signal(SIGUSR1, note);
  raise(SIGUSR1);
  return caught;
}

// A step that brings a signal ends at the handler's first instruction.
static void into_handler(void) {
  const pid_t child = start(raise_twice);
  int status = 0;
  ptrace(PTRACE_CONT, child, 0, 0);
  waitpid(child, &status, 0);
  printf("signal: %d\n", WIFSTOPPED(status) && WSTOPSIG(status) == SIGUSR1);
  ptrace(PTRACE_SINGLESTEP, child, 0, (void*)SIGUSR1);
  waitpid(child, &status, 0);
  const unsigned long handler = (unsigned long)note;
  const unsigned long* const descriptor = (const unsigned long*)(handler & ~3ul);
  printf("handler: %d %d\n", WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP,
         pc(child) == ((handler & 2) != 0 ? descriptor[0] : handler));
  ptrace(PTRACE_CONT, child, 0, 0);
  waitpid(child, &status, 0);
  printf("end: %d\n", WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

int main(void) {
  show("walk", walk, walk_code, 8);
  show("call", call, call_code, 4);
  into_handler();
  return 0;
}
