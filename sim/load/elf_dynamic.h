// What the dynamic section of an ELF file says to a dynamic linker. Internal to the loader.
#pragma once

#include <gelf.h>

#include <string>
#include <vector>

#include "sim/base/endian.h"
#include "sim/load/file_window.h"

namespace hardclock {

struct ElfDynamic {
  std::string name;                 // DT_SONAME; empty: it has none
  std::vector<std::string> needed;  // DT_NEEDED, in the file's order
  std::string path;                 // DT_RUNPATH, or else DT_RPATH: directories with ':' between
};

// Corrupt entries are left out: the file runs without them. At most 256 names are read, and 64 KiB
// of the section.
ElfDynamic read_elf_dynamic(const std::vector<GElf_Phdr>& headers, FileWindow& file, Endian endian,
                            unsigned address_bits);

}  // namespace hardclock
