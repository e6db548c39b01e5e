// The engine supposes nothing of MIPS and PA-RISC: it runs an instruction set whose instructions
// have 16 bytes, or lie three in a bundle, little-endian beside big-endian data, and whose branches
// have no delay slots. What the program computes and takes is worked out by hand from the rules
// below.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>

#include "sim/base/endian.h"
#include "sim/engine/block_interpreter.h"
#include "sim/engine/engine.h"
#include "sim/engine/instruction_layout.h"
#include "sim/engine/straight_on.h"
#include "sim/memory/address_space.h"

namespace hardclock {
namespace {

constexpr std::uint64_t code = 0x10000, data = 0x20000;

enum class Kind : std::uint8_t { add, count_down, store, branch, call };

struct Text {
  Kind kind = Kind::add;
  std::uint64_t operand = 0;

  bool operator==(const Text&) const = default;
};

// An instruction begins with its kind; its operand is the doubleword at byte 8.
struct Words {
  using Layout = WordLayout<16>;
  static constexpr std::uint64_t length = 16;
  static constexpr std::size_t kind_at(std::uint64_t) { return 0; }
  static constexpr std::size_t operand_at(std::uint64_t) { return 8; }
};
// Slot i of a bundle has its kind in byte i, its operand in word i + 1.
struct Bundles {
  using Layout = BundleLayout;
  static constexpr std::uint64_t length = 16;
  static constexpr std::size_t kind_at(std::uint64_t pc) { return pc % length; }
  static constexpr std::size_t operand_at(std::uint64_t pc) { return 4 + 4 * (pc % length); }
};
using Bytes = std::array<std::uint8_t, 16>;

template <class Encoding>
std::uint64_t operand_of(const Bytes& bytes, std::uint64_t pc) {
  const std::uint8_t* const at = &bytes[Encoding::operand_at(pc)];
  if (std::is_same_v<Encoding, Bundles>) return load_bytes<std::uint32_t>(at, Endian::little);
  return load_bytes<std::uint64_t>(at, Endian::little);
}

template <class Layout>
struct Counters {
  std::uint64_t pc = 0, sum = 0, count = 0;

  std::uint64_t interrupted_pc() const { return pc; }
  void interrupted() {}
  void complete_system_call() { pc = Layout::after(pc, 1); }
  void set_pc(std::uint64_t target) { pc = target; }
  bool operator==(const Counters&) const = default;
  void archive(Archive& to) { to.state(pc, sum, count); }
};

template <class Layout>
class ForeignCpu : public Cpu {
 public:
  virtual Counters<Layout>& registers() = 0;
};

template <class LayoutOfCode>
class Interpreter
    : public BlockInterpreter<Interpreter<LayoutOfCode>, Counters<LayoutOfCode>, std::uint64_t> {
  using Base = BlockInterpreter<Interpreter, Counters<LayoutOfCode>, std::uint64_t>;
  using Base::registers_;

 public:
  using Layout = LayoutOfCode;

  explicit Interpreter(AddressSpace& memory) : Base(memory, ~std::uint64_t{0}) {}

  void perform(Kind kind, std::uint64_t operand) {
    switch (kind) {
      case Kind::add:
        registers_.sum += registers_.count;
        break;
      case Kind::count_down:
        --registers_.count;
        break;
      case Kind::store:
        this->store(operand, registers_.sum);
        break;
      case Kind::branch:
        this->branch_if(registers_.count != 0, operand);
        break;
      case Kind::call:
        this->trap(TrapKind::system_call, 0);
        break;
    }
  }
};

// A tick is charged to the instruction itself.
struct ChargesInstructions {
  static std::uint64_t charged(std::uint64_t pc) { return pc; }
  static std::uint64_t comes_back_to(std::uint64_t) { return 0; }  // nothing is called
};

template <class Encoding>
struct Isa {
  using Layout = typename Encoding::Layout;
  using CpuBase = ForeignCpu<Layout>;
  using Interpreter = ::hardclock::Interpreter<Layout>;
  using Registers = Counters<Layout>;
  using Sequencing = StraightOn<Layout, ChargesInstructions>;
  using Text = ::hardclock::Text;

