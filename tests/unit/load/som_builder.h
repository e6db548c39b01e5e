// A small SOM program for tests, byte by byte from the format's description, to be spoiled at will.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/endian.h"

namespace hardclock::testing {

// Where tiny_som() has what.
namespace som {
inline constexpr std::size_t system_id = 0, magic = 2, version = 4, aux_location = 28,
                             aux_size = 32, subspace_location = 52, subspace_total = 56,
                             space_strings_location = 68, space_strings_size = 72,
                             symbol_location = 92, symbol_total = 96, symbol_strings_location = 108,
                             symbol_strings_size = 112, checksum = 124;
// The auxiliary headers: a copyright notice, then the exec header's fields.
inline constexpr std::size_t aux = 0x80, exec = 0x90, text_size = 0x98, text_address = 0x9c,
                             text_offset = 0xa0, data_size = 0xa4, data_address = 0xa8,
                             data_offset = 0xac, bss_size = 0xb0, entry = 0xb4, flags = 0xb8,
                             bss_fill = 0xbc;
inline constexpr std::size_t spaces = 0xc0, subspaces = 0x108, space_strings = 0x180,
                             symbols = 0x240, symbol_strings = 0x300;
inline constexpr std::size_t text = 0x400, loader_header = text, unwind = text + 0x100,
                             data = 0x800, file_size = 0x900;
}  // namespace som

struct SomBytes {
  std::vector<std::uint8_t> bytes;

  template <class T>
  SomBytes& put(std::size_t offset, T value) {
    store_bytes(bytes.data() + offset, value, Endian::big);
    return *this;
  }
  SomBytes& put_word(std::size_t offset, std::uint32_t value) { return put(offset, value); }
  // Makes the header's exclusive or zero.
  SomBytes& seal();
};

// SHARE_MAGIC for PA-RISC 1.1, sealed; text of 0x400 bytes at 0x1000, data of 0x100 bytes at
// 0x40001000 with 0x1000 bytes of bss, entry 0x1200. It needs /usr/lib/libc.2 and /usr/lib/libm.2.
//   functions that the unwind table has: 0x1200..0x1220, 0x1220..0x1240, 0x1240..0x1260
//   symbols: main (ENTRY 0x1200, and CODE 0x1300: its export stub), helper (CODE, local, 0x1220),
//   inside (CODE, 0x1228), L$001 (CODE, 0x1340), $$mulI (MILLICODE 0x1350), outside (CODE, 0x1360),
//   wanted (ENTRY, not defined here), datum (DATA 0x40001000)
SomBytes tiny_som();

}  // namespace hardclock::testing
