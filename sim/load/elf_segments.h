// What an ELF file's program headers lead to besides its memory: what its dynamic section says to a
// dynamic linker, and its notes of the system that it was made for. Internal to the loader.
#pragma once

#include <gelf.h>

#include <cstdint>
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

// Whether a note of a PT_NOTE segment is the GNU ABI tag of Linux: name "GNU", type 1, and 0 as its
// first word (Linux Standard Base Core Specification 5.0, generic, section 11.8, ".note.ABI-tag").
// The GNU C library's start code brings it into every program. Corrupt notes and segments with more
// than 64 KiB of notes are skipped.
bool has_linux_abi_tag(const std::vector<GElf_Phdr>& headers, FileWindow& file, Endian endian);

// Whether GNU tools made a MIPS program for a system other than IRIX. The evidence is a segment or
// section that only they write, or the O32 mark in `flags`, which GNU's assembler leaves out for
// IRIX (binutils, gas/config/tc-mips.c, USE_E_MIPS_ABI_O32). A program with that mark alone counts
// as linked for IRIX if its data is where IRIX's link editor puts it.
bool is_of_gnu_tools(Elf* elf, FileWindow& file, const std::vector<GElf_Phdr>& headers,
                     std::uint32_t flags);

}  // namespace hardclock
