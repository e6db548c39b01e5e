#include "syscalls/host/file_space.h"

#include <filesystem>
#include <system_error>

namespace hardclock::host {

Result<std::string, std::string> current_working_directory() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::current_path(error);
  if (error) {
    return Failure{"working directory: " + error.message() +
                   "; start hardclock from a directory that exists"};
  }
  return path.string();
}

}  // namespace hardclock::host
