// Processes and signals beyond what every Unix has: alternate stacks, queued SIGCLDs, job control,
// share groups. Sources: IRIX sigaltstack(2), sigaction(2), waitid(2), sproc(2), blockproc(2).
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guests/tap.h"

enum { SIGALTSTACK = 1172, SGINAP = 1082, SPROC = 1129, PRCTL = 1130, PROCBLK = 1131 };
enum { SA_ONSTACK = 1, SS_ONSTACK = 1, SS_DISABLE = 2 };
enum { PR_SADDR = 0x40, PR_GETNSHARE = 14 };
enum { MEMBERS = 5, TURNS = 200 };

struct stack {
  void* sp;
  size_t size;
  int flags;
};
// The system's part of the process data area.
#define PRDA_PID (*(volatile int32_t*)0x00200e00)
#define PRDA_USER (*(volatile int32_t*)0x00200f80)

static char alternate[16384];
static volatile int outer_on_stack, inner_on_stack, order;

static int is_on_alternate(void* local) {
  return (char*)local >= alternate && (char*)local < alternate + sizeof alternate;
}

static void catch_signal(int sig, _handler handler, int flags) {
  struct sigaction action = {.sa_flags = flags, .sa_handler = handler};
  sigaction(sig, &action, NULL);
}

static void inner(int sig) {
  (void)sig;
  int local;
  inner_on_stack = is_on_alternate(&local);
  order = order * 10 + 2;
}

static void outer(int sig) {
  (void)sig;
  int local;
  struct stack now;
  outer_on_stack = is_on_alternate(&local);
  order = order * 10 + 1;
  kill(getpid(), SIGUSR2);
  syscall(SIGALTSTACK, 0, (int)&now, 0);
  order = order * 10 + (now.flags == SS_ONSTACK ? 3 : 4);
}

static void test_alternate_stack(void) {
  struct stack stack = {alternate, sizeof alternate, 0}, old;
  check(syscall(SIGALTSTACK, (int)&stack, (int)&old, 0) == 0 && old.flags == SS_DISABLE,
        "sigaltstack");
  catch_signal(SIGUSR1, outer, SA_ONSTACK);
  catch_signal(SIGUSR2, inner, SA_ONSTACK);
  kill(getpid(), SIGUSR1);
  check(outer_on_stack && inner_on_stack, "both handlers run on the alternate stack");
  check(order == 123, "the second one within the first");
  catch_signal(SIGUSR1, inner, 0);
  kill(getpid(), SIGUSR1);
  check(!inner_on_stack, "without SA_ONSTACK a handler stays on the normal stack");
  stack.flags = SS_DISABLE;
  check(syscall(SIGALTSTACK, (int)&stack, (int)&old, 0) == 0 && old.flags == 0,
        "sigaltstack turns it off");
}

static volatile int child_count;
static volatile uint32_t child_sum;

static void on_child(int sig, siginfo_t* told, void* context) {
  (void)sig, (void)context;
  if (told->si_code == CLD_EXITED && told->si_status == 3) {
    child_sum += (uint32_t)told->si_pid;
    ++child_count;
  }
}

// Each of the children that ended while SIGCLD was blocked is told.
static void test_queued_children(void) {
  sigset_t block = {{1u << (SIGCLD - 1), 0, 0, 0}}, old;
  uint32_t sum = 0;
  struct sigaction action = {.sa_flags = SA_SIGINFO, .sa_sigaction = on_child};
  sigaction(SIGCLD, &action, NULL);
  sigprocmask(SIG_BLOCK, &block, &old);
  for (int i = 0; i < MEMBERS; ++i) {
    pid_t pid = fork();
    if (pid == 0) _exit(3);
    sum += (uint32_t)pid;
  }
  syscall(SGINAP, 5, 0, 0);
  check(child_count == 0, "a blocked SIGCLD waits");
  sigprocmask(SIG_SETMASK, &old, NULL);
  check(child_count == MEMBERS && child_sum == sum, "one SIGCLD for each child");
  for (int i = 0; i < MEMBERS; ++i) check(waitid(P_ALL, 0, NULL, WEXITED) == 0, "its zombie");
  check_error(waitid(P_ALL, 0, NULL, WEXITED), ECHILD, "and no more");
  catch_signal(SIGCLD, SIG_DFL, 0);
}

static void test_job_control(void) {
  siginfo_t info;
  pid_t pid = fork();
  if (pid == 0) {
    for (;;) syscall(SGINAP, 1, 0, 0);
  }
  kill(pid, SIGSTOP);
  check(waitid(P_PID, pid, &info, WSTOPPED) == 0 && info.si_code == CLD_STOPPED &&
            info.si_status == SIGSTOP,
        "a stop is reported");
  kill(pid, SIGCONT);
  check(waitid(P_PID, pid, &info, WCONTINUED) == 0 && info.si_code == CLD_CONTINUED &&
            info.si_status == SIGCONT,
        "a continuation is reported");
  kill(pid, SIGSTOP);
  kill(pid, SIGKILL);
  check(waitid(P_PID, pid, &info, WEXITED) == 0 && info.si_code == CLD_KILLED,
        "SIGKILL ends a stopped process");
}

static volatile int turns[MEMBERS], wrong[MEMBERS], ready;

// A member counts, and looks after every turn that its data area is still its own.
static void member(int index) {
  int pid = (int)getpid();
  if (PRDA_USER != 0) ++wrong[index];
  PRDA_USER = index + 1;
  for (int i = 0; i < TURNS; ++i) {
    ++turns[index];
    if (i % 20 == 0) syscall(SGINAP, 0, 0, 0);
    if (PRDA_PID != pid || PRDA_USER != index + 1) ++wrong[index];
  }
  ++ready;
  syscall(PROCBLK, 0, pid, 0);
  _exit(index);
}

static void test_share_group(void) {
  pid_t pids[MEMBERS];
  int counted = 0, failures = 0, ended = 0;
  PRDA_USER = 77;
  for (int i = 0; i < MEMBERS; ++i) pids[i] = syscall(SPROC, (int)member, PR_SADDR, i);
  while (ready < MEMBERS) syscall(SGINAP, 0, 0, 0);
  check(syscall(PRCTL, PR_GETNSHARE, 0, 0) == MEMBERS + 1, "the share group has all members");
  for (int i = 0; i < MEMBERS; ++i) syscall(PROCBLK, 1, pids[i], 0);
  for (int i = 0; i < MEMBERS; ++i) {
    siginfo_t info;
    if (waitid(P_PID, pids[i], &info, WEXITED) == 0 && info.si_status == i) ++ended;
    counted += turns[i];
    failures += wrong[i];
  }
  check(ended == MEMBERS, "every member blocks itself, is unblocked and ends");
  check(counted == MEMBERS * TURNS, "they share the memory");
  check(failures == 0, "and each has a data area of its own");
  check(PRDA_USER == 77 && PRDA_PID == getpid(), "the parent too");
}

int main(void) {
  test_alternate_stack();
  test_queued_children();
  test_job_control();
  test_share_group();
  return finish_checks();
}
