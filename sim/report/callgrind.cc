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
struct ObjectCosts {
  ByFunction functions;
  const LineTable* lines = nullptr;  // null: there are none
};

class Collector {
 public:
  Collector(const SymbolTable& symbols, const Identity& program, const Objects& objects,
            const Lines& lines)
      : symbols_(symbols), program_(program), objects_(objects), lines_(lines) {}

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

  const std::map<std::string, ObjectCosts>& objects() const { return costs_; }

 private:
  Cost& cost_at(const ProcessProfile& process, const Places& places, GuestAddr pc) {
    const Place* const place = places.find(pc);
    if (place == nullptr) return costs_["(outside)"].functions[nobodys][pc];
    const GuestAddr address = pc - place->moved_by;
    const Symbol* const function =
        place->symbols != nullptr ? place->symbols->find(address) : nullptr;
    const std::string& own = process.program.empty() ? program_.name : process.program;
    const std::string& object = place->is_program ? own : place->path;
    ObjectCosts& costs = costs_[object.empty() ? "program" : object];
    costs.lines = find_lines(lines_, place->is_program ? "" : place->path);
    ByFunction& functions = costs.functions;
    return function != nullptr ? functions[{function->address, function->name}][address]
                               : functions[nobodys][address];
  }

  inline static const std::pair<GuestAddr, std::string> nobodys = {GuestAddr(0), "(no function)"};

  const SymbolTable& symbols_;
  const Identity& program_;
  const Objects& objects_;
  const Lines& lines_;
  std::map<std::string, ObjectCosts> costs_;  // by object
};

class Writer {
 public:
  explicit Writer(bool has_cycles) : has_cycles_(has_cycles) {}

  std::string write(const std::string& command, const std::map<std::string, ObjectCosts>& objects) {
    std::string body;
    for (const auto& [object, costs] : objects) {
      body += fmt::format("\nob={}\n", printable_name(object));
      for (const auto& [function, by_address] : costs.functions) {
        body += text_of(function, by_address, costs.lines);
      }
    }
    return "# callgrind format\nversion: 1\ncreator: hardclock\n" +
           (command.empty() ? "" : "cmd: " + printable_name(command) + "\n") +
           "positions: instr line\nevents: " + (has_cycles_ ? "Cycles Ticks" : "Ticks") +
           "\nsummary: " + numbers(total_) + "\n" + body;
  }

 private:
  // fl is the file in which the function begins; fi says that code of another one is inlined, fe
  // that the function's own goes on.
  std::string text_of(const ByFunction::key_type& function, const ByAddress& costs,
                      const LineTable* lines) {
    const auto range_of = [lines](GuestAddr pc) { return lines ? lines->find(pc) : nullptr; };
    const auto file_of = [lines](const LineRange* range) {
      return range == nullptr ? "???" : printable_name(lines->file_of(*range).path);
    };
    const std::string own = file_of(range_of(function.first));
    std::string text = fmt::format("fl={}\nfn={}\n", own, printable_name(function.second));
    std::string current = own;
    for (const auto& [address, cost] : costs) {
      const LineRange* const range = range_of(address);
      const std::string file = range == nullptr ? current : file_of(range);
      if (file != current) text += fmt::format("{}={}\n", file == own ? "fe" : "fi", file);
      current = file;
      text += fmt::format("0x{:x} {} {}\n", address.value(), range == nullptr ? 0 : range->line,
                          numbers(cost));
      total_.cycles += cost.cycles;
      total_.ticks += cost.ticks;
    }
    return text;
  }

  std::string numbers(const Cost& cost) const {
    return has_cycles_ ? fmt::format("{} {}", cost.cycles, cost.ticks) : std::to_string(cost.ticks);
  }

  bool has_cycles_;
  Cost total_;
};

}  // namespace

std::string to_callgrind(const Profile& sampled, const SymbolTable& symbols, const Profile* exact,
                         const Identity& program, const Objects& objects, const Lines& lines) {
  Collector collector(symbols, program, objects, lines);
  collector.add(sampled, &Collector::add_ticks);
  if (exact != nullptr) collector.add(*exact, &Collector::add_cycles);
  return Writer(exact != nullptr).write(sampled.command, collector.objects());
}

}  // namespace hardclock::report
