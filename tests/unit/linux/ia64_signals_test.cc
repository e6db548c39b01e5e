// Signals of Linux on IA-64: arch/ia64/kernel/signal.c and the trampoline of gate.S, Linux 6.1.
// Offsets in struct sigcontext and siginfo_t are those of ia64-linux-gnu-gcc 12.2 (see
// ia64_test.cc).
#include <gtest/gtest.h>

#include "isa/ia64/floating_point_status.h"
#include "syscalls/posix/signals/signals.h"
#include "tests/unit/linux/ia64_guest.h"

namespace hardclock::gnu_linux {
namespace {

using testing::ia64_data;
using testing::ia64_text;
using testing::Ia64Guest;
using testing::NoStore;

constexpr unsigned sigill = 4, sigtrap = 5, sigbus = 7, sigfpe = 8, sigusr1 = 10, sigsegv = 11,
                   sigchld = 17;
constexpr std::uint64_t sigaltstack_call = 1176, sigaction_call = 1177, sigprocmask_call = 1179,
                        sigreturn_call = 1181;
constexpr std::uint64_t einval = 22;
constexpr std::uint64_t sa_siginfo = 4, sa_onstack = 0x08000000;
// struct sigframe: arg0, arg1, arg2, the handler, siginfo_t, struct sigcontext; below it 16 bytes.
constexpr std::uint64_t scratch = 16, frame_info = 32, frame_context = 160;
enum ContextOffset : std::uint64_t {
  sc_flags = 0,
  sc_nat = 8,
  sc_stack = 16,
  sc_ip = 40,
  sc_cfm = 48,
  sc_um = 56,
  sc_ar_rsc = 64,
  sc_ar_bsp = 72,
  sc_ar_rnat = 80,
  sc_ar_ccv = 88,
  sc_ar_unat = 96,
  sc_ar_fpsr = 104,
  sc_ar_pfs = 112,
  sc_pr = 128,
  sc_br = 136,
  sc_gr = 200,
  sc_fr = 464,
  sc_rbs_base = 2512,
  sc_ar25 = 2528,
  sc_mask = 2640,
};
constexpr std::uint64_t memory_stack = 0x60000fffffff0000;

class Ia64Signals : public ::testing::Test {
 protected:
  // A function descriptor: entry and gp.
  static constexpr std::uint64_t descriptor = ia64_data + 0x40, handler = ia64_text + 0x100,
                                 handler_gp = 0x6000000000077000;

  // struct sigaction of the kernel: sa_handler, sa_flags, sa_mask.
  std::uint64_t catch_signal(unsigned signal, std::uint64_t flags = sa_siginfo) {
    guest.store(descriptor, handler);
    guest.store(descriptor + 8, handler_gp);
    guest.store(ia64_data, descriptor);
    guest.store(ia64_data + 8, flags);
    guest.store(ia64_data + 16, 0);
    return guest.call(sigaction_call, {signal, ia64_data, 0, 8});
  }

  void deliver(unsigned signal, const posix::SignalInfo& info = {}) {
    guest.kernel->signals().post(*guest.process, signal, info);
    guest.kernel->deliver_signals(guest.thread());
  }

  // The handler allocates a frame, writes to it and to what a call need not preserve, and returns
  // as br.ret does; the trampoline then makes its call.
  void run_handler() {
    ia64::Registers& registers = guest.registers();
    const std::uint64_t pfs = registers.pfs, back = registers.br[0];
    MemoryStore memory(guest.memory());
    ASSERT_EQ(registers.stack.alloc(8, 90, 80, 0, memory), ia64::StackResult::done);
    for (unsigned r = 32; r < 122; ++r) registers.stack.write(r, 0x5555, true);
    registers.stack.call();
    ASSERT_EQ(registers.stack.alloc(8, 90, 90, 0, memory), ia64::StackResult::done);
    for (unsigned r = 32; r < 122; ++r) registers.stack.write(r, 0x6666, false);
    ASSERT_EQ(registers.stack.ret(ia64::pack_pfs({.sof = 90, .sol = 80}, 0, 3), memory),
              ia64::StackResult::done);
    for (const unsigned r : {1, 2, 3, 8, 9, 10, 11, 14, 15, 16, 31}) {
      registers.stack.write(r, 0x4444, true);
    }
    for (const unsigned n : {0, 6, 7}) registers.br[n] = 0x4440;
    for (const unsigned n : {6, 7, 15, 32, 127}) registers.fr[n] = {5, 6, true};
    registers.ccv = registers.unat = registers.csd = registers.ssd = 0x99;
    registers.predicates = 1;
    registers.fpsr = 0;
    registers.user_mask |= ia64::um_mfh;
    ASSERT_EQ(registers.stack.ret(pfs, memory), ia64::StackResult::done);
    registers.ec = ia64::pfs_ec(pfs);
    registers.set_pc(back);
    return_to_program();
  }
  void return_to_program() {
    ASSERT_EQ(guest.registers().pc, trampoline());
    guest.stack().write(15, sigreturn_call, false);
    guest.registers().set_pc(trampoline() + 16);
    guest.kernel->system_call(guest.thread());
  }
  static std::uint64_t trampoline() { return 0xa000000000000010; }

