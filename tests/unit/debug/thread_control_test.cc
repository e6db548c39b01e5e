// A debugger's control of programs on two instruction sets, in order and out of order. The system
// is a stand-in with three calls.
#include "sim/debug/thread_control.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "isa/mips/debug_registers.h"
#include "isa/pa_risc/abi.h"
#include "isa/pa_risc/debug_registers.h"
#include "sim/base/check.h"
#include "tests/support/mips_machine.h"
#include "tests/support/pa_risc_machine.h"

namespace hardclock::debug {
namespace {

constexpr std::uint64_t hertz = 100'000, tick_cycles = hertz / 100;
constexpr GuestAddr text(0x1000), counter(0x4000);
constexpr std::uint64_t no_such_call = 0x7fff'ffff;  // a result
constexpr std::uint64_t call_at = 16, rest_at = 24;  // bytes, in the program

// A program, which counts in a register and in memory at `counter`, four instructions a round with
// a branch and its delay slot; behind that, a system call, and a loop that does nothing.
struct Isa {
  const char* name;
  std::vector<std::uint32_t> program;
  const RegisterSet& registers;
  std::unique_ptr<Cpu> (*make_cpu)(AddressSpace& memory);
  // Registers: the count, the address of its word, what the delay slot counts by 2; a call's number
  // and arguments, its result, and where it returns to (0: behind itself).
  unsigned count, address, slot_count, number, arguments[2], result, link;
};

const Isa& mips_isa() {
  // addiu t0,t0,1; sw t0,0(t1); b .-8; addiu t2,t2,2; syscall; nop; b .; nop
  static const Isa isa{
      "Mips",
      {0x25080001, 0xad280000, 0x1000fffd, 0x254a0002, 0x0000000c, 0, 0x1000ffff, 0},
      mips::debug_registers(),
      [](AddressSpace& memory) -> std::unique_ptr<Cpu> {
        return mips::make_cpu(support::mips_cpu("r4400"), memory, {});
      },
      8,
      9,
      10,
      2,
      {4, 5},
      2,
      0};
  return isa;
}

const Isa& pa_risc_isa() {
  // ldo 1(r3),r3; stw r3,0(r4); b .-8; ldo 2(r5),r5; b,gate .+8,r0; nop; b .; nop
  static const Isa isa{"PaRisc",
                       {0x34630002, 0x0c831280, 0xe81f1fe5, 0x34a50004, 0xe8002000, 0x08000240,
                        0xe81f1ff5, 0x08000240},
                       pa_risc::debug_registers(),
                       [](AddressSpace& memory) -> std::unique_ptr<Cpu> {
                         pa_risc::CpuOptions options;
                         options.mode.gateway_page = text;
                         return pa_risc::make_cpu(support::pa_risc_cpu("pa7100"), memory, options);
                       },
                       3,
                       4,
                       5,
                       22,
                       {26, 25},
                       28,
                       31};
  return isa;
}

Isa on_another_processor(Isa isa, const char* name,
                         std::unique_ptr<Cpu> (*make_cpu)(AddressSpace& memory)) {
  isa.name = name;
  isa.make_cpu = make_cpu;
  return isa;
}

const Isa& mips_out_of_order() {
  static const Isa isa = on_another_processor(
      mips_isa(), "MipsOutOfOrder", [](AddressSpace& memory) -> std::unique_ptr<Cpu> {
        return mips::make_cpu(support::mips_cpu("r10000"), memory, {});
      });
  return isa;
}

const Isa& pa_risc_out_of_order() {
  static const Isa isa = on_another_processor(
      pa_risc_isa(), "PaRiscOutOfOrder", [](AddressSpace& memory) -> std::unique_ptr<Cpu> {
        pa_risc::CpuOptions options;
        options.mode.gateway_page = text;
        return pa_risc::make_cpu(support::pa_risc_cpu("pa8000"), memory, options);
      });
  return isa;
}

// Calls: 1 adds its arguments, 2 waits until the tick of its first argument, or for ever if that is
// 0, 3 ends the thread. Another number is an error.
class System final : public Personality {
 public:
  explicit System(const Isa& isa) : isa_(isa) {}
  std::uint64_t get(const Thread& thread, unsigned number) const {
    return static_cast<std::uint64_t>(isa_.registers.read(*thread.cpu, number).value());
  }
  void set(Thread& thread, unsigned number, std::uint64_t value) const {
    CHECK(isa_.registers.write(*thread.cpu, number, value));
  }
  void attach(Simulation& simulation) override { simulation_ = &simulation; }
  Simulation& simulation() const override { return *simulation_; }
  void system_call(Thread& thread) override {
    const std::uint64_t first = get(thread, isa_.arguments[0]);
    switch (get(thread, isa_.number)) {
      case 1:
        set(thread, isa_.result, first + get(thread, isa_.arguments[1]));
        break;
      case 2:
        if (thread.wait_before() != nullptr) break;
        thread.start_waiting({.call = "sleep"});
        if (first != 0) thread.wait->until = Ticks(first);
        return;
      case 3:
        simulation_->exit_thread(thread);
        return;
      default:
        set(thread, isa_.result, no_such_call);
    }
    thread.cpu->complete_system_call();
  }
  void trap(Thread&, const Trap&) override { CHECK(false); }
  void profile_tick(Thread&, GuestAddr, ClockKind, ProcessorMode) override { ++ticks; }
  void deliver_signals(Thread&) override {}
  bool interrupts_wait(const Thread&) const override { return false; }
  bool has_happened(const Thread&, const ObjectEvent&) const override { return false; }
  bool comes_from_outside(const ObjectEvent&) const override { return false; }
  void timer_expired(Process&, TimerKind) override {}
  void child_exited(Process&, Process&) override {}
  void release(Process&) override {}
  void clear() override {}
  void archive(Archive&) override {}
  bool wants_fast_clock(const Process&) const override { return false; }
  void leaving_kernel(Thread&) override { ++left; }

