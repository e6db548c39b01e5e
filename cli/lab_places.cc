#include "cli/lab_places.h"

#include <algorithm>

#include "cli/usage_error.h"
#include "cli/values.h"

namespace hardclock {

Result<std::pair<GuestAddr, GuestAddr>, std::string> profiled_range(const std::string& where,
                                                                    const Image& image) {
  if (where == "text") {
    GuestAddr from(~std::uint64_t{0}), to(0);
    for (const Segment& segment : image.segments) {
      if (!segment.permissions.execute) continue;
      from = std::min(from, segment.address);
      to = std::max(to, segment.address + segment.memory_size);
    }
    if (from < to) return std::pair(from, to);
    return Failure{std::string("--profil: the program has no text; name a range")};
  }
  if (const Symbol* const symbol = image.symbols.find(where)) {
    const auto stretch = image.symbols.stretch_at(symbol->address);
    const GuestAddr end = symbol->size != 0 ? symbol->address + symbol->size : stretch.end;
    return std::pair(symbol->address, end);
  }
  const std::size_t dash = where.find('-');
  if (dash != std::string::npos) {
    const auto from = parse_address(where.substr(0, dash));
    const auto to = parse_address(where.substr(dash + 1));
    if (from && to && *from < *to) return std::pair(*from, *to);
  }
  return Failure{"--profil: the program has no function '" + printable(where) +
                 "'; name one, or text, or a range like 0x400100-0x400200"};
}

std::optional<lab::Place> lab_place(std::string_view where, const Image& image,
                                    const std::string& path) {
  const auto address = [&](std::optional<GuestAddr> pc) -> std::optional<lab::Place> {
    if (!pc) return std::nullopt;
    return lab::Place{*pc, false, path};
  };
  if (where.starts_with("0x")) return address(parse_address(where));
  const std::size_t plus = where.find('+');
  const Symbol* const symbol = image.symbols.find(where.substr(0, plus));
  if (symbol == nullptr) return std::nullopt;
  if (plus == std::string_view::npos) return lab::Place{symbol->address, true, path};
  const auto more = parse_address(where.substr(plus + 1));
  return more ? address(symbol->address + more->value()) : std::nullopt;
}

}  // namespace hardclock
