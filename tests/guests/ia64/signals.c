// Signals: what handlers get, and what is as before when they have returned.
#include "tests/guests/ia64/guest.h"

static volatile long calls;
static volatile int number, code;
static volatile ulong address, ip, handler_sp;

static __attribute__((noinline)) long sum_down(long n) {
  volatile long here = n;
  return n == 0 ? 0 : sum_down(n - 1) + here;
}

// Uses more registers than there are, so that the interrupted program's come from memory.
static void note(int signal, void* info, void* context) {
  const struct siginfo* const told = info;
  const struct sigcontext* const machine = context;
  ++calls;
  number = signal;
  code = told->code;
  address = told->address;
  ip = machine->ip;
  char here;
  handler_sp = (ulong)&here;
  if (sum_down(60) != 1830) calls = -1000;
}

static void raise(int signal) {
  CALL2(NR_kill, CALL0(NR_getpid), signal);
}

static void raise_usr1(void) {
  raise(SIGUSR1);
}

static __attribute__((noinline)) long raise_below(long depth) {
  volatile long here = depth;
  if (depth == 0) {
    raise(SIGUSR1);
    return 0;
  }
  return raise_below(depth - 1) + here;
}

static void test_frames(void) {
  catch_signal(SIGUSR1, note, SA_SIGINFO);
  calls = 0;
  raise(SIGUSR1);
  check(calls == 1 && number == SIGUSR1, "a handler runs");
  check_number(raise_below(100), 5050, "a hundred frames are as before");
  check_number(pass_nats(raise_usr1), 0, "so are NaTs, rotation and ar.lc");
  check_number(calls, 3, "and it ran");
}

// A store at 0x10 in page 0, once; the handler goes on behind it.
static void skip(int signal, void* info, void* context) {
  note(signal, info, context);
  struct sigcontext* const machine = context;
  machine->ip = (machine->ip & ~15UL) + 16;
}

static void test_faults(void) {
  catch_signal(SIGSEGV, skip, SA_SIGINFO);
  calls = 0;
  __asm__ volatile("{ .mii\n st8 [%0] = r0\n nop.i 0\n nop.i 0 ;;\n}" : : "r"(16UL) : "memory");
  check(calls == 1 && number == SIGSEGV && address == 16, "SIGSEGV tells the address");
  check_number(code, 1, "SEGV_MAPERR");
  __asm__ volatile("{ .mii\n st8 [%0] = r0\n nop.i 0\n nop.i 0 ;;\n}"
                   : : "r"(*(ulong*)test_faults) : "memory");
  check_number(code, 2, "SEGV_ACCERR");
  catch_signal(SIGFPE, skip, SA_SIGINFO);
  break_divide();
  check(number == SIGFPE && code == 1, "break 1 is an integer division by zero");
  check(address == *(ulong*)break_divide && ip == address, "at its instruction");
}

// With traps on as `fpsr` has them. The instruction is in slot 1 of the bundle.
static __attribute__((noinline)) double add_with(ulong fpsr, double a, double b) {
  double sum;
  ulong before;
  __asm__ volatile("mov %0 = ar.fpsr" : "=r"(before));
  __asm__ volatile(
      "mov ar.fpsr = %1 ;;\n"
      "addition:\n"
      "{ .mfi\n nop.m 0\n fadd.d.s0 %0 = %3, %4\n nop.i 0 ;;\n}\n"
      "mov ar.fpsr = %2 ;;"
      : "=&f"(sum) : "r"(fpsr), "r"(before), "f"(a), "f"(b) : "memory");
  return sum;
}
extern const char addition[];
// ar.fpsr with all traps off, and the bits that turn two of them off (SDM 1, 5.2.1).
static const ulong default_fpsr = 0x9804c0270033f;
enum { INVALID_OFF = 1, INEXACT_OFF = 1 << 5 };

static void mask_traps(int signal, void* info, void* context) {
  note(signal, info, context);
  ((struct sigcontext*)context)->fpsr |= 0x3f;
}

