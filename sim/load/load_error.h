// Why a file could not be loaded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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

// Its segments need more than `most` bytes, which is LoadOptions::memory.
inline LoadError too_much_memory(std::uint64_t most) {
  return {LoadError::Kind::memory, "segments: together they need more than the " +
                                       std::to_string(most) +
                                       " bytes of memory that are left; raise --max-memory"};
}

// The file, of `size` bytes, ends before its content, where `part` ("text ends") at byte `end`.
inline LoadError truncated_file(std::uint64_t size, std::string_view part, std::uint64_t end) {
  return {LoadError::Kind::truncated, "the file is truncated: it has " + std::to_string(size) +
                                          " bytes and should have at least " + std::to_string(end) +
                                          ", where its " + std::string(part) +
                                          "; copy it again, in binary mode"};
}

}  // namespace hardclock
