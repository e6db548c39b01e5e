// The engine supposes nothing of MIPS and PA-RISC: it runs an instruction set whose instructions
// have 16 bytes, little-endian beside big-endian data, and whose branches have no delay slots. What
// the program computes and takes is worked out by hand from the rules below.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/base/endian.h"
#include "sim/engine/block_interpreter.h"
#include "sim/engine/engine.h"
#include "sim/memory/address_space.h"

namespace hardclock {
namespace {

constexpr std::uint64_t size = 16;
constexpr std::uint64_t code = 0x10000, data = 0x20000;

// Byte 0 of an instruction; its operand is the doubleword at byte 8.
enum class Kind : std::uint8_t { add, count_down, store, branch, call };

struct Counters {
  std::uint64_t pc = 0, sum = 0, count = 0;

  std::uint64_t interrupted_pc() const { return pc; }
  void interrupted() {}
  void complete_system_call() { pc += size; }
  void set_pc(std::uint64_t target) { pc = target; }
  bool operator==(const Counters&) const = default;
};

class ForeignCpu : public Cpu {
 public:
  virtual Counters& registers() = 0;
};

class Interpreter : public BlockInterpreter<Interpreter, Counters, std::uint64_t> {
 public:
  static constexpr std::uint64_t instruction_bytes = size;

  explicit Interpreter(AddressSpace& memory) : BlockInterpreter(memory, ~std::uint64_t{0}) {}

  void perform(Kind kind, std::uint64_t operand) {
    switch (kind) {
      case Kind::add:
        registers_.sum += registers_.count;
        break;
      case Kind::count_down:
        --registers_.count;
        break;
      case Kind::store:
        store(operand, registers_.sum);
        break;
      case Kind::branch:
        branch_if(registers_.count != 0, operand);
        break;
      case Kind::call:
        trap(TrapKind::system_call, 0);
        break;
    }
  }
};

// Control goes straight on or where a branch says.
struct StraightOn {
  struct BlockEnd {
    bool with_branch = false;
  };
  template <class Predecoded>
  class BlockShape {
   public:
    bool may_end() const { return true; }
    bool accepts(const Predecoded&) const { return true; }
    bool add(const Predecoded& next) {
      end_.with_branch = next.is_branch;
      return next.is_branch || next.always_traps;
    }
    BlockEnd end() const { return end_; }

   private:
    BlockEnd end_;
  };
  static void describe_end(const BlockEnd& end, TimedBlock::Rest& timed) {
    if (end.with_branch) timed.followed = timed.instructions.back()->timing_class;
  }
  static std::uint64_t continues_at(const auto& block) { return block.fall_through(); }
  static std::uint64_t charged_pc(const auto& block, std::size_t index) {
    return block.pc_of(index);
  }
  static std::uint64_t nullified_pc(const auto& block) { return block.fall_through(); }
  struct Transfer {
    std::uint8_t timing_class = 0;
    bool taken = false;
  };
  class Sequencer {
   public:
    bool begins_line(const Counters&) const { return true; }
    bool skips(const Counters&) const { return false; }
    BlockExit exit_of(const auto&, const Interpreter& machine, bool) const {
      return machine.taken() ? BlockExit::taken : BlockExit::straight;
    }
    void leave(const auto&, Interpreter& machine) { machine.registers().pc = machine.after_slot(); }
    void stand_at(const auto& block, std::size_t index, Interpreter& machine) {
      machine.registers().pc = block.pc_of(index);
    }
    std::uint64_t continues_at(const Counters& registers) const { return registers.pc + size; }
    std::optional<Transfer> advance(Interpreter& machine, const auto& instruction) {
      machine.registers().pc = machine.after_slot();
      if (!instruction.is_branch) return std::nullopt;
      return Transfer{instruction.timing.timing_class, machine.taken()};
    }
    std::optional<Transfer> skip(Counters&) { return std::nullopt; }
    bool pass_nullified(Counters&) const { return false; }
    void describe(Interpreter&, bool, OutOfOrderCore::Resolution&) const {}
  };
};

struct Isa {
  using CpuBase = ForeignCpu;
  using Interpreter = ::hardclock::Interpreter;
  using Registers = Counters;
  using Sequencing = StraightOn;
  using Text = std::array<std::uint8_t, size>;
  static constexpr std::uint64_t instruction_bytes = size;

