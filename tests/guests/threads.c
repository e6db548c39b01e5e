// TAP: threads as IRIX's libpthread makes them: nsproc(), prctl(PR_THREAD_CTL), usync_cntl(), and a
// data area for each. Source: a fork of QEMU that runs programs with that library
// (linux-user/syscall.c and syscall_defs.h); pthreads(5) and pthread_create(3P) of IRIX.
#include "guest/runtime/guest.h"

enum { PRCTL = 1130, NSPROC = 1204, USYNC_CNTL = 1223, SPROC = 1129, SCHED_YIELD = 1218 };
enum { PR_INIT_THREADS = 20, PR_THREAD_CTL = 21, PR_SALL = 0x7f, PR_THREADS = 0x80 };
enum { THREAD_EXIT = 1, THREAD_BLOCK, THREAD_UNBLOCK, THREAD_KILL };
enum { BLOCK = 1, INTR_BLOCK, UNBLOCK_ALL, UNBLOCK, GET_STATE = 11, HANDOFF };
enum { HAS_LIMIT = 4, ETIMEDOUT = 145 };

struct prthread {
  void (*entry)(void* argument);
  void* argument;
  int32_t flags;
  void* stack;
  int32_t length;
};

struct usync {
  int32_t version;
  uint64_t place;
  uint16_t policy, flags;
  int32_t unknown[4];
  uint64_t handed_to, seconds, nanoseconds;
  int32_t rest[6];
};
_Static_assert(sizeof(struct usync) == 88, "struct usync");

// The data area: who the kernel says runs, and a word of the user's part.
#define AREA_PID (*(volatile int32_t*)0x200e00)
#define AREA_REAL_PID (*(volatile int32_t*)0x200e40)
#define AREA_WORD (*(volatile int32_t*)0x200f80)

#define STACK_BYTES 16384
static char stacks[8][STACK_BYTES] __attribute__((aligned(16)));

static int usync(int operation, const volatile void* place) {
  struct usync argument;
  memset(&argument, 0, sizeof argument);
  argument.version = 1002;
  argument.place = (uint64_t)(uintptr_t)place;
  return syscall(USYNC_CNTL, operation, &argument);
}

static int timed_block(const volatile void* place, uint32_t seconds, uint32_t nanoseconds) {
  struct usync argument;
  memset(&argument, 0, sizeof argument);
  argument.version = 1002;
  argument.place = (uint64_t)(uintptr_t)place;
  argument.flags = HAS_LIMIT;
  argument.seconds = seconds;
  argument.nanoseconds = nanoseconds;
  return syscall(USYNC_CNTL, INTR_BLOCK, &argument);
}

static int hand_off(const volatile void* place, const volatile void* to) {
  struct usync argument;
  memset(&argument, 0, sizeof argument);
  argument.version = 1002;
  argument.place = (uint64_t)(uintptr_t)place;
  argument.handed_to = (uint64_t)(uintptr_t)to;
  return syscall(USYNC_CNTL, HANDOFF, &argument);
}

static int control(int operation, int thread, int signal) {
  return syscall(PRCTL, PR_THREAD_CTL, operation, thread, signal);
}

static void yield(void) {
  syscall(SCHED_YIELD);
}

static int make_thread(int mask, void (*entry)(void*), void* argument, char* stack) {
  const struct prthread thread = {
      .entry = entry, .argument = argument, .stack = stack, .length = stack == 0 ? 0 : STACK_BYTES};
  return syscall(NSPROC, entry, mask, &thread, 0);
}

__attribute__((noreturn)) static void leave(void) {
  control(THREAD_EXIT, 0, 0);
  for (;;) continue;
}

// ---- A thread says who it is.
static struct {
  pid_t pid;
  int32_t number, real_number, word;
  void* argument;
  char* stack;
} seen;
static volatile int done, gate, lock, condition;

static void look(void* argument) {
  char local = 0;
  seen.pid = getpid();
  seen.number = AREA_PID;
  seen.real_number = AREA_REAL_PID;
  seen.word = AREA_WORD;
  AREA_WORD = 222;
  yield();
  seen.word = seen.word == 0 && AREA_WORD == 222;
  seen.argument = argument;
  seen.stack = &local;
  done = 1;
  usync(UNBLOCK, &done);
  leave();
}

