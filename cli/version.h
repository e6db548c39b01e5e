// What `hardclock --version` and the manual page say.
#pragma once

#include <string_view>

namespace hardclock {

inline constexpr std::string_view hardclock_version = "0.1";
// ISO date of that version. A constant: the host's clock reaches no output.
inline constexpr std::string_view version_date = "2026-11-21";

}  // namespace hardclock
