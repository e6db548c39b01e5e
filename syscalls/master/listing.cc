#include "syscalls/master/listing.h"

#include <fmt/format.h>

#include <iterator>

namespace hardclock {
namespace {

std::string id_text(const CallInfo& call) {
  return call.subcode ? fmt::format("{}.{}", call.number, *call.subcode)
                      : fmt::format("{}", call.number);
}

}  // namespace

std::string to_text(std::span<const CallInfo> calls, std::string_view system) {
  std::string out = fmt::format("{:<9} {:<8} {}\n", "number", "state", "call");
  std::size_t done = 0, partial = 0, missing = 0;
  for (const CallInfo& call : calls) {
    fmt::format_to(std::back_inserter(out), "{:<9} {:<8} {}\n", id_text(call),
                   state_name(call.state), call.prototype);
    if (!call.note.empty()) fmt::format_to(std::back_inserter(out), "{:19}{}\n", "", call.note);
    if (call.is_multiplexed()) continue;
    ++(call.state == CallState::done ? done : call.state == CallState::partial ? partial : missing);
  }
  fmt::format_to(std::back_inserter(out), "{}: {} done, {} partial, {} missing\n", system, done,
                 partial, missing);
  return out;
}

}  // namespace hardclock