  struct Predecoded {
    Interpreter::Op op;
    InstructionTiming timing;
    Text text{};
    bool is_branch = false, always_traps = false, reads_clock = false;
    bool touches_memory = false, stores = false, links = false;
    OutOfOrderCore::Transfer transfer = OutOfOrderCore::Transfer::conditional;
  };

  static Result<Text, Fault> fetch(AddressSpace& memory, GuestAddr pc) {
    return memory.fetch<size>(pc, Access::execute);
  }
  static InstructionText instruction_text(const AddressSpace&, const Text& text, GuestAddr pc) {
    return {.address = pc, .length = size, .bytes = text};
  }
  Interpreter interpreter(AddressSpace& memory) const { return Interpreter(memory); }

  Predecoded predecode(const Text& text, std::uint64_t) const {
    const auto kind = static_cast<Kind>(text[0]);
    Predecoded result;
    result.text = text;
    result.op.operands = load_bytes<std::uint64_t>(&text[8], Endian::little);
    result.op.execute = handler(kind);
    result.timing.timing_class = text[0];
    result.is_branch = kind == Kind::branch;
    result.always_traps = kind == Kind::call;
    result.touches_memory = result.stores = kind == Kind::store;
    return result;
  }
  using DecodeKey = std::array<std::uint64_t, 2>;
  DecodeKey decode_key(const Text& text, std::uint64_t) const {
    return {load_bytes<std::uint64_t>(text.data(), Endian::little),
            load_bytes<std::uint64_t>(&text[8], Endian::little)};
  }
  bool operator==(const Isa&) const = default;

 private:
  template <Kind kind>
  static void perform(Interpreter& machine, const Interpreter::Op& op) {
    machine.perform(kind, op.operands);
  }
  static decltype(Interpreter::Op::execute) handler(Kind kind) {
    constexpr std::array handlers = {perform<Kind::add>, perform<Kind::count_down>,
                                     perform<Kind::store>, perform<Kind::branch>,
                                     perform<Kind::call>};
    return handlers[static_cast<std::size_t>(kind)];
  }
};

// One cycle an instruction; the target of a branch that is taken waits for two more.
class TwoLost final : public Pipeline {
  static constexpr Resource target = 0;

