// Sound programs and dynamic linkers to start from: small, with all that exec reads.
#pragma once

#include <elf.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/base/endian.h"

namespace hardclock::fuzzing {

struct ElfKind {
  unsigned elf_class;
  std::uint32_t flags;  // e_flags
};
// o32, n32 (EF_MIPS_ABI2) and n64, of MIPS II and IV.
inline constexpr std::array<ElfKind, 3> elf_kinds = {
    {{ELFCLASS32, 0x10001000}, {ELFCLASS32, 0x30000020}, {ELFCLASS64, 0x30000000}}};

struct ElfSeed {
  Endian order = Endian::big;
  ElfKind kind = elf_kinds[0];
  bool shared = false;                // ET_DYN
  std::uint64_t base = 0x400000;      // of the first segment
  std::string_view interpreter = {};  // at most 31 bytes; empty: a static program
};
std::vector<std::uint8_t> make_elf(const ElfSeed& seed);

}  // namespace hardclock::fuzzing
