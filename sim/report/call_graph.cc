#include "sim/report/call_graph.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "sim/report/call_graph_sums.h"
#include "sim/report/histogram.h"
#include "sim/report/nameless.h"
#include "sim/report/places.h"
#include "sim/report/point_table.h"

namespace hardclock::report {
namespace {

// The functions of a graph, each once.
class Functions {
 public:
  Functions(const SymbolTable& symbols, const Identity& program) : program_(program) {
    by_symbol_.reserve(symbols.all().size());
  }

  void find_nameless(const ProcessProfile& process, const Places& places) {
    nameless_functions_.add(process, places);
  }

  std::uint32_t at(const ProcessProfile& process, const Place* place, GuestAddr pc) {
    const Symbol* const symbol = place != nullptr && place->symbols != nullptr
                                     ? place->symbols->find(pc - place->moved_by)
                                     : nullptr;
    if (symbol == nullptr) return without_symbol(process, place, pc);
    const auto known = by_symbol_.find(symbol);
    if (known != by_symbol_.end()) return known->second;
    ProfiledFunction function{.label = symbol->name,
                              .name = symbol->name,
                              .object = object_of(process, place),
                              .address = symbol->address,
                              .is_of_program = place->is_program,
                              .own = {},
                              .inclusive = {}};
    if (!place->file.empty()) function.label += " (" + place->file + ")";
    by_symbol_.emplace(symbol, append(std::move(function)));
    return by_symbol_.at(symbol);
  }

  std::uint32_t of_other_program(const ProcessProfile& process) {
    return nameless(other_program_label(process), "", false);
  }

  std::vector<ProfiledFunction>& all() { return all_; }

 private:
  std::string object_of(const ProcessProfile& process, const Place* place) const {
    if (place == nullptr) return "";
    if (!place->is_program) return place->path;
    const std::string& own = process.program.empty() ? program_.name : process.program;
    return own.empty() ? "program" : own;
  }

  std::uint32_t without_symbol(const ProcessProfile& process, const Place* place, GuestAddr pc) {
    const auto begin =
        place == nullptr ? std::nullopt : nameless_functions_.find(*place, pc - place->moved_by);
    std::string label =
        begin ? NamelessFunctions::label(*place, *begin) : outside_label(place, program_.name);
    return nameless(std::move(label), object_of(process, place),
                    place != nullptr && place->is_program, begin);
  }

  std::uint32_t nameless(std::string label, std::string object, bool is_of_program,
                         std::optional<GuestAddr> address = {}) {
    const auto [known, is_new] = nameless_.emplace(std::pair(label, object), 0);
    if (is_new) {
      known->second = append({.label = std::move(label),
                              .name = {},
                              .object = std::move(object),
                              .address = address,
                              .is_of_program = is_of_program,
                              .own = {},
                              .inclusive = {}});
    }
    return known->second;
  }

  std::uint32_t append(ProfiledFunction function) {
    all_.push_back(std::move(function));
    return static_cast<std::uint32_t>(all_.size() - 1);
  }

  const Identity& program_;
  NamelessFunctions nameless_functions_;
  std::vector<ProfiledFunction> all_;
  std::unordered_map<const Symbol*, std::uint32_t> by_symbol_;  // a table has one file's
  std::map<std::pair<std::string, std::string>, std::uint32_t> nameless_;
};

// What is taken from a profile.
struct Taken {
  bool cycles = false;  // and calls
  bool ticks = false;

  Cost of(std::uint64_t cycles_there, std::uint64_t ticks_there) const {
    return {.cycles = cycles ? cycles_there : 0, .ticks = ticks ? ticks_there : 0};
  }
};

class Builder {
 public:
  Builder(const SymbolTable& symbols, const Identity& program, const Objects& objects,
          bool has_points)
      : symbols_(symbols),
        program_(program),
        objects_(objects),
        functions_(symbols, program),
        has_points_(has_points) {}

  void find_nameless(const Profile& profile) {
    for (const ProcessProfile& process : profile.processes) {
      functions_.find_nameless(process, Places(process, symbols_, program_, objects_));
    }
  }

  void add(const Profile& profile, const Taken& taken) {
    for (const ProcessProfile& process : profile.processes) {
      if (has_known_program(process, program_, objects_)) {
        add_process(process, taken);
      } else {
        add_other(process, taken);
      }
      if (taken.cycles) add_count(graph_.calls_not_kept, process.calls_not_kept);
    }
  }

