// What a program or library imports of its shared libraries.
#pragma once

#include <string>
#include <vector>

#include "sim/load/file_window.h"

namespace hardclock {

// Of ELF: the names that the program's table of dynamic symbols (.dynsym) leaves undefined, in its
// order, each once. Empty for other files, for a static program, and where the table is damaged.
std::vector<std::string> read_elf_imports(FileWindow& file);

// Of SOM (formats.h has its format): the names that the file imports and does not export itself, in
// its own order, each once. Empty for other files and for a program without shared libraries, and
// where its tables are damaged.
std::vector<std::string> read_som_imports(FileWindow& file);

}  // namespace hardclock
