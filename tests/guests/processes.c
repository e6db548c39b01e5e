// Processes and signals beyond what every Unix has: alternate stacks, queued SIGCLDs, job control,
// share groups. Sources: IRIX sigaltstack(2), sigaction(2), waitid(2), sproc(2), blockproc(2).
#include "tests/guests/runtime/guest.h"

enum { SIGALTSTACK = 1172, SGINAP = 1082, SPROC = 1129, PRCTL = 1130, PROCBLK = 1131 };
enum { SA_ONSTACK = 1, SS_ONSTACK = 1, SS_DISABLE = 2 };
enum { SIGSTOP = 23, SIGCONT = 25 };
enum { WSTOPPED = 4, WCONTINUED = 8 };
enum { CLD_STOPPED = 5, CLD_CONTINUED = 6 };
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

static void catch (int signal, sighandler_t handler, int flags) {
  struct sigaction action = {.sa_flags = (uint32_t)flags, .sa_handler = handler};
  sigaction(signal, &action, NULL);
}

static void inner(int signal, void* info, void* context) {
  (void)signal, (void)info, (void)context;
  int local;
  inner_on_stack = is_on_alternate(&local);
  order = order * 10 + 2;
}

static void outer(int signal, void* info, void* context) {
  (void)signal, (void)info, (void)context;
  int local;
  struct stack now;
  outer_on_stack = is_on_alternate(&local);
  order = order * 10 + 1;
  kill(getpid(), SIGUSR2);
  direct_call(SIGALTSTACK, 0, (int)&now, 0);
  order = order * 10 + (now.flags == SS_ONSTACK ? 3 : 4);
}

static void test_alternate_stack(void) {
  struct stack stack = {alternate, sizeof alternate, 0}, old;
  check(direct_call(SIGALTSTACK, (int)&stack, (int)&old, 0) == 0 && old.flags == SS_DISABLE,
        "sigaltstack");
  catch (SIGUSR1, outer, SA_ONSTACK);
  catch (SIGUSR2, inner, SA_ONSTACK);
  kill(getpid(), SIGUSR1);
  check(outer_on_stack && inner_on_stack, "both handlers run on the alternate stack");
  check(order == 123, "the second one within the first");
  catch (SIGUSR1, inner, 0);
  kill(getpid(), SIGUSR1);
  check(!inner_on_stack, "without SA_ONSTACK a handler stays on the normal stack");
  stack.flags = SS_DISABLE;
  check(direct_call(SIGALTSTACK, (int)&stack, (int)&old, 0) == 0 && old.flags == 0,
        "sigaltstack turns it off");
}

static volatile int child_count;
static volatile uint32_t child_sum;

static void on_child(int signal, void* info, void* context) {
  (void)signal, (void)context;
  const siginfo_t* told = info;
  if (told->si_code == CLD_EXITED && told->data.child.status == 3) {
    child_sum += (uint32_t)told->data.child.pid;
    ++child_count;
  }
}

// Each of the children that ended while SIGCLD was blocked is told.
static void test_queued_children(void) {
  sigset_t block = {{1u << (SIGCLD - 1), 0, 0, 0}}, old;
  uint32_t sum = 0;
  catch (SIGCLD, on_child, SA_SIGINFO);
  sigprocmask(SIG_BLOCK, &block, &old);
  for (int i = 0; i < MEMBERS; ++i) {
    pid_t pid = fork();
    if (pid == 0) _exit(3);
    sum += (uint32_t)pid;
  }
  direct_call(SGINAP, 5, 0, 0);
  check(child_count == 0, "a blocked SIGCLD waits");
  sigprocmask(SIG_SETMASK, &old, NULL);
  check(child_count == MEMBERS && child_sum == sum, "one SIGCLD for each child");
  for (int i = 0; i < MEMBERS; ++i)
    check(waitsys(P_ALL, 0, NULL, WEXITED, NULL) == 0, "its zombie");
  check_error(waitsys(P_ALL, 0, NULL, WEXITED, NULL), ECHILD, "and no more");
  catch (SIGCLD, SIG_DFL, 0);
}

static void test_job_control(void) {
  siginfo_t info;
  pid_t pid = fork();
  if (pid == 0) {
    for (;;) direct_call(SGINAP, 1, 0, 0);
  }
  kill(pid, SIGSTOP);
  check(waitsys(P_PID, pid, &info, WSTOPPED, NULL) == 0 && info.si_code == CLD_STOPPED &&
            info.data.child.status == SIGSTOP,
        "a stop is reported");
  kill(pid, SIGCONT);
  check(waitsys(P_PID, pid, &info, WCONTINUED, NULL) == 0 && info.si_code == CLD_CONTINUED &&
            info.data.child.status == SIGCONT,
        "a continuation is reported");
  kill(pid, SIGSTOP);
  kill(pid, SIGKILL);
  check(waitsys(P_PID, pid, &info, WEXITED, NULL) == 0 && info.si_code == CLD_KILLED,
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
    if (i % 20 == 0) direct_call(SGINAP, 0, 0, 0);
    if (PRDA_PID != pid || PRDA_USER != index + 1) ++wrong[index];
  }
  ++ready;
  direct_call(PROCBLK, 0, pid, 0);
  _exit(index);
}

static void test_share_group(void) {
  pid_t pids[MEMBERS];
  int counted = 0, failures = 0, ended = 0;
  PRDA_USER = 77;
  for (int i = 0; i < MEMBERS; ++i) pids[i] = direct_call(SPROC, (int)member, PR_SADDR, i);
  while (ready < MEMBERS) direct_call(SGINAP, 0, 0, 0);
  check(direct_call(PRCTL, PR_GETNSHARE, 0, 0) == MEMBERS + 1, "the share group has all members");
  for (int i = 0; i < MEMBERS; ++i) direct_call(PROCBLK, 1, pids[i], 0);
  for (int i = 0; i < MEMBERS; ++i) {
    siginfo_t info;
    if (waitsys(P_PID, pids[i], &info, WEXITED, NULL) == 0 && info.data.child.status == i) ++ended;
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
