#include "sim/load/source_lines.h"

#include <elf.h>

#include <utility>

#include "sim/load/dwarf_lines.h"
#include "sim/load/elf_file.h"
#include "sim/load/mdebug_lines.h"
#include "sim/load/mdebug_tables.h"

namespace hardclock {

SourceLines read_source_lines(FileWindow& file) {
  const auto opened = open_elf(file);
  if (!opened) return {};
  LineTableBuilder builder;
  SourceLines lines;
  if (has_dwarf_lines(*opened, file)) {
    lines.objection = add_dwarf_lines(*opened, file, builder);
  } else if (const auto mdebug = find_mdebug(opened->elf.get())) {
    add_mdebug_lines(file, *mdebug, builder);
  }
  if (builder.is_full() && lines.objection.empty()) {
    lines.objection = "it has more lines or source files than hardclock keeps; some have none here";
  }
  lines.table = std::move(builder).finish();
  return lines;
}

}  // namespace hardclock
