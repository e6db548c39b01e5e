// The systems that //tests/guests builds programs for: SYSTEMS of guest.bzl.
#pragma once

#include <string_view>

namespace hardclock::guests {

struct System {
  std::string_view name;  // as --os spells it
  // The linker script of its programs, in this folder; empty: they are SOM files for PA-RISC.
  std::string_view script;
};

inline constexpr System systems[] = {
#include "tests/guests/systems.def"
};

}  // namespace hardclock::guests
