// The readers of source_lines.h: of each kind of debug information.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/endian.h"
#include "sim/load/elf_file.h"
#include "sim/load/file_window.h"
#include "sim/load/line_table.h"

namespace hardclock {

// ---- DWARF, versions 2 to 5, by libdw.

bool has_dwarf_lines(const ElfFile& elf, FileWindow& file);

// Adds the lines of the compilation units. Returns why some are missing (SourceLines::objection).
// libdw trusts a file with its time and memory: this looks first at what it would take.
std::string add_dwarf_lines(const ElfFile& elf, FileWindow& file, LineTableBuilder& lines);

// ---- .mdebug, as IRIX's o32 compilers write it: the lines of procedures.

// Adds the lines of the table at `offset` of a `file` of this byte order. Corrupt entries are left
// out, and what GNU tools wrote there as stabs.
void add_mdebug_lines(FileWindow& file, std::uint64_t offset, Endian order,
                      LineTableBuilder& lines);

}  // namespace hardclock
