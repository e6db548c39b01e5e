// Signal handlers of HP-UX on PA-RISC. Expectations: where GDB (gdb/hppa-hpux-tdep.c) and GCC
// (libgcc/config/pa/hpux-unwind.h) find the saved registers from the trampoline's stack pointer;
// the trap numbers of signal(5).
#include <gtest/gtest.h>

#include "tests/unit/hpux/machine.h"

namespace hardclock::hpux {
namespace {

using testing::data;
using testing::gateway;
using testing::Machine;
using testing::program_image;
using testing::text;

constexpr unsigned sigvector = 108, sigcleanup = 139, sigaction = 188, sigsetreturn = 224,
                   sigaltstack = 381, pause_call = 29;
constexpr unsigned sigill = 4, sigtrap = 5, sigfpe = 8, sigsegv = 11, sigusr1 = 16;
constexpr std::uint64_t trampoline = text + 0x800, handler = text + 0x400;
constexpr std::uint64_t plabel = data + 0x100;  // {handler, 0x40001234}
constexpr std::uint64_t linkage = 0x40001234;

void put(Machine& machine, std::uint64_t at, std::initializer_list<std::uint32_t> words) {
  for (const std::uint32_t word : words) {
    ASSERT_TRUE(machine.memory().write(GuestAddr(at), word).ok());
    at += 4;
  }
}

// A program that has registered its trampoline and a handler for the signal.
void catch_signal(Machine& machine, unsigned signal, std::uint32_t flags = 0) {
  ASSERT_EQ(machine.failure, "");
  put(machine, plabel, {handler, linkage});
  put(machine, data, {plabel | 2, 0, flags});
  ASSERT_EQ(machine.call(sigsetreturn, {trampoline, 0, 16}), std::nullopt);
  ASSERT_EQ(machine.call(sigvector, {signal, data, 0}), std::nullopt);
}

// Something else in each register, in the middle of a branch whose delay slot is next.
void fill_registers(Machine& machine) {
  pa_risc::Registers& registers = machine.registers();
  for (unsigned i = 1; i < 32; ++i) {
    if (i != 30) registers.gpr[i] = 0x11000 * i + 3;
    registers.fpr[i] = 0x4000000000000001 + i;
  }
  registers.fpr[0] = 0x0800001e00000000;
  registers.shift_amount = 21;
  registers.set_carries(0xa5);
  registers.divide_step = true;
  registers.pc = text + 0x60;
  registers.next_pc = text + 0x200;
  registers.in_delay_slot = true;
}

void deliver(Machine& machine, unsigned signal) {
  machine.kernel->signals().post(*machine.process, signal);
  machine.kernel->deliver_signals(machine.thread());
}

TEST(Signals, AHandlerStartsThroughItsPlabel) {
  Machine machine;
  catch_signal(machine, sigusr1);
  fill_registers(machine);
  const std::uint64_t sp = machine.gpr(30);
  deliver(machine, sigusr1);
  EXPECT_EQ(machine.registers().pc, handler);
  EXPECT_FALSE(machine.registers().in_delay_slot);
  EXPECT_EQ(machine.gpr(19), linkage);
  EXPECT_EQ(machine.gpr(26), sigusr1);
  EXPECT_EQ(machine.gpr(25), 0u);
  EXPECT_EQ(machine.gpr(2), trampoline | 3);
  EXPECT_EQ(machine.gpr(30) % 64, 0u);
  EXPECT_GE(machine.gpr(24), sp);
  EXPECT_LT(machine.gpr(24), machine.gpr(30));
}

// The save_state is at sp-1352 and the word at sp-4 says where the whole frame begins.
TEST(Signals, ADebuggerFindsTheRegisters) {
  Machine machine;
  catch_signal(machine, sigusr1);
  fill_registers(machine);
  const pa_risc::Registers before = machine.registers();
  deliver(machine, sigusr1);
  const std::uint64_t sp = machine.gpr(30);
  EXPECT_EQ(machine.word(sp - 4), machine.gpr(24));
  const std::uint64_t state = sp - 1352;
  EXPECT_EQ(machine.word(state) & 2, 0u);  // not in a system call
  for (unsigned i = 1; i < 32; ++i) {
    EXPECT_EQ(machine.word(state + 4 * i), static_cast<std::uint32_t>(before.gpr[i])) << i;
    EXPECT_EQ(machine.doubleword(state + 640 + 8 * i), before.gpr[i]) << i;
    EXPECT_EQ(machine.doubleword(state + 256 + 8 * i), before.fpr[i]) << i;
  }
  EXPECT_EQ(machine.word(state + 128), 21u);                // SAR
  EXPECT_EQ(machine.word(state + 132), text + 0x60 + 3);    // pcoq head
  EXPECT_EQ(machine.word(state + 140), text + 0x200 + 3);   // pcoq tail
  EXPECT_EQ(machine.word(state + 164) >> 8 & 0xff, 0xa5u);  // carries of the IPSW
}

TEST(Signals, ReturningBringsEverythingBack) {
  for (const bool nullifies : {false, true}) {
    Machine machine;
    catch_signal(machine, sigusr1);
    fill_registers(machine);
    machine.registers().nullify = nullifies;
    const pa_risc::Registers before = machine.registers();
    deliver(machine, sigusr1);
    EXPECT_TRUE(machine.thread().blocked_signals.test(sigusr1 - 1));
    for (unsigned i = 1; i < 32; ++i) {
      if (i != 30) machine.gpr(i) = i;
      machine.registers().fpr[i] = i;
    }
    machine.registers().set_carries(0);
    machine.enter(sigcleanup);
    EXPECT_EQ(machine.registers(), before);
    EXPECT_FALSE(machine.thread().blocked_signals.test(sigusr1 - 1));
  }
}

// sigprocmask(2): what was blocked before a handler is blocked after it, whatever its number. HP-UX
// has 44 signals, in eight words.
TEST(Signals, TheMaskComesBackWhole) {
  constexpr unsigned sigprocmask = 185, set_mask = 2;
  constexpr std::uint32_t signal_3 = 1U << 2, signal_40 = 1U << 7;
  Machine machine;
  catch_signal(machine, sigusr1);
  put(machine, data, {signal_3, signal_40, 0, 0, 0, 0, 0, 0});
  ASSERT_EQ(machine.call(sigprocmask, {set_mask, data, 0}), std::nullopt);
  deliver(machine, sigusr1);
  EXPECT_EQ(machine.registers().pc, handler);
  machine.enter(sigcleanup);
  put(machine, data + 0x80, {1, 1, 1, 1, 1, 1, 1, 1});
  ASSERT_EQ(machine.call(sigprocmask, {set_mask, 0, data + 0x80}), std::nullopt);
  EXPECT_EQ(machine.word(data + 0x80), signal_3);
  EXPECT_EQ(machine.word(data + 0x84), signal_40);
  for (std::uint64_t i = 2; i < 8; ++i) EXPECT_EQ(machine.word(data + 0x80 + 4 * i), 0u);
}

// In 64 bits a function pointer is a descriptor's address, whose last two doublewords count, and
// the save_state is at sp-1520, wide.
TEST(Signals, In64BitsTheyAreWide) {
  Machine machine(program_image(64));
  ASSERT_EQ(machine.failure, "");
  for (const auto& [at, code] : {std::pair(plabel, handler), std::pair(plabel + 32, trampoline)}) {
    put(machine, at + 16, {0, static_cast<std::uint32_t>(code), 0, linkage});
  }
  put(machine, data, {0, plabel, 0, 0});
  ASSERT_EQ(machine.call(sigsetreturn, {plabel + 32, 0, 16}), std::nullopt);
  ASSERT_EQ(machine.call(sigvector, {sigusr1, data, 0}), std::nullopt);
  fill_registers(machine);
  machine.gpr(5) = 0x123456789abcdef0;
  const pa_risc::Registers before = machine.registers();
  deliver(machine, sigusr1);
  EXPECT_EQ(machine.registers().pc, handler);
  EXPECT_EQ(machine.gpr(27), linkage);
  EXPECT_EQ(machine.gpr(2), trampoline | 3);
  const std::uint64_t sp = machine.gpr(30);
  EXPECT_EQ(machine.doubleword(sp - 8), machine.gpr(24));
  EXPECT_EQ(machine.word(sp - 1520) & 0x40, 0x40u);  // WIDEREGS
  EXPECT_EQ(machine.doubleword(sp - 1520 + 640 + 8 * 5), 0x123456789abcdef0u);
  machine.gpr(5) = 0;
  machine.enter(sigcleanup);
  EXPECT_EQ(machine.registers(), before);
}

// A handler of a trap may step over the instruction: the queue in the context is what counts.
TEST(Signals, AHandlerMayChangeTheContext) {
  Machine machine;
  catch_signal(machine, sigusr1);
  fill_registers(machine);
  deliver(machine, sigusr1);
  const std::uint64_t state = machine.gpr(30) - 1352;
  put(machine, state + 132, {text + 0x200 + 3});
  put(machine, state + 140, {text + 0x204 + 3});
  put(machine, state + 4 * 28, {77});
  machine.enter(sigcleanup);
  EXPECT_EQ(machine.registers().pc, text + 0x200);
  EXPECT_FALSE(machine.registers().in_delay_slot);
  EXPECT_EQ(machine.gpr(28), 77u);
}

struct Trapped {
  Trap trap;
  unsigned signal, code;
};
TEST(Signals, TrapsHaveTheirNumbers) {
  const Fault unaligned{Fault::Kind::misaligned, Access::read, GuestAddr(data + 1)};
  const Fault unmapped{Fault::Kind::unmapped, Access::read, GuestAddr(0x30000000)};
  for (const Trapped& each :
       {Trapped{{TrapKind::illegal_instruction, 0, {}}, sigill, 8},
        Trapped{{TrapKind::illegal_instruction, 10, {}}, sigill, 10},
        Trapped{{TrapKind::illegal_instruction, 22, {}}, sigfpe, 22},
        Trapped{{TrapKind::breakpoint, 0, {}}, sigill, 9},
        Trapped{{TrapKind::breakpoint, 8 << 5 | 4, {}}, sigtrap, 9},  // break 4,8: a debugger's
        Trapped{{TrapKind::integer_overflow, 0, {}}, sigfpe, 12},
        Trapped{{TrapKind::conditional_trap, 0, {}}, sigfpe, 13},
        Trapped{{TrapKind::floating_point, 0, {}}, sigfpe, 14},
        Trapped{{TrapKind::memory, 0, unmapped}, sigsegv, 15},
        Trapped{{TrapKind::memory, 0, unaligned}, 10, 28}}) {
    Machine machine;
    catch_signal(machine, each.signal);
    fill_registers(machine);
    machine.kernel->trap(machine.thread(), each.trap);
    EXPECT_EQ(machine.gpr(26), each.signal);
    EXPECT_EQ(machine.gpr(25), each.code);
    const std::uint64_t state = machine.gpr(30) - 1352;
    EXPECT_EQ(machine.word(state + 132), text + 0x60 + 3);  // the queue is not advanced
  }
}

// A wait that a signal ends fails with EINTR, 4, and the context is behind the call.
TEST(Signals, ACallIsInterrupted) {
  Machine machine;
  catch_signal(machine, sigusr1);
  machine.enter(pause_call);
  ASSERT_TRUE(machine.thread().waiting());
  machine.thread().wait->stage = Wait::Stage::interrupted;
  deliver(machine, sigusr1);
  const std::uint64_t state = machine.gpr(30) - 1352;
  EXPECT_EQ(machine.word(state + 132), text + 0x20 + 3);
  machine.enter(sigcleanup);
  EXPECT_EQ(machine.gpr(22), 1u);
  EXPECT_EQ(machine.gpr(28), 4u);
  EXPECT_EQ(machine.registers().pc, text + 0x20);
}

// With SV_BSDSIG, 2, it is made again: the context is at the call, as ss_flags says.
TEST(Signals, ACallIsRestarted) {
  Machine machine;
  catch_signal(machine, sigusr1, 2);
  machine.gpr(22) = 7;  // wait, of a process that is given a child
  ASSERT_EQ(machine.call(2, {}), std::nullopt);
  machine.gpr(26) = 0;
  machine.enter(7);
  ASSERT_TRUE(machine.thread().waiting());
  machine.thread().wait->stage = Wait::Stage::interrupted;
  deliver(machine, sigusr1);
  const std::uint64_t state = machine.gpr(30) - 1352;
  EXPECT_EQ(machine.word(state) & 2, 2u);
  EXPECT_EQ(machine.word(state + 4 * 31), text + 0x20 + 3);
  machine.enter(sigcleanup);
  EXPECT_EQ(machine.registers().pc, gateway + 4);
  EXPECT_EQ(machine.gpr(22), 7u);
}

// stack_t {sp, flags, size}: a stack that grows up is entered at its beginning. SV_ONSTACK is 1.
TEST(Signals, AnAlternateStackGrowsUp) {
  Machine machine;
  catch_signal(machine, sigusr1, 1);
  put(machine, data + 0x200, {0x50000000, 0, 0x4000});
  ASSERT_TRUE(machine.memory()
                  .map(GuestAddr(0x50000000), 0x4000, {.read = true, .write = true}, "stack")
                  .ok());
  ASSERT_EQ(machine.call(sigaltstack, {data + 0x200, 0}), std::nullopt);
  deliver(machine, sigusr1);
  EXPECT_EQ(machine.gpr(24), 0x50000000u);
  EXPECT_LT(machine.gpr(30), 0x50004000u);
}

TEST(Signals, AStackThatIsFullEndsTheProgram) {
  Machine machine;
  catch_signal(machine, sigusr1);
  machine.gpr(30) = 0x7fff0000 - 64;
  deliver(machine, sigusr1);
  ASSERT_TRUE(machine.process->exit_status.has_value());
  EXPECT_EQ(machine.process->exit_status->code, sigsegv);
}

// struct sigaction {handler, mask of 8 words, flags}: SA_SIGINFO, 0x10, gives the handler a
// siginfo.
TEST(Signals, SigactionWithInformation) {
  Machine machine;
  catch_signal(machine, sigusr1);
  put(machine, data, {plabel | 2, 0, 0, 0, 0, 0, 0, 0, 0, 0x10});
  ASSERT_EQ(machine.call(sigaction, {sigusr1, data, data + 0x300}), std::nullopt);
  EXPECT_EQ(machine.word(data + 0x300), plabel | 2);
  deliver(machine, sigusr1);
  EXPECT_EQ(machine.word(machine.gpr(25)), sigusr1);  // si_signo
}

}  // namespace
}  // namespace hardclock::hpux
