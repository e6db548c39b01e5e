// The interface between a profile file format and the rest of hardclock. A format is one file
// NAME_format.cc that defines NAME_format(), and one line in formats.def.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.h"
#include "sim/report/profile.h"

namespace hardclock::report {

// How sure a format is that a file is in it.
enum class Match : std::uint8_t {
  no,
  likely,   // everything in the file makes sense, but the format has no magic number
  certain,  // the magic number is there; the rest may be damaged
};

struct Recognition {
  Match match = Match::no;
  std::string objection;  // for `no` in formats without a magic number: what speaks against it
};

struct Format {
  std::string_view name;                   // for the user to type: "sysv"
  std::string_view title;                  // for messages: "System V mon.out"
  std::vector<std::string_view> suffixes;  // ".json", or a conventional file name, "mon.out"
  bool has_tick_rate = false;              // it holds a rate from which readers compute seconds

  Recognition (*recognize)(std::span<const std::uint8_t> bytes, const Target& target) = nullptr;
  // One-line errors, without the format's name. Refuses only what the format's layout excludes.
  Result<Profile, std::string> (*read)(std::span<const std::uint8_t> bytes,
                                       const Target& target) = nullptr;
  Result<std::string, std::string> (*write)(const Profile& profile) = nullptr;
  // Instead of `write`, of what may be large and refuses nothing. Null: it is written at once.
  void (*stream)(const Profile& profile, std::ostream& out) = nullptr;
};

#define HARDCLOCK_FORMAT(name) Format name##_format();
#include "sim/report/formats.def"
#undef HARDCLOCK_FORMAT

}  // namespace hardclock::report
