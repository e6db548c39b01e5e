// A guest root of files that are part of hardclock.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace hardclock::host {

struct BuiltInFile {
  std::string_view path;                       // without the first slash
  std::span<const std::uint8_t> program = {};  // the content of a file that can be executed
  std::string_view text = {};                  // or of another one
  std::string_view link = {};                  // or where a symbolic link leads
};

// Makes the directory with these files, which nobody can write and which are dated 1970, so that
// runs at any time show the same. False if the host refuses; the caller removes what there is with
// the directory around it.
bool make_built_in_root(const std::string& directory, std::span<const BuiltInFile> files);

}  // namespace hardclock::host
