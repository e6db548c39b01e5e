// Signals of Linux on PA-RISC: arch/parisc/kernel/signal.c and signal32.h of Linux 6.1. Offsets in
// siginfo_t, ucontext_t and mcontext_t are those of hppa-linux-gnu-gcc 12.2 (see pa_risc_test.cc).
#include <gtest/gtest.h>

#include "tests/unit/linux/pa_risc_guest.h"

namespace hardclock::gnu_linux {
namespace {

using testing::data_base;
using testing::Guest;
using testing::text_base;

constexpr unsigned sigsegv = 11, sigusr1 = 16, sigchld = 18;
constexpr std::uint32_t sigaction_call = 174, sigreturn_call = 173, sigaltstack_call = 166;
constexpr std::uint32_t uc_mcontext = 24, uc_sigmask = 440;
constexpr std::uint32_t sc_gr = 4, sc_fr = 136, sc_iaoq = 400, sc_sar = 408;
// uapi/asm/signal.h
constexpr std::uint32_t sa_onstack = 1, sa_siginfo = 0x10;

class PaRiscSignals : public ::testing::Test {
 protected:
  static constexpr std::uint32_t handler = text_base + 0x100;

  // struct sigaction of the kernel: sa_handler, sa_flags, sa_mask of 64 signals.
  std::uint32_t catch_signal(unsigned signal, std::uint32_t address, std::uint32_t flags) {
    for (const std::uint32_t at : {0, 4, 8, 12}) guest.store(data_base + at, 0);
    guest.store(data_base, address);
    guest.store(data_base + 4, flags);
    return guest.call(sigaction_call, {signal, data_base, 0, 8});
  }

  void deliver(unsigned signal, const posix::SignalInfo& info = {}) {
    guest.kernel->signals().post(*guest.process, signal, info);
    guest.kernel->deliver_signals(guest.thread());
  }

  // The handler's return to the trampoline, and its call.
  void leave_handler() {
    guest.registers().set_pc(0x100);
    guest.registers().gpr[20] = sigreturn_call;
    guest.registers().gpr[25] = 0;
    guest.kernel->system_call(guest.thread());
  }

