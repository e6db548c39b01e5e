#include "isa/ia64/chip.h"

#include <charconv>
#include <utility>

namespace hardclock::ia64 {
namespace {

// The row's name, if it is a number.
template <class Number>
bool read_number(const RowReader& row, Number& number) {
  const std::string& text = row.name();
  const char* const end = text.data() + text.size();
  const auto [stopped_at, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stopped_at == end;
}

void read_alat(RowReader& row, Chip& chip) {
  if (!read_number(row, chip.alat_entries) || chip.alat_entries > Alat::most_entries) {
    row.fail("alat needs a number of entries, 0 to 32, not '" + row.name() + "'");
  }
}

void read_register_stack(RowReader& row, Chip& chip) {
  constexpr unsigned most_words = 4;
  if (!read_number(row, chip.stack_words) || chip.stack_words == 0 ||
      chip.stack_words > most_words) {
    row.fail("register_stack needs the words of a cycle, 1 to 4, not '" + row.name() + "'");
  }
}

}  // namespace

Result<Chip, std::string> read_chip(const CpuDescription& description) {
  Chip chip;
  for (const TimingRow& each : description.rows) {
    RowReader row(each);
    if (each.keyword == "alat")
      read_alat(row, chip);
    else if (each.keyword == "register_stack")
      read_register_stack(row, chip);
    else
      continue;
    if (std::string error = row.error(); !error.empty()) return Failure{std::move(error)};
  }
  return chip;
}

}  // namespace hardclock::ia64
