// Another size of a cache than a machine has: what --cache says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hardclock {

struct CacheChange {
  std::string level;       // "l1", "l1i", "l1d", "l2" or "l3"
  std::uint64_t size = 0;  // bytes
  std::uint32_t line = 0;  // bytes
  std::uint32_t ways = 0;

  bool operator==(const CacheChange&) const = default;
};

// LEVEL=SIZE,LINE,WAYS, SIZE and LINE with k or K for 1024 and m or M for its square:
// "l1d=16k,32,2". Every number is from 1 to 2^30; whether there can be such a cache is not checked.
// nullopt: the text does not have that form.
std::optional<CacheChange> parse_cache_change(std::string_view text);

// That form, SIZE in the largest unit that divides it: equal changes have equal texts.
std::string to_text(const CacheChange& change);

}  // namespace hardclock
