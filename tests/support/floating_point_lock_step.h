// Random programs of floating point as code of the host: where they find operands, and how they are
// compared with the one-instruction-at-a-time interpreter. For lock_step.h.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/endian.h"
#include "sim/memory/address_space.h"
#include "tests/support/floating_point_operands.h"
#include "tests/support/lock_step.h"

namespace hardclock::support {

// A table that cannot be written: doubles and some longs from its start on, singles and words from
// its middle on.
inline constexpr GuestAddr table_start{0x1200'0000};
inline constexpr std::uint32_t table_half = 0x1000;  // bytes

inline std::vector<std::uint64_t> doubles() {
  std::vector<std::uint64_t> all = special_operands(twin);
  const std::vector<std::uint64_t> longs = special_longs();
  for (std::size_t i = 0; i < longs.size(); i += 61) all.push_back(longs[i]);
  return all;
}
inline std::vector<std::uint64_t> singles() {
  std::vector<std::uint64_t> all = special_operands(single);
  for (const std::uint64_t each : special_words()) all.push_back(each);
  return all;
}

inline void map_operands(AddressSpace& memory) {
  const Endian endian = memory.endian();
  std::vector<std::uint8_t> bytes(2 * table_half);
  std::size_t at = 0;
  CHECK(8 * doubles().size() <= table_half && 4 * singles().size() <= table_half);
  for (const std::uint64_t each : doubles()) store_bytes(&bytes[8 * at++], each, endian);
  at = 0;
  for (const std::uint64_t each : singles()) {
    store_bytes(&bytes[table_half + 4 * at++], static_cast<std::uint32_t>(each), endian);
  }
  EXPECT_TRUE(memory.map(table_start, bytes.size(), {.read = true}, "operands"));
  EXPECT_TRUE(memory.initialize(table_start, bytes));
}

// Runs 400 programs, of each so many instructions.
template <class Guest>
void compare_translated(const typename Guest::Mix& mix, std::uint32_t instructions) {
  compare_one_engine<Guest>(400, mix,
                            {.longest_slice = 400,
                             .instructions = instructions,
                             .limit_percent = 5,
                             .translation = {.is_on = true, .after_executions = 0}},
                            60);
}

}  // namespace hardclock::support
