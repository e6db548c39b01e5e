#include "sim/load/format_name.h"

#include <elf.h>

namespace hardclock {

std::string_view abi_name(const Image& image) {
  if (image.architecture != Architecture::mips || image.format != FileFormat::elf) return "";
  if (image.address_bits == 64) return "n64";
  return (image.flags & EF_MIPS_ABI2) != 0 ? "n32" : "o32";
}

}  // namespace hardclock
