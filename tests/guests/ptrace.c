// TAP: ptrace(2) as IRIX's manual page has it.
#include "guest/runtime/guest.h"

enum { PTRACE = 1026, TRACE_ME = 0, PEEK_TEXT, PEEK_DATA, PEEK_USER };
enum { POKE_TEXT = 4, POKE_DATA, POKE_USER, GO_ON, END, STEP };
enum { A0 = 4, BEHIND_REGISTERS = 64 };
enum { TRAPPED = 2, CLD_TRAPPED = 4, EIO = 5, BREAK_WORD = 0x0000000d };

static volatile int cell = 1, handled;

NOINLINE static int twice(int n) {
  __asm__ volatile("nop");
  return 2 * n;
}

static void note(int signal, void* info, void* context) {
  (void)info;
  (void)context;
  handled = signal;
}

static int ptrace(int request, pid_t pid, const volatile void* address, int data) {
  return syscall(PTRACE, request, pid, address, data);
}

static siginfo_t news;
static int waits_for(pid_t child, int code, int status) {
  if (waitsys(P_PID, child, &news, WEXITED | TRAPPED, 0) != 0) return 0;
  if (news.si_code == code && news.data.child.status == status) return 1;
  printf("# code %d status %d, not %d %d\n", news.si_code, news.data.child.status, code, status);
  return 0;
}

static void* const ONE = (void*)1;

static void run_child(void) {
  const struct sigaction action = {.sa_handler = note};
  sigaction(SIGUSR2, &action, 0);
  ptrace(TRACE_ME, 0, 0, 0);
  kill(getpid(), SIGUSR1);
  kill(getpid(), SIGUSR2);
  _exit(twice(cell) + handled);
}

static void test_memory(pid_t child) {
  check(ptrace(PEEK_DATA, child, &cell, 0) == 1 && ptrace(PEEK_TEXT, child, &cell, 0) == 1,
        "a word of the child");
  check(ptrace(POKE_DATA, child, &cell, 20) == 20, "another word for it, which is the answer");
  check(ptrace(PEEK_DATA, child, &cell, 0) == 20 && cell == 1, "in the child alone");
  check_error(ptrace(PEEK_DATA, child, (const char*)&cell + 2, 0), EIO, "no start of a word: EIO");
  check_error(ptrace(POKE_DATA, child, (const char*)&cell + 1, 0), EIO, "nor for a write");
  check_error(ptrace(PEEK_DATA, child, (void*)16, 0), EIO, "where nothing is: EIO");
  check_error(ptrace(10, child, 0, 0), EIO, "no such request: EIO");
  check_error(ptrace(PEEK_USER, child, (void*)BEHIND_REGISTERS, 0), EIO,
              "of the user area there are the registers");
}

static void test_run(void) {
  pid_t child = fork();
  if (child == 0) run_child();
  check(waits_for(child, CLD_TRAPPED, SIGUSR1), "a child that is traced stops for any signal");
  test_memory(child);
  check_error(ptrace(GO_ON, child, ONE, 65), EIO, "no such signal: EIO");
  check_error(ptrace(GO_ON, child, (void*)4, 0), EIO, "addr is not 1: EIO");
  check(ptrace(GO_ON, child, ONE, 0) == 0, "without its signal it goes on");
  check(waits_for(child, CLD_TRAPPED, SIGUSR2), "up to the next");
  check_error(ptrace(PEEK_DATA, getpid(), &cell, 0), ESRCH, "who is not traced: ESRCH");
  const int own = ptrace(PEEK_TEXT, child, (const void*)(uintptr_t)twice, 0);
  ptrace(POKE_TEXT, child, (const void*)(uintptr_t)twice, BREAK_WORD);
  check(ptrace(GO_ON, child, ONE, SIGUSR2) == SIGUSR2, "a signal to go on with is the answer");
  check(waits_for(child, CLD_TRAPPED, SIGTRAP), "a break in its text");
  check(ptrace(PEEK_DATA, child, &handled, 0) == SIGUSR2, "behind the handler of the signal");
  check(ptrace(PEEK_USER, child, (void*)A0, 0) == 20, "its argument is in a register");
  check(ptrace(POKE_USER, child, (void*)A0, 30) == 30, "where another one is put");
  ptrace(POKE_TEXT, child, (const void*)(uintptr_t)twice, own);
  check(ptrace(STEP, child, ONE, 0) == 0 && waits_for(child, CLD_TRAPPED, SIGTRAP), "one step");
  check(ptrace(GO_ON, child, ONE, 0) == 0 && waits_for(child, CLD_EXITED, 60 + SIGUSR2),
        "it ends with what was written to it");
}

static void test_end(void) {
  pid_t child = fork();
  if (child == 0) run_child();
  waits_for(child, CLD_TRAPPED, SIGUSR1);
  check(ptrace(END, child, 0, 0) == 0 && waits_for(child, CLD_EXITED, 0), "a child is ended");
  check_error(ptrace(GO_ON, child, ONE, 0), ESRCH, "and is not there any more: ESRCH");
}

static void test_exec(char* program) {
  char* const arguments[] = {program, "again", 0};
  pid_t child = fork();
  if (child == 0) {
    ptrace(TRACE_ME, 0, 0, 0);
    execve(program, arguments, environ);
    _exit(1);
  }
  check(waits_for(child, CLD_TRAPPED, SIGTRAP), "an exec stops the child before its new program");
  check(ptrace(GO_ON, child, ONE, 0) == 0 && waits_for(child, CLD_EXITED, 6), "which then runs");
}

// As a real debugger does: pending signals are gone when it says so.
static void test_pending(void) {
  pid_t child = fork();
  if (child == 0) {
    const sigset_t set = {{1u << (SIGUSR1 - 1) | 1u << (SIGUSR2 - 1)}};
    ptrace(TRACE_ME, 0, 0, 0);
    sigprocmask(SIG_BLOCK, &set, 0);
    kill(getpid(), SIGUSR1);
    kill(getpid(), SIGUSR2);
    sigprocmask(SIG_UNBLOCK, &set, 0);
    _exit(9);
  }
  check(waits_for(child, CLD_TRAPPED, SIGUSR1), "the first of two pending signals");
  check(ptrace(GO_ON, child, ONE, 0) == 0 && waits_for(child, CLD_EXITED, 9),
        "the other is canceled with it");
}

int main(int count, char** arguments) {
  if (count > 1) return 6;
  test_run();
  test_end();
  test_exec(arguments[0]);
  test_pending();
  return finish_checks();
}
