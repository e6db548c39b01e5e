// What an ELF file's notes say of the system that it was made for.
#pragma once

#include <gelf.h>

#include <cstdint>
#include <vector>

#include "sim/base/endian.h"
#include "sim/load/file_window.h"

namespace hardclock {

// Whether a note of a PT_NOTE segment is the GNU ABI tag of Linux: name "GNU", type 1, and 0 as its
// first word (Linux Standard Base Core Specification 5.0, generic, section 11.8, ".note.ABI-tag").
// The GNU C library's start code brings it into every program. Corrupt notes are passed over, and
// segments of more than 64 KiB of them.
bool has_linux_abi_tag(const std::vector<GElf_Phdr>& headers, FileWindow& file, Endian endian);

// Whether GNU tools made a MIPS program, and not for IRIX: a segment or section that only they
// write, or the O32 mark in `flags`, which GNU's assembler leaves out for IRIX (binutils,
// gas/config/tc-mips.c, USE_E_MIPS_ABI_O32). A program with that mark alone whose data is where
// IRIX's link editor puts it was linked for IRIX all the same.
bool is_of_gnu_tools(Elf* elf, FileWindow& file, const std::vector<GElf_Phdr>& headers,
                     std::uint32_t flags);

}  // namespace hardclock
