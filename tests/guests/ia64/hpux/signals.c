// Signal handlers: what they are told, and that everything comes back with their return; for
// signals that are sent, that a trap causes and that interrupt a call. The layout of a context on
// IA-64 is not public, so nothing looks into one.
#include "guest/runtime/guest.h"

typedef struct {
  int si_signo, si_code, si_errno;
  uintptr_t si_addr;
} siginfo_t;

enum { MAP_FIXED = 4, DEPTH = 40 };

static volatile int seen, count;
static volatile uintptr_t seen_address;

// Each frame has registers of its own, so that a chain of these does not fit the processor.
static NOINLINE uint32_t chain(uint32_t depth, uint32_t a, uint32_t b, int (*at_end)(int, int)) {
  if (depth == 0) return at_end != NULL ? (uint32_t)at_end(getpid(), SIGUSR1) : 0;
  const uint32_t rest = chain(depth - 1, a * 3 + depth, b ^ a, at_end);
  return rest * 5 + a - b + depth;
}

static void handler(int signal, int code, void* context) {
  double product = 1.5;
  for (int i = 0; i < signal; ++i) product *= 1.25;
  seen = signal + (product < 0) + (context == NULL) + code;
  ++count;
}

static void chaining_handler(int signal, int code, void* context) {
  handler(signal, code, context);
  seen += chain(DEPTH, 7, 9, NULL) == 0;
}

static void on(int signal, sighandler_t function, int flags) {
  const struct sigvec vector = {function, 0, flags};
  check(sigvector(signal, &vector, NULL) == 0, "sigvector");
}

static void test_sent(void) {
  on(SIGUSR1, handler, 0);
  double before = 3.25;
  __asm__ volatile("" : "+f"(before));
  check(kill(getpid(), SIGUSR1) == 0, "kill returns after the handler");
  __asm__ volatile("" : "+f"(before));
  check(seen == SIGUSR1 && count == 1 && before == 3.25, "the handler ran, registers came back");
  struct sigvec old;
  check(sigvector(SIGUSR1, NULL, &old) == 0 && old.sv_handler == handler, "sigvector tells it");
}

static void test_register_stack(void) {
  on(SIGUSR1, chaining_handler, 0);
  count = 0;
  const uint32_t alone = chain(DEPTH, 1, 2, NULL);
  check(chain(DEPTH, 1, 2, kill) == alone, "the registers of forty frames come back");
  check(seen == SIGUSR1 && count == 1, "from a handler with as many");
}

// Volatile, so that the compiler makes an address of the pointer.
static char* volatile absent = (char*)0x58000000;

static void map_absent(int signal, siginfo_t* info, void* context) {
  (void)context;
  seen = signal == info->si_signo ? signal : 0;
  seen_address = info->si_addr;
  mmap(absent, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

static void test_trap(void) {
  const struct sigaction action = {(sighandler_t)(void*)map_absent, {{0}}, SA_SIGINFO};
  check(sigaction(SIGSEGV, &action, NULL) == 0, "sigaction");
  *(volatile uint32_t*)(absent + 8) = 5;
  check(seen == SIGSEGV && seen_address == (uintptr_t)absent + 8, "SIGSEGV, and the address");
  check(*(volatile uint32_t*)(absent + 8) == 5, "the store is made again");
  const pid_t child = fork();
  if (child == 0) {
    trapping_break();
    _exit(0);
  }
  int status = 0;
  check(waitpid(child, &status, 0) == child && (status & 0x7f) == SIGILL, "break 0 is SIGILL");
}

// With the trap of inexact results on: bit 5 of ar.fpsr turns it off (SDM 1, 5.2.1).
static NOINLINE double add_with_trap(double a, double b) {
  const unsigned long long inexact_off = 1 << 5;
  unsigned long long fpsr;
  double sum;
  __asm__ volatile("mov %0 = ar.fpsr" : "=r"(fpsr));
  __asm__ volatile(
      "mov ar.fpsr = %1 ;;\n"
      "fadd.d.s0 %0 = %3, %4 ;;\n"
      "mov ar.fpsr = %2 ;;"
      : "=&f"(sum) : "r"(fpsr & ~inexact_off), "r"(fpsr), "f"(a), "f"(b) : "memory");
  return sum;
}

// A trap's instruction is over when the handler runs.
static void test_arithmetic(void) {
  on(SIGFPE, handler, 0);
  count = 0;
  check(add_with_trap(1, 0x1p-60) == 1, "an inexact sum");
  check(count == 1, "traps once");
}

static void test_mask(void) {
  on(SIGUSR1, handler, 0);
  const sigset_t usr1 = {{1U << (SIGUSR1 - 1)}};
  sigset_t old;
  check(sigprocmask(SIG_BLOCK, &usr1, NULL) == 0, "sigprocmask");
  count = 0;
  kill(getpid(), SIGUSR1);
  check(count == 0, "a blocked signal waits");
  check(sigprocmask(SIG_UNBLOCK, &usr1, &old) == 0 && count == 1, "until it is unblocked");
  check(old.word[0] == usr1.word[0], "the old mask");
}

static void test_interrupted_call(void) {
  const struct sigaction action = {handler, {{0}}, 0};
  check(sigaction(SIGALRM, &action, NULL) == 0, "sigaction");
  alarm(1);
  check_error(pause(), EINTR, "pause ends with a handler");
  check(seen == SIGALRM, "SIGALRM");
  int ends[2];
  char byte;
  pipe(ends);
  alarm(1);
  check_error(read(ends[0], &byte, 1), EINTR, "so does a read");
}

// With SV_BSDSIG a call that a handler interrupts is made again.
static int write_end;
static void writer(int signal, int code, void* context) {
  (void)code;
  (void)context;
  seen = signal;
  write(write_end, "x", 1);
}

static void test_restart(void) {
  int ends[2];
  char byte = 0;
  pipe(ends);
  write_end = ends[1];
  on(SIGALRM, writer, SV_BSDSIG);
  alarm(1);
  check(read(ends[0], &byte, 1) == 1 && byte == 'x', "SV_BSDSIG restarts a read");
}

int main(void) {
  test_sent();
  test_register_stack();
  test_trap();
  test_arithmetic();
  test_mask();
  test_interrupted_call();
  test_restart();
  return finish_checks();
}
