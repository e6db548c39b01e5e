// The functions that an ELF file names. Internal to the loader.
#pragma once

#include <libelf.h>

#include <string_view>
#include <vector>

#include "sim/load/image.h"

namespace hardclock {

// Functions from .symtab, or from .dynsym when .symtab yields none: STT_FUNC, and labels of
// assembly code (STT_NOTYPE in an executable section) where no STT_FUNC covers the address.
// `segments` bound what counts as code. A label that starts with one of `local_label_characters`
// is the compiler's own and has no meaning to the user.
//
// Names keep printable ASCII; every other byte becomes '?'. Whatever is corrupt is left out.
SymbolTable read_elf_symbols(Elf* elf, const std::vector<Segment>& segments,
                             std::string_view local_label_characters);

}  // namespace hardclock
