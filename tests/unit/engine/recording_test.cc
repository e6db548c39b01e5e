// A recording is one list in the order of the body, and what the timing model reads from it.
#include "sim/recording/recording.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/memory/address_space.h"
#include "sim/recording/evaluate.h"
#include "sim/recording/recording_primitives.h"

namespace hardclock {
namespace {

struct Register {
  Resource n;
};
constexpr Resource number(Register r) {
  return r.n;
}
constexpr bool reads_as_zero(Register r) {
  return r.n == 0;
}

using Registers = std::array<std::uint64_t, 8>;
class File final : public RegisterFile {
 public:
  explicit File(Registers& registers) : registers_(registers) {}
  std::uint64_t read(Resource resource) const override { return registers_[resource]; }
  void write(Resource resource, std::uint64_t value) override { registers_[resource] = value; }

 private:
  Registers& registers_;
};

constexpr std::uint64_t data = 0x1000;

class RecordingTest : public testing::Test {
 protected:
  RecordingTest() {
    EXPECT_TRUE(memory.map(GuestAddr(data), page_size, {.read = true, .write = true}, "data"));
  }
  Evaluated run() {
    File file(registers);
    return evaluate(m.recording(), place, file, memory, Endian::big);
  }
  std::uint32_t word(std::uint64_t address) {
    return *memory.read<std::uint32_t>(GuestAddr(address));
  }