  std::uint64_t context() { return guest.gr(34); }
  std::uint64_t saved(std::uint64_t offset) { return guest.doubleword(context() + offset); }

  struct MemoryStore final : ia64::BackingStore {
    explicit MemoryStore(AddressSpace& of) : memory(of) {}
    std::optional<std::uint64_t> load(std::uint64_t address, Endian) override {
      const auto value = memory.read<std::uint64_t>(GuestAddr(address));
      return value ? std::optional(*value) : std::nullopt;
    }
    bool store(std::uint64_t address, std::uint64_t value, Endian) override {
      return memory.write(GuestAddr(address), value).ok();
    }
    AddressSpace& memory;
  };

  Ia64Guest guest{::testing::TempDir()};
};

// Values that differ in every register, in a frame that rotates and has frames below it which are
// not in memory.
void fill(Ia64Guest& guest) {
  ia64::Registers& registers = guest.registers();
  guest.alloc(20, 20);
  for (unsigned r = 32; r < 52; ++r) guest.stack().write(r, 0xa0000 + r, r == 40);
  registers.stack.call();
  guest.alloc(30, 24, 8);
  registers.stack.rotate();
  registers.stack.rotate();
  for (unsigned r = 32; r < 62; ++r) guest.stack().write(r, 0xb0000 + r, r % 5 == 0);
  for (unsigned r = 1; r < 32; ++r) guest.stack().write(r, 0xc0000 + r, r == 3 || r == 30);
  guest.stack().write(12, memory_stack, false);
  for (unsigned n = 0; n < 8; ++n) registers.br[n] = 0xd0000 + 16 * n;
  for (unsigned n = 2; n < 128; ++n) registers.fr[n] = {0xe0000 + n, 0x10000 + n, n % 2 == 0};
  registers.predicates = 0x123456789abcdef1;
  registers.ccv = 1;
  registers.unat = 2;
  registers.csd = 3;
  registers.ssd = 4;
  registers.pfs = ia64::pack_pfs({.sof = 20, .sol = 20}, 7, 3);
  registers.lc = 6;
  registers.ec = 5;
  registers.fpsr = 0x0009804c0270003f;
  registers.user_mask = ia64::um_mfl | ia64::um_mfh | ia64::um_be;
  registers.set_pc(ia64_text + 0x21);
}

// gate.S, __kernel_sigtramp: out0 to out2 are signal number, siginfo and context, gp and entry come
// from the descriptor, and the handler returns to code that makes the call in r15.
TEST_F(Ia64Signals, StartAHandler) {
  ASSERT_EQ(catch_signal(sigusr1), 0U);
  fill(guest);
  deliver(sigusr1);
  const ia64::Registers& registers = guest.registers();
  EXPECT_EQ(registers.pc, handler);
  EXPECT_EQ(guest.gr(1), handler_gp);
  EXPECT_EQ(registers.stack.marker(), (ia64::FrameMarker{.sof = 3}));
  EXPECT_EQ(guest.gr(32), sigusr1);
  const std::uint64_t frame = guest.gr(12) + scratch;
  EXPECT_EQ(frame % 16, 0U);
  EXPECT_LE(frame + 2816, memory_stack);
  EXPECT_GT(frame + 2816 + 16, memory_stack);
  EXPECT_EQ(guest.gr(33), frame + frame_info);
  EXPECT_EQ(guest.gr(34), frame + frame_context);
  // For unwinders: sigframe.h, "DO NOT MOVE THESE".
  EXPECT_EQ(guest.doubleword(frame), sigusr1);
  EXPECT_EQ(guest.doubleword(frame + 8), guest.gr(33));
  EXPECT_EQ(guest.doubleword(frame + 16), guest.gr(34));
  EXPECT_EQ(guest.doubleword(frame + 24), descriptor);
  EXPECT_EQ(guest.word(guest.gr(33)), sigusr1);
  EXPECT_EQ(registers.fpsr, 0x0009804c0270033fU);
  EXPECT_EQ(registers.user_mask & ia64::um_be, 0U);
  // libgcc takes a return address from here on for the gate page (config/ia64/linux-unwind.h).
  EXPECT_EQ(registers.br[0], trampoline());
  // { .mib: adds r15 = 1181, r0; nop.i 0; nop.b 0 } { .mib: break.m 0x100000; ... }, as
  // ia64-linux-gnu-as has them.
  EXPECT_EQ(guest.doubleword(trampoline()), 0x0000210900747811U);
  EXPECT_EQ(guest.doubleword(trampoline() + 8), 0x2000000000000200U);
  EXPECT_EQ(guest.doubleword(trampoline() + 16), 0x0000020000000011U);
  EXPECT_EQ(guest.doubleword(trampoline() + 24), 0x2000000000000200U);
  EXPECT_TRUE(guest.thread().blocked_signals.test(sigusr1 - 1));
}

TEST_F(Ia64Signals, SaveWhatTheContextHas) {
  ASSERT_EQ(catch_signal(sigusr1), 0U);
  fill(guest);
  const ia64::Registers before = guest.registers();
  deliver(sigusr1);
  EXPECT_EQ(saved(sc_ip), ia64_text + 0x21);
  // SDM 1, figure 3-2: sof 30, sol 24, sor 8 / 8, two rotations.
  EXPECT_EQ(saved(sc_cfm), 30U | 24U << 7 | 1U << 14 | 6U << 18 | std::uint64_t{94} << 25 |
                               std::uint64_t{46} << 32);
  EXPECT_EQ(saved(sc_um), before.user_mask);
  EXPECT_EQ(saved(sc_ar_rsc), 0xfU);
  EXPECT_EQ(saved(sc_ar_ccv), 1U);
  EXPECT_EQ(saved(sc_ar_unat), 2U);
  EXPECT_EQ(saved(sc_ar25), 3U);
  EXPECT_EQ(saved(sc_ar25 + 8), 4U);
  EXPECT_EQ(saved(sc_ar_fpsr), before.fpsr);
  EXPECT_EQ(saved(sc_ar_pfs), before.pfs);
  for (const unsigned n : {0, 6, 7}) EXPECT_EQ(saved(sc_br + 8 * n), before.br[n]);
  for (const unsigned r : {1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15, 16, 31}) {
    EXPECT_EQ(saved(sc_gr + 8 * r), before.stack.value(r)) << r;
  }
  EXPECT_EQ(saved(sc_nat), 1U << 3 | 1U << 30);
  for (const unsigned n : {6, 15, 32, 127}) {
    EXPECT_EQ(saved(sc_fr + 16 * n), before.fr[n].significand) << n;
    // SDM 1, figure 5-9: the sign is bit 17.
    EXPECT_EQ(saved(sc_fr + 16 * n + 8), before.fr[n].exponent | (before.fr[n].sign ? 0x20000 : 0));
  }
  constexpr std::uint64_t fph_valid = 4;
  EXPECT_EQ(saved(sc_flags), fph_valid);
  EXPECT_EQ(saved(sc_mask), 0U);
  EXPECT_EQ(saved(sc_rbs_base), 0U);
  // `mov r1 = pr` numbers p16 to p63 as if they had not been rotated (SDM 3, mov pr): p16 + i is
  // what an instruction calls p16 + (i - 46) mod 48.
  const std::uint64_t pr = saved(sc_pr);
  for (unsigned i = 0; i < 48; ++i) {
    const unsigned name = 16 + (i + 48 - 46) % 48;
    EXPECT_EQ(pr >> (16 + i) & 1, before.predicates >> name & 1) << i;
  }
}

// sigcontext.h: sc_ar_bsp is where a cover would leave ar.bsp. Below it, all registers are in
// memory, in the order of their physical numbers; the collection's bits are still in ar.rnat.
TEST_F(Ia64Signals, WriteTheRegisterStack) {
  ASSERT_EQ(catch_signal(sigusr1), 0U);
  fill(guest);
  const std::uint64_t base = guest.stack().bsp() - 8 * 20;  // no collection is in between
  deliver(sigusr1);
  EXPECT_EQ(saved(sc_ar_bsp), base + 8 * 50);
  EXPECT_EQ(guest.stack().bspstore(), saved(sc_ar_bsp));
  for (unsigned r = 32; r < 52; ++r) EXPECT_EQ(guest.doubleword(base + 8 * (r - 32)), 0xa0000 + r);
  // After two rotations of eight registers, r32 + i is the one of number 32 + (i + 6) mod 8.
  for (unsigned i = 0; i < 30; ++i) {
    const unsigned place = i < 8 ? (i + 6) % 8 : i;
    EXPECT_EQ(guest.doubleword(base + 8 * (20 + place)), 0xb0000 + 32 + i);
  }
  // r40 of the lower frame is NaT.
  const unsigned bit = base / 8 % 64 + 8;
  EXPECT_EQ(guest.stack().rnat() >> bit & 1, 1U);
}

TEST_F(Ia64Signals, ComeBack) {
  ASSERT_EQ(catch_signal(sigusr1), 0U);
  fill(guest);
  const ia64::Registers before = guest.registers();
  deliver(sigusr1);
  run_handler();
  const ia64::Registers& after = guest.registers();
  EXPECT_EQ(after.pc, before.pc);
  EXPECT_EQ(after.stack.marker(), before.stack.marker());
  EXPECT_EQ(after.stack.bsp(), before.stack.bsp());
  EXPECT_EQ(after.stack.rsc(), before.stack.rsc());
  for (unsigned r = 0; r < 62; ++r) {
    EXPECT_EQ(after.stack.nat(r), before.stack.nat(r)) << r;
    if (!before.stack.nat(r)) {
      EXPECT_EQ(after.stack.value(r), before.stack.value(r)) << r;
    }
  }
  EXPECT_EQ(after.fr, before.fr);
  EXPECT_EQ(after.br, before.br);
  EXPECT_EQ(after.predicates, before.predicates);
  EXPECT_EQ(after.user_mask, before.user_mask);
  EXPECT_EQ(after.fpsr, before.fpsr);
  EXPECT_EQ(after.pfs, before.pfs);
  EXPECT_EQ(after.ccv, before.ccv);
  EXPECT_EQ(after.unat, before.unat);
  EXPECT_EQ(after.csd, before.csd);
  EXPECT_EQ(after.ssd, before.ssd);
  EXPECT_EQ(after.lc, before.lc);
  EXPECT_EQ(after.ec, before.ec);
  EXPECT_TRUE(guest.thread().blocked_signals.none());
  // The frame below is there, too.
  MemoryStore memory(guest.memory());
  ASSERT_EQ(guest.stack().ret(before.pfs, memory), ia64::StackResult::done);
  for (unsigned r = 32; r < 52; ++r) {
    EXPECT_EQ(guest.stack().nat(r), r == 40);
    if (r != 40) {
      EXPECT_EQ(guest.gr(r), 0xa0000 + r);
    }
  }
}

// A program that does not use f32 to f127 has none of them saved, and a handler's are not undone.
TEST_F(Ia64Signals, LeaveTheHighRegistersAlone) {
  ASSERT_EQ(catch_signal(sigusr1), 0U);
  fill(guest);
  guest.registers().user_mask &= ~ia64::um_mfh;
  deliver(sigusr1);
  EXPECT_EQ(saved(sc_flags), 0U);
  EXPECT_EQ(saved(sc_fr + 16 * 32), 0U);
  run_handler();
  EXPECT_EQ(guest.registers().fr[32], (ia64::fp::FpRegister{5, 6, true}));
}

// A handler may change what its context says: where the program goes on, and with what.
TEST_F(Ia64Signals, TakeUpAChangedContext) {
  ASSERT_EQ(catch_signal(sigusr1), 0U);
  fill(guest);
  deliver(sigusr1);
  guest.store(context() + sc_ip, ia64_text + 0x82);
  guest.store(context() + sc_gr + 8 * 8, 0x8888);
  guest.store(context() + sc_mask, std::uint64_t{1} << (sigchld - 1) | 1 << 8);  // and SIGKILL
  run_handler();
  EXPECT_EQ(guest.registers().pc, ia64_text + 0x82);
  EXPECT_EQ(guest.gr(8), 0x8888U);
  SignalSet mask;
  mask.set(sigchld - 1);
  EXPECT_EQ(guest.thread().blocked_signals, mask);
}

// A context that no frame can have is SIGSEGV: nothing of it reaches the processor.
TEST_F(Ia64Signals, RefuseAFrameThatCannotBe) {
  ASSERT_EQ(catch_signal(sigusr1), 0U);
  fill(guest);
  deliver(sigusr1);
  for (const std::uint64_t cfm : {std::uint64_t{97}, std::uint64_t{4} << 7, ~std::uint64_t{0}}) {
    guest.store(context() + sc_cfm, cfm);
    guest.registers().set_pc(trampoline());
    return_to_program();
    EXPECT_TRUE(guest.process->signals.pending.test(sigsegv - 1)) << cfm;
    guest.process->signals.pending.reset();
  }
  // ar.bsp in no memory: the frame cannot be loaded.
  guest.store(context() + sc_cfm, 10);
  guest.store(context() + sc_ar_bsp, 0x1000);
  guest.registers().set_pc(trampoline());
  return_to_program();
  EXPECT_TRUE(guest.process->signals.pending.test(sigsegv - 1));
}

// setup_frame(): sp goes to the end of the alternate stack and the register stack to its beginning,
// unless they are there already. stack_t has ss_flags in front of ss_size.
TEST_F(Ia64Signals, UseTheAlternateStackFromBothEnds) {
  constexpr std::uint64_t base = ia64_data + 0x1004, size = 0x2000;
  guest.store(ia64_data, base);
  guest.store(ia64_data + 8, 0);
  guest.store(ia64_data + 16, size);
  ASSERT_EQ(guest.call(sigaltstack_call, {ia64_data, 0}), 0U);
  ASSERT_EQ(catch_signal(sigusr1, sa_onstack | sa_siginfo), 0U);
  fill(guest);
  const ia64::Registers before = guest.registers();
  deliver(sigusr1);
  EXPECT_EQ(guest.stack().bsp(), base + 4);
  EXPECT_EQ(guest.stack().bspstore(), base + 4);
  EXPECT_EQ(saved(sc_rbs_base), base + 4);
  const std::uint64_t frame = guest.gr(12) + scratch;
  EXPECT_EQ(frame, (base + size - 2816) & ~std::uint64_t{15});
  EXPECT_EQ(saved(sc_flags) & 1, 1U);
  EXPECT_EQ(saved(sc_stack), base);
  EXPECT_EQ(guest.word(context() + sc_stack + 8), 0U);  // it was not in use
  EXPECT_EQ(saved(sc_stack + 16), size);
  const std::uint64_t bsp = saved(sc_ar_bsp), rnat = saved(sc_ar_rnat);
  EXPECT_EQ(bsp, ia64::register_above(before.stack.bsp(), 30));
  EXPECT_NE(rnat, 0U);
  // What is in memory is safe from the handler.
  const std::uint64_t r39 = guest.doubleword(before.stack.bsp() - 8 * 13);
  EXPECT_EQ(r39, 0xa0000U + 39);

  run_handler();
  EXPECT_EQ(guest.stack().bsp(), before.stack.bsp());
  EXPECT_EQ(guest.stack().marker(), before.stack.marker());
  for (unsigned r = 32; r < 62; ++r) {
    EXPECT_EQ(guest.stack().nat(r), before.stack.nat(r)) << r;
    if (!before.stack.nat(r)) {
      EXPECT_EQ(guest.gr(r), before.stack.value(r)) << r;
    }
  }
  MemoryStore memory(guest.memory());
  ASSERT_EQ(guest.stack().ret(before.pfs, memory), ia64::StackResult::done);
  EXPECT_TRUE(guest.stack().nat(40));
  EXPECT_EQ(guest.gr(41), 0xa0000U + 41);

  ASSERT_EQ(guest.call(sigaltstack_call, {0, ia64_data}), 0U);
  EXPECT_EQ(guest.doubleword(ia64_data), base);
  EXPECT_EQ(guest.word(ia64_data + 8), 0U);
  EXPECT_EQ(guest.doubleword(ia64_data + 16), size);
}

// A frame that is still to be loaded, because a mandatory load faulted, stays in memory.
TEST_F(Ia64Signals, InterruptAFrameThatIsIncomplete) {
  ASSERT_EQ(catch_signal(sigusr1), 0U);
  fill(guest);
  MemoryStore memory(guest.memory());
  NoStore none;
  ASSERT_EQ(guest.stack().flushrs(memory), ia64::StackResult::done);
  guest.stack().call();
  for (int i = 0; i < 3; ++i) {  // so many registers that the frames below are in memory only
    ASSERT_EQ(guest.stack().alloc(8, 96, 96, 0, memory), ia64::StackResult::done);
    guest.stack().call();
  }
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(guest.stack().ret(ia64::pack_pfs({.sof = 96, .sol = 96}, 0, 3), memory),
              ia64::StackResult::done);
  }
  const std::uint64_t bsp = guest.stack().bsp();
  ASSERT_EQ(guest.stack().ret(ia64::pack_pfs({.sof = 24, .sol = 24}, 0, 3), none),
            ia64::StackResult::memory);
  ASSERT_TRUE(guest.stack().is_incomplete());
  deliver(sigusr1);
  EXPECT_EQ(saved(sc_ar_bsp), bsp);
  EXPECT_EQ(saved(sc_cfm), 24U | 24U << 7);
  run_handler();
  EXPECT_TRUE(guest.stack().nat(40));
  EXPECT_EQ(guest.gr(41), 0xb0000U + 41);
}

// SDM 2, 6.6 and 6.8: of a br.ret that cannot load its frame the branch is done, and the fault is
// its target's. (isa/ia64 notes such a return, see registers.h.)
TEST_F(Ia64Signals, TellOfAReturnThatIsDone) {
  ASSERT_EQ(catch_signal(sigsegv), 0U);
  fill(guest);
  MemoryStore memory(guest.memory());
  for (int i = 0; i < 4; ++i) {  // so many registers that the frames below are in memory only
    guest.stack().call();
    ASSERT_EQ(guest.stack().alloc(8, 96, 96, 0, memory), ia64::StackResult::done);
  }
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(guest.stack().ret(ia64::pack_pfs({.sof = 96, .sol = 96}, 0, 3), memory),
              ia64::StackResult::done);
  }
  const std::uint64_t bsp = guest.stack().bsp();
  const ia64::FrameMarker marker{.sof = 30, .sol = 24, .sor = 8, .rrb_gr = 6};
  guest.registers().set_pc(ia64_text + 0x22);
  guest.registers().faulted_return = {ia64::pack_pfs(marker, 9, 3), ia64_text + 0x200};
  const Fault fault{Fault::Kind::protection, Access::read, GuestAddr(bsp - 8)};
  guest.kernel->trap(guest.thread(), Trap{TrapKind::memory, 0, fault});
  EXPECT_EQ(guest.doubleword(guest.gr(33) + 16), bsp - 8);  // si_addr
  EXPECT_EQ(saved(sc_ip), ia64_text + 0x200);
  EXPECT_EQ(saved(sc_cfm), 30U | 24U << 7 | 1U << 14 | 6U << 18);
  EXPECT_EQ(saved(sc_ar_bsp), ia64::register_above(bsp, 6));
  run_handler();
  EXPECT_EQ(guest.registers().pc, ia64_text + 0x200);
  EXPECT_EQ(guest.registers().ec, 9U);
  EXPECT_FALSE(guest.registers().faulted_return.has_value());
  EXPECT_EQ(guest.stack().bsp(), ia64::register_below(bsp, 24));
  EXPECT_TRUE(guest.stack().nat(40));
  EXPECT_EQ(guest.gr(41), 0xb0000U + 41);
}

