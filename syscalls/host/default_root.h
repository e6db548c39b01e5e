// A guest root for what every system has and a user's root may lack.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace hardclock::host {

struct DefaultFile {
  std::string_view directory;  // below the root: "etc"
  std::string_view name;
  std::string_view content;
};

// Makes the directory with these files, which nobody can write and which are dated 1970, so that
// runs at any time show the same. Returns false if the host refuses.
bool make_default_root(const std::string& path, std::span<const DefaultFile> files);

}  // namespace hardclock::host
