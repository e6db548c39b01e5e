#include "sim/report/viewers/stacks.h"

#include <fmt/format.h>

namespace hardclock::report {

void for_each_stack(const CallGraph& graph,
                    const std::function<void(std::span<const std::uint32_t>, const Cost&)>& visit) {
  std::vector<std::uint32_t> functions;
  for (const CallPath& path : graph.paths) {
    functions.resize(path.depth);
    functions.push_back(path.function);
    if (!path.own.is_zero()) visit(functions, path.own);
  }
}

std::optional<std::string> too_long(const CallGraph& graph, std::string_view title,
                                    const std::function<std::uint64_t(std::uint32_t)>& bytes_of,
                                    const std::function<std::uint64_t(const Cost&)>& times_of) {
  constexpr std::uint64_t most_bytes = std::uint64_t{256} << 20;
  std::vector<std::uint64_t> up_to;  // bytes of the path's functions
  std::uint64_t bytes = 0;
  for (const CallPath& path : graph.paths) {
    up_to.resize(path.depth);
    up_to.push_back((up_to.empty() ? 0 : up_to.back()) + bytes_of(path.function));
    if (path.own.is_zero()) continue;
    bytes += up_to.back() * (times_of ? times_of(path.own) : 1);
    if (bytes <= most_bytes) continue;
    return fmt::format(
        "the call paths fill more than {} MiB as {}, which has each of them whole; write "
        "callgrind or firefox, which have each call once",
        most_bytes >> 20, title);
  }
  return std::nullopt;
}

}  // namespace hardclock::report
