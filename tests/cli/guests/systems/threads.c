// Second threads: lwp_create of Solaris and HP-UX, sproc of IRIX.
#include <errno.h>
#include <sys/lwp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cli/guests/systems/checks.h"

#if defined(_HAVE_LWP) || defined(_OS_IRIX)
static void exit_with(void* status) {
  _exit((int)status);
}
#endif

#ifdef _HAVE_LWP
static volatile int written;
static volatile unsigned int own_id;
static char stack[4096] __attribute__((aligned(16)));

static void write_variable(void* argument) {
  own_id = _lwp_self();
  written = (int)argument;
}

static void leave_at_once(void* argument) {
  written = (int)argument;
  _lwp_exit();
  written = 0;
}

// _lwp_create(2), _lwp_self(2), _lwp_exit(2)
static void test_lwps(void) {
  ucontext_t context;
  lwpid_t id = 0;
  check_number((long)_lwp_self(), 1, "the first LWP has the number 1");
  _lwp_makecontext(&context, write_variable, (void*)77, NULL, stack, sizeof stack);
  check_number(_lwp_create(&context, 0, &id), 0, "_lwp_create");
  check(id > 1, "stores another number");
  while (written == 0) spin(100);
  check_number(written, 77, "the LWP gets its argument and writes to the process's memory");
  check_number((long)own_id, (long)id, "it knows its number");
  written = 0;
  _lwp_makecontext(&context, leave_at_once, (void*)78, NULL, stack, sizeof stack);
  check_number(_lwp_create(&context, LWP_DETACHED, NULL), 0, "_lwp_create without a place for it");
  while (written == 0) spin(100);
  spin_ticks(3);
  check_number(written, 78, "_lwp_exit does not return");
  check_number(_lwp_create(BAD_POINTER, 0, NULL), EFAULT, "_lwp_create from a bad address");
  check_number(_lwp_create(&context, 0, BAD_POINTER), EFAULT, "_lwp_create to a bad address");
#ifdef _OS_SOLARIS
  check_number(_lwp_create(&context, 0x8000, NULL), EINVAL, "_lwp_create with unknown flags");
#endif
}

static int exit_from_lwp(void) {
  ucontext_t context;
  _lwp_makecontext(&context, exit_with, (void*)6, NULL, stack, sizeof stack);
  _lwp_create(&context, 0, NULL);
  while (written >= 0) spin(1000);
  return 5;
}

static int leave_last(void) {
  _lwp_exit();
  return 5;
}
#endif

#ifdef _OS_IRIX
static volatile int shared;
static volatile pid_t child_pid;

static void write_variable(void* argument) {
  child_pid = getpid();
  shared = (int)argument;
}

// sproc(2)
static void test_sproc(void) {
  int status;
  shared = 1;
  pid_t pid = sproc(write_variable, PR_SADDR, (void*)5);
  check(pid > 0 && wait(&status) == pid && status == 0, "sproc makes a process");
  check_number(shared, 5, "with PR_SADDR it writes to its parent's memory");
  check_number(child_pid, pid, "it has a number of its own");
  pid = sproc(write_variable, PR_SFDS, (void*)6);
  check(pid > 0 && wait(&status) == pid && status == 0, "sproc without PR_SADDR");
  check_number(shared, 5, "copies the memory");
  pid = sproc(exit_with, PR_SALL, (void*)9);
  check(wait(&status) == pid && status == 9 << 8, "its end is waited for as any child's");
}
#endif

void test_threads(void) {
#ifdef _HAVE_LWP
  test_lwps();
  // exit(2) ends all LWPs; _lwp_exit(2) of the last one is exit(0).
  check_number(status_of(exit_from_lwp), 6 << 8, "exit from another LWP ends the process");
  check_number(status_of(leave_last), 0, "_lwp_exit of the only one ends it with 0");
#endif
#ifdef _OS_IRIX
  test_sproc();
#endif
}
