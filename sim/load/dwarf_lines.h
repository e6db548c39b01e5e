// The lines of DWARF, versions 2 to 5, by libdw. Internal to source_lines.h.
#pragma once

#include <string>

#include "sim/load/elf_file.h"
#include "sim/load/file_window.h"
#include "sim/load/line_table.h"

namespace hardclock {

bool has_dwarf_lines(const ElfFile& elf, FileWindow& file);

// Adds the lines of the compilation units. Returns why some are missing (SourceLines::objection).
// libdw trusts a file with its time and memory: this looks first at what it would take.
std::string add_dwarf_lines(const ElfFile& elf, FileWindow& file, LineTableBuilder& lines);

}  // namespace hardclock