// ---- What a signal is for.

// siginfo_t: si_signo, si_errno, si_code; si_addr at 16.
TEST_F(Ia64Signals, TellOfFaults) {
  ASSERT_EQ(catch_signal(sigsegv), 0U);
  const Fault fault{Fault::Kind::unmapped, Access::write, GuestAddr(16)};
  guest.kernel->trap(guest.thread(), Trap{TrapKind::memory, 0, fault});
  const std::uint64_t info = guest.gr(33);
  EXPECT_EQ(guest.word(info), sigsegv);
  EXPECT_EQ(guest.word(info + 4), 0U);
  EXPECT_EQ(guest.word(info + 8), 1U);  // SEGV_MAPERR
  EXPECT_EQ(guest.doubleword(info + 16), 16U);
}

// traps.c, ia64_bad_break(): what each code of break stands for.
TEST_F(Ia64Signals, TellBreaksApart) {
  struct Row {
    std::uint32_t code;
    unsigned signal;
  };
  constexpr Row rows[] = {{0, sigill},       {1, sigfpe},        {2, sigfpe},
                          {3, sigfpe},       {4, sigsegv},       {5, sigsegv},
                          {6, sigfpe},       {10, sigfpe},       {11, sigsegv},
                          {12, sigill},      {0x3f000, sigill},  {0x40000, sigill},
                          {0x7ffff, sigill}, {0x80000, sigtrap}, {0x1fffff, sigtrap}};
  for (const unsigned signal : {sigill, sigfpe, sigsegv, sigtrap}) {
    ASSERT_EQ(catch_signal(signal, 0x40000000), 0U);  // SA_NODEFER
  }
  for (const Row& row : rows) {
    guest.registers().set_pc(ia64_text + 0x22);
    guest.kernel->trap(guest.thread(), Trap{TrapKind::breakpoint, row.code, {}});
    EXPECT_EQ(guest.gr(32), row.signal) << std::hex << row.code;
    // The instruction's slot, too (cr_iip + ri).
    if (row.signal != sigsegv) {
      EXPECT_EQ(guest.doubleword(guest.gr(33) + 16), ia64_text + 0x22);
    }
  }
}