  int ticks = 0;
  int left = 0;

 private:
  Simulation* simulation_ = nullptr;
  const Isa& isa_;
};

class Site final : public CallSite {
 public:
  Site(const Isa& isa, System& os) : isa_(isa), os_(os) {}
  bool enter(Thread& thread, unsigned number, std::span<const std::uint64_t> arguments) override {
    if (arguments.size() > 2) return false;
    os_.set(thread, isa_.number, number);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      os_.set(thread, isa_.arguments[i], arguments[i]);
    }
    if (isa_.link != 0) os_.set(thread, isa_.link, text.value() + rest_at);
    os_.set(thread, isa_.registers.pc, text.value() + call_at);
    return true;
  }
  bool has_returned(const Thread& thread) const override {
    return thread.cpu->interrupted_pc() > text + call_at;
  }
  CallAnswer answer(const Thread& thread) const override {
    const std::uint64_t value = os_.get(thread, isa_.result);
    return {value == no_such_call, value};
  }

 private:
  const Isa& isa_;
  System& os_;
};

SimulationOptions options(Cycles page_fault) {
  SimulationOptions options;
  options.kernel_costs.page_fault = page_fault;
  options.cpu_clock = Hertz(hertz);
  options.max_cycles = Cycles(1'000'000);
  return options;
}

struct Machine {
  explicit Machine(const Isa& isa, Cycles page_fault = Cycles(0))
      : isa(isa), os(isa), simulation(options(page_fault)), control(simulation) {}

