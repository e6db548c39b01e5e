#include "sim/load/mdebug_tables.h"

#include <elf.h>
#include <gelf.h>

#include "sim/base/endian.h"
#include "sim/load/function_candidates.h"

namespace hardclock {
namespace {

using Bytes = MdebugTables::Bytes;

constexpr std::uint16_t magic_number = 0x7009;  // magicSym
constexpr std::size_t header_bytes = 96, symbol_bytes = 12;
// Types of symbols: stProc, stStaticProc, and stEnd, which has the size of the procedure it ends.
constexpr unsigned procedure_symbol = 6, static_procedure = 14, end_symbol = 8;

std::uint32_t word(Bytes bytes, std::size_t at) {
  return load_bytes<std::uint32_t>(bytes.data() + at, Endian::big);
}

std::uint16_t halfword(Bytes bytes, std::size_t at) {
  return load_bytes<std::uint16_t>(bytes.data() + at, Endian::big);
}

// `count` records of `size` bytes at `offset`; empty if the file or the table does not have them.
Bytes table(FileWindow& file, std::uint64_t offset, std::uint64_t count, std::uint64_t size) {
  return file.part(offset, count * size).value_or(Bytes());
}

Bytes part_of(Bytes table, std::uint64_t offset, std::uint64_t count, std::uint64_t size) {
  if (offset > table.size() || count > (table.size() - offset) / size) return {};
  return table.subspan(offset, count * size);
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

std::optional<MdebugTables> read_mdebug_tables(FileWindow& file, std::uint64_t offset) {
  const Bytes header = table(file, offset, 1, header_bytes);
  if (header.empty() || halfword(header, 0) != magic_number) return std::nullopt;
  return MdebugTables{
      .lines = table(file, word(header, 12), word(header, 8), 1),
      .procedures = table(file, word(header, 28), word(header, 24), MdebugTables::procedure_bytes),
      .symbols = table(file, word(header, 36), word(header, 32), symbol_bytes),
      .strings = table(file, word(header, 60), word(header, 56), 1),
      .files = table(file, word(header, 76), word(header, 72), MdebugTables::file_bytes)};
}

bool LocalSymbol::is_procedure() const {
  return type == procedure_symbol || type == static_procedure;
}

std::size_t SymbolsOfFile::count() const {
  return symbols_.size() / symbol_bytes;
}

LocalSymbol SymbolsOfFile::at(std::size_t i) const {
  const Bytes symbol = symbols_.subspan(i * symbol_bytes, symbol_bytes);
  const std::uint32_t bits = word(symbol, 8);
  return {word(symbol, 0), word(symbol, 4), bits >> 26, bits & 0xfffff};
}

std::optional<LocalSymbol> SymbolsOfFile::ended_at(std::size_t i) const {
  const LocalSymbol end = at(i);
  if (end.type != end_symbol || end.index >= i || !at(end.index).is_procedure()) {
    return std::nullopt;
  }
  return at(end.index);
}

PartOfFile::PartOfFile(const MdebugTables& all, Bytes descriptor)
    : symbols(part_of(all.symbols, std::uint64_t{word(descriptor, 16)} * symbol_bytes,
                      word(descriptor, 20), symbol_bytes)),
      procedures(part_of(all.procedures,
                         std::uint64_t{halfword(descriptor, 40)} * MdebugTables::procedure_bytes,
                         halfword(descriptor, 42), MdebugTables::procedure_bytes)),
      lines(part_of(all.lines, word(descriptor, 64), word(descriptor, 68), 1)),
      name_offset(word(descriptor, 4)) {
  const Bytes own = part_of(all.strings, word(descriptor, 8), word(descriptor, 12), 1);
  strings = {reinterpret_cast<const char*>(own.data()), own.size()};
}

std::string_view PartOfFile::name() const {
  return string_at(strings, name_offset);  // a file without symbols has the offset -1
}

bool PartOfFile::has_stabs() const {
  const SymbolsOfFile all(symbols);
  return all.count() >= 2 && string_at(strings, all.at(1).name) == "@stabs";
}

MdebugProcedure::MdebugProcedure(Bytes bytes)
    : symbol(word(bytes, 4)),
      has_lines(word(bytes, 8) != ~std::uint32_t{0}),
      first_line(word(bytes, 40)),
      lines_offset(word(bytes, 48)) {}

}  // namespace hardclock