  static std::uint64_t stack_depth(std::uint64_t) { return 0; }
  static std::uint64_t stack_pointer(const Registers&) { return 0; }

  struct Facts {
    typename Interpreter::Op op;
    bool is_branch = false, always_traps = false, reads_clock = false;
    bool touches_memory = false, stores = false, links = false;
    OutOfOrderCore::Transfer transfer = OutOfOrderCore::Transfer::conditional;
  };
  struct Predecoded : Facts {
    InstructionTiming timing;
  };

  static Result<Text, Fault> fetch(AddressSpace& memory, GuestAddr pc) {
    const std::uint64_t at = pc.value();
    const auto bytes = memory.fetch<16>(GuestAddr(at - at % Encoding::length), Access::execute);
    if (!bytes) return Failure{bytes.error()};
    return Text{static_cast<Kind>((*bytes)[Encoding::kind_at(at)]),
                operand_of<Encoding>(*bytes, at)};
  }
  static InstructionText instruction_text(const AddressSpace&, const Text& text, GuestAddr pc) {
    return {.address = pc, .length = 1, .bytes = {static_cast<std::uint8_t>(text.kind)}};
  }
  Interpreter interpreter(AddressSpace& memory) const { return Interpreter(memory); }

  Predecoded predecode(const Text& text, std::uint64_t) const {
    Predecoded result;
    result.op.operands = text.operand;
    result.op.execute = handler(text.kind);
    result.timing.timing_class = static_cast<std::uint8_t>(text.kind);
    result.is_branch = text.kind == Kind::branch;
    result.always_traps = text.kind == Kind::call;
    result.touches_memory = result.stores = text.kind == Kind::store;
    return result;
  }
  using DecodeKey = std::array<std::uint64_t, 2>;
  DecodeKey decode_key(const Text& text, std::uint64_t) const {
    return {static_cast<std::uint64_t>(text.kind), text.operand};
  }
  bool operator==(const Isa&) const = default;

 private:
  template <Kind kind>
  static void perform(Interpreter& machine, const typename Interpreter::Op& op) {
    machine.perform(kind, op.operands);
  }
  static typename Interpreter::Handler handler(Kind kind) {
    constexpr std::array handlers = {perform<Kind::add>, perform<Kind::count_down>,
                                     perform<Kind::store>, perform<Kind::branch>,
                                     perform<Kind::call>};
    return handlers[static_cast<std::size_t>(kind)];
  }
};

static_assert(EngineIsa<Isa<Words>> && EngineIsa<Isa<Bundles>>);
static_assert(!TranslatedIsa<Isa<Words>>, "it has only what it must");

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
  IssueWaits waits(const PipelineState& state, const InstructionTiming&) const override {
    const PipelineState::Pending* const pending = state.find(target);
    return {.branch = pending == nullptr ? 0 : pending->cycles - 1u};
  }
  void redirect(PipelineState& state, std::uint8_t, bool taken) const override {
    if (taken) state.set({.resource = target, .cycles = 3, .producer = 0, .continues = false});
  }
  void pass(PipelineState& state, std::uint32_t cycles) const override { state.advance(cycles); }
  bool issues_together() const override { return false; }
  std::uint32_t nullified_cycles() const override { return 0; }
  void freeze(PipelineState&, std::uint32_t) const override {}
};

template <class Encoding>
class Program {
 public:
  using Layout = typename Encoding::Layout;

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
    cpu = std::make_unique<Engine<Isa<Encoding>>>(
        Isa<Encoding>{}, memory, ProcessorTiming{std::make_shared<TwoLost>(), nullptr}, nullptr,
        mode);
    cpu->registers() = {.pc = code, .sum = 0, .count = 1000};
  }

  Stop run_until(std::uint64_t deadline) {
    return cpu->run(now, Cycles(deadline), Instructions(1'000'000));
  }
  static std::uint64_t pc_of(std::size_t instruction) { return Layout::after(code, instruction); }

  AddressSpace memory;
  std::unique_ptr<ForeignCpu<Layout>> cpu;
  Cycles now;

