// Where functions begin and end, for whoever follows calls.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/units.h"
#include "sim/memory/address_space.h"

namespace hardclock {

// The addresses [low, high), of one function, or of none that is known. A function may have more
// such ranges, with others between.
struct FunctionRange {
  std::uint64_t low = 0;
  std::uint64_t high = ~std::uint64_t{0};
  std::optional<std::uint64_t> function{};  // where it begins
  // Where calls may enter it, too: behind the instructions that find its data, if the caller has
  // found them.
  std::optional<std::uint64_t> inner_entry{};

  // Whether a call that leads to `pc` is one of the function.
  bool is_entry(std::uint64_t pc) const { return pc == function || pc == inner_entry; }
  bool contains(std::uint64_t pc) const { return pc - low < high - low; }
};

class FunctionFinder {
 public:
  virtual ~FunctionFinder() = default;
  // The range that contains `pc` in the memory; what is mapped there may change. Such a range is
  // never empty.
  virtual FunctionRange find(const AddressSpace& memory, GuestAddr pc) = 0;
};

}  // namespace hardclock
