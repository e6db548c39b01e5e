#include "tests/unit/load/ecoff_builder.h"

#include <algorithm>
#include <initializer_list>

namespace hardclock::testing {
namespace {

using namespace ecoff;

void put_words(EcoffBytes& file, std::size_t at, std::initializer_list<std::uint32_t> words) {
  for (const std::uint32_t word : words) {
    file.put_word(at, word);
    at += 4;
  }
}

void put_section(EcoffBytes& file, std::size_t index, std::string_view name,
                 std::initializer_list<std::uint32_t> address_size_offset) {
  const std::size_t at = sections + index * section_bytes;
  file.put_text(at, name);
  file.put_word(at + 8, *address_size_offset.begin());  // s_paddr
  put_words(file, at + section_address, address_size_offset);
}

void put_headers(EcoffBytes& file) {
  constexpr std::uint16_t zmagic = 0413, executable = 7, optional_bytes = 56;
  file.put_half(magic, file.order == Endian::big ? 0x160 : 0x162).put_half(section_count, 4);
  file.put_word(symbols_at, symbolic).put_word(symbols_at + 4, 96);
  file.put_half(optional_size, optional_bytes).put_half(flags, executable);
  file.put_half(program_magic, zmagic).put_half(version, 0x30c);
  put_words(file, text_size, {0x1000, 0x100, 0x1000, 0x400200, 0x400000, 0x10000000, 0x10000100});
  put_section(file, 0, ".text", {0x400200, 0x100, text});
  put_section(file, 1, ".init", {0x400300, 0x20, text + 0x100});
  put_section(file, 2, ".data", {0x10000000, 0x100, data});
  put_section(file, last_section, "rsrc", {0, 0, 0});
}

// SYMR: the type is the first field of its last word, six bits long; the index has 20.
void put_symbol(EcoffBytes& file, std::size_t at, std::uint32_t name, std::uint32_t value,
                std::uint32_t type, std::uint32_t index) {
  const bool is_big = file.order == Endian::big;
  put_words(file, at, {name, value, is_big ? type << 26 | index : type | index << 12});
}

void put_symbols(EcoffBytes& file) {
  constexpr std::uint32_t st_global = 1, st_proc = 6, st_end = 8, st_file = 11, st_static_proc = 14;
  constexpr std::uint32_t lines = 0x1300, procedures = 0x1320, symbols = 0x1360, strings = 0x13a0,
                          external_strings = 0x13c0, files = 0x1400, externals = 0x1460;
  file.put_half(symbolic, 0x7009);
  put_words(file, line_bytes, {5, lines});
  put_words(file, procedure_count, {1, procedures});
  put_words(file, symbol_count, {4, symbols});
  put_words(file, string_bytes, {10, strings, 14, external_strings});
  put_words(file, file_count, {1, files});
  put_words(file, external_count, {2, externals});
  // Differences of lines and numbers of instructions less one; -8 has the difference behind it.
  constexpr std::uint8_t packed[] = {0x03, 0x11, 0x81, 0x01, 0x00};
  std::ranges::copy(packed, file.bytes.begin() + lines);
  put_words(file, procedures, {0x400240, 1, 0});
  put_words(file, procedures + 40, {10, 18, 0});
  file.put_text(strings, std::string_view("\0a.c\0work\0", 10));
  put_symbol(file, symbols, 1, 0, st_file, 3);
  put_symbol(file, symbols + 12, 5, 0x400240, st_static_proc, 0);
  put_symbol(file, symbols + 24, 5, 0x20, st_end, 1);
  put_symbol(file, symbols + 36, 1, 0, st_end, 0);
  put_words(file, files, {0x400240, 1, 0, 10, 0, 4});
  file.put_half(files + 42, 1);         // cpd
  put_words(file, files + 64, {0, 5});  // cbLineOffset, cbLine
  file.put_text(external_strings, std::string_view("__start\0datum\0", 14));
  put_symbol(file, externals + 4, 0, 0x400200, st_proc, 0xfffff);
  put_symbol(file, externals + 20, 8, 0x10000000, st_global, 0xfffff);
}

}  // namespace

EcoffBytes& EcoffBytes::put_text(std::size_t offset, std::string_view text) {
  std::ranges::copy(text, bytes.begin() + static_cast<std::ptrdiff_t>(offset));
  return *this;
}

EcoffBytes& EcoffBytes::add_libraries(const std::vector<std::string_view>& paths) {
  std::size_t at = library;
  for (const std::string_view path : paths) {
    const std::size_t words = 2 + path.size() / 4 + 1;
    put_word(at, static_cast<std::uint32_t>(words)).put_word(at + 4, 2).put_text(at + 8, path);
    at += 4 * words;
  }
  put_section(*this, last_section, std::string_view(".lib\0\0\0\0", 8),
              {0, static_cast<std::uint32_t>(at - library), library});
  return *this;
}

EcoffBytes tiny_ecoff(Endian order) {
  EcoffBytes file{order, std::vector<std::uint8_t>(file_size)};
  put_headers(file);
  put_symbols(file);
  return file;
}

}  // namespace hardclock::testing
