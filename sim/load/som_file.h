// A SOM file, read within its bounds: its tables, and what it says besides its memory, functions
// and libraries. Internal to the loader.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/load/file_window.h"
#include "sim/load/image.h"

namespace hardclock {

// A table that the SOM header names: `count` records of a size that its reader knows, or bytes.
struct SomTable {
  std::uint32_t location = 0;  // file offset
  std::uint32_t count = 0;
};

struct SomHeader {
  std::uint16_t system_id = 0;
  std::uint16_t magic = 0;
  std::uint32_t version_id = 0;
  SomTable aux_headers;  // bytes
  std::uint32_t presumed_dp = 0;
  SomTable subspaces;       // 40-byte records
  SomTable space_strings;   // bytes
  SomTable symbols;         // 20-byte records
  SomTable symbol_strings;  // bytes
};

// A part of a space: code, literals, unwind table, data.
struct SomSubspace {
  std::string_view name;
  std::uint32_t address = 0;
  std::uint32_t size = 0;
};

class SomFile {
 public:
  static constexpr std::uint64_t header_size = 128;

  // `file` has at least header_size bytes and outlives this object; `front` holds those bytes.
  SomFile(FileWindow& file, std::span<const std::uint8_t> front);

  const SomHeader& header() const { return header_; }
  const FileWindow& window() const { return file_; }

  // The number at `offset`, which is within the header.
  std::uint32_t word(std::uint64_t offset) const;
  // The table's bytes, `record_size` for each record. Nullopt if they are not all in the file or
  // are larger than FileWindow::largest_part.
  std::optional<std::span<const std::uint8_t>> content(SomTable table,
                                                       std::uint64_t record_size) const;
  // The same as text; empty if it is not all in the file.
  std::string_view text(SomTable table) const;
  // The first nonempty subspace of that name, or nullopt.
  std::optional<SomSubspace> subspace(std::string_view name) const;

 private:
  FileWindow& file_;
  std::span<const std::uint8_t> front_;
  SomHeader header_;
};

// The 32-bit number at `offset` of a record.
std::uint32_t som_word(std::span<const std::uint8_t> record, std::uint64_t offset);

// ---- Defined in som_symbols.cc.

// Functions from the symbol dictionary and the unwind table; `text` bounds what counts as code.
//
// The dictionary names entry points, and labels of code where no entry point covers the address. A
// code symbol may also be the stub through which other load modules call the entry point of the
// same name; then only the entry point keeps the name. The unwind table gives the bounds, even in
// stripped files. A function that only it knows is called f_ and its address in eight hexadecimal
// digits, so that a profile of a stripped program has a row for each function.
//
// Names keep printable ASCII; every other byte becomes '?'. Corrupt entries are left out.
SymbolTable read_som_symbols(const SomFile& file, const Segment& text);

struct SomLibraries {
  // The list's first entry is the file's own name and is left out, as are corrupt entries.
  std::vector<std::string> names;
  std::string path;  // where to look for them: directories with ':' between
};

// What the dynamic loader header says of the shared libraries; nullopt if there is no such header.
std::optional<SomLibraries> read_som_libraries(const SomFile& file, const Segment& text);

}  // namespace hardclock
