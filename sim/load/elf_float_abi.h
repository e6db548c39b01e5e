// How a MIPS ELF file passes floating-point numbers to the functions that it calls: in registers of
// a unit, and which, or as integers ("soft float").
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/load/file_window.h"

namespace hardclock {

struct FloatAbi {
  std::uint8_t value = 0;  // Val_GNU_MIPS_ABI_FP_... (elf.h)
  // In the segment PT_MIPS_ABIFLAGS, which kernel and dynamic linker look at; else only in the
  // attributes, which link editors do.
  bool is_in_segment = false;

  // As `readelf -A` spells it.
  std::string name() const;
};

// Nothing: the file does not say, or is no such file.
std::optional<FloatAbi> read_float_abi(FileWindow& file);

// Whether there is a mode of the processor in which files of both kinds run in one process (glibc
// 2.36, sysdeps/mips/dl-machine-reject-phdr.h, elf_machine_reject_phdr_p(); Linux 6.1,
// arch/mips/kernel/elf.c, arch_check_elf()).
bool can_mix(const std::optional<FloatAbi>& a, const std::optional<FloatAbi>& b);

}  // namespace hardclock
