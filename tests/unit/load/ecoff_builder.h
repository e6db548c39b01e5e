// A small MIPS ECOFF program for tests, byte by byte from the format's description, to be spoiled
// at will.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/base/endian.h"

namespace hardclock::testing {

// Where tiny_ecoff() has what.
namespace ecoff {
inline constexpr std::size_t magic = 0, section_count = 2, symbols_at = 8, optional_size = 16,
                             flags = 18;
// The optional header's fields.
inline constexpr std::size_t program_magic = 20, version = 22, text_size = 24, data_size = 28,
                             bss_size = 32, entry = 36, text_address = 40, data_address = 44,
                             bss_address = 48;
// Section headers of 40 bytes: .text, .init, .data, and one that is .lib in a program that uses
// static shared libraries.
inline constexpr std::size_t sections = 76, section_bytes = 40, section_address = 12,
                             section_size = 16, section_offset = 20, last_section = 3;
inline constexpr std::size_t text = 0x200, data = 0x1000, library = 0x1100, symbolic = 0x1200,
                             file_size = 0x1600;
// The symbolic header's fields: numbers and places of tables.
inline constexpr std::size_t line_bytes = symbolic + 8, procedure_count = symbolic + 24,
                             symbol_count = symbolic + 32, string_bytes = symbolic + 56,
                             external_string_bytes = symbolic + 64, file_count = symbolic + 72,
                             external_count = symbolic + 88;
}  // namespace ecoff

struct EcoffBytes {
  Endian order = Endian::big;
  std::vector<std::uint8_t> bytes;

  template <class T>
  EcoffBytes& put(std::size_t offset, T value) {
    store_bytes(bytes.data() + offset, value, order);
    return *this;
  }
  EcoffBytes& put_half(std::size_t offset, std::uint16_t value) { return put(offset, value); }
  EcoffBytes& put_word(std::size_t offset, std::uint32_t value) { return put(offset, value); }
  EcoffBytes& put_text(std::size_t offset, std::string_view text);
  // Makes the last section .lib, with entries for these paths.
  EcoffBytes& add_libraries(const std::vector<std::string_view>& paths);
};

// ZMAGIC for MIPS I: text of 0x1000 bytes at 0x400000, its first ones the headers; data of 0x100
// bytes at 0x10000000, 0x1000 bytes of bss behind; entry 0x400200.
//   sections: .text 0x400200..0x400300, .init 0x400300..0x400320
//   external: __start (procedure, 0x400200), datum (no procedure, 0x10000000)
//   of the file a.c: work (static procedure, 0x400240, 0x20 bytes), with the lines 10 (4
//   instructions), 11 (2) and 267 (2)
EcoffBytes tiny_ecoff(Endian order);

}  // namespace hardclock::testing
