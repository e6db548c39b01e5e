#include "sim/process/kernel_costs.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "sim/clock/virtual_clock.h"
#include "sim/timing/cpu_description.h"

namespace hardclock {
namespace {

constexpr std::uint64_t largest_cost = 1'000'000'000;  // cycles or nanoseconds
constexpr std::uint64_t nanoseconds = 1'000'000'000;   // in a second

using Field = std::pair<std::string_view, Cycles KernelCosts::*>;
constexpr std::array<Field, 12> fields = {{
    {"system_call", &KernelCosts::system_call},
    {"trap", &KernelCosts::trap},
    {"signal_delivery", &KernelCosts::signal_delivery},
    {"signal_return", &KernelCosts::signal_return},
    {"fork", &KernelCosts::fork},
    {"fork_per_page", &KernelCosts::fork_per_page},
    {"exec", &KernelCosts::exec},
    {"exit", &KernelCosts::exit},
    {"context_switch", &KernelCosts::context_switch},
    {"page_fault", &KernelCosts::page_fault},
    {"copy_on_write_fault", &KernelCosts::copy_on_write_fault},
    {"clock_tick", &KernelCosts::clock_tick},
}};

Cycles nearest_cycles(std::uint64_t ns, Hertz cpu_clock) {
  return Cycles((multiply_divide_down(2 * ns, cpu_clock.value(), nanoseconds) + 1) / 2);
}

Cycles cost_of(RowReader& reader, Hertz cpu_clock) {
  if (reader.has("cycles") == reader.has("ns")) reader.fail("a cost needs either cycles or ns");
  const Cycles cycles(reader.number("cycles", 0, 0, largest_cost));
  const std::uint64_t ns = reader.number("ns", 0, 0, largest_cost);
  return cycles + nearest_cycles(ns, cpu_clock);
}

}  // namespace

std::optional<std::string> error_in(const KernelCosts& costs, Hertz cpu_clock, Hertz tick_rate) {
  const std::uint64_t most = cpu_clock.value() / tick_rate.value() / 2;
  if (costs.clock_tick.value() <= most) return std::nullopt;
  return "a clock interrupt of " + std::to_string(costs.clock_tick.value()) +
         " cycles is too long: at " + std::to_string(tick_rate.value()) +
         " ticks a second clock_tick may be " + std::to_string(most) + " at most";
}

Result<KernelCosts, std::string> kernel_costs(const std::vector<TimingRow>& rows, Hertz cpu_clock) {
  KernelCosts costs;
  for (const TimingRow& row : rows) {
    if (row.keyword != "kernel") continue;
    RowReader reader(row);
    const auto field = std::find_if(fields.begin(), fields.end(),
                                    [&](const Field& f) { return f.first == reader.name(); });
    const Cycles cost = cost_of(reader, cpu_clock);
    if (field == fields.end()) {
      reader.fail("unknown kernel cost '" + reader.name() + "'");
    } else {
      costs.*field->second = cost;
    }
    if (const std::string error = reader.error(); !error.empty()) return Failure{error};
  }
  return costs;
}

}  // namespace hardclock
