// What a handler learns of traps (Linux 6.1). MIPS, arch/mips/kernel/traps.c and unaligned.c: of an
// instruction that there is not, of an address beyond the user's and of a trap instruction nothing
// but the signal, SI_KERNEL; of BREAK no address. PA-RISC, arch/parisc/kernel/traps.c,
// handle_interruption(): in which way an instruction is illegal; the instruction's address has the
// privilege level in it. QEMU's user mode tells all of that in its own way.
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static sigjmp_buf back;
static siginfo_t seen;

static void hear(int number, siginfo_t* info, void* context) {
  (void)number, (void)context;
  seen = *info;
  siglongjmp(back, 1);
}

static int is_told(int number, int reason, uintptr_t address) {
  const int is_right = seen.si_signo == number && seen.si_code == reason &&
                       (uintptr_t)seen.si_addr == address;
  if (!is_right) {
    printf("signal %d, code %d, address %p, not %d, %d, %#lx: ", seen.si_signo, seen.si_code,
           seen.si_addr, number, reason, (unsigned long)address);
  }
  memset(&seen, 0, sizeof seen);
  return is_right;
}

// The function has the instruction at a label of its name with "_at".
#define INSTRUCTION(name, text)                           \
  extern char name##_at[];                                \
  __attribute__((noinline, noclone)) static void name(void) { \
    __asm__ volatile(".globl " #name "_at\n" #name "_at:\t" text); \
  }
#define TRY(action) \
  if (sigsetjmp(back, 1) == 0) action

#ifdef __hppa__
INSTRUCTION(illegal, ".word 0x1c000000")
INSTRUCTION(privileged_operation, "rsm 0,%r0")
INSTRUCTION(privileged_register, "mtctl %r0,%cr9")
INSTRUCTION(breakpoint, "break 4,8")
INSTRUCTION(overflow, "ldil L%0x7ffff800,%r28\n\taddo %r28,%r28,%r28")
#else
INSTRUCTION(illegal, ".word 0x0000003d")
INSTRUCTION(trap, "teq $0,$0")
INSTRUCTION(breakpoint, "break 16")
#endif

static volatile int sink;
static void load(uintptr_t at) { sink = *(volatile int*)at; }
static void store(uintptr_t at) { *(volatile char*)at = 1; }
static void jump(uintptr_t to) { ((void (*)(void))to)(); }

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  const struct sigaction action = {.sa_sigaction = hear, .sa_flags = SA_SIGINFO};
  const int signals[] = {SIGILL, SIGTRAP, SIGBUS, SIGSEGV, SIGFPE};
  for (unsigned i = 0; i < sizeof signals / sizeof *signals; ++i)
    sigaction(signals[i], &action, NULL);
  int illegals = 0, others = 0, addresses = 0;
#ifdef __hppa__
  enum { level = 3 };
  TRY(illegal());
  illegals += is_told(SIGILL, ILL_ILLOPC, (uintptr_t)illegal_at + level);
  TRY(privileged_operation());
  illegals += is_told(SIGILL, ILL_PRVOPC, (uintptr_t)privileged_operation_at + level);
  TRY(privileged_register());
  illegals += is_told(SIGILL, ILL_PRVREG, (uintptr_t)privileged_register_at + level);
  TRY(breakpoint());
  others += is_told(SIGTRAP, TRAP_BRKPT, (uintptr_t)breakpoint_at);
  TRY(overflow());
  others += is_told(SIGFPE, FPE_INTOVF, (uintptr_t)overflow_at + 4 + level);
  TRY(jump(4096));
  addresses += is_told(SIGSEGV, SEGV_MAPERR, 4096 + level);
  TRY(load(4096));
  addresses += is_told(SIGSEGV, SEGV_MAPERR, 4096);
  TRY(store(0xf0000000));
  addresses += is_told(SIGSEGV, SEGV_MAPERR, 0xf0000000);
#else
  const uintptr_t beyond = (uintptr_t)1 << (sizeof(void*) == 8 ? 40 : 31);
  TRY(illegal());
  illegals += 3 * is_told(SIGILL, SI_KERNEL, 0);
  TRY(trap());
  others += is_told(SIGTRAP, SI_KERNEL, 0);
  TRY(breakpoint());
  others += is_told(SIGTRAP, TRAP_BRKPT, 0);
  TRY(jump(beyond));
  addresses += is_told(SIGBUS, SI_KERNEL, 0);
  TRY(load(beyond + 4096));
  addresses += is_told(SIGBUS, SI_KERNEL, 0);
  TRY(store(-(uintptr_t)8));
  addresses += is_told(SIGBUS, SI_KERNEL, 0);
#endif
  printf("illegal instructions: %s\n", illegals == 3 ? "as documented" : "not so");
  printf("others: %s\n", others == 2 ? "as documented" : "not so");
  printf("addresses: %s\n", addresses == 3 ? "as documented" : "not so");
  TRY(load(4096));
  printf("nothing there: %s\n",
         is_told(SIGSEGV, SEGV_MAPERR, 4096) ? "as documented" : "not so");
  return 0;
}
