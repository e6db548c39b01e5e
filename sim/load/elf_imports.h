// What an ELF program imports of its shared libraries.
#pragma once

#include <string>
#include <vector>

#include "sim/load/file_window.h"

namespace hardclock {

// The names that the program's table of dynamic symbols (.dynsym) leaves undefined, in its order,
// each once. Empty for other files, for a static program, and where the table is damaged.
std::vector<std::string> read_elf_imports(FileWindow& file);

}  // namespace hardclock
