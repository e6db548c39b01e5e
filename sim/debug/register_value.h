// What is in a register, from bit 0 on.
#pragma once

namespace hardclock::debug {

__extension__ using RegisterValue = unsigned __int128;

// What a register of so many bits has room for.
constexpr RegisterValue within(RegisterValue value, unsigned bits) {
  constexpr unsigned all = 128;
  return bits < all ? value & ((RegisterValue{1} << bits) - 1) : value;
}

}  // namespace hardclock::debug
