// What a profile file format is to the rest of hardclock. A format is one file NAME_format.cc that
// defines NAME_format(), and one line in formats.def.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/base/endian.h"
#include "sim/base/result.h"
#include "sim/report/profile.h"

namespace hardclock::report {

// How sure a format is that bytes are its own.
enum class Match : std::uint8_t {
  no,
  possible,  // the layout is plausible, but the format has no magic number
  certain,
};

struct Format {
  std::string_view name;    // for messages: "System V mon.out"
  std::string_view suffix;  // ".json", or a conventional file name, "mon.out"
  bool has_magic = true;    // false: match() never says certain

  Match (*match)(std::span<const std::uint8_t> bytes) = nullptr;
  // One line errors, without the format's name. `order` as for read_profile.
  Result<Profile, std::string> (*read)(std::span<const std::uint8_t> bytes,
                                       std::optional<Endian> order) = nullptr;
  Result<std::string, std::string> (*write)(const Profile& profile) = nullptr;
};

#define HARDCLOCK_FORMAT(name) Format name##_format();
#include "sim/report/formats.def"
#undef HARDCLOCK_FORMAT

}  // namespace hardclock::report
