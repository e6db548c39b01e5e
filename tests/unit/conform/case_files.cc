#include "tests/unit/conform/case_files.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace hardclock::conform {

// The source tree is found through one of its own files: Bazel's runfiles are links to them.
std::string case_file(std::string_view name) {
  std::error_code error;
  const auto own = std::filesystem::canonical("syscalls/irix/syscalls.master", error);
  std::ifstream file(own.parent_path() / "../../../shared/conformance" / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace hardclock::conform
