// Delay slots, branch likely, links, traps, overflow, LL/SC: the control flow of MIPS II, and which
// signal and which pc a trap reports. The same under IRIX and Linux; expected/delay.txt is what
// qemu-mips prints.
// MIPS RISC Architecture: the instruction in the delay slot executes whether or not the branch is
// taken; a branch likely that is not taken nullifies it; an exception in a delay slot leaves the
// address of the branch in EPC.
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <ucontext.h>

#define ARRAY_LENGTH(array) (sizeof(array) / sizeof((array)[0]))

#ifdef __linux__
#define PC_OF(context) ((ucontext_t*)(context))->uc_mcontext.pc
#else
#define PC_OF(context) ((ucontext_t*)(context))->uc_gregs[CTX_EPC]
#endif

typedef uint32_t Case(uint32_t a, uint32_t b);

Case branch_taken, branch_not_taken, slot_changes_condition, slot_changes_target, likely_eq,
    likely_ne, likely_lez, likely_gtz, likely_ltz, likely_gez, link_ltz, link_gez, link_ltz_likely,
    link_gez_likely, jalr_other_register, floating_branch;
Case trap_eq, trap_ne, trap_ge, trap_geu, trap_lt, trap_ltu, trap_eqi, trap_nei, trap_gei,
    trap_geiu, trap_lti, trap_ltiu, break_0, overflow_add, overflow_sub, overflow_addi,
    trap_in_slot;
extern char trap_eq_trap[], trap_ne_trap[], trap_ge_trap[], trap_geu_trap[], trap_lt_trap[],
    trap_ltu_trap[], trap_eqi_trap[], trap_nei_trap[], trap_gei_trap[], trap_geiu_trap[],
    trap_lti_trap[], trap_ltiu_trap[], break_0_trap[], overflow_add_trap[], overflow_sub_trap[],
    overflow_addi_trap[], trap_in_slot_trap[];

uint32_t atomic_add(uint32_t* word, uint32_t addend);
extern char trap_resume[];

static volatile int trap_signal;
static volatile uint32_t trap_pc;

static void on_trap(int sig, siginfo_t* info, void* context) {
  (void)info;
  trap_signal = sig;
  trap_pc = (uint32_t)PC_OF(context);
  PC_OF(context) = (uint32_t)trap_resume;
}

static void run(const char* name, Case* function, uint32_t a, uint32_t b) {
  printf("%s(%08x, %08x) = %x\n", name, a, b, function(a, b));
}

static void run_trap(const char* name, Case* function, const char* label, uint32_t a, uint32_t b) {
  trap_signal = 0;
  uint32_t result = function(a, b);
  printf("%s(%08x, %08x) = %x", name, a, b, result);
  if (trap_signal != 0) printf(" signal %d at %d", trap_signal, (int)(trap_pc - (uint32_t)label));
  printf("\n");
}

#define RUN(name, a, b) run(#name, name, a, b)
#define RUN_TRAP(name, a, b) run_trap(#name, name, name##_trap, a, b)

static void test_branches(void) {
  RUN(branch_taken, 0, 0);
  RUN(branch_not_taken, 0, 0);
  RUN(slot_changes_condition, 4, 0);
  RUN(slot_changes_condition, 0, 0);
  RUN(slot_changes_target, 0, 0);
  RUN(jalr_other_register, 0, 0);
  RUN(floating_branch, 0x3f800000, 0x3f800000);
  RUN(floating_branch, 0x3f800000, 0x40000000);
}

static void test_signs(void) {
  static const uint32_t values[] = {0, 1, 0x80000000};
  for (size_t i = 0; i < ARRAY_LENGTH(values); ++i) {
    uint32_t a = values[i];
    RUN(likely_eq, a, 1);
    RUN(likely_ne, a, 1);
    RUN(likely_lez, a, 0);
    RUN(likely_gtz, a, 0);
    RUN(likely_ltz, a, 0);
    RUN(likely_gez, a, 0);
    RUN(link_ltz, a, 0);
    RUN(link_gez, a, 0);
    RUN(link_ltz_likely, a, 0);
    RUN(link_gez_likely, a, 0);
  }
}

static void test_traps(void) {
  static const uint32_t values[] = {5, 6, (uint32_t)-5, (uint32_t)-6};
  for (size_t i = 0; i < ARRAY_LENGTH(values); ++i) {
    uint32_t a = values[i];
    RUN_TRAP(trap_eq, a, 5);
    RUN_TRAP(trap_ne, a, 5);
    RUN_TRAP(trap_ge, a, 6);
    RUN_TRAP(trap_geu, a, 6);
    RUN_TRAP(trap_lt, a, 6);
    RUN_TRAP(trap_ltu, a, 6);
    RUN_TRAP(trap_eqi, a, 0);
    RUN_TRAP(trap_nei, a, 0);
    RUN_TRAP(trap_gei, a, 0);
    RUN_TRAP(trap_geiu, a, 0);
    RUN_TRAP(trap_lti, a, 0);
    RUN_TRAP(trap_ltiu, a, 0);
    RUN_TRAP(trap_in_slot, a, 5);
  }
  RUN_TRAP(break_0, 0, 0);
}

static void test_overflow(void) {
  RUN_TRAP(overflow_add, 0x7fffffff, 0);
  RUN_TRAP(overflow_add, 0x7fffffff, 1);
  RUN_TRAP(overflow_add, 0x80000000, 0xffffffff);
  RUN_TRAP(overflow_sub, 0x80000000, 0);
  RUN_TRAP(overflow_sub, 0x80000000, 1);
  RUN_TRAP(overflow_sub, 0, 0x80000000);
  RUN_TRAP(overflow_addi, 0x7fff8000, 0);
  RUN_TRAP(overflow_addi, 0x7fff8001, 0);
}

int main(void) {
  static const int signals[] = {SIGTRAP, SIGFPE};
  uint32_t word = 40;
  for (size_t i = 0; i < ARRAY_LENGTH(signals); ++i) {
    struct sigaction action = {.sa_flags = SA_SIGINFO, .sa_sigaction = on_trap};
    sigaction(signals[i], &action, NULL);
  }
  test_branches();
  test_signs();
  test_traps();
  test_overflow();
  uint32_t sum = atomic_add(&word, 2);
  printf("atomic_add = %u, word %u\n", sum, word);
  return 0;
}
