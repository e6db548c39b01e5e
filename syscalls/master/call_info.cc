#include "syscalls/master/call_info.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace hardclock {
namespace {

// In the order of CallState.
constexpr std::array<std::string_view, 3> state_names = {"done", "partial", "missing"};

constexpr std::array<std::pair<ValueKind, std::string_view>, 22> kind_names = {{
    {ValueKind::int32, "int"},       {ValueKind::uint32, "uint"},
    {ValueKind::word, "long"},       {ValueKind::int64, "int64"},
    {ValueKind::size, "size"},       {ValueKind::hex, "hex"},
    {ValueKind::pointer, "ptr"},     {ValueKind::fd, "fd"},
    {ValueKind::pid, "pid"},         {ValueKind::signal, "signal"},
    {ValueKind::mode, "mode"},       {ValueKind::path, "path"},
    {ValueKind::string, "string"},   {ValueKind::in, "in"},
    {ValueKind::out, "out"},         {ValueKind::out_string, "outstring"},
    {ValueKind::subcode, "subcode"}, {ValueKind::call, "call"},
    {ValueKind::pad, "pad"},         {ValueKind::rest, "..."},
    {ValueKind::unknown, "?"},       {ValueKind::none, "none"},
}};
static_assert([] {
  for (std::size_t i = 0; i < kind_names.size(); ++i) {
    if (static_cast<std::size_t>(kind_names[i].first) != i) return false;
  }
  return true;
}());

}  // namespace

std::string_view state_name(CallState state) {
  return state_names[static_cast<std::size_t>(state)];
}

std::optional<CallState> find_state(std::string_view name) {
  const auto at = std::find(state_names.begin(), state_names.end(), name);
  if (at == state_names.end()) return std::nullopt;
  return static_cast<CallState>(at - state_names.begin());
}

std::string_view kind_name(ValueKind kind) {
  return kind_names[static_cast<std::size_t>(kind)].second;
}

std::optional<ValueKind> find_kind(std::string_view name) {
  for (const auto& [kind, spelling] : kind_names) {
    if (spelling == name) return kind;
  }
  return std::nullopt;
}

const CallInfo* find_call(std::span<const CallInfo> calls, unsigned number,
                          std::optional<unsigned> subcode) {
  const auto key = std::pair(number, subcode);
  const auto found =
      std::lower_bound(calls.begin(), calls.end(), key, [](const CallInfo& call, const auto& k) {
        return std::tie(call.number, call.subcode) < std::tie(k.first, k.second);
      });
  const bool exact = found != calls.end() && found->number == number && found->subcode == subcode;
  return exact ? &*found : nullptr;
}

}  // namespace hardclock
