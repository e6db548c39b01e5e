// The command's own reading of host files (profiles, programs to list). The guest's files are not
// read here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/result.h"

namespace hardclock {

struct FileError {
  std::string message;  // one line: the path, what is wrong, what to do
};

// The whole contents of a regular file or a pipe. Refuses directories, devices, sockets, and files
// of more than `most` bytes.
Result<std::vector<std::uint8_t>, FileError> read_file(const std::string& path, std::uint64_t most);
// All of standard input, of any kind. Its path in messages is "-".
Result<std::vector<std::uint8_t>, FileError> read_standard_input(std::uint64_t most);

}  // namespace hardclock
