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

// What an ABI's symbols look like.
struct ElfSymbolRules {
  // A label that starts with one of these is the compiler's own and has no meaning to the user.
  std::string_view local_label_characters = {};
  // A further type of symbol for functions beside STT_FUNC, or STT_NOTYPE.
  unsigned millicode_type = STT_NOTYPE;
  // A function's symbol outside of code is a descriptor; so many bytes into it is the address of
  // the code, 64 bits, big-endian.
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
