#include "sim/report/code_costs.h"

#include <cstddef>

#include "sim/report/histogram.h"
#include "sim/report/places.h"

namespace hardclock::report {
namespace {

// Adds what one process has of one stretch of the file.
class Adder {
 public:
  Adder(std::span<const GuestAddr> addresses, GuestAddr end, const Places& places,
        const Place& place, std::vector<CodeCost>& costs)
      : addresses_(addresses), end_(end), places_(places), place_(place), costs_(costs) {}

  void add_cycles(const ProcessProfile& process) {
    for_each([&](GuestAddr pc, CodeCost& cost) {
      const auto cycles = process.cycles.find(pc);
      if (cycles != process.cycles.end()) cost.cycles += Cycles(cycles->second);
      cost.reasons += process.reasons.at(pc);
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
      for_each([&](GuestAddr pc, CodeCost& cost) {
        const auto covers = counter_at(histogram, pc);
        if (!covers) return;
        std::size_t counter = *covers + (first_address(histogram, *covers) < pc ? 1 : 0);
        const GuestAddr end = end_of(cost);
        bool begins = false;
        for (; counter < histogram.counts.size() && first_address(histogram, counter) < end;
             ++counter) {
          cost.ticks += histogram.counts[counter];
          begins = true;
        }
        cost.shares_counter = cost.shares_counter || !begins;
      });
    }
  }
  // Where the instruction ends, in the process.
  GuestAddr end_of(const CodeCost& cost) const {
    const auto next = static_cast<std::size_t>(&cost - costs_.data()) + 1;
    return (next < addresses_.size() ? addresses_[next] : end_) + place_.moved_by;
  }

  template <class Visit>
  void for_each(Visit visit) {
    for (std::size_t i = 0; i < addresses_.size(); ++i) {
      const GuestAddr pc = addresses_[i] + place_.moved_by;
      if (places_.find(pc) == &place_) visit(pc, costs_[i]);
    }
  }

  std::span<const GuestAddr> addresses_;
  GuestAddr end_;
  const Places& places_;
  const Place& place_;
  std::vector<CodeCost>& costs_;
};

}  // namespace

std::vector<CodeCost> costs_of(std::span<const GuestAddr> addresses, GuestAddr end,
                               std::string_view object, const Profile& sampled,
                               const SymbolTable& symbols, const Profile* exact,
                               const Identity& program, const Objects& objects) {
  std::vector<CodeCost> costs(addresses.size());
  const auto add = [&](const Profile& profile, void (Adder::*what)(const ProcessProfile&)) {
    for (const ProcessProfile& process : profile.processes) {
      if (!has_known_program(process, program, objects)) continue;
      const Places places(process, symbols, program, objects);
      for (const Place& place : places.all()) {
        if (object.empty() ? !place.is_program : place.path != object) continue;
        Adder adder(addresses, end, places, place, costs);
        (adder.*what)(process);
      }
    }
  };
  add(sampled, &Adder::add_ticks);
  if (exact != nullptr) add(*exact, &Adder::add_cycles);
  return costs;
}

}  // namespace hardclock::report
