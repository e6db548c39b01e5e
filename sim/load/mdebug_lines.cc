#include "sim/load/line_readers.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "sim/base/endian.h"
#include "sim/load/mdebug_tables.h"

namespace hardclock {
namespace {

// The packed lines of a procedure from `pc` on: a byte has the difference to the line before in its
// high half, signed, and in its low half the number of instructions less 1. -8 stands for a
// difference of 16 bits in the next two bytes.
void unpack_lines(MdebugTables::Bytes packed, GuestAddr pc, std::int64_t line, std::uint32_t file,
                  LineTableBuilder& lines) {
  constexpr std::uint64_t instruction_bytes = 4;
  for (std::size_t at = 0; at < packed.size();) {
    const std::uint8_t byte = packed[at++];
    int difference = static_cast<std::int8_t>(byte) >> 4;
    if (difference == -8) {
      if (packed.size() - at < 2) return;
      // In either byte order of the file (binutils, bfd/ecoff.c).
      difference = static_cast<std::int16_t>(load_bytes<std::uint16_t>(&packed[at], Endian::big));
      at += 2;
    }
    line += difference;
    const GuestAddr end = pc + ((byte & 15U) + 1) * instruction_bytes;
    const bool is_line = line > 0 && line <= std::int64_t{INT32_MAX};
    lines.add(pc, end, file, is_line ? static_cast<std::uint32_t>(line) : 0);
    pc = end;
  }
}

// Where the lines of each procedure end, for the next ones begin there.
std::vector<std::size_t> starts_of_lines(const PartOfFile& part) {
  std::vector<std::size_t> starts = {part.lines.size()};
  for (std::size_t at = 0; at < part.procedures.size(); at += MdebugTables::procedure_bytes) {
    const MdebugProcedure procedure(part.procedures.subspan(at), part.order);
    if (procedure.has_lines) starts.push_back(procedure.lines_offset);
  }
  std::ranges::sort(starts);
  return starts;
}

// Adds the lines of a file's procedures, whose addresses are in their symbols: those in the
// descriptors are relative to the file, or not, as the link editor pleases.
void add_lines(const PartOfFile& part, LineTableBuilder& lines) {
  const std::vector<std::size_t> starts = starts_of_lines(part);
  const auto file = lines.file(part.name());
  const SymbolsOfFile symbols = part.all_symbols();
  std::size_t room = part.lines.size();  // bytes of lines are of one procedure only
  for (std::size_t at = 0; file && at < part.procedures.size();
       at += MdebugTables::procedure_bytes) {
    const MdebugProcedure procedure(part.procedures.subspan(at), part.order);
    if (!procedure.has_lines || procedure.symbol >= symbols.count()) continue;
    const MdebugSymbol symbol = symbols.at(procedure.symbol);
    const auto end = std::ranges::upper_bound(starts, procedure.lines_offset);
    if (!symbol.is_procedure() || end == starts.end() || *end > part.lines.size()) continue;
    const std::size_t size = *end - procedure.lines_offset;
    if (size > room) return;
    room -= size;
    unpack_lines(part.lines.subspan(procedure.lines_offset, size), GuestAddr(symbol.value),
                 procedure.first_line, *file, lines);
  }
}

}  // namespace

void add_mdebug_lines(FileWindow& file, std::uint64_t offset, Endian order,
                      LineTableBuilder& lines) {
  const auto tables = read_mdebug_tables(file, offset, order);
  if (!tables) return;
  // As above: procedures and lines are of one file only.
  std::size_t room = tables->procedures.size() + tables->lines.size();
  for (std::size_t at = 0; at < tables->files.size(); at += MdebugTables::file_bytes) {
    const PartOfFile part(*tables, tables->files.subspan(at, MdebugTables::file_bytes));
    const std::size_t size = part.procedures.size() + part.lines.size();
    if (size > room) return;
    room -= size;
    if (!part.name().empty() && !part.has_stabs()) add_lines(part, lines);
  }
}

}  // namespace hardclock