  Thread& add() {
    Process& process = simulation.create_process(0, os);
    process.memory =
        std::make_shared<AddressSpace>(simulation.budget(), Endian::big, GuestAddr(0x8000'0000));
    AddressSpace& memory = *process.memory;
    CHECK(memory.map(text, page_size, {.read = true, .execute = true}, "text").ok());
    CHECK(memory.map(counter, page_size, {.read = true, .write = true}, "data").ok());
    std::vector<std::uint8_t> bytes(4 * isa.program.size());
    for (std::size_t i = 0; i < isa.program.size(); ++i) {
      store_bytes(&bytes[4 * i], isa.program[i], Endian::big);
    }
    CHECK(memory.initialize(text, bytes).ok());
    Thread& thread = simulation.add_thread(process, isa.make_cpu(memory));
    os.set(thread, isa.registers.pc, text.value());
    os.set(thread, isa.address, counter.value());
    return thread;
  }
  std::uint32_t counted(const Thread& thread) const {
    return thread.process.memory->read<std::uint32_t>(counter).value();
  }
  // All that a debugger sees of the thread.
  std::vector<RegisterValue> state(Thread& thread) const {
    std::vector<RegisterValue> values{counted(thread)};
    for (unsigned i = 0; i < isa.registers.count(); ++i) {
      values.push_back(isa.registers.read(*thread.cpu, i).value_or(0));
    }
    values.push_back(thread.cpu->counts().instructions.value());
    values.push_back(thread.cpu->counts().cycles.value());
    return values;
  }

  const Isa& isa;
  System os;
  Simulation simulation;
  ThreadControl control;
};

class OnEach : public testing::TestWithParam<const Isa*> {
 protected:
  const Isa& isa() const { return *GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(Isas, OnEach,
                         testing::Values(&mips_isa(), &pa_risc_isa(), &mips_out_of_order(),
                                         &pa_risc_out_of_order()),
                         [](const auto& parameter) { return parameter.param->name; });

TEST_P(OnEach, AStepIsOneInstruction) {
  Machine machine(isa());
  Thread& other = machine.add();
  Thread& thread = machine.add();
  const auto expect = [&](std::uint64_t count, std::uint32_t stored, std::uint64_t in_slot) {
    EXPECT_EQ(machine.control.step(thread).kind, SimulationEnd::Kind::interrupted);
    EXPECT_EQ(machine.os.get(thread, isa().count), count);
    EXPECT_EQ(machine.counted(thread), stored);
    EXPECT_EQ(machine.os.get(thread, isa().slot_count), in_slot);
  };
  expect(1, 0, 0);
  expect(1, 1, 0);
  expect(1, 1, 0);  // the branch
  expect(1, 1, 2);  // its delay slot
  expect(2, 1, 2);
  EXPECT_EQ(thread.cpu->counts().instructions, Instructions(5));
  EXPECT_EQ(other.cpu->counts().instructions, Instructions(0));
  EXPECT_FALSE(other.held);
  EXPECT_FALSE(thread.held);
}

TEST_P(OnEach, AHeldThreadCanBeStepped) {
  Machine machine(isa());
  Thread& thread = machine.add();
  machine.control.hold(thread);
  machine.control.step(thread);
  EXPECT_EQ(thread.cpu->counts().instructions, Instructions(1));
  EXPECT_TRUE(thread.held);
}

TEST_P(OnEach, AHeldThreadDoesNotRun) {
  Machine machine(isa());
  Thread& held = machine.add();
  Thread& runs = machine.add();
  machine.control.hold_all_but(runs);
  EXPECT_EQ(machine.control.run_to(Cycles(30 * tick_cycles)).kind,
            SimulationEnd::Kind::interrupted);
  EXPECT_EQ(machine.counted(held), 0U);
  EXPECT_GT(machine.counted(runs), 1000U);
  machine.control.release(held);
  machine.control.run_to(Cycles(60 * tick_cycles));
  EXPECT_GT(machine.counted(held), 1000U);
}

TEST_P(OnEach, WhenAllAreHeldTheMachineCannotGoOn) {
  Machine machine(isa());
  Thread& thread = machine.add();
  machine.control.hold(thread);
  thread.process.timer(TimerKind::real) = {.value = 10'000, .interval = 10'000};
  const SimulationEnd outcome = machine.control.run_until([] { return false; });
  EXPECT_EQ(outcome.kind, SimulationEnd::Kind::deadlock);
  EXPECT_EQ(outcome.detail, "pid 100 held");
}

TEST_P(OnEach, RunningToATimeStopsAtTheNextInstruction) {
  Machine machine(isa());
  machine.add();
  for (const std::uint64_t time : {7U, 1000U, 1001U, 54'321U}) {
    EXPECT_EQ(machine.control.run_to(Cycles(time)).kind, SimulationEnd::Kind::interrupted);
    EXPECT_GE(machine.simulation.clock().now(), Cycles(time));
    EXPECT_LT(machine.simulation.clock().now(), Cycles(time + 50)) << "a miss takes less";
  }
}

// Stopping anywhere changes neither values nor times, also where the kernel takes time for faults
// and where instructions are in flight.
TEST_P(OnEach, PiecesAreAsTheWhole) {
  // Not where a tick is due: that one may still be to come.
  constexpr Cycles end(40 * tick_cycles + tick_cycles / 2);
  const auto states = [&](const auto& run) {
    Machine machine(isa(), Cycles(700));
    Thread& first = machine.add();
    Thread& second = machine.add();
    run(machine);
    machine.control.run_to(end);
    auto all = machine.state(first);
    for (const RegisterValue value : machine.state(second)) all.push_back(value);
    all.push_back(machine.simulation.clock().now().value());
    all.push_back(static_cast<std::uint64_t>(machine.os.ticks));
    return all;
  };
  const auto whole = states([](Machine&) {});
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    std::mt19937 random(seed);
    EXPECT_EQ(whole, states([&](Machine& machine) {
                Cycles& now = machine.simulation.clock().now();
                while (now + Cycles(3000) < end) {
                  machine.control.run_to(now + Cycles(1 + random() % 3000));
                }
              }));
  }
}

// Not even where faults take the kernel's time: who looks after each instruction sees the run of
// those who do not look.
TEST_P(OnEach, ShortStretchesAreAsLongOnes) {
  const auto states = [&](Instructions stretch) {
    Machine machine(isa(), Cycles(700));
    Thread& first = machine.add();
    Thread& second = machine.add();
    machine.simulation.set_longest_stretch(stretch);
    machine.simulation.on_poll([] { return true; });
    machine.control.run_to(Cycles(40 * tick_cycles + tick_cycles / 2));
    auto all = machine.state(first);
    for (const RegisterValue value : machine.state(second)) all.push_back(value);
    all.push_back(machine.simulation.clock().now().value());
    all.push_back(static_cast<std::uint64_t>(machine.os.ticks));
    return all;
  };
  const auto whole = states(Simulation::longest_stretch);
  for (const std::uint64_t stretch : {1U, 2U, 7U, 100U}) {
    const auto in_pieces = states(Instructions(stretch));
    ASSERT_EQ(in_pieces.size(), whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i) {
      EXPECT_EQ(in_pieces[i], whole[i]) << "value " << i << " in stretches of " << stretch;
    }
  }
}

// The tick after 3500 cycles is the fourth; the sleep ends with the tenth, not before.
TEST_P(OnEach, AnIdleMachineStopsAtAClockEvent) {
  Machine machine(isa());
  Thread& thread = machine.add();
  Site site(isa(), machine.os);
  const std::uint64_t until[] = {10};
  site.enter(thread, 2, until);
  machine.control.run_to(Cycles(3500));
  EXPECT_EQ(machine.simulation.clock().ticks(), Ticks(4));
  EXPECT_TRUE(thread.waiting());
  machine.control.run_to(Cycles(10 * tick_cycles + 100));
  EXPECT_FALSE(thread.waiting());
}

TEST_P(OnEach, NothingEndsTheWaitOfAHeldThread) {
  Machine machine(isa());
  Thread& thread = machine.add();
  machine.add();
  Site site(isa(), machine.os);
  const std::uint64_t until[] = {2};
  site.enter(thread, 2, until);
  machine.control.run_to(Cycles(tick_cycles + 500));
  ASSERT_TRUE(thread.waiting());
  machine.control.hold(thread);
  machine.control.run_to(Cycles(30 * tick_cycles));
  EXPECT_TRUE(thread.waiting());
  EXPECT_TRUE(machine.simulation.is_over(thread));
  machine.control.release(thread);
  machine.control.run_to(Cycles(60 * tick_cycles));
  EXPECT_FALSE(thread.waiting());
}

TEST_P(OnEach, AThreadThatWaitsMakesNoStep) {
  Machine machine(isa());
  Thread& thread = machine.add();
  Site site(isa(), machine.os);
  const std::uint64_t until[] = {5};
  site.enter(thread, 2, until);
  machine.control.step(thread);
  EXPECT_TRUE(thread.waiting());
  const Cycles now = machine.simulation.clock().now();
  machine.control.step(thread);
  EXPECT_TRUE(thread.waiting());
  EXPECT_EQ(machine.simulation.clock().now(), now);
}

TEST_P(OnEach, ACallIsInjected) {
  Machine machine(isa());
  Thread& thread = machine.add();
  Thread& other = machine.add();
  machine.control.run_to(Cycles(500));
  Site site(isa(), machine.os);
  const std::uint64_t arguments[] = {20, 22}, none[] = {0};
  const auto before = machine.state(other);
  InjectedCall call = machine.control.inject(thread, site, 1, arguments);
  EXPECT_EQ(call.end, InjectedCall::End::returned);
  EXPECT_FALSE(call.answer.failed);
  EXPECT_EQ(call.answer.value, 42U);
  EXPECT_EQ(machine.state(other), before) << "it is held";
  call = machine.control.inject(thread, site, 99, none);
  EXPECT_EQ(call.end, InjectedCall::End::returned);
  EXPECT_TRUE(call.answer.failed);
  const std::uint64_t too_many[] = {1, 2, 3};
  EXPECT_EQ(machine.control.inject(thread, site, 1, too_many).end, InjectedCall::End::failed);
  EXPECT_EQ(machine.control.inject(thread, site, 2, none).end, InjectedCall::End::waits);
  EXPECT_EQ(describe(*thread.wait), "waits in sleep for a signal");
}

TEST_P(OnEach, ACallMayEndTheThread) {
  Machine machine(isa());
  Thread& thread = machine.add();
  Thread& second =
      machine.simulation.add_thread(thread.process, thread.cpu->fork(*thread.process.memory));
  Site site(isa(), machine.os);
  const ThreadName name = name_of(second);
  EXPECT_EQ(machine.control.find(name), &second);
  EXPECT_EQ(machine.control.inject(second, site, 3, {}).end, InjectedCall::End::gone);
  EXPECT_EQ(machine.control.find(name), nullptr);
  EXPECT_EQ(machine.control.find({1, 1}), nullptr);
}

TEST_P(OnEach, AThreadLeavesTheKernelOnce) {
  Machine machine(isa());
  Thread& thread = machine.add();
  EXPECT_FALSE(machine.control.leave_kernel(thread));
  machine.control.enter_kernel(thread);
  EXPECT_TRUE(machine.control.leave_kernel(thread));
  EXPECT_FALSE(machine.control.leave_kernel(thread));
  EXPECT_EQ(machine.os.left, 1);
  machine.control.enter_kernel(thread);
  machine.control.leave_kernel_unseen(thread);
  EXPECT_EQ(machine.os.left, 1);
}

// What is written is read again and changes nothing else. The pc's neighbour in a queue goes with
// it.
TEST_P(OnEach, RegistersHaveGdbsNumbers) {
  Machine machine(isa());
  Thread& thread = machine.add();
  const RegisterSet& set = isa().registers;
  EXPECT_EQ(set.read(*thread.cpu, set.count()), std::nullopt);
  EXPECT_FALSE(set.write(*thread.cpu, set.count(), 0));
  EXPECT_FALSE(set.write(*thread.cpu, 0, 1)) << "it is constant, or a flag";
  unsigned written = 0;
  for (unsigned number = 0; number < set.count(); ++number) {
    const auto before = machine.state(thread);
    if (!set.write(*thread.cpu, number, 0x1230)) continue;
    ++written;
    // The bits of a PSW that are not the program's stay.
    const RegisterValue written_there =
        set.name(number) == "psw" ? 0x4'120f : within(0x1230, set.bits(number));
    EXPECT_EQ(set.read(*thread.cpu, number), written_there) << number;
    if (number == set.pc) continue;
    auto after = machine.state(thread);
    after[1 + number] = before[1 + number];
    EXPECT_EQ(after, before) << number;
  }
  EXPECT_GT(written, 31U + 32U) << "general and floating-point";
  EXPECT_EQ(thread.cpu->interrupted_pc(), GuestAddr(0x1230));
}

// `maint print registers` of GDB 13 for hppa1.0: 64 fpsr, 65 fpe1, 72 fr4, 73 fr4R, 127 fr31R.
TEST(PaRiscRegisters, AreHalvesOfFloatingPointRegistersInNarrowPrograms) {
  Machine machine(pa_risc_isa());
  Cpu& cpu = *machine.add().cpu;
  auto& fpr = pa_risc::registers_of(cpu).fpr;
  const RegisterSet& set = pa_risc::debug_registers();
  EXPECT_EQ(set.name(127), "fr31R");
  fpr[0] = 0x0000'0200'0000'0001;
  EXPECT_EQ(set.read(cpu, 64), 0x200U);
  EXPECT_EQ(set.read(cpu, 65), 1U);
  fpr[4] = 0x1122'3344'5566'7788;
  EXPECT_EQ(set.read(cpu, 72), 0x1122'3344U);
  EXPECT_EQ(set.read(cpu, 73), 0x5566'7788U);
  EXPECT_TRUE(set.write(cpu, 72, 0xffff'ffff'8000'0000)) << "of a half, 32 bits count";
  EXPECT_EQ(fpr[4], 0x8000'0000'5566'7788U);
  EXPECT_TRUE(set.write(cpu, 73, 0x9abc'def0));
  EXPECT_EQ(fpr[4], 0x8000'0000'9abc'def0U);
  EXPECT_TRUE(set.write(cpu, 127, 7));
  EXPECT_EQ(fpr[31], 7U);
}

// gdb/hppa-tdep.c, hppa64_register_name(): 64 fpsr, 68 fr4, 95 fr31.
TEST(PaRiscRegisters, AreWholeFloatingPointRegistersInWidePrograms) {
  Machine machine(pa_risc_isa());
  Cpu& cpu = *machine.add().cpu;
  auto& fpr = pa_risc::registers_of(cpu).fpr;
  const RegisterSet& set = pa_risc::debug_registers({.wide = true});
  EXPECT_EQ(set.name(95), "fr31");
  EXPECT_EQ(set.pc, pa_risc::debug_registers().pc);
  for (unsigned n = 0; n < 32; ++n) {
    const std::uint64_t value = 0x0123'4567'89ab'cdef + n;
    EXPECT_TRUE(set.write(cpu, 64 + n, value));
    EXPECT_EQ(fpr[n], value);
    EXPECT_EQ(set.read(cpu, 64 + n), value);
  }
  EXPECT_EQ(set.read(cpu, 96), std::nullopt);
  EXPECT_FALSE(set.write(cpu, 96, 0));
}

}  // namespace
}  // namespace hardclock::debug
