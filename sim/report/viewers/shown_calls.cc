#include "sim/report/viewers/shown_calls.h"

#include <fmt/format.h>

#include <algorithm>

namespace hardclock::report {
namespace {

// The smallest share, of a few, that is large enough.
double least_share(const CallGraph& graph, const ShownLimits& limits) {
  for (const double share : {0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1}) {
    if (share < limits.least) continue;
    const auto count = std::ranges::count_if(graph.paths, [&](const CallPath& path) {
      return path.depth < limits.deepest && share_of(graph, path.inclusive) >= share;
    });
    if (static_cast<std::size_t>(count) <= limits.most) return share;
  }
  return 1;
}

class Chooser {
 public:
  Chooser(const CallGraph& graph, const ShownLimits& limits)
      : graph_(graph), deepest_(limits.deepest), open_(1) {
    shown_.least = std::max(limits.least, least_share(graph, limits));
  }

  ShownCalls choose() {
    for (const CallPath& path : graph_.paths) visit(path);
    while (!open_.empty()) close();
    return std::move(shown_);
  }

 private:
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

  void visit(const CallPath& path) {
    if (path.depth > left_out_) {
      if (is_summing_) open_.back().summed += 1;
      return;
    }
    left_out_ = nowhere;
    while (open_.size() > std::size_t{path.depth} + 1) close();
    const bool is_nothing = weight_of(graph_, path.inclusive) == 0;
    if (is_nothing || path.depth >= deepest_ || share_of(graph_, path.inclusive) < shown_.least) {
      leave_out(path, !is_nothing);
      return;
    }
    shown_.calls.push_back({.depth = path.depth,
                            .function = path.function,
                            .calls = path.calls,
                            .own = path.own,
                            .inclusive = path.inclusive});
    open_.emplace_back();
  }

  void leave_out(const CallPath& path, bool is_summed) {
    left_out_ = path.depth;
    is_summing_ = is_summed;
    if (!is_summed) return;
    open_.back().summed += 1;
    open_.back().inclusive += path.inclusive;
  }

  void close() {
    ShownCall sum = open_.back();
    open_.pop_back();
    if (sum.summed == 0) return;
    sum.depth = static_cast<std::uint32_t>(open_.size());
    shown_.summed += sum.summed;
    shown_.calls.push_back(sum);
  }

  const CallGraph& graph_;
  std::uint32_t deepest_;
  ShownCalls shown_;
  std::vector<ShownCall> open_;       // the sums of the program and of each function on the path
  std::uint32_t left_out_ = nowhere;  // deeper paths are below one that is not shown
  bool is_summing_ = false;           // which is part of a sum
};

}  // namespace

std::string_view unit_of(const CallGraph& graph) {
  return graph.has_cycles ? "cycles" : "ticks";
}

std::uint64_t weight_of(const CallGraph& graph, const Cost& cost) {
  return graph.has_cycles ? cost.cycles : cost.ticks;
}

double share_of(const CallGraph& graph, const Cost& cost) {
  const std::uint64_t all = weight_of(graph, graph.total);
  return all == 0 ? 0 : static_cast<double>(weight_of(graph, cost)) / static_cast<double>(all);
}

ShownCalls shown_calls(const CallGraph& graph, const ShownLimits& limits) {
  return Chooser(graph, limits).choose();
}

std::string counted(std::uint64_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

std::string numbers_text(const CallGraph& graph, const ShownCall& call) {
  std::string text = counted(call.inclusive.ticks, "tick");
  if (graph.has_cycles) text = counted(call.inclusive.cycles, "cycle") + ", " + text;
  text += fmt::format(", {:.2f} %", 100 * share_of(graph, call.inclusive));
  if (call.calls != 0) text += ", " + counted(call.calls, "call");
  return text;
}

std::string label_of(const CallGraph& graph, const ShownCall& call) {
  if (call.summed != 0) return fmt::format("({} small)", call.summed);
  return graph.functions[call.function].label;
}

}  // namespace hardclock::report
