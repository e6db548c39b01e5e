#include "sim/report/call_graph_sums.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "sim/report/histogram.h"

namespace hardclock::report {
namespace {

using Index = std::uint32_t;

void sum_paths(CallGraph& graph) {
  for (CallPath& path : graph.paths) path.inclusive = path.own;
  for (std::size_t i = graph.paths.size(); i-- > 0;) {
    const CallPath& path = graph.paths[i];
    if (path.parent != CallPath::none) graph.paths[path.parent].inclusive += path.inclusive;
  }
}

// Preorder. The lists of children are one array: a path may be as deep as there are nodes.
void sort_paths(CallGraph& graph) {
  std::vector<Index> order(graph.paths.size());
  std::iota(order.begin(), order.end(), 0);
  // A parent's children stand together, the last one to visit first; roots at the end.
  std::ranges::sort(order, {}, [&](Index i) {
    const CallPath& path = graph.paths[i];
    return std::tuple(path.parent, path.inclusive.cycles, path.inclusive.ticks, ~path.function);
  });
  std::vector<Index> first(graph.paths.size() + 1, 0);
  std::vector<Index> count(graph.paths.size() + 1, 0);
  const auto slot = [&](Index parent) {
    return parent == CallPath::none ? graph.paths.size() : std::size_t{parent};
  };
  for (std::size_t at = order.size(); at-- > 0;) {
    const std::size_t of = slot(graph.paths[order[at]].parent);
    first[of] = static_cast<Index>(at);
    count[of] += 1;
  }
  std::vector<CallPath> sorted;
  sorted.reserve(graph.paths.size());
  std::vector<std::pair<Index, Index>> waiting;  // a path, and where its parent went
  const auto push = [&](std::size_t of, Index parent) {
    for (Index i = 0; i < count[of]; ++i) waiting.emplace_back(order[first[of] + i], parent);
  };
  push(graph.paths.size(), CallPath::none);
  while (!waiting.empty()) {
    const auto [old, parent] = waiting.back();
    waiting.pop_back();
    CallPath path = graph.paths[old];
    path.parent = parent;
    path.depth = parent == CallPath::none ? 0 : sorted[parent].depth + 1;
    push(old, static_cast<Index>(sorted.size()));
    sorted.push_back(path);
  }
  graph.paths = std::move(sorted);
}

// What functions, and pairs of caller and callee, took with what they called: of each only the
// outermost on a path.
class OutermostSums {
 public:
  explicit OutermostSums(CallGraph& graph) : graph_(graph), on_path_(graph.functions.size()) {}

  void run() {
    std::vector<Index> path;
    for (Index i = 0; i < graph_.paths.size(); ++i) {
      while (path.size() > graph_.paths[i].depth) {
        leave(path.back());
        path.pop_back();
      }
      enter(i);
      path.push_back(i);
    }
  }

  const Cost& of_pair(Index caller, Index callee) { return pairs_[{caller, callee}].inclusive; }

 private:
  struct Pair {
    Index on_path = 0;
    Cost inclusive;
  };

  Pair* pair_of(const CallPath& path) {
    if (path.parent == CallPath::none) return nullptr;
    return &pairs_[{graph_.paths[path.parent].function, path.function}];
  }

  void enter(Index i) {
    const CallPath& path = graph_.paths[i];
    ProfiledFunction& function = graph_.functions[path.function];
    add_count(function.calls, path.calls);
    if (on_path_[path.function]++ == 0) function.inclusive += path.inclusive;
    Pair* const pair = pair_of(path);
    if (pair != nullptr && pair->on_path++ == 0) pair->inclusive += path.inclusive;
  }

  void leave(Index i) {
    const CallPath& path = graph_.paths[i];
    on_path_[path.function] -= 1;
    if (Pair* const pair = pair_of(path)) pair->on_path -= 1;
  }

  CallGraph& graph_;
  std::vector<Index> on_path_;  // by function
  std::map<std::pair<Index, Index>, Pair> pairs_;
};

// The ticks of a pair among its sites [begin, end), by cycles; what is left of the division stays
// in the sum.
template <class Iterator>
void divide_ticks(Iterator begin, Iterator end, std::uint64_t ticks) {
  std::uint64_t cycles = 0;
  for (auto site = begin; site != end; ++site) add_count(cycles, site->inclusive.cycles);
  if (cycles == 0) {
    begin->inclusive.ticks = ticks;
    return;
  }
  std::uint64_t so_far = 0;
  std::uint64_t given = 0;
  for (auto site = begin; site != end; ++site) {
    add_count(so_far, site->inclusive.cycles);
    const auto up_to = static_cast<std::uint64_t>(Wide{ticks} * so_far / cycles);
    site->inclusive.ticks = up_to - given;
    given = up_to;
  }
}

void sum_sites(CallGraph& graph, OutermostSums& sums) {
  const auto same = [](const CallSite& a, const CallSite& b) {
    return a.caller == b.caller && a.callee == b.callee;
  };
  for (auto begin = graph.sites.begin(); begin != graph.sites.end();) {
    auto end = begin;
    while (end != graph.sites.end() && same(*begin, *end)) ++end;
    divide_ticks(begin, end, sums.of_pair(begin->caller, begin->callee).ticks);
    begin = end;
  }
}

}  // namespace

std::vector<Index> sort_functions(CallGraph& graph) {
  std::vector<Index> order(graph.functions.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](Index i) {
    const ProfiledFunction& function = graph.functions[i];
    return std::tuple(std::string_view(function.object), function.address.value_or(GuestAddr(0)),
                      function.address.has_value(), std::string_view(function.label));
  };
  std::ranges::sort(order, {}, key);
  std::vector<Index> place(order.size());
  std::vector<ProfiledFunction> sorted;
  sorted.reserve(order.size());
  for (const Index old : order) {
    place[old] = static_cast<Index>(sorted.size());
    sorted.push_back(std::move(graph.functions[old]));
  }
  graph.functions = std::move(sorted);
  for (CallPath& path : graph.paths) path.function = place[path.function];
  for (CallSite& site : graph.sites) {
    site.caller = place[site.caller];
    site.callee = place[site.callee];
  }
  return place;
}

void sort_and_sum(CallGraph& graph) {
  std::ranges::sort(graph.sites, {}, [](const CallSite& site) {
    return std::tuple(site.caller, site.callee, site.site);
  });
  sum_paths(graph);
  sort_paths(graph);
  OutermostSums sums(graph);
  sums.run();
  sum_sites(graph, sums);
}

}  // namespace hardclock::report
