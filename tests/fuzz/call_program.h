// A fuzz input as a MIPS program that makes system calls with hostile arguments, under one of the
// systems.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/base/endian.h"
#include "sim/load/image.h"
#include "sim/memory/page.h"
#include "syscalls/mips/abi.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::fuzzing {

// A system on MIPS with one of its data models and byte orders.
struct Variant {
  const posix::UnixSystem* system;
  mips_ports::DataModel model;
  Endian endian;
};
// All that programs exist for.
const std::vector<Variant>& variants();

// How an input is read: the header, then so many calls of call_bytes each as the header says, then
// pairs of bytes, a word of the program's data each.
inline constexpr std::size_t header_bytes = 3;  // variant, options, calls
inline constexpr std::size_t call_bytes = 2 + 2 * max_call_slots;
inline constexpr std::size_t most_calls = 24;
enum Option : std::uint8_t { with_strace = 1, with_streams = 2 };

// Where the program lies: low enough for a PDP-11's 64 KiB, and for an offset from register 0.
inline constexpr std::uint64_t text_base = 0x1000;
inline constexpr std::uint64_t arguments_base = 0x3000;  // read-only
inline constexpr std::uint64_t results_base = 0x4000;
inline constexpr std::uint64_t strings_base = 0x4200;
inline constexpr std::uint64_t words_base = 0x5000;
inline constexpr std::uint64_t data_end = 0x6000;

struct CallProgram {
  Variant variant;
  std::uint8_t options = 0;  // of Option
  std::shared_ptr<const Image> image;
};

// Every input is a program. `paths` are further names for it to try.
CallProgram read_program(std::span<const std::uint8_t> input, std::span<const std::string> paths);

}  // namespace hardclock::fuzzing
