// hardclock's own profile format as it is written; json_format.cc says what it is. A part of it.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string_view>

#include "sim/report/profile.h"

namespace hardclock::report {

inline constexpr std::string_view json_profile_name = "hardclock-profile";
inline constexpr std::uint64_t oldest_json_version = 1;
inline constexpr std::uint64_t json_version_of_calls = 2;
inline constexpr std::uint64_t json_version_of_reasons = 3;
inline constexpr std::uint64_t json_version_of_density = 4;

// Piece by piece: a profile may have millions of members.
void write_json_profile(const Profile& profile, std::ostream& out);

}  // namespace hardclock::report