 private:
  void put(Kind kind, std::uint64_t operand = 0) {
    Bytes bytes{};
    const GuestAddr at(end_ - end_ % Encoding::length);
    EXPECT_TRUE(memory.read_bytes(at, bytes));
    bytes[Encoding::kind_at(end_)] = static_cast<std::uint8_t>(kind);
    store_bytes(&bytes[Encoding::operand_at(end_)], static_cast<std::uint32_t>(operand),
                Endian::little);
    EXPECT_TRUE(memory.write_bytes(at, bytes));
    end_ = Layout::after(end_, 1);
  }

  std::uint64_t end_ = code;
};

constexpr std::array modes = {EngineMode::blocks, EngineMode::reference};

template <class Encoding>
class ForeignIsa : public ::testing::Test {};
using Encodings = ::testing::Types<Words, Bundles>;
TYPED_TEST_SUITE(ForeignIsa, Encodings);

TYPED_TEST(ForeignIsa, RunsToItsCall) {
  for (const EngineMode mode : modes) {
    Program<TypeParam> program(mode);
    const Stop stop = program.run_until(1'000'000);
    EXPECT_EQ(stop.reason, StopReason::trap);
    EXPECT_EQ(stop.trap.kind, TrapKind::system_call);
    const Counters<typename TypeParam::Layout> at_call{
        .pc = program.pc_of(4), .sum = 1000 * 1001 / 2, .count = 0};
    EXPECT_EQ(program.cpu->registers(), at_call);
    std::array<std::uint8_t, 8> stored{};
    ASSERT_TRUE(program.memory.read_bytes(GuestAddr(data), stored));
    EXPECT_EQ(load_bytes<std::uint64_t>(stored.data(), Endian::big), at_call.sum);
    // A thousand times four instructions, 999 branches taken, and the call.
    EXPECT_EQ(program.cpu->counts().instructions, Instructions(4001));
    EXPECT_EQ(program.now, Cycles(4 * 1000 + 2 * 999 + 1));
  }
}

// A loop of four instructions takes six cycles: its first one waits for two, and is
// found when it has waited.
TYPED_TEST(ForeignIsa, ATickFindsTheInstructionOfItsCycle) {
  for (const EngineMode mode : modes) {
    Program<TypeParam> program(mode);
    constexpr std::array<std::size_t, 6> found = {0, 0, 0, 1, 2, 3};
    for (std::uint64_t cycle = 4; cycle < 4 + 60; ++cycle) {
      EXPECT_EQ(program.run_until(cycle).reason, StopReason::deadline);
      const std::uint64_t in_loop = (cycle - 4) % 6;
      EXPECT_EQ(program.now, Cycles(cycle + (in_loop < 2 ? 2 - in_loop : 0)));
      EXPECT_EQ(program.cpu->interrupted_pc(), GuestAddr(program.pc_of(found[in_loop]))) << cycle;
    }
  }
}

TYPED_TEST(ForeignIsa, BlocksAndStepsAgreeAtEveryDeadline) {
  Program<TypeParam> blocks(EngineMode::blocks);
  Program<TypeParam> steps(EngineMode::reference);
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

// "Intel Itanium Architecture Software Developer's Manual", volume 1, section 3.3: a bundle has 16
// bytes and three slots.
TEST(BundleLayout, CountsSlots) {
  EXPECT_EQ(BundleLayout::after(0x1000, 0), 0x1000u);
  EXPECT_EQ(BundleLayout::after(0x1000, 2), 0x1002u);
  EXPECT_EQ(BundleLayout::after(0x1000, 3), 0x1010u);
  EXPECT_EQ(BundleLayout::after(0x1002, 1), 0x1010u);
  EXPECT_EQ(BundleLayout::after(0x1001, 7), 0x1022u);
  for (std::uint64_t pc : {0x1000u, 0x1001u, 0x1002u}) {
    for (std::size_t count = 0; count < 20; ++count) {
      EXPECT_EQ(BundleLayout::between(pc, BundleLayout::after(pc, count)), count);
    }
  }
  EXPECT_EQ(BundleLayout::between(0x1001, 0x1020), 5u) << "up to an address";
}

}  // namespace
}  // namespace hardclock