  Guest guest{::testing::TempDir()};
};

// Values that differ in every register.
void fill(pa_risc::Registers& registers) {
  for (std::uint64_t i = 1; i < 32; ++i) registers.gpr[i] = 0x01010101 * i;
  for (std::uint64_t i = 0; i < 32; ++i) registers.fpr[i] = 0x0102030405060708 * i;
  registers.gpr[30] = 0xf9b01000;
  registers.shift_amount = 17;
  registers.set_carries(0xa5);
  registers.divide_step = true;
  registers.nullify = true;
  registers.set_pc(text_base + 0x20);
  registers.nullify = true;
  registers.next_pc = text_base + 0x80;  // in the delay slot of a branch
  registers.in_delay_slot = true;
}

TEST_F(PaRiscSignals, StartAHandler) {
  ASSERT_EQ(catch_signal(sigusr1, handler, sa_siginfo), 0U);
  fill(guest.registers());
  deliver(sigusr1);
  const pa_risc::Registers& registers = guest.registers();
  EXPECT_EQ(registers.pc, handler);
  EXPECT_EQ(registers.gpr[26], sigusr1);
  const std::uint64_t info = registers.gpr[25], context = registers.gpr[24];
  EXPECT_EQ(info, 0xf9b01000U + 8);
  EXPECT_EQ(context, info + 128);
  EXPECT_EQ(registers.gpr[30] % 64, 0U);
  // vdso32/sigtramp.S: "32-bit process offset is -672", which the word in front of the trampoline
  // says; it is ldi 0,%r25; ldi 173,%r20; ble 0x100(%sr2,%r0); nop, as hppa-linux-gnu-as has them.
  EXPECT_EQ(registers.gpr[30], context + uc_mcontext + 672);
  const std::uint64_t trampoline = registers.gpr[2] & ~std::uint64_t{3};
  EXPECT_EQ(guest.word(trampoline - 8), 0U - 672);
  constexpr std::uint32_t code[] = {0x34190000, 0x3414015a, 0xe4008200, 0x08000240};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(guest.word(trampoline + 4 * i), code[i]);
  EXPECT_FALSE(registers.nullify);
}

TEST_F(PaRiscSignals, SaveWhatTheContextHas) {
  ASSERT_EQ(catch_signal(sigusr1, handler, sa_siginfo), 0U);
  fill(guest.registers());
  deliver(sigusr1);
  const std::uint64_t context = guest.registers().gpr[24], machine = context + uc_mcontext;
  // PSW: "PA-RISC 1.1 Architecture and Instruction Set Reference Manual", chapter 2; N, V, C/B and
  // the bits C, Q, P, D, I of all user programs.
  EXPECT_EQ(guest.word(machine + sc_gr), 0x00200000U | 0x00020000U | 0xa500U | 0x4000fU);
  for (std::uint32_t i = 1; i < 32; ++i) {
    EXPECT_EQ(guest.word(machine + sc_gr + 4 * i), i == 30 ? 0xf9b01000U : 0x01010101 * i);
  }
  for (std::uint64_t i = 0; i < 32; ++i) {
    EXPECT_EQ(guest.doubleword(machine + sc_fr + 8 * i), 0x0102030405060708 * i);
  }
  EXPECT_EQ(guest.word(machine + sc_iaoq), text_base + 0x20 + 3);
  EXPECT_EQ(guest.word(machine + sc_iaoq + 4), text_base + 0x80 + 3);
  EXPECT_EQ(guest.word(machine + sc_sar), 17U);
  EXPECT_EQ(guest.doubleword(context + uc_sigmask), 0U);
  EXPECT_TRUE(guest.thread().blocked_signals.test(sigusr1 - 1));
}

TEST_F(PaRiscSignals, ComeBack) {
  ASSERT_EQ(catch_signal(sigusr1, handler, sa_siginfo), 0U);
  fill(guest.registers());
  guest.registers().fpr[0] = 0x0000001e00000000;  // all traps enabled
  const pa_risc::Registers before = guest.registers();
  deliver(sigusr1);
  const std::uint64_t sp = guest.registers().gpr[30];
  guest.registers() = pa_risc::Registers();
  guest.registers().gpr[30] = sp;
  leave_handler();
  EXPECT_EQ(guest.registers(), before);
  EXPECT_TRUE(guest.thread().blocked_signals.none());
}

// Bit 1 of a handler's address says that it is a function descriptor's: the code, and r19.
TEST_F(PaRiscSignals, FollowFunctionDescriptors) {
  constexpr std::uint32_t descriptor = data_base + 0x40;
  guest.store(descriptor, handler);
  guest.store(descriptor + 4, 0x77000);
  ASSERT_EQ(catch_signal(sigusr1, descriptor | 2, 0), 0U);
  deliver(sigusr1);
  EXPECT_EQ(guest.registers().pc, handler);
  EXPECT_EQ(guest.registers().gpr[19], 0x77000U);
}

// get_sigframe(): an alternate stack is used from its low end, with 64 bytes for a frame marker.
// stack_t has ss_flags in front of ss_size.
TEST_F(PaRiscSignals, UseTheAlternateStackUpwards) {
  constexpr std::uint32_t base = data_base + 0x108, size = 0x1000, ss_onstack = 1;
  guest.store(data_base, base);
  guest.store(data_base + 4, 0);
  guest.store(data_base + 8, size);
  ASSERT_EQ(guest.call(sigaltstack_call, {data_base, 0}), 0U);
  ASSERT_EQ(catch_signal(sigusr1, handler, sa_onstack), 0U);
  deliver(sigusr1);
  EXPECT_EQ(guest.registers().gpr[25], ((base + 0x7f) & ~0x3fU) + 8);
  ASSERT_EQ(guest.call(sigaltstack_call, {0, data_base}), 0U);
  EXPECT_EQ(guest.word(data_base), base);
  EXPECT_EQ(guest.word(data_base + 4), ss_onstack);
  EXPECT_EQ(guest.word(data_base + 8), size);
}

// siginfo_t in the generic order: si_signo, si_errno, si_code. The page at 0 is not the program's:
// arch/parisc/mm/fault.c says SEGV_MAPERR (1) of addresses without a mapping.
TEST_F(PaRiscSignals, TellOfFaults) {
  ASSERT_EQ(catch_signal(sigsegv, handler, sa_siginfo), 0U);
  const Fault fault{Fault::Kind::protection, Access::write, GuestAddr(16)};
  guest.kernel->trap(guest.thread(), Trap{TrapKind::memory, 0, fault});
  const std::uint64_t info = guest.registers().gpr[25];
  EXPECT_EQ(guest.word(info), sigsegv);
  EXPECT_EQ(guest.word(info + 4), 0U);
  EXPECT_EQ(guest.word(info + 8), 1U);
  EXPECT_EQ(guest.word(info + 12), 16U);
}

// arch/parisc/kernel/traps.c, code 13: FPE_CONDTRAP (15) for an instruction that traps on its
// condition, which is how division by zero ends.
TEST_F(PaRiscSignals, TellOfConditions) {
  constexpr unsigned sigfpe = 8, fpe_condtrap = 15;
  ASSERT_EQ(catch_signal(sigfpe, handler, sa_siginfo), 0U);
  guest.kernel->trap(guest.thread(), Trap{TrapKind::conditional_trap, 0, {}});
  EXPECT_EQ(guest.registers().gpr[26], sigfpe);
  EXPECT_EQ(guest.word(guest.registers().gpr[25] + 8), fpe_condtrap);
}

// A sigset_t has 64 signals: 8 bytes, and no other size will do. SIGCHLD is 18, SIG_SETMASK 2.
TEST_F(PaRiscSignals, HaveSetsOf64) {
  constexpr std::uint32_t sigprocmask = 175, set_mask = 2, einval = 22;
  guest.store(data_base, 1U << (sigchld - 1));  // the first word has signals 1 to 32
  guest.store(data_base + 4, 1U << 31);
  EXPECT_EQ(guest.call(sigprocmask, {set_mask, data_base, 0, 16}), 0U - einval);
  ASSERT_EQ(guest.call(sigprocmask, {set_mask, data_base, 0, 8}), 0U);
  SignalSet expected;
  expected.set(sigchld - 1).set(64 - 1);
  EXPECT_EQ(guest.thread().blocked_signals, expected);
  EXPECT_EQ(catch_signal(65, handler, 0), 0U - einval);
}

// syscall_restart(): a call that is to be made again is the branch to the gateway page, in front of
// where it would return to.
TEST_F(PaRiscSignals, RepeatTheBranchOfACall) {
  ASSERT_EQ(catch_signal(sigusr1, handler, 0), 0U);
  guest.registers().set_pc(0x100);
  guest.registers().gpr[31] = (text_base + 0x48) | 3;
  deliver(sigusr1);
  const std::uint64_t machine = guest.registers().gpr[24] + uc_mcontext;
  EXPECT_EQ(guest.word(machine + sc_iaoq), (text_base + 0x40) | 3);
}

}  // namespace
}  // namespace hardclock::gnu_linux
