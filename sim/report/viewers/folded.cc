#include <algorithm>

#include "sim/report/viewers/stacks.h"
#include "sim/report/viewers/text.h"
#include "sim/report/viewers/viewers.h"

namespace hardclock::report {
namespace {

std::vector<std::string> names_of(const CallGraph& graph) {
  std::vector<std::string> names;
  for (const ProfiledFunction& function : graph.functions) {
    names.push_back(plain_text(function.label));
    std::ranges::replace(names.back(), ';', ':');
  }
  return names;
}

Written write(const CallGraph& graph, std::uint64_t Cost::*of) {
  const std::vector<std::string> names = names_of(graph);
  const auto bytes_of = [&](std::uint32_t function) { return names[function].size() + 1; };
  if (auto why = too_long(graph, "folded stacks", bytes_of)) return Failure{*why};
  std::string text;
  for_each_stack(graph, [&](std::span<const std::uint32_t> functions, const Cost& own) {
    if (own.*of == 0) return;
    for (std::size_t i = 0; i < functions.size(); ++i) {
      text += (i == 0 ? "" : ";") + names[functions[i]];
    }
    text += ' ' + std::to_string(own.*of) + '\n';
  });
  return text;
}

}  // namespace

Written to_folded(const CallGraph& graph) {
  return write(graph, graph.has_cycles ? &Cost::cycles : &Cost::ticks);
}

Written to_folded_ticks(const CallGraph& graph) {
  return write(graph, &Cost::ticks);
}

}  // namespace hardclock::report
