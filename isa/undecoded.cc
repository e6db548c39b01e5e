#include "isa/undecoded.h"

#include <cstddef>

namespace hardclock {

UndecodedBits read_undecoded(RowReader& row) {
  constexpr std::size_t word_bits = 32;
  UndecodedBits undecoded;
  row.require("pattern");
  const std::string pattern = row.word("pattern", "");
  if (pattern.size() != word_bits || pattern.find_first_not_of("01.-") != std::string::npos) {
    row.fail("pattern needs 32 of the characters 0, 1, . and -, not '" + pattern + "'");
    return undecoded;
  }
  for (std::size_t i = 0; i < word_bits; ++i) {
    const std::uint32_t bit = 1u << (word_bits - 1 - i);
    if (pattern[i] == '0' || pattern[i] == '1') undecoded.mask |= bit;
    if (pattern[i] == '1') undecoded.match |= bit;
    if (pattern[i] == '-') undecoded.unseen |= bit;
  }
  return undecoded;
}

Result<std::vector<UndecodedBits>, std::string> read_undecoded(const CpuDescription& description) {
  std::vector<UndecodedBits> all;
  for (const TimingRow& each : description.rows) {
    if (each.keyword != "undecoded") continue;
    RowReader row(each);
    all.push_back(read_undecoded(row));
    if (std::string error = row.error(); !error.empty()) return Failure{std::move(error)};
  }
  return all;
}

}  // namespace hardclock
