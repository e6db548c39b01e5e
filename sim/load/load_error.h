// Why a file could not be loaded.
#pragma once

#include <cstdint>
#include <string>

namespace hardclock {

struct LoadError {
  enum class Kind : std::uint8_t {
    not_executable,  // no program at all: unknown magic, an object file, a core dump
    truncated,       // the headers promise bytes that lie beyond the end of the file
    malformed,       // the headers contradict themselves or each other
    unsupported,     // a program, but of a kind that hardclock does not run
    memory,          // its segments need more memory than the caller allows
  };
  Kind kind = Kind::malformed;
  // One line "where: what", printable ASCII without a final newline; the caller puts
  // "hardclock: PATH: " in front of it.
  std::string message;
};

}  // namespace hardclock