// A trap's instruction is over when the handler runs; a fault's is executed again.
static void test_arithmetic(void) {
  catch_signal(SIGFPE, note, SA_SIGINFO);
  calls = 0;
  const double one = 1, tiny = 0x1p-60, infinity = __builtin_inf();
  check(add_with(default_fpsr & ~INEXACT_OFF, one, tiny) == one, "an inexact sum");
  check(calls == 1 && number == SIGFPE && code == 6, "traps once: FPE_FLTRES");
  check(ip == (ulong)addition + 2 && address == ip, "behind its instruction");
  catch_signal(SIGFPE, mask_traps, SA_SIGINFO);
  calls = 0;
  const double difference = add_with(default_fpsr & ~INVALID_OFF, infinity, -infinity);
  check(difference != difference, "infinity minus infinity");
  check(calls == 1 && code == 7, "faults until that is masked: FPE_FLTINV");
  check(ip == (ulong)addition + 1 && address == ip, "at its instruction");
}

static char alternate[0x40000] __attribute__((aligned(16)));

static void test_alternate_stack(void) {
  const struct stack stack = {alternate, 0, sizeof alternate};
  check_number(CALL2(NR_sigaltstack, &stack, 0), 0, "sigaltstack");
  catch_signal(SIGUSR1, note, SA_SIGINFO | SA_ONSTACK);
  calls = 0;
  check_number(raise_below(100), 5050, "frames are as before");
  check(handler_sp - (ulong)alternate < sizeof alternate, "the handler was on the other stack");
  check_number(pass_nats(raise_usr1), 0, "NaTs are as before");
  check_number(calls, 2, "it ran");
}

// Frames whose registers a return cannot load, until the handler lets it. The fault is the one of the
// instruction behind the call.
enum { PAGE = 16384, CLOSED = 2 * PAGE, PROT_NONE = 0, PROT_READ_WRITE = 3 };
static ulong closed, behind_call;

static void close_frames(void) {
  ulong bsp;
  __asm__ volatile("flushrs ;;\n mov %0 = ar.bsp" : "=r"(bsp) : : "memory");
  closed = (bsp & -PAGE) - CLOSED;
  check_number(CALL3(NR_mprotect, closed, CLOSED, PROT_NONE), 0, "mprotect");
}

static void open_frames(int signal, void* info, void* context) {
  CALL3(NR_mprotect, closed, CLOSED, PROT_READ_WRITE);
  note(signal, info, context);
}

static __attribute__((noipa)) long close_below(long depth) {
  volatile long here = depth;
  if (depth == 0) {
    behind_call = (ulong)__builtin_return_address(0);
    close_frames();
    return 0;
  }
  return close_below(depth - 1) + here;
}

static void test_returns(void) {
  catch_signal(SIGSEGV, open_frames, SA_SIGINFO | SA_ONSTACK);
  calls = 0;
  check_number(close_below(3000), 3000 * 3001 / 2, "three thousand frames come back");
  check(calls == 1 && number == SIGSEGV && code == 2, "a return that cannot load: SEGV_ACCERR");
  check(address - closed < CLOSED, "tells the address on the register stack");
  check(ip == behind_call, "and the instruction that it returns to");
}

// What profil() of the C library does: SIGPROF at each tick, and the pc of the context.
static volatile long ticks, in_spin, elsewhere;

static __attribute__((noinline)) void spin(void) {
  while (ticks < 5) __asm__ volatile("nop.i 0;;");
}
static void after_spin(void) {}

static void count(int signal, void* info, void* context) {
  (void)signal, (void)info;
  const struct sigcontext* const machine = context;
  ++ticks;
  const ulong at = machine->ip, start = *(ulong*)spin, end = *(ulong*)after_spin;
  if (at >= start && at < (end > start ? end : start + 0x100)) {
    ++in_spin;
  } else {
    ++elsewhere;
  }
}

static void test_ticks(void) {
  catch_signal(SIGPROF, count, SA_SIGINFO);
  const long every_tick[4] = {0, 10000, 0, 10000}, never[4] = {0, 0, 0, 0};
  CALL3(NR_setitimer, 2, every_tick, 0);
  spin();
  CALL3(NR_setitimer, 2, never, 0);
  check_number(ticks, 5, "five ticks of the profiling clock");
  check(in_spin >= 4, "the contexts tell where the program was");
}

int guest_main(int argc, char** argv, ulong* behind) {
  (void)argc, (void)argv, (void)behind;
  test_frames();
  test_faults();
  test_arithmetic();
  test_alternate_stack();
  test_returns();
  test_ticks();
  return finish_checks();
}
