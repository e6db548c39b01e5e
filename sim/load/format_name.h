// The names of the formats of program files and of their ABIs, for people.
#pragma once

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

// "o32". Empty: the format has one alone on the file's processor.
std::string_view abi_name(const Image& image);

}  // namespace hardclock
