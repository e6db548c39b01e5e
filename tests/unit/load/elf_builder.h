// Builds small ELF files for tests, right or wrong ones: every header field is the test's to set.
#pragma once

#include <elf.h>
#include <gelf.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/endian.h"

namespace hardclock::testing {

// The bytes of a file, with numbers written in its byte order; grows as needed.
struct FileBytes {
  Endian order = Endian::big;
  std::vector<std::uint8_t> bytes;

  template <class T>
  void put(std::size_t offset, T value) {
    if (bytes.size() < offset + sizeof value) bytes.resize(offset + sizeof value);
    store_bytes(bytes.data() + offset, value, order);
  }
  void put_bytes(std::size_t offset, std::string_view content) {
    if (bytes.size() < offset + content.size()) bytes.resize(offset + content.size());
    for (std::size_t i = 0; i < content.size(); ++i) {
      bytes[offset + i] = static_cast<std::uint8_t>(content[i]);
    }
  }
};

// File offsets of header fields of a file built by ElfBuilder, for 32-bit files.
#define EHDR_FIELD(field) offsetof(Elf32_Ehdr, field)
#define PHDR_FIELD(index, field) \
  (sizeof(Elf32_Ehdr) + (index) * sizeof(Elf32_Phdr) + offsetof(Elf32_Phdr, field))

struct SymbolSpec {
  std::string name;
  std::uint32_t value = 0;
  std::uint32_t size = 0;
  unsigned type = STT_FUNC;
  unsigned binding = STB_GLOBAL;
  std::uint16_t section = 1;
};

// A file with the layout: ELF header, program headers, content placed by the test, sections.
class ElfBuilder {
 public:
  explicit ElfBuilder(Endian order = Endian::big, unsigned elf_class = ELFCLASS32);

  GElf_Ehdr header{};
  std::vector<GElf_Phdr> program_headers;
  std::vector<GElf_Shdr> sections;  // number 0 is the null section

  // Adds a program header and returns its number.
  unsigned add_program_header(GElf_Word type, GElf_Word flags, GElf_Off offset, GElf_Addr address,
                              GElf_Xword file_size, GElf_Xword memory_size);
  // Content of the file, independent of any header.
  void place(std::size_t offset, std::string_view content) { file_.put_bytes(offset, content); }
  // Adds a section whose content is appended to the file by build(); returns its number.
  unsigned add_section(GElf_Word type, GElf_Xword flags, std::string content, GElf_Word link = 0,
                       GElf_Xword entry_size = 0);
  // Adds a symbol table (SHT_SYMTAB or SHT_DYNSYM) with its string table; returns its number.
  // 32-bit files only.
  unsigned add_symbols(GElf_Word type, const std::vector<SymbolSpec>& symbols);

  FileBytes build() const;

 private:
  bool is_64() const { return header.e_ident[EI_CLASS] == ELFCLASS64; }
  void put_header(FileBytes& file) const;
  void put_program_header(FileBytes& file, std::size_t offset, const GElf_Phdr& p) const;
  void put_section_header(FileBytes& file, std::size_t offset, const GElf_Shdr& s) const;

  FileBytes file_;
  std::vector<std::string> section_content_;
};

// The program most tests start from, MIPS o32, 0x300 bytes and its section table:
//   program header 0: PT_LOAD, file 0..0x200 at 0x400000, r-x; entry 0x400100
//   program header 1: PT_LOAD, file 0x200..0x300 at 0x10000000, 0x1000 bytes, rw-
//   section 1: .text, 0x400100..0x400200; section 2: .data, 0x10000000..0x10000100
ElfBuilder tiny_program(Endian order = Endian::big);

// The symbols of tiny_program() with symbols: "start" and "work", functions at 0x400100 (0x20
// bytes) and 0x400120 (0x40 bytes).
std::vector<SymbolSpec> tiny_symbols();

}  // namespace hardclock::testing
