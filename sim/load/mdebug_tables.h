// The tables of .mdebug, MIPS's older symbol table. Layout: binutils include/coff/sym.h (HDRR, FDR,
// PDR, SYMR) and include/coff/mips.h. Internal to what reads ELF files.
#pragma once

#include <libelf.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "sim/load/file_window.h"

namespace hardclock {

// The offset of the symbolic header in the file; nullopt: it is no big-endian 32-bit MIPS file with
// such tables.
std::optional<std::uint64_t> find_mdebug(Elf* elf);

// Without what the file does not have.
struct MdebugTables {
  using Bytes = std::span<const std::uint8_t>;
  // Bytes of the descriptors of a source file and of a procedure.
  static constexpr std::size_t file_bytes = 72, procedure_bytes = 52;

  Bytes lines, procedures, symbols, strings, files;
};

std::optional<MdebugTables> read_mdebug_tables(FileWindow& file, std::uint64_t offset);

struct LocalSymbol {
  std::uint32_t name;  // in its file's strings
  std::uint32_t value;
  unsigned type;
  std::uint32_t index;

  bool is_procedure() const;
};

// The local symbols of one source file.
class SymbolsOfFile {
 public:
  explicit SymbolsOfFile(MdebugTables::Bytes symbols) : symbols_(symbols) {}

  std::size_t count() const;
  LocalSymbol at(std::size_t i) const;
  // The procedure that symbol `i` ends.
  std::optional<LocalSymbol> ended_at(std::size_t i) const;

 private:
  MdebugTables::Bytes symbols_;
};

// What the tables have of one source file.
struct PartOfFile {
  PartOfFile(const MdebugTables& all, MdebugTables::Bytes descriptor);

  // Empty for a file without symbols.
  std::string_view name() const;
  // As GNU's compilers mark it: the lines are among the symbols.
  bool has_stabs() const;

  MdebugTables::Bytes symbols, procedures, lines;
  std::string_view strings;
  std::uint32_t name_offset;  // in `strings`
};

// One procedure's descriptor.
struct MdebugProcedure {
  explicit MdebugProcedure(MdebugTables::Bytes bytes);

  std::uint32_t symbol;  // in its file's symbols
  bool has_lines;
  std::uint32_t first_line;
  std::uint32_t lines_offset;  // in its file's bytes of lines
};

}  // namespace hardclock
