// What a SOM program or library imports of its shared libraries. The format: as som.h.
#pragma once

#include <string>
#include <vector>

#include "sim/load/file_window.h"

namespace hardclock {

// The names that the file imports and does not export itself, in its own order, each once. Empty
// for other files and for a program without shared libraries, and where its tables are damaged.
std::vector<std::string> read_som_imports(FileWindow& file);

}  // namespace hardclock
