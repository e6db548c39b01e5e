// A guest root of files that are part of hardclock.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace hardclock::host {

// Nobody can write it and it is dated 1970, like the directories above it, so that runs at any time
// show the same.
struct BuiltInFile {
  std::string_view path;                       // without the first slash
  std::span<const std::uint8_t> program = {};  // the content of a file that can be executed
  std::string_view text = {};                  // or of another one
  std::string_view link = {};                  // or where a symbolic link to one of them leads
};

}  // namespace hardclock::host
