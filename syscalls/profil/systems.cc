#include <algorithm>
#include <array>
#include <vector>

#include "sim/base/check.h"
#include "syscalls/profil/aix.h"
#include "syscalls/profil/bsd211.h"
#include "syscalls/profil/bsd41.h"
#include "syscalls/profil/bsd42.h"
#include "syscalls/profil/bsd43.h"
#include "syscalls/profil/bsd44.h"
#include "syscalls/profil/glibc.h"
#include "syscalls/profil/hpux.h"
#include "syscalls/profil/irix.h"
#include "syscalls/profil/solaris.h"
#include "syscalls/profil/system.h"
#include "syscalls/profil/v7.h"

namespace hardclock::profil {

std::span<const System* const> systems() {
  static const std::array all = {
      &v7_system(),         // 1979
      &bsd41_system(),      // 1981
      &bsd42_system(),      // 1983
      &bsd43_system(),      // 1986
      &bsd211_system(),     // 1991
      &bsd44_system(),      // 1993
      &irix_system(),       // IRIX 5.3, 1994
      &solaris25_system(),  // 1995
      &solaris_system(),    // Solaris 2.6, 1997
      &aix_system(),        // AIX 4.3, 1997
      &hpux_system(),       // HP-UX 11i, 2000
  };
  return all;
}

std::span<const System* const> systems_and_libraries() {
  static const std::vector<const System*> all = [] {
    std::vector<const System*> made(systems().begin(), systems().end());
    made.push_back(&glibc_system());
    return made;
  }();
  return all;
}

const System* find_system(std::string_view name) {
  const auto all = systems_and_libraries();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const System* s) { return s->name == name; });
  return found == all.end() ? nullptr : *found;
}

std::chrono::microseconds tick_period(const Sprofil& sprofil, std::uint32_t flags, Hertz tick_rate,
                                      Hertz fast_tick_rate) {
  const bool is_fast = (flags & sprofil.fast_flag) != 0 && fast_tick_rate != Hertz(0);
  const Hertz rate = is_fast ? fast_tick_rate : tick_rate;
  CHECK(rate != Hertz(0));
  constexpr std::uint64_t kMicroseconds = 1'000'000;
  return std::chrono::microseconds(kMicroseconds / rate.value());
}

}  // namespace hardclock::profil
