// fork, exec, wait, vfork as clone2() makes them, and threads.
#include "tests/guests/ia64/guest.h"

enum { VM_VFORK = 0x4100, THREAD_FLAGS = 0x00310f00, FUTEX_WAIT = 0 };

static char stack[0x10000] __attribute__((aligned(16)));
static volatile long counter;
static volatile long word;

static int wait_for(long pid) {
  int status = -1;
  return CALL4(NR_wait4, pid, &status, 0, 0) == pid ? status : -1;
}

// A child is made far down: the frames below it are in registers, or not, and it returns through
// them as its parent does.
static __attribute__((noinline)) long fork_below(long depth) {
  if (depth == 0) return CALL6(NR_clone2, SIGCHLD, 0, 0, 0, 0, 0);
  volatile long here = depth;
  const long pid = fork_below(depth - 1);
  if (here != depth) CALL1(NR_exit, 99);
  counter += here;
  return pid;
}

static void test_fork(void) {
  for (long depth = 1; depth <= 100; depth += 33) {
    counter = 0;
    const long pid = fork_below(depth);
    if (pid == 0) CALL1(NR_exit, counter == depth * (depth + 1) / 2 ? 42 : 1);
    check(pid > 0 && wait_for(pid) == 42 << 8, "a child returns through its parent's frames");
    check_number(counter, depth * (depth + 1) / 2, "and its parent does");
  }
}

static void test_exec(char** argv) {
  const long reader = CALL0(NR_pipe);
  const long writer = second_result;
  const long pid = CALL6(NR_clone2, SIGCHLD, 0, 0, 0, 0, 0);
  if (pid == 0) {
    const char digit[2] = {(char)('0' + writer), 0};
    const char* const arguments[] = {argv[0], digit, 0};
    const char* const environment[] = {0};
    CALL3(NR_execve, argv[0], arguments, environment);
    CALL1(NR_exit, 1);
  }
  check_number(wait_for(pid), 7 << 8, "exec");
  char text[8] = "";
  CALL3(NR_read, reader, text, 8);
  check(same_text(text, "child"), "what the new program wrote");
}

static int after_exec(char** argv) {
  CALL3(NR_write, argv[1][0] - '0', "child", 6);
  return 7;
}

static void add(void) {
  for (int i = 0; i < 1000; ++i) counter += 1;
}

// The memory is common, and the parent sleeps until the child has ended.
static void test_vfork(void) {
  counter = 0;
  const long pid = thread(VM_VFORK | SIGCHLD, stack, sizeof stack, 0, add);
  check_number(counter, 1000, "a child in its parent's memory, with stacks of its own");
  check_number(wait_for(pid), 0, "ends as a process");
}

// CLONE_VM, FS, FILES, SIGHAND, THREAD, PARENT_SETTID, CHILD_CLEARTID.
static void test_threads(void) {
  counter = 0;
  const long tid = thread(THREAD_FLAGS, stack, sizeof stack, (long*)&word, add);
  check(tid > 0 && tid != CALL0(NR_getpid), "a thread has a number of its own");
  while ((int)word != 0) CALL4(NR_futex, &word, FUTEX_WAIT, tid, 0);
  check_number(counter, 1000, "its word is cleared when it has ended");
  const long time[2] = {0, 1000000};
  check_number(CALL4(NR_futex, &word, FUTEX_WAIT, 0, time), -ETIMEDOUT, "a wait with a limit");
}

int guest_main(int argc, char** argv, ulong* behind) {
  (void)behind;
  if (argc > 1) return after_exec(argv);
  test_fork();
  test_exec(argv);
  test_vfork();
  test_threads();
  return finish_checks();
}