  RecordingPrimitives m{0x1234'5678, 0xffff'ffff, nullptr};
  Registers registers{0, 1, 2, 3, 4, 5, 6, 7};
  Place place{0x400, 0x408, Cycles(99)};
  AddressSpace memory{std::make_shared<MemoryBudget>(1 << 20), Endian::big, GuestAddr(1 << 20)};
};

TEST_F(RecordingTest, AReadAfterAWriteHasTheNewValue) {
  m.write(Register{1}, m.read(Register{2}) + 5);
  m.write(Register{3}, m.read(Register{1}));
  EXPECT_FALSE(run().trap);
  EXPECT_EQ(registers[3], 7u);
  // For the pipeline it is no read.
  EXPECT_EQ(m.recording().reads(), (std::vector<Resource>{2}));
  EXPECT_EQ(m.recording().writes(), (std::vector<Resource>{1, 3}));
}

TEST_F(RecordingTest, AReadOfOtherBitsThanThoseWrittenIsOne) {
  m.write(Register{1}, m.constant(0xff), 0x0f);
  m.write(Register{3}, m.read(Register{1}, 0xff));
  run();
  EXPECT_EQ(registers[3], 0x0fu);
  EXPECT_EQ(m.recording().reads(), (std::vector<Resource>{1}));
}

TEST_F(RecordingTest, AWriteUnderAConditionMayKeepTheRegister) {
  m.write_if(m.eq(m.read(Register{1}), m.constant(1)), Register{2}, m.constant(20));
  m.write_if(m.eq(m.read(Register{1}), m.constant(2)), Register{3}, m.constant(30));
  m.write(Register{4}, m.read(Register{3}));
  run();
  EXPECT_EQ(registers, (Registers{0, 1, 20, 3, 3, 5, 6, 7}));
  EXPECT_EQ(m.recording().reads(), (std::vector<Resource>{1, 3}));
  EXPECT_EQ(m.recording().writes(), (std::vector<Resource>{2, 3, 4}));
}

TEST_F(RecordingTest, ARegisterThatReadsAsZeroIsNotThere) {
  m.write(Register{0}, m.read(Register{0}) + 1);
  EXPECT_TRUE(m.recording().reads().empty());
  EXPECT_TRUE(m.recording().writes().empty());
}

TEST_F(RecordingTest, LoadsAndStoresKeepTheirOrder) {
  ASSERT_TRUE(memory.write<std::uint32_t>(GuestAddr(data), 1));
  m.write(Register{1}, m.load<std::uint32_t>(m.constant(data)));
  m.store<std::uint32_t>(m.constant(data), m.constant(2));
  m.write(Register{2}, m.load<std::uint32_t>(m.constant(data)));
  run();
  EXPECT_EQ(registers[1], 1u);
  EXPECT_EQ(registers[2], 2u);
}

// What a store needs for its data alone: not what its address is made of as well.
TEST_F(RecordingTest, AStoresDataIsKnownFromItsAddress) {
  m.store<std::uint16_t>(m.read(Register{1}) + 4, m.read(Register{2}) >> m.read(Register{3}));
  EXPECT_EQ(m.recording().reads(), (std::vector<Resource>{1, 2, 3}));
  EXPECT_EQ(m.recording().stored(), (std::vector<Resource>{2, 3}));
  EXPECT_EQ(m.recording().bytes_accessed(), 2);
}

TEST_F(RecordingTest, ARegisterThatIsAddressAndDataIsNoDataAlone) {
  const auto address = m.read(Register{1});
  m.store<std::uint32_t>(address, m.read(Register{2}) << (address & 3));
  m.store<std::uint32_t>(m.read(Register{3}), m.read(Register{3}));
  EXPECT_EQ(m.recording().stored(), (std::vector<Resource>{2}));
}

TEST_F(RecordingTest, ALoadStoresNothing) {
  m.write(Register{2}, m.load<std::uint64_t>(m.read(Register{1})));
  EXPECT_TRUE(m.recording().stored().empty());
  EXPECT_EQ(m.recording().bytes_accessed(), 8);
}

TEST_F(RecordingTest, WhatFollowsATrapIsNotDone) {
  m.store<std::uint32_t>(m.constant(data), m.constant(7));
  m.write(Register{1}, m.constant(10));
  m.trap_if(m.ne(m.read(Register{2}), m.constant(0)), TrapKind::conditional_trap, 33);
  m.write(Register{3}, m.constant(11));
  m.store<std::uint32_t>(m.constant(data), m.constant(8));
  const Evaluated evaluated = run();
  ASSERT_TRUE(evaluated.trap);
  EXPECT_EQ(evaluated.trap->kind, TrapKind::conditional_trap);
  EXPECT_EQ(evaluated.trap->code, 33u);
  EXPECT_EQ(registers, (Registers{0, 10, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(word(data), 7u);
}

TEST_F(RecordingTest, AConditionalStoreFaultsInAnyCase) {
  m.store_if<std::uint32_t>(m.flag(false), m.constant(data), m.constant(7));
  m.store_if<std::uint32_t>(m.flag(false), m.constant(data + 1), m.constant(7));
  const Evaluated evaluated = run();
  ASSERT_TRUE(evaluated.trap);
  EXPECT_EQ(evaluated.trap->fault.kind, Fault::Kind::misaligned);
  EXPECT_EQ(evaluated.trap->fault.access, Access::write);
  EXPECT_EQ(word(data), 0u);
}

TEST_F(RecordingTest, WhatAStoreReplacesIsNoAccessOfItsOwn) {
  m.replaced<std::uint32_t>(m.constant(0));
  const Evaluated evaluated = run();
  ASSERT_TRUE(evaluated.trap);
  EXPECT_EQ(evaluated.trap->fault.access, Access::write);
}

std::array<std::uint64_t, 3> sums(std::uint64_t a, std::uint64_t b) {
  return {a + b, a - b, a};
}
std::uint64_t three(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return a << 16 | b << 8 | c;
}

TEST_F(RecordingTest, ACallKnowsItsFunction) {
  const auto two = m.call(sums, m.read(Register{7}), m.read(Register{2}));
  m.write(Register{1}, two[0]);
  m.write(Register{2}, two[1]);
  m.write(Register{3}, two[2]);
  m.write(Register{4}, m.call(three, two[0], two[1], m.constant(1)));
  const auto& steps = m.recording().steps;
  EXPECT_EQ(steps[2].operation, Operation::call);
  EXPECT_EQ(steps[2].callee, reinterpret_cast<Function*>(sums));
  EXPECT_EQ(steps[2].signature->arguments, 2);
  EXPECT_EQ(steps[2].signature->results, 3);
  run();
  EXPECT_EQ(registers, (Registers{0, 9, 5, 7, 0x09'05'01, 5, 6, 7}));
}

TEST_F(RecordingTest, ControlGoesWhereTheConditionSays) {
  m.branch_if(m.flag(false), m.constant(0x900));
  m.nullify_if(m.flag(false));
  m.write(Register{1}, m.pc());
  m.write(Register{2}, m.after_slot());
  m.write(Register{3}, m.clock());
  m.write(Register{4}, m.instruction_word_if(m.flag(true)));
  m.write(Register{5}, m.instruction_word_if(m.flag(false)));
  Evaluated evaluated = run();
  EXPECT_FALSE(evaluated.taken);
  EXPECT_FALSE(evaluated.nullified);
  EXPECT_EQ(evaluated.after_slot, 0x408u);
  EXPECT_EQ(registers, (Registers{0, 0x400, 0x408, 99, 0x1234'5678, 0, 6, 7}));
  EXPECT_FALSE(m.recording().always(Operation::branch));

  m.jump(m.constant(0x1'0000'0900));  // an address has 32 bits here
  m.nullify();
  evaluated = run();
  EXPECT_TRUE(evaluated.taken);
  EXPECT_TRUE(evaluated.nullified);
  EXPECT_EQ(evaluated.after_slot, 0x900u);
  EXPECT_TRUE(m.recording().always(Operation::branch));
  EXPECT_TRUE(m.recording().always(Operation::nullify));
}

TEST_F(RecordingTest, WhetherMemoryIsAccessibleIsNoFault) {
  m.write(Register{1}, m.bit(m.is_accessible(m.constant(data), Access::write)));
  m.write(Register{2}, m.bit(m.is_accessible(m.constant(0), Access::read)));
  EXPECT_FALSE(run().trap);
  EXPECT_EQ(registers[1], 1u);
  EXPECT_EQ(registers[2], 0u);
  EXPECT_FALSE(m.recording().touches_memory());
}

}  // namespace
}  // namespace hardclock
