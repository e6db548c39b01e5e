#include "syscalls/profil/system.h"

#include "sim/base/check.h"

namespace hardclock::profil {

std::chrono::microseconds tick_period(const Sprofil& sprofil, std::uint32_t flags, Hertz tick_rate,
                                      Hertz fast_tick_rate) {
  const bool is_fast = (flags & sprofil.fast_flag) != 0 && fast_tick_rate != Hertz(0);
  const Hertz rate = is_fast ? fast_tick_rate : tick_rate;
  CHECK(rate != Hertz(0));
  constexpr std::uint64_t microseconds_a_second = 1'000'000;
  return std::chrono::microseconds(microseconds_a_second / rate.value());
}

}  // namespace hardclock::profil