// SIGBUS is 7 here.
TEST_F(Ia64Signals, NumberTheBusError) {
  ASSERT_EQ(catch_signal(sigbus), 0U);
  const Fault fault{Fault::Kind::misaligned, Access::read, GuestAddr(ia64_data + 1)};
  guest.kernel->trap(guest.thread(), Trap{TrapKind::memory, 0, fault});
  EXPECT_EQ(guest.gr(32), sigbus);
  EXPECT_EQ(guest.word(guest.gr(33) + 8), 1U);  // BUS_ADRALN
}

// A fault's instruction is made again, a trap's is over: then iip is the next slot. The codes are
// those of asm-generic/siginfo.h.
TEST_F(Ia64Signals, GoOnBehindATrap) {
  struct Row {
    std::uint32_t isr;
    std::uint32_t code;
    std::uint64_t ip;
  };
  constexpr std::uint64_t at = ia64_text + 0x22, next = ia64_text + 0x30;
  constexpr Row rows[] = {{1, 7, at},         {4, 3, at},         {0x40, 3, at},
                          {1 << 11, 4, next}, {1 << 12, 5, next}, {1 << 13, 6, next},
                          {1 << 7, 4, next},  {1 << 9, 6, next}};
  ASSERT_EQ(catch_signal(sigfpe, 0x40000004), 0U);
  for (const Row& row : rows) {
    guest.registers().set_pc(at);
    guest.registers().isr_code = row.isr;
    guest.kernel->trap(guest.thread(), Trap{TrapKind::floating_point, 0, {}});
    EXPECT_EQ(guest.word(guest.gr(33) + 8), row.code) << row.isr;
    EXPECT_EQ(saved(sc_ip), row.ip) << row.isr;
    EXPECT_EQ(guest.doubleword(guest.gr(33) + 16), row.ip) << row.isr;
  }
}