  CallGraph finish() {
    graph_.functions = std::move(functions_.all());
    for (auto& [ends, site] : sites_) graph_.sites.push_back(site);
    for (auto& [object, range] : ranges_) graph_.objects.push_back(std::move(range));
    points_.renumber(sort_functions(graph_));
    points_.move_to(graph_);
    sort_and_sum(graph_);
    return std::move(graph_);
  }

 private:
  void add_process(const ProcessProfile& process, const Taken& taken) {
    const Places places(process, symbols_, program_, objects_);
    add_ranges(process, places);
    const bool has_tree = !process.call_tree.empty();
    const auto add_at = [&](GuestAddr pc, const Cost& cost) {
      const Place* const place = places.find(pc);
      const std::uint32_t function = functions_.at(process, place, pc);
      charge(function, place != nullptr ? pc - place->moved_by : pc, cost);
      if (!has_tree) path_of(CallPath::none, function).own += cost;
    };
    if (taken.cycles) {
      for (const auto& [pc, cycles] : process.cycles) add_at(pc, {.cycles = cycles, .ticks = 0});
      add_reasons(process, places);
    }
    if (taken.ticks) for_each_tick(process, add_at);
    if (has_tree) add_tree(process, places, taken);
    if (taken.cycles) add_sites(process, places);
  }

  void add_reasons(const ProcessProfile& process, const Places& places) {
    graph_.has_reasons = graph_.has_reasons || !process.reasons.empty();
    process.reasons.for_each([&](GuestAddr pc, CycleReason reason, std::uint64_t cycles) {
      const Place* const place = places.find(pc);
      const GuestAddr address = place != nullptr ? pc - place->moved_by : pc;
      charge(functions_.at(process, place, pc), address, reason, cycles);
    });
  }

  void charge(std::uint32_t function, GuestAddr address, const Cost& cost) {
    functions_.all()[function].own += cost;
    graph_.total += cost;
    if (has_points_) points_.add(function, address, cost);
  }
  void charge(std::uint32_t function, GuestAddr address, CycleReason reason, std::uint64_t cycles) {
    graph_.reasons[reason] += cycles;
    if (has_points_) points_.add(function, address, reason, cycles);
  }

  template <class AddAt>
  static void for_each_tick(const ProcessProfile& process, AddAt add_at) {
    for (const auto& [pc, ticks] : process.samples) add_at(pc, {.cycles = 0, .ticks = ticks});
    if (!process.samples.empty()) return;
    for (const Histogram& histogram : process.histograms) {
      for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
        if (histogram.counts[i] == 0) continue;
        add_at(first_address(histogram, i), {.cycles = 0, .ticks = histogram.counts[i]});
      }
    }
  }

  void add_other(const ProcessProfile& process, const Taken& taken) {
    std::uint64_t cycles = 0;
    for (const auto& [pc, count] : process.cycles) cycles += count;
    const Cost cost = taken.of(cycles, ticks_of(process));
    CyclesByReason reasons;
    if (taken.cycles) {
      graph_.has_reasons = graph_.has_reasons || !process.reasons.empty();
      reasons = process.reasons.total();
    }
    if (cost.is_zero() && reasons == CyclesByReason()) return;
    const std::uint32_t function = functions_.of_other_program(process);
    charge(function, GuestAddr(0), cost);
    for (const CycleReason reason : all_cycle_reasons) {
      if (reasons[reason] != 0) charge(function, GuestAddr(0), reason, reasons[reason]);
    }
    path_of(CallPath::none, function).own += cost;
  }

  void add_tree(const ProcessProfile& process, const Places& places, const Taken& taken) {
    graph_.has_calls = true;
    std::vector<std::uint32_t> merged;  // by index in the tree
    merged.reserve(process.call_tree.size());
    for (const CallNode& node : process.call_tree) {
      const std::uint32_t parent =
          node.parent == CallNode::none ? CallPath::none : merged.at(node.parent);
      const std::uint32_t function =
          functions_.at(process, places.find(node.function), node.function);
      CallPath& path = path_of(parent, function);
      path.own += taken.of(node.cycles, node.ticks);
      if (taken.cycles) add_count(path.calls, node.calls);
      merged.push_back(static_cast<std::uint32_t>(&path - graph_.paths.data()));
    }
  }

