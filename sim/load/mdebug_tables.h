// The tables of .mdebug, MIPS's older symbol table, which is ECOFF's own. Layout: binutils
// include/coff/sym.h (HDRR, FDR, PDR, SYMR, EXTR) and include/coff/mips.h. Internal to what reads
// program files.
#pragma once

#include <libelf.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/base/endian.h"
#include "sim/load/file_window.h"
#include "sim/load/function_candidates.h"
#include "sim/load/image.h"

namespace hardclock {

// The offset of the symbolic header in the file; nullopt: it is no big-endian 32-bit MIPS file with
// such tables.
std::optional<std::uint64_t> find_mdebug(Elf* elf);

// Without what the file does not have.
struct MdebugTables {
  using Bytes = std::span<const std::uint8_t>;
  // Bytes of the descriptors of a source file and of a procedure, and of an external symbol.
  static constexpr std::size_t file_bytes = 72, procedure_bytes = 52, external_bytes = 16;

  Endian order;
  Bytes lines, procedures, symbols, strings, files, externals, external_strings;
};

// `order` is the file's. Nullopt: there is no symbolic header.
std::optional<MdebugTables> read_mdebug_tables(FileWindow& file, std::uint64_t offset,
                                               Endian order);

// SYMR.
struct MdebugSymbol {
  std::uint32_t name;  // in its file's strings
  std::uint32_t value;
  unsigned type;
  std::uint32_t index;

  bool is_procedure() const;
  bool is_static_procedure() const;
};

// The external symbol number `i` of the tables, which have it.
MdebugSymbol external_symbol(const MdebugTables& tables, std::size_t i);

// The local symbols of one source file.
class SymbolsOfFile {
 public:
  SymbolsOfFile(MdebugTables::Bytes symbols, Endian order) : symbols_(symbols), order_(order) {}

  std::size_t count() const;
  MdebugSymbol at(std::size_t i) const;
  // The procedure that symbol `i` ends.
  std::optional<MdebugSymbol> ended_at(std::size_t i) const;

 private:
  MdebugTables::Bytes symbols_;
  Endian order_;
};

// What the tables have of one source file.
struct PartOfFile {
  PartOfFile(const MdebugTables& all, MdebugTables::Bytes descriptor);

  // Empty for a file without symbols.
  std::string_view name() const;
  // As GNU's compilers mark it: the lines are among the symbols.
  bool has_stabs() const;
  SymbolsOfFile all_symbols() const { return {symbols, order}; }

  Endian order;
  MdebugTables::Bytes symbols, procedures, lines;
  std::string_view strings;
  std::uint32_t name_offset;  // in `strings`
};

// One procedure's descriptor.
struct MdebugProcedure {
  MdebugProcedure(MdebugTables::Bytes bytes, Endian order);

  std::uint32_t symbol;  // in its file's symbols
  bool has_lines;
  std::uint32_t first_line;
  std::uint32_t lines_offset;  // in its file's bytes of lines
};

// ---- The procedures that IRIX's compilers note. Static ones are nowhere else, for SGI's link
// editor leaves local functions out of .symtab.

// Adds the procedures of the tables' source files, as functions whose names yield to others.
// Corrupt entries are left out.
void add_mdebug_procedures(const MdebugTables& tables, const std::vector<Segment>& segments,
                           CandidateList& candidates);

// Adds the procedures among the external symbols, which ELF files have in .symtab.
void add_mdebug_externals(const MdebugTables& tables, const std::vector<Segment>& segments,
                          CandidateList& candidates);

}  // namespace hardclock