// A sigset_t has 64 signals: 8 bytes, and no other size will do. SIG_SETMASK is 2.
TEST_F(Ia64Signals, HaveSetsOf64) {
  constexpr std::uint64_t set_mask = 2;
  guest.store(ia64_data, 1U << (sigchld - 1) | std::uint64_t{1} << 63);
  EXPECT_EQ(guest.call(sigprocmask_call, {set_mask, ia64_data, 0, 16}), einval);
  ASSERT_EQ(guest.call(sigprocmask_call, {set_mask, ia64_data, 0, 8}), 0U);
  SignalSet expected;
  expected.set(sigchld - 1).set(64 - 1);
  EXPECT_EQ(guest.thread().blocked_signals, expected);
  EXPECT_EQ(catch_signal(65), einval);
}

// A stack that cannot take the frame, or a descriptor that is not there, ends the process.
TEST_F(Ia64Signals, EndWithoutAFrame) {
  ASSERT_EQ(catch_signal(sigusr1), 0U);
  guest.stack().write(12, 0x2000000000000000, false);
  deliver(sigusr1);
  ASSERT_TRUE(guest.process->exit_status.has_value());
  EXPECT_TRUE(guest.process->exit_status->by_signal);
  EXPECT_EQ(guest.process->exit_status->code, sigsegv);
}

}  // namespace
}  // namespace hardclock::gnu_linux
