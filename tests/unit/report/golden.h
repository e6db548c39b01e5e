// Profile files of every classic format with what is in them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/report/profile.h"

namespace hardclock::report {

struct Golden {
  std::string_view name;    // in tests/formats/profile-files.json
  std::string_view format;  // as read_profile() takes it
  std::string_view hex;
  Profile profile;

  Target target() const { return {profile.byte_order, profile.address_bits}; }
};

// Source: the vectors of tests/formats/profile-files.json; the layouts' sources are in
// each format's file. The System V one in little endian is the big-endian one with the bytes of
// each field reversed, and named "".
const std::vector<Golden>& golden_files();

}  // namespace hardclock::report