 public:
  std::uint32_t issue(PipelineState& state, const InstructionTiming&) const override {
    const PipelineState::Pending* const pending = state.find(target);
    const std::uint32_t cycles = pending == nullptr ? 1 : pending->cycles;
    state.advance(cycles);
    return cycles;
  }
  void redirect(PipelineState& state, std::uint8_t, bool taken) const override {
    if (taken) state.set({.resource = target, .cycles = 3, .producer = 0, .continues = false});
  }
  void pass(PipelineState& state, std::uint32_t cycles) const override { state.advance(cycles); }
  bool issues_together() const override { return false; }
  std::uint32_t nullified_cycles() const override { return 0; }
  void freeze(PipelineState&, std::uint32_t) const override {}
};

class Program {
 public:
  explicit Program(EngineMode mode)
      : memory(std::make_shared<MemoryBudget>(std::uint64_t{1} << 20), Endian::big,
               GuestAddr(0x8000'0000)) {
    constexpr Permissions all{.read = true, .write = true, .execute = true};
    EXPECT_TRUE(memory.map(GuestAddr(code), page_size, all, "code"));
    EXPECT_TRUE(memory.map(GuestAddr(data), page_size, all, "data"));
    put(Kind::add);
    put(Kind::count_down);
    put(Kind::store, data);
    put(Kind::branch, code);
    put(Kind::call);
    cpu = std::make_unique<Engine<Isa>>(
        Isa{}, memory, ProcessorTiming{std::make_shared<TwoLost>(), nullptr}, nullptr, mode);
    cpu->registers() = {.pc = code, .sum = 0, .count = 1000};
  }

  Stop run_until(std::uint64_t deadline) {
    return cpu->run(now, Cycles(deadline), Instructions(1'000'000));
  }

  AddressSpace memory;
  std::unique_ptr<ForeignCpu> cpu;
  Cycles now;

 private:
  void put(Kind kind, std::uint64_t operand = 0) {
    Isa::Text text{static_cast<std::uint8_t>(kind)};
    store_bytes(&text[8], operand, Endian::little);
    EXPECT_TRUE(memory.write_bytes(GuestAddr(end_), text));
    end_ += size;
  }

  std::uint64_t end_ = code;
};

class ForeignIsa : public ::testing::TestWithParam<EngineMode> {};
INSTANTIATE_TEST_SUITE_P(Modes, ForeignIsa,
                         ::testing::Values(EngineMode::blocks, EngineMode::reference));

TEST_P(ForeignIsa, RunsToItsCall) {
  Program program(GetParam());
  const Stop stop = program.run_until(1'000'000);
  EXPECT_EQ(stop.reason, StopReason::trap);
  EXPECT_EQ(stop.trap.kind, TrapKind::system_call);
  const Counters at_call{.pc = code + 4 * size, .sum = 1000 * 1001 / 2, .count = 0};
  EXPECT_EQ(program.cpu->registers(), at_call);
  std::array<std::uint8_t, 8> stored{};
  ASSERT_TRUE(program.memory.read_bytes(GuestAddr(data), stored));
  EXPECT_EQ(load_bytes<std::uint64_t>(stored.data(), Endian::big), at_call.sum);
  // A thousand times four instructions, 999 branches taken, and the call.
  EXPECT_EQ(program.cpu->counts().instructions, Instructions(4001));
  EXPECT_EQ(program.now, Cycles(4 * 1000 + 2 * 999 + 1));
}

// A loop of four instructions takes six cycles: its first one waits for two, and is
// found when it has waited.
TEST_P(ForeignIsa, ATickFindsTheInstructionOfItsCycle) {
  Program program(GetParam());
  constexpr std::array<std::uint64_t, 6> found = {
      code, code, code, code + size, code + 2 * size, code + 3 * size};
  for (std::uint64_t cycle = 4; cycle < 4 + 60; ++cycle) {
    EXPECT_EQ(program.run_until(cycle).reason, StopReason::deadline);
    const std::uint64_t in_loop = (cycle - 4) % 6;
    EXPECT_EQ(program.now, Cycles(cycle + (in_loop < 2 ? 2 - in_loop : 0)));
    EXPECT_EQ(program.cpu->interrupted_pc(), GuestAddr(found[in_loop])) << cycle;
  }
}

TEST(ForeignIsa, BlocksAndStepsAgreeAtEveryDeadline) {
  Program blocks(EngineMode::blocks);
  Program steps(EngineMode::reference);
  for (std::uint64_t deadline = 0; deadline < 6000; deadline += 1 + deadline % 37) {
    const Stop a = blocks.run_until(deadline);
    const Stop b = steps.run_until(deadline);
    EXPECT_EQ(a.reason, b.reason);
    EXPECT_EQ(blocks.now, steps.now);
    EXPECT_EQ(blocks.cpu->registers(), steps.cpu->registers());
    EXPECT_EQ(blocks.cpu->counts().cycles, steps.cpu->counts().cycles);
    if (a.reason == StopReason::trap) break;
  }
}

}  // namespace
}  // namespace hardclock
