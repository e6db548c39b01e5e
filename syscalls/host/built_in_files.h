// A guest root of files that are part of hardclock.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hardclock::host {

struct BuiltInFile {
  std::string_view path;                       // without the first slash
  std::span<const std::uint8_t> content = {};  // of a regular file
  std::string_view link = {};                  // or where a symbolic link leads
};

// Writes the files below a new directory: executable, and read-only for everybody. False if that
// fails; the caller removes what there is with the directory around it.
bool make_built_in_root(const std::string& directory, std::span<const BuiltInFile> files);

}  // namespace hardclock::host
