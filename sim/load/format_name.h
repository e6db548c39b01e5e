// The names of the formats of program files, for people.
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

}  // namespace hardclock