  void add_sites(const ProcessProfile& process, const Places& places) {
    for (const CallArc& arc : process.call_arcs) {
      const Place* const place = places.find(arc.site);
      const GuestAddr address = place != nullptr ? arc.site - place->moved_by : arc.site;
      const std::uint32_t caller = functions_.at(process, place, arc.site);
      const std::uint32_t callee = functions_.at(process, places.find(arc.function), arc.function);
      CallSite& site = sites_[{caller, callee, address}];
      site.caller = caller;
      site.callee = callee;
      site.site = address;
      add_count(site.calls, arc.calls);
      site.inclusive += {.cycles = arc.cycles, .ticks = 0};
    }
  }

  void add_ranges(const ProcessProfile& process, const Places& places) {
    for (const Mapping& mapping : process.mappings) {
      const Place* const place = places.find(mapping.start);
      if (place == nullptr) continue;
      const GuestAddr low = mapping.start - place->moved_by;
      const GuestAddr high = low + mapping.size;
      if (high < low) continue;
      const auto [known, is_new] =
          ranges_.try_emplace(mapping.file, ObjectRange{mapping.file, low, high, mapping.offset});
      ObjectRange& range = known->second;
      if (low < range.low) range.offset = mapping.offset;
      range.low = std::min(range.low, low);
      range.high = std::max(range.high, high);
    }
  }

  CallPath& path_of(std::uint32_t parent, std::uint32_t function) {
    const auto next = static_cast<std::uint32_t>(graph_.paths.size());
    const auto [known, is_new] = by_parent_.emplace(std::pair(parent, function), next);
    if (is_new) {
      graph_.paths.push_back({.parent = parent, .function = function, .own = {}, .inclusive = {}});
    }
    return graph_.paths[known->second];
  }

  const SymbolTable& symbols_;
  const Identity& program_;
  const Objects& objects_;
  Functions functions_;
  CallGraph graph_;  // paths behind their parents
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> by_parent_;
  bool has_points_;
  PointTable points_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, GuestAddr>, CallSite> sites_;
  std::map<std::string, ObjectRange> ranges_;
};

std::string name_of_program(const Profile& sampled, const Profile* exact, const Identity& program) {
  for (const Profile* const profile : {&sampled, exact}) {
    if (profile == nullptr) continue;
    for (const ProcessProfile& process : profile->processes) {
      if (!process.program.empty() && is_of(process, program)) return process.program;
    }
  }
  return program.name;
}

}  // namespace

Cost& Cost::operator+=(const Cost& more) {
  add_count(cycles, more.cycles);
  add_count(ticks, more.ticks);
  return *this;
}

CyclesByReason CallGraph::reasons_of(std::size_t i) const {
  const std::size_t end = i + 1 < points.size() ? points[i + 1].first_reason : point_reasons.size();
  CyclesByReason reasons;
  for (std::size_t at = points[i].first_reason; at < end; ++at) {
    reasons[point_reasons[at].reason] += point_reasons[at].cycles;
  }
  return reasons;
}

std::uint64_t CallGraph::cycles_per_tick() const {
  return tick_rate == Hertz() ? 0 : cpu.value() / tick_rate.value();
}

CallGraph call_graph(const Profile& sampled, const SymbolTable& symbols, const Profile* exact,
                     Identity program, const Objects& objects, bool has_points) {
  if (program.name.empty()) program.name = first_program(sampled);
  if (program.name.empty() && exact != nullptr) program.name = first_program(*exact);
  Builder builder(symbols, program, objects, has_points);
  builder.find_nameless(sampled);
  if (exact != nullptr) builder.find_nameless(*exact);
  if (exact != nullptr) builder.add(*exact, {.cycles = true, .ticks = exact == &sampled});
  if (exact != &sampled) builder.add(sampled, {.cycles = false, .ticks = true});
  CallGraph graph = builder.finish();
  graph.has_cycles = exact != nullptr;
  graph.command = sampled.command.empty() && exact != nullptr ? exact->command : sampled.command;
  graph.program = name_of_program(sampled, exact, program);
  graph.cpu = sampled.cpu == Hertz() && exact != nullptr ? exact->cpu : sampled.cpu;
  graph.tick_rate = sampled.tick_rate;
  graph.processor =
      sampled.processor.empty() && exact != nullptr ? exact->processor : sampled.processor;
  return graph;
}

}  // namespace hardclock::report
