// An independent reader of --explain: takes the numbers of a line and computes the counter's
// address again by profil(2)'s rule.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hardclock::cli_test {

struct ExplainLine {
  std::uint64_t cycle = 0;
  bool fast = false;
  bool is_later = false;  // the charge of ticks that have lines of their own
  int pid = 0;
  std::uint32_t pc = 0;
  std::string rest;  // behind "PC <SYMBOL>: "
};
// Nullopt: not such a line.
std::optional<ExplainLine> parse_explain(const std::string& line);

// A line that says which counter rose.
struct CountedTick {
  std::uint32_t base = 0, size = 0, pc = 0, offset = 0, scale = 0, quotient = 0;
  std::uint32_t counter = 0;
  std::uint64_t before = 0, after = 0;
};
std::optional<CountedTick> parse_counted(const std::string& rest);

// Why the numbers do not agree with each other; empty when they do. `width` is the counters' size
// in bytes.
std::string wrong_arithmetic(const CountedTick& tick, std::uint32_t width);

}  // namespace hardclock::cli_test
