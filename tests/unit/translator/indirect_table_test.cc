// The table of indirect jumps, as translated code looks into it.
#include "sim/translator/indirect_table.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace hardclock {
namespace {

constexpr unsigned shift = 2;

const void* look_up(const IndirectTable& table, std::uint64_t pc, PipelineStates::Id state) {
  const IndirectTable::Entry& entry = table.entries()[IndirectTable::place_of(pc, state, shift)];
  return entry.key == IndirectTable::key_of(pc, state) ? entry.code : nullptr;
}

bool is_found(const IndirectTable& table, std::uint64_t pc, PipelineStates::Id state) {
  return table.entries()[IndirectTable::place_of(pc, state, shift)].key ==
         IndirectTable::key_of(pc, state);
}

TEST(IndirectTable, FindsNothingWhenEmpty) {
  const IndirectTable table;
  EXPECT_FALSE(is_found(table, 0, 0));
  EXPECT_FALSE(is_found(table, 0x40'0000, 0));
  EXPECT_FALSE(is_found(table, 0, 1));
}

TEST(IndirectTable, TellsStatesApart) {
  IndirectTable table;
  const int one = 0, other = 0;
  table.enter(0x40'0000, 3, shift, &one);
  table.enter(0x40'0000, 4, shift, &other);
  EXPECT_EQ(look_up(table, 0x40'0000, 3), &one);
  EXPECT_EQ(look_up(table, 0x40'0000, 4), &other);
  EXPECT_FALSE(is_found(table, 0x40'0000, 5));
  EXPECT_FALSE(is_found(table, 0x40'0004, 3));
}

TEST(IndirectTable, HoldsPcZero) {
  IndirectTable table;
  const int code = 0;
  table.enter(0, 0, shift, &code);
  EXPECT_EQ(look_up(table, 0, 0), &code);
}

TEST(IndirectTable, LeavesOutWhatHasNoKey) {
  IndirectTable table;
  const int code = 0;
  const std::uint64_t pc = std::uint64_t{1} << IndirectTable::key_bits;
  table.enter(pc, 0, shift, &code);
  table.enter(0, IndirectTable::most_states, shift, &code);
  EXPECT_FALSE(is_found(table, pc, 0));
  EXPECT_FALSE(is_found(table, 0, 1));  // whose key pc has
}

}  // namespace
}  // namespace hardclock
