// HP-UX with a process whose processor runs nothing.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>

#include "syscalls/hpux/hpux.h"
#include "syscalls/posix/state.h"
#include "tests/support/pa_risc_process.h"

namespace hardclock::hpux::testing {

inline constexpr std::uint64_t text = 0x1000, data = 0x40001000;
inline constexpr std::uint64_t gateway = 0xc0000000;

// A page of code and one of data, for PA-RISC 1.1, or in 64 bits for 2.0.
inline Image program_image(unsigned address_bits = 32) {
  Image image;
  image.format = address_bits == 32 ? FileFormat::som : FileFormat::elf;
  image.architecture = Architecture::pa_risc;
  image.address_bits = address_bits;
  image.flags = address_bits == 32 ? 0x210 : 0x80214;
  image.os_abi = 1;
  image.page_zero_reads_zero = true;
  image.entry = GuestAddr(text + 0x10);
  image.segments = {{GuestAddr(text), page_size, {.read = true, .execute = true}, {}},
                    {GuestAddr(data), page_size, {.read = true, .write = true}, {}}};
  return image;
}

class Machine : public support::PaRiscProcess {
 public:
  explicit Machine(const Image& image = program_image(), host::FileSpace files = {})
      : PaRiscProcess(
            hpux_system(), std::move(files),
            {"/prog", std::make_shared<const Image>(image), {"prog", "x"}, {"A=b", "C=d"}}) {}

  // As a stub of the C library does it: through an entry of the gateway page, from 0x1020.
  void enter(unsigned number, std::uint64_t entry = 4) {
    gpr(22) = number;
    gpr(31) = (text + 0x20) | 3;
    registers().set_pc(gateway + entry);
    kernel->system_call(thread());
  }
  // The error's number, or nothing; with the arguments in registers, then on the stack.
  std::optional<std::uint64_t> call(unsigned number,
                                    std::initializer_list<std::uint64_t> arguments) {
    const bool is_wide = process->image->address_bits == 64;
    unsigned index = 0;
    for (const std::uint64_t argument : arguments) {
      if (index < 4 || is_wide) {
        gpr(26 - index) = argument;
        // Where the number takes the fifth's register, its home has it.
        if (index == 4) {
          gpr(29) = gpr(30);
          if (!memory().write(GuestAddr(gpr(29) - 32), argument)) failure = "no stack";
        }
      } else {
        const GuestAddr at(gpr(30) - 52 - 4 * (index - 4));
        if (!memory().write(at, static_cast<std::uint32_t>(argument))) failure = "no stack";
      }
      ++index;
    }
    enter(number);
    if (gpr(22) == 0) return std::nullopt;
    return gpr(28);
  }
};

}  // namespace hardclock::hpux::testing
