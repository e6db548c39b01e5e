#include "sim/load/source_lines.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "sim/base/endian.h"
#include "sim/load/ecoff_file.h"
#include "sim/load/elf_file.h"
#include "sim/load/line_readers.h"
#include "sim/load/mdebug_tables.h"

namespace hardclock {
namespace {

void add_ecoff_lines(FileWindow& file, LineTableBuilder& lines) {
  const auto header = read_ecoff_header(file);
  if (header && header->symbols_offset != 0) {
    add_mdebug_lines(file, header->symbols_offset, header->order, lines);
  }
}

// Returns SourceLines::objection.
std::string add_elf_lines(FileWindow& file, LineTableBuilder& lines) {
  const auto opened = open_elf(file);
  if (!opened) return {};
  if (has_dwarf_lines(*opened, file)) return add_dwarf_lines(*opened, file, lines);
  if (const auto mdebug = find_mdebug(opened->elf.get())) {
    add_mdebug_lines(file, *mdebug, Endian::big, lines);
  }
  return {};
}

}  // namespace

SourceLines read_source_lines(FileWindow& file) {
  LineTableBuilder builder;
  SourceLines lines;
  const auto front = file.part(0, std::min<std::uint64_t>(file.size(), 4));
  if (front && is_ecoff(*front)) {
    add_ecoff_lines(file, builder);
  } else {
    lines.objection = add_elf_lines(file, builder);
  }
  if (builder.is_full() && lines.objection.empty()) {
    lines.objection = "it has more lines or source files than hardclock keeps; some have none here";
  }
  lines.table = std::move(builder).finish();
  return lines;
}

}  // namespace hardclock
