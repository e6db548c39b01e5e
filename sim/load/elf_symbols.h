// The functions that an ELF file names. Internal to the loader.
#pragma once

#include <elf.h>
#include <libelf.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/load/file_window.h"
#include "sim/load/image.h"

namespace hardclock {

// The form of an ABI's symbols.
struct ElfSymbolRules {
  // A label that starts with one of these is the compiler's own and means nothing to the user.
  std::string_view local_label_characters = {};
  // Another symbol type for functions besides STT_FUNC; STT_NOTYPE if there is none.
  unsigned millicode_type = STT_NOTYPE;
  // A function's symbol outside code names a descriptor. The code's address, 64 bits, big-endian,
  // is at this byte offset in it.
  std::optional<std::uint64_t> code_in_descriptor = std::nullopt;
};

// Functions from .symtab, or from .dynsym when .symtab yields none, and from .mdebug: STT_FUNC, and
// labels of assembly code (STT_NOTYPE in an executable section) where no STT_FUNC covers the
// address. `segments` bound what counts as code.
//
// Names keep printable ASCII; every other byte becomes '?'. Whatever is corrupt is left out.
SymbolTable read_elf_symbols(Elf* elf, FileWindow& file, const std::vector<Segment>& segments,
                             const ElfSymbolRules& rules);

}  // namespace hardclock
