// BREAK and its codes: 6 (overflow) and 7 (division by zero) become SIGFPE, all others SIGTRAP.
// Assemblers put the code into the upper ten bits of the 20-bit field, older ones into the lower
// ten; the kernel accepts both. (qemu-mips 7.2 loses the code and cannot serve as the oracle.)
#include <signal.h>
#include <ucontext.h>

#include "tests/guests/tap.h"

static volatile int trap_signal;

static void on_trap(int sig, siginfo_t* info, void* context) {
  (void)info;
  trap_signal = sig;
  ((ucontext_t*)context)->uc_gregs[CTX_EPC] += 4;
}

#define SIGNAL_OF_BREAK(high, low) \
  (trap_signal = 0, ({ __asm__ volatile("break " #high ", " #low ::: "memory"); }), trap_signal)

int main(void) {
  struct sigaction action = {.sa_flags = SA_SIGINFO, .sa_sigaction = on_trap};
  sigaction(SIGTRAP, &action, NULL);
  sigaction(SIGFPE, &action, NULL);
  check(SIGNAL_OF_BREAK(0, 0) == SIGTRAP, "break 0");
  check(SIGNAL_OF_BREAK(5, 0) == SIGTRAP, "break 5");
  check(SIGNAL_OF_BREAK(6, 0) == SIGFPE, "break 6, code in the upper bits");
  check(SIGNAL_OF_BREAK(7, 0) == SIGFPE, "break 7, code in the upper bits");
  check(SIGNAL_OF_BREAK(0, 6) == SIGFPE, "break 6, code in the lower bits");
  check(SIGNAL_OF_BREAK(0, 7) == SIGFPE, "break 7, code in the lower bits");
  check(SIGNAL_OF_BREAK(1023, 1023) == SIGTRAP, "break with all bits set");
  return finish_checks();
}
