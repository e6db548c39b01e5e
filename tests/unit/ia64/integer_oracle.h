// What integer instructions of types A and I must give, from the pseudo-code of their pages in the
// manual: each element is an integer of a vector, each register a string of bits. It shares no
// arithmetic with the simulator.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace hardclock::ia64 {

// In the order of the assembly syntax, immediates sign-extended; what an instruction lacks is 0.
using Arguments = std::array<std::uint64_t, 4>;

// The result of the pattern of ia64.decode, or of the relation that a compare of this name has
// ("cmp4_lt", "tbit_z"): 0 or 1. The name must be known.
std::uint64_t expected(std::string_view name, const Arguments& arguments);
bool is_known(std::string_view name);

}  // namespace hardclock::ia64
