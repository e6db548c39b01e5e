// The sections of a file that libdw reads lines from: present in the window, decompressed, and with
// strings of bounded length. Internal to dwarf_lines.cc.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "sim/base/result.h"
#include "sim/load/elf_file.h"
#include "sim/load/file_window.h"

namespace hardclock {

// The longest path that is read, in bytes; a longer one is cut off. PATH_MAX of IRIX and HP-UX.
inline constexpr std::size_t longest_source_path = 1024;

struct DwarfSections {
  std::span<const std::uint8_t> line, info, abbreviations;
};

// Whether the file has a section of that name. Its names are read first.
bool has_section(const ElfFile& elf, FileWindow& file, std::string_view name);

// Prepares `elf` for libdw. The error is one line: the sections promise too much, or go on in other
// files.
Result<DwarfSections, std::string> prepare_dwarf_sections(const ElfFile& elf, FileWindow& file);

}  // namespace hardclock
