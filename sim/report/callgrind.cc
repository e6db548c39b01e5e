#include "sim/report/callgrind.h"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "sim/report/histogram.h"
#include "sim/report/places.h"
#include "sim/report/text_table.h"

namespace hardclock::report {
namespace {

struct Cost {
  std::uint64_t cycles = 0;
  std::uint64_t ticks = 0;
};
using ByAddress = std::map<GuestAddr, Cost>;
using ByFunction = std::map<std::pair<GuestAddr, std::string>, ByAddress>;  // start and name

class Collector {
 public:
  Collector(const SymbolTable& symbols, const Identity& program, const Objects& objects)
      : symbols_(symbols), program_(program), objects_(objects) {}

  void add_ticks(const ProcessProfile& process) {
    const Places places(process, symbols_, objects_);
    for (const auto& [pc, ticks] : process.samples) cost_at(process, places, pc).ticks += ticks;
    if (!process.samples.empty()) return;
    for (const Histogram& histogram : process.histograms) {
      for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
        if (histogram.counts[i] == 0) continue;
        cost_at(process, places, first_address(histogram, i)).ticks += histogram.counts[i];
      }
    }
  }

  void add_cycles(const ProcessProfile& process) {
    const Places places(process, symbols_, objects_);
    for (const auto& [pc, cycles] : process.cycles) cost_at(process, places, pc).cycles += cycles;
  }

  template <class Add>
  void add(const Profile& profile, Add add) {
    for (const ProcessProfile& process : profile.processes) {
      if (is_of(process, program_)) (this->*add)(process);
    }
  }

  const std::map<std::string, ByFunction>& objects() const { return costs_; }

 private:
  Cost& cost_at(const ProcessProfile& process, const Places& places, GuestAddr pc) {
    const Place* const place = places.find(pc);
    if (place == nullptr) return costs_["(outside)"][nobodys][pc];
    const GuestAddr address = pc - place->moved_by;
    const Symbol* const function =
        place->symbols != nullptr ? place->symbols->find(address) : nullptr;
    const std::string& own = process.program.empty() ? program_.name : process.program;
    const std::string& object = place->is_program ? own : place->path;
    ByFunction& functions = costs_[object.empty() ? "program" : object];
    return function != nullptr ? functions[{function->address, function->name}][address]
                               : functions[nobodys][address];
  }

  inline static const std::pair<GuestAddr, std::string> nobodys = {GuestAddr(0), "(no function)"};

  const SymbolTable& symbols_;
  const Identity& program_;
  const Objects& objects_;
  std::map<std::string, ByFunction> costs_;  // by object
};

class Writer {
 public:
  explicit Writer(bool has_cycles) : has_cycles_(has_cycles) {}

  std::string write(const std::string& command, const std::map<std::string, ByFunction>& objects) {
    std::string body;
    for (const auto& [object, functions] : objects) {
      body += fmt::format("\nob={}\n", printable_name(object));
      for (const auto& [function, costs] : functions) {
        body += fmt::format("fl=???\nfn={}\n", printable_name(function.second));
        for (const auto& [address, cost] : costs) {
          body += fmt::format("0x{:x} 0 {}\n", address.value(), numbers(cost));
          total_.cycles += cost.cycles;
          total_.ticks += cost.ticks;
        }
      }
    }
    return "# callgrind format\nversion: 1\ncreator: hardclock\n" +
           (command.empty() ? "" : "cmd: " + printable_name(command) + "\n") +
           "positions: instr line\nevents: " + (has_cycles_ ? "Cycles Ticks" : "Ticks") +
           "\nsummary: " + numbers(total_) + "\n" + body;
  }

 private:
  std::string numbers(const Cost& cost) const {
    return has_cycles_ ? fmt::format("{} {}", cost.cycles, cost.ticks) : std::to_string(cost.ticks);
  }

  bool has_cycles_;
  Cost total_;
};

}  // namespace

std::string to_callgrind(const Profile& sampled, const SymbolTable& symbols, const Profile* exact,
                         const Identity& program, const Objects& objects) {
  Collector collector(symbols, program, objects);
  collector.add(sampled, &Collector::add_ticks);
  if (exact != nullptr) collector.add(*exact, &Collector::add_cycles);
  return Writer(exact != nullptr).write(sampled.command, collector.objects());
}

}  // namespace hardclock::report
