// An ELF file as libelf sees it. Internal to what reads ELF files.
#pragma once

#include <gelf.h>
#include <libelf.h>

#include <cstdint>
#include <memory>
#include <span>

#include "sim/base/endian.h"
#include "sim/base/result.h"
#include "sim/load/file_window.h"
#include "sim/load/load_error.h"

namespace hardclock {

// Whether `bytes` begins with the ELF magic number.
bool is_elf(std::span<const std::uint8_t> bytes);

struct ElfEnd {
  void operator()(Elf* elf) const { elf_end(elf); }
};

struct ElfFile {
  std::unique_ptr<Elf, ElfEnd> elf;
  GElf_Ehdr header;
};

// Opens a file that outlives the result. libelf takes it as one piece of memory: the parts that it
// reads must be requested of `file` first, the rest is zeros. A section table that is corrupt is
// there as one without sections.
Result<ElfFile, LoadError> open_elf(FileWindow& file);

Endian byte_order(const GElf_Ehdr& header);

}  // namespace hardclock
