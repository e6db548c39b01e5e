#include "isa/ia64/chip.h"

#include <charconv>
#include <utility>

namespace hardclock::ia64 {
namespace {

void read_alat(RowReader& row, Chip& chip) {
  const std::string& text = row.name();
  const char* const end = text.data() + text.size();
  const auto [stopped_at, error] = std::from_chars(text.data(), end, chip.alat_entries);
  if (error != std::errc() || stopped_at != end || chip.alat_entries > Alat::most_entries) {
    row.fail("alat needs a number of entries, 0 to 32, not '" + text + "'");
  }
}

}  // namespace

Result<Chip, std::string> read_chip(const CpuDescription& description) {
  Chip chip;
  for (const TimingRow& each : description.rows) {
    if (each.keyword != "alat") continue;
    RowReader row(each);
    read_alat(row, chip);
    if (std::string error = row.error(); !error.empty()) return Failure{std::move(error)};
  }
  return chip;
}

}  // namespace hardclock::ia64