static void test_threads(void) {
  check(syscall(PRCTL, PR_INIT_THREADS) == 0, "PR_INIT_THREADS");
  AREA_WORD = 111;
  const int thread = make_thread(PR_SALL | PR_THREADS, look, &seen, stacks[0]);
  check(thread > 0 && thread != getpid(), "a thread has a number of its own");
  check(usync(INTR_BLOCK, &done) == 0 && done == 1, "it wakes its creator, who waits");
  check(seen.pid == getpid(), "it is part of its creator's process");
  check(seen.number == thread && seen.real_number == thread, "its data area has its number");
  check(seen.word == 1 && AREA_WORD == 111, "its data area is its own");
  check(AREA_PID == getpid(), "the first thread's number is the process's");
  check(seen.argument == &seen, "it gets its argument");
  check(seen.stack > stacks[0] && seen.stack < stacks[0] + STACK_BYTES, "it runs on its stack");
  while (control(THREAD_KILL, thread, 0) == 0) yield();
  check_error(control(THREAD_KILL, thread, 0), ESRCH, "then it has ended: ESRCH");
  done = 0;
  check(make_thread(PR_SALL, look, 0, 0) > thread, "without a stack it gets one");
  check(usync(INTR_BLOCK, &done) == 0 && seen.pid == getpid(), "and is a thread like others");
}

// ---- usync_cntl
static volatile int order[4], arrived;

static void wait_for_turn(void* argument) {
  usync(INTR_BLOCK, &gate);
  order[arrived++] = (int)(ptrdiff_t)argument;
  leave();
}

static void test_waits(void) {
  check(usync(GET_STATE, &gate) == 0, "nobody waits");
  usync(UNBLOCK, &gate);
  usync(UNBLOCK, &gate);
  check(usync(GET_STATE, &gate) == 2, "what is unblocked before is kept");
  check(usync(INTR_BLOCK, &gate) == 0 && usync(BLOCK, &gate) == 0, "and ends later waits");
  for (int i = 0; i < 3; ++i) {
    make_thread(PR_SALL | PR_THREADS, wait_for_turn, (void*)(ptrdiff_t)(i + 1), stacks[i]);
  }
  while (usync(GET_STATE, &gate) != -3) yield();
  check(arrived == 0, "three threads wait");
  usync(UNBLOCK, &gate);
  while (arrived == 0) yield();
  check(arrived == 1 && order[0] == 1, "one is woken, the first of them");
  check(usync(GET_STATE, &gate) == -2, "two still wait");
  usync(UNBLOCK_ALL, &gate);
  while (arrived != 3) yield();
  check(order[1] == 2 && order[2] == 3 && usync(GET_STATE, &gate) == 0, "all others are woken");
  check_error(syscall(USYNC_CNTL, INTR_BLOCK, (void*)8), EFAULT, "an argument nowhere: EFAULT");
}

static void test_limits(void) {
  struct timeval now, later;
  check_error(timed_block(&gate, 1, 0), ETIMEDOUT, "a wait until a date that is over: ETIMEDOUT");
  BSD_getime(&now);
  check_error(timed_block(&gate, (uint32_t)now.tv_sec + 1, (uint32_t)now.tv_usec * 1000), ETIMEDOUT,
              "a wait for a second");
  BSD_getime(&later);
  const int passed = (later.tv_sec - now.tv_sec) * 1000 + (int)(later.tv_usec - now.tv_usec) / 1000;
  check(passed >= 1000 && passed < 1050, "takes a second");
  check_error(timed_block(&gate, 1, 1000000000), EINVAL, "a time that is none: EINVAL");
}

static volatile int lock_answer;

static void wait_for_lock(void* argument) {
  (void)argument;
  lock_answer = usync(INTR_BLOCK, &lock);
  usync(UNBLOCK, &condition);
  leave();
}

