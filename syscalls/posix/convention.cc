#include "syscalls/posix/convention.h"

namespace hardclock::posix {
namespace {

// e_flags, EF_MIPS_ABI2 (System V ABI, MIPS supplement, as SGI extended it).
constexpr std::uint32_t n32_flag = 0x20;

// ELFOSABI_HPUX, which HP-UX's own loader demands of ELF files.
constexpr std::uint8_t os_abi_hpux = 1;

const Convention& mips_convention(const Image& image) {
  if (image.address_bits == 64) return mips_n64();
  return (image.flags & n32_flag) != 0 ? mips_n32() : mips_o32();
}

const Convention& pa_risc_convention(const Image& image) {
  if (image.address_bits == 64) return pa_risc_hpux_64();
  const bool is_hpux = image.format == FileFormat::som || image.os_abi == os_abi_hpux;
  return is_hpux ? pa_risc_hpux_32() : pa_risc_linux();
}

}  // namespace

const Convention& convention_of(const Image& image) {
  return image.machine == Machine::pa_risc ? pa_risc_convention(image) : mips_convention(image);
}

}  // namespace hardclock::posix
