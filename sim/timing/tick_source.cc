#include "sim/timing/tick_source.h"

#include <cstdint>
#include <map>

namespace hardclock {
namespace {

constexpr std::uint64_t most_cycles = 1000;
// Far above every tick rate, so that a tick is many counts.
constexpr std::uint64_t slowest = 100'000, fastest = 1'000'000'000;

TickCounter read_counter(RowReader& row, Hertz clock) {
  if (row.has("cycles") == row.has("hz")) row.fail("tick_source needs either cycles or hz");
  const std::uint64_t cycles = row.number("cycles", 1, 1, most_cycles);
  const std::uint64_t hertz = row.number("hz", slowest, slowest, fastest);
  return row.has("hz") ? TickCounter{clock.value(), hertz} : TickCounter{cycles, 1};
}

}  // namespace

Result<std::optional<TickCounter>, std::string> tick_counter(
    const CpuDescription& cpu, const std::vector<TimingRow>& machine_rows, Hertz clock) {
  std::map<std::string, TickCounter> counters;
  for (const TimingRow& row : cpu.rows) {
    if (row.keyword != "tick_source") continue;
    RowReader reader(row);
    counters.emplace(row.name, read_counter(reader, clock));
    if (const std::string error = reader.error(); !error.empty()) return Failure{error};
  }
  std::optional<TickCounter> chosen;
  for (const TimingRow& row : machine_rows) {
    if (row.keyword != "tick_source") continue;
    RowReader reader(row);
    if (chosen) reader.fail("a machine has one tick_source");
    const auto own = counters.find(row.name);
    if (!row.values.empty())
      chosen = read_counter(reader, clock);
    else if (own != counters.end())
      chosen = own->second;
    else
      reader.fail("processor " + cpu.name + " has no tick_source " + row.name);
    if (const std::string error = reader.error(); !error.empty()) {
      return Failure{"machine, " + error};
    }
  }
  return chosen;
}

}  // namespace hardclock
