// The call paths of a graph one by one, for formats that write each of them whole. A part of the
// viewers' formats.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/report/call_graph.h"

namespace hardclock::report {

// Calls visit(functions, own) for each path with costs of its own; the functions are indices, the
// outermost caller first.
void for_each_stack(const CallGraph& graph,
                    const std::function<void(std::span<const std::uint32_t>, const Cost&)>& visit);

// Why all stacks together are more than such a format may hold, if each function of a path takes
// `bytes_of(function)` and a path is written `times_of(own)` times, once if that is empty: a line
// for the user. A damaged profile's paths may be as deep as it is
// long, and whole they would take its length squared.
std::optional<std::string> too_long(const CallGraph& graph, std::string_view title,
                                    const std::function<std::uint64_t(std::uint32_t)>& bytes_of,
                                    const std::function<std::uint64_t(const Cost&)>& times_of = {});

}  // namespace hardclock::report
