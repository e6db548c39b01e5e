// The names of the formats of program files and of their ABIs, for people.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/load/image.h"

namespace hardclock {

inline std::string_view format_name(FileFormat format) {
  switch (format) {
    case FileFormat::elf:
      return "ELF";
    case FileFormat::ecoff:
      return "ECOFF";
    case FileFormat::som:
      return "SOM";
  }
  return "unknown";
}

// Empty: the format has one alone on the file's processor.
inline std::string_view abi_name(const Image& image) {
  // EF_MIPS_ABI2 (System V ABI, MIPS supplement, as SGI extended it).
  constexpr std::uint32_t n32_flag = 0x20;
  if (image.architecture != Architecture::mips || image.format != FileFormat::elf) return "";
  if (image.address_bits == 64) return "n64";
  return (image.flags & n32_flag) != 0 ? "n32" : "o32";
}

}  // namespace hardclock
