#include <fmt/format.h>

#include "sim/report/viewers/stacks.h"
#include "sim/report/viewers/text.h"
#include "sim/report/viewers/viewers.h"

namespace hardclock::report {
namespace {

std::string frames_of(const CallGraph& graph) {
  std::string frames;
  for (const ProfiledFunction& function : graph.functions) {
    frames +=
        fmt::format("{}{{\"name\":{}", frames.empty() ? "" : ",\n", json_text(function.title()));
    if (!function.object.empty()) frames += ",\"file\":" + json_text(function.object);
    frames += '}';
  }
  return frames;
}

std::string profile_of(const CallGraph& graph, std::uint64_t Cost::*of, std::string_view name) {
  std::string samples, weights;
  for_each_stack(graph, [&](std::span<const std::uint32_t> functions, const Cost& own) {
    if (own.*of == 0) return;
    samples += fmt::format("{}[{}]", samples.empty() ? "" : ",\n", fmt::join(functions, ","));
    weights += fmt::format("{}{}", weights.empty() ? "" : ",", own.*of);
  });
  return fmt::format(
      "{{\"type\":\"sampled\",\"name\":\"{}\",\"unit\":\"none\",\"startValue\":0,"
      "\"endValue\":{},\n\"samples\":[{}],\n\"weights\":[{}]}}",
      name, graph.total.*of, samples, weights);
}

}  // namespace

Written to_speedscope(const CallGraph& graph) {
  // Ten digits and a comma, for cycles and for ticks.
  constexpr std::uint64_t most_bytes = 22;
  if (auto why = too_long(graph, "speedscope's samples", [](std::uint32_t) { return most_bytes; }))
    return Failure{*why};
  const std::string& name = graph.command.empty() ? graph.program : graph.command;
  return fmt::format(
      "{{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
      "\"exporter\":\"hardclock\",\"name\":{},\"activeProfileIndex\":0,\n"
      "\"shared\":{{\"frames\":[{}]}},\n\"profiles\":[{}{}]}}\n",
      json_text(name), frames_of(graph),
      graph.has_cycles ? profile_of(graph, &Cost::cycles, "cycles") + ",\n" : "",
      profile_of(graph, &Cost::ticks, "ticks"));
}

}  // namespace hardclock::report
