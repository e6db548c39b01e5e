#include "sim/load/mdebug_tables.h"

#include <elf.h>
#include <gelf.h>

#include <algorithm>

#include "sim/base/endian.h"

namespace hardclock {
namespace {

using Bytes = MdebugTables::Bytes;

constexpr std::uint16_t magic_number = 0x7009;  // magicSym
constexpr std::size_t header_bytes = 96, symbol_bytes = 12;
// Types of symbols: stProc, stStaticProc, and stEnd, which has the size of the procedure it ends.
constexpr unsigned procedure_symbol = 6, static_procedure = 14, end_symbol = 8;

std::uint32_t word(Bytes bytes, std::size_t at, Endian order) {
  return load_bytes<std::uint32_t>(bytes.data() + at, order);
}

std::uint16_t halfword(Bytes bytes, std::size_t at, Endian order) {
  return load_bytes<std::uint16_t>(bytes.data() + at, order);
}

// `count` records of `size` bytes at `offset`; empty if the file or the table does not have them.
Bytes table(FileWindow& file, std::uint64_t offset, std::uint64_t count, std::uint64_t size) {
  return file.part(offset, count * size).value_or(Bytes());
}

Bytes part_of(Bytes table, std::uint64_t offset, std::uint64_t count, std::uint64_t size) {
  if (offset > table.size() || count > (table.size() - offset) / size) return {};
  return table.subspan(offset, count * size);
}

// Type, storage class and index are fields of one word, which compilers fill from its most
// significant bit down in big-endian files and from the least significant one up in others.
MdebugSymbol symbol_of(Bytes symbol, Endian order) {
  const std::uint32_t bits = word(symbol, 8, order);
  const bool is_big = order == Endian::big;
  return {word(symbol, 0, order), word(symbol, 4, order), is_big ? bits >> 26 : bits & 0x3f,
          is_big ? bits & 0xfffff : bits >> 12};
}

}  // namespace

std::optional<std::uint64_t> find_mdebug(Elf* elf) {
  GElf_Ehdr header;
  if (gelf_getehdr(elf, &header) == nullptr || header.e_machine != EM_MIPS ||
      header.e_ident[EI_CLASS] != ELFCLASS32 || header.e_ident[EI_DATA] != ELFDATA2MSB) {
    return std::nullopt;
  }
  Elf_Scn* section = nullptr;
  while ((section = elf_nextscn(elf, section)) != nullptr) {
    GElf_Shdr section_header;
    if (gelf_getshdr(section, &section_header) != nullptr &&
        section_header.sh_type == SHT_MIPS_DEBUG) {
      return section_header.sh_offset;
    }
  }
  return std::nullopt;
}

std::optional<MdebugTables> read_mdebug_tables(FileWindow& file, std::uint64_t offset,
                                               Endian order) {
  const Bytes header = table(file, offset, 1, header_bytes);
  if (header.empty() || halfword(header, 0, order) != magic_number) return std::nullopt;
  // The header has a table's number of records, then its place in the file.
  const auto table_at = [&](std::size_t at, std::uint64_t record_bytes) {
    return table(file, word(header, at + 4, order), word(header, at, order), record_bytes);
  };
  return MdebugTables{.order = order,
                      .lines = table_at(8, 1),
                      .procedures = table_at(24, MdebugTables::procedure_bytes),
                      .symbols = table_at(32, symbol_bytes),
                      .strings = table_at(56, 1),
                      .files = table_at(72, MdebugTables::file_bytes),
                      .externals = table_at(88, MdebugTables::external_bytes),
                      .external_strings = table_at(64, 1)};
}

bool MdebugSymbol::is_procedure() const {
  return type == procedure_symbol || type == static_procedure;
}

bool MdebugSymbol::is_static_procedure() const {
  return type == static_procedure;
}

MdebugSymbol external_symbol(const MdebugTables& tables, std::size_t i) {
  return symbol_of(tables.externals.subspan(i * MdebugTables::external_bytes + 4, symbol_bytes),
                   tables.order);
}

std::size_t SymbolsOfFile::count() const {
  return symbols_.size() / symbol_bytes;
}

MdebugSymbol SymbolsOfFile::at(std::size_t i) const {
  return symbol_of(symbols_.subspan(i * symbol_bytes, symbol_bytes), order_);
}

std::optional<MdebugSymbol> SymbolsOfFile::ended_at(std::size_t i) const {
  const MdebugSymbol end = at(i);
  if (end.type != end_symbol || end.index >= i || !at(end.index).is_procedure()) {
    return std::nullopt;
  }
  return at(end.index);
}

PartOfFile::PartOfFile(const MdebugTables& all, Bytes descriptor)
    : order(all.order),
      symbols(part_of(all.symbols, std::uint64_t{word(descriptor, 16, order)} * symbol_bytes,
                      word(descriptor, 20, order), symbol_bytes)),
      procedures(
          part_of(all.procedures,
                  std::uint64_t{halfword(descriptor, 40, order)} * MdebugTables::procedure_bytes,
                  halfword(descriptor, 42, order), MdebugTables::procedure_bytes)),
      lines(part_of(all.lines, word(descriptor, 64, order), word(descriptor, 68, order), 1)),
      name_offset(word(descriptor, 4, order)) {
  const Bytes own =
      part_of(all.strings, word(descriptor, 8, order), word(descriptor, 12, order), 1);
  strings = {reinterpret_cast<const char*>(own.data()), own.size()};
}

std::string_view PartOfFile::name() const {
  return string_at(strings, name_offset);  // a file without symbols has the offset -1
}

bool PartOfFile::has_stabs() const {
  const SymbolsOfFile all = all_symbols();
  return all.count() >= 2 && string_at(strings, all.at(1).name) == "@stabs";
}

MdebugProcedure::MdebugProcedure(Bytes bytes, Endian order)
    : symbol(word(bytes, 4, order)),
      has_lines(word(bytes, 8, order) != ~std::uint32_t{0}),
      first_line(word(bytes, 40, order)),
      lines_offset(word(bytes, 48, order)) {}

namespace {

// Returns false if the list is full. The size is cut off at the end of the segment; 0: unknown.
bool add_procedure(const MdebugSymbol& procedure, std::string_view strings, std::uint64_t size,
                   Rank rank, const std::vector<Segment>& segments, CandidateList& candidates) {
  const GuestAddr address(procedure.value);
  const Segment* const segment = find_segment(segments, address);
  const std::string_view name = string_at(strings, procedure.name);
  if (segment == nullptr || !segment->permissions.execute || name.empty()) return true;
  const std::uint64_t room = segment->memory_size - (address - segment->address);
  return candidates.add(address, std::min(size, room), name, rank);
}

// Returns false if the list is full.
bool add_procedures(const SymbolsOfFile& symbols, std::string_view strings,
                    const std::vector<Segment>& segments, CandidateList& candidates) {
  for (std::size_t i = 0; i < symbols.count(); ++i) {
    const auto procedure = symbols.ended_at(i);
    if (procedure && !add_procedure(*procedure, strings, symbols.at(i).value, Rank::local_function,
                                    segments, candidates)) {
      return false;
    }
  }
  return true;
}

}  // namespace

void add_mdebug_procedures(const MdebugTables& tables, const std::vector<Segment>& segments,
                           CandidateList& candidates) {
  // A symbol is of one file only; files over files would cost time without end.
  std::size_t room = tables.symbols.size();
  for (std::size_t at = 0; at < tables.files.size(); at += MdebugTables::file_bytes) {
    const PartOfFile part(tables, tables.files.subspan(at, MdebugTables::file_bytes));
    if (part.symbols.size() > room) return;
    room -= part.symbols.size();
    if (!add_procedures(part.all_symbols(), part.strings, segments, candidates)) return;
  }
}

void add_mdebug_externals(const MdebugTables& tables, const std::vector<Segment>& segments,
                          CandidateList& candidates) {
  const std::string_view strings(reinterpret_cast<const char*>(tables.external_strings.data()),
                                 tables.external_strings.size());
  const std::size_t count = tables.externals.size() / MdebugTables::external_bytes;
  for (std::size_t i = 0; i < count; ++i) {
    const MdebugSymbol symbol = external_symbol(tables, i);
    if (!symbol.is_procedure()) continue;
    const Rank rank = symbol.is_static_procedure() ? Rank::local_function : Rank::global_function;
    if (!add_procedure(symbol, strings, 0, rank, segments, candidates)) return;
  }
}

}  // namespace hardclock
