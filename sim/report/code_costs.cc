#include "sim/report/code_costs.h"

#include <cstdint>
#include <optional>

#include "sim/report/places.h"

namespace hardclock::report {
namespace {

__extension__ typedef unsigned __int128 Wide;

// The number of the counter that covers `pc`; none does: nothing.
std::optional<std::size_t> counter_at(const Histogram& histogram, GuestAddr pc) {
  if (pc < histogram.low || !(pc < histogram.high)) return std::nullopt;
  return static_cast<std::size_t>(Wide{pc - histogram.low} * histogram.counts.size() /
                                  (histogram.high - histogram.low));
}

// Adds what one process has of one stretch of the file.
class Adder {
 public:
  Adder(std::span<const GuestAddr> addresses, const Place& place, std::vector<CodeCost>& costs)
      : addresses_(addresses), place_(place), costs_(costs) {}

  void add_cycles(const ProcessProfile& process) {
    for_each([&](GuestAddr pc, CodeCost& cost) {
      const auto cycles = process.cycles.find(pc);
      if (cycles != process.cycles.end()) cost.cycles += Cycles(cycles->second);
    });
  }

  void add_ticks(const ProcessProfile& process) {
    if (process.samples.empty()) return add_counters(process);
    for_each([&](GuestAddr pc, CodeCost& cost) {
      const auto ticks = process.samples.find(pc);
      if (ticks != process.samples.end()) cost.ticks += ticks->second;
    });
  }

 private:
  void add_counters(const ProcessProfile& process) {
    for (const Histogram& histogram : process.histograms) {
      std::optional<std::size_t> before;
      for_each([&](GuestAddr pc, CodeCost& cost) {
        const auto counter = counter_at(histogram, pc);
        if (counter && counter == before)
          cost.shares_counter = true;
        else if (counter)
          cost.ticks += histogram.counts[*counter];
        before = counter;
      });
    }
  }

  template <class Visit>
  void for_each(Visit visit) {
    for (std::size_t i = 0; i < addresses_.size(); ++i) {
      const GuestAddr pc = addresses_[i] + place_.moved_by;
      if (place_.start <= pc && pc < place_.end) visit(pc, costs_[i]);
    }
  }

  std::span<const GuestAddr> addresses_;
  const Place& place_;
  std::vector<CodeCost>& costs_;
};

}  // namespace

std::vector<CodeCost> costs_of(std::span<const GuestAddr> addresses, std::string_view object,
                               const Profile& sampled, const SymbolTable& symbols,
                               const Profile* exact, const Identity& program,
                               const Objects& objects) {
  std::vector<CodeCost> costs(addresses.size());
  const auto add = [&](const Profile& profile, void (Adder::*what)(const ProcessProfile&)) {
    for (const ProcessProfile& process : profile.processes) {
      if (!is_of(process, program)) continue;
      const Places places(process, symbols, objects);
      for (const Place& place : places.all()) {
        if (place.path != object) continue;
        Adder adder(addresses, place, costs);
        (adder.*what)(process);
      }
    }
  };
  add(sampled, &Adder::add_ticks);
  if (exact != nullptr) add(*exact, &Adder::add_cycles);
  return costs;
}

}  // namespace hardclock::report