static void test_handoff(void) {
  lock_answer = -1;
  make_thread(PR_SALL | PR_THREADS, wait_for_lock, 0, stacks[0]);
  while (usync(GET_STATE, &lock) != -1) yield();
  check(hand_off(&condition, &lock) == 0, "a handoff waits until it is woken");
  check(lock_answer == 1, "and has woken who waits for the lock, who is told how");
}

// ---- Signals, and blocking a thread.
static volatile int32_t handled_by;

static void note(int signal, void* info, void* context) {
  (void)info;
  (void)context;
  if (signal == SIGUSR1) handled_by = AREA_PID;
}

static volatile int answer_of_block, error_of_block;

static void block_twice(void* argument) {
  (void)argument;
  answer_of_block = control(THREAD_BLOCK, 0, 0);
  done = 1;
  if (usync(INTR_BLOCK, &gate) == -1) error_of_block = errno;
  done = 2;
  leave();
}

static void test_signals(void) {
  const struct sigaction action = {.sa_handler = note};
  sigaction(SIGUSR1, &action, 0);
  done = 0;
  answer_of_block = -1;
  const int thread = make_thread(PR_SALL | PR_THREADS, block_twice, 0, stacks[1]);
  for (int i = 0; i < 10; ++i) yield();
  check(done == 0, "a thread blocks itself");
  check(control(THREAD_UNBLOCK, thread, 0) == 0, "another unblocks it");
  while (done != 1) yield();
  check(answer_of_block == 0, "and it goes on");
  while (usync(GET_STATE, &gate) != -1) yield();
  check(control(THREAD_KILL, thread, SIGUSR1) == 0, "a signal to a thread");
  while (done != 2) yield();
  check(handled_by == thread, "is handled by that thread");
  check(error_of_block == EINTR, "and ends its wait: EINTR");
  check(usync(GET_STATE, &gate) == 0, "where nobody waits then");
  check(control(THREAD_UNBLOCK, getpid(), 0) == 0 && control(THREAD_BLOCK, 0, 0) == 0,
        "to unblock before the block");
  check_error(control(THREAD_KILL, thread + 1, SIGUSR1), ESRCH, "to a thread that is not: ESRCH");
  check_error(control(THREAD_KILL, getpid(), 65), EINVAL, "a signal that is not: EINVAL");
}

// ---- Processes.
static int exit_status(pid_t child) {
  siginfo_t info;
  if (waitsys(P_PID, child, &info, WEXITED, 0) != 0) return -1;
  return info.data.child.status;
}

static void end_process(void* argument) {
  (void)argument;
  _exit(7);
}

static void end_sproc(void* argument) {
  (void)argument;
  _exit(getpid() == AREA_PID && getpid() == AREA_REAL_PID ? 5 : 6);
}

static void test_processes(void) {
  volatile int* const shared =
      mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, open("/dev/zero", O_RDWR), 0);
  pid_t child = fork();
  if (child == 0) {
    const int has_own = AREA_PID == getpid() && usync(INTR_BLOCK, shared) == 0;
    _exit(has_own ? 3 : 4);
  }
  while (usync(GET_STATE, shared) != -1) yield();
  usync(UNBLOCK, shared);
  check(exit_status(child) == 3, "processes wait for each other in shared memory");

  child = fork();
  if (child == 0) {
    make_thread(PR_SALL | PR_THREADS, end_process, 0, stacks[0]);
    for (;;) yield();
  }
  check(exit_status(child) == 7, "exit() by any thread ends the process");

  child = fork();
  if (child == 0) {
    const int own = make_thread(PR_SALL, end_sproc, 0, stacks[0]);
    const int status = exit_status(own);
    const int is_refused =
        make_thread(PR_SALL | PR_THREADS, look, 0, stacks[1]) == -1 && errno == EPERM;
    _exit(own != -1 && status == 5 && is_refused ? 8 : 9);
  }
  check(exit_status(child) == 8,
        "without PR_THREADS nsproc() makes a process, whose program has no threads: EPERM");
}

int main(void) {
  test_threads();
  test_waits();
  test_limits();
  test_handoff();
  test_signals();
  test_processes();
  return finish_checks();
}
