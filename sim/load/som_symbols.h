// What a SOM file says beyond its memory: functions and libraries. Internal to the loader.
#pragma once

#include <string>
#include <vector>

#include "sim/load/image.h"
#include "sim/load/som_file.h"

namespace hardclock {

// Functions from the symbol dictionary and the unwind table; `text` bounds what counts as code.
//
// The dictionary names: entry points, and labels of code where no entry point covers the address. A
// code symbol is also the stub through which other load modules call the entry point of the same
// name; then the entry point alone has the name. The unwind table gives the bounds, in stripped
// files too: a function that it knows and nothing names is called f_ and its address in eight
// hexadecimal digits, so that a profile of a stripped program has a row for each function.
//
// Names keep printable ASCII; every other byte becomes '?'. Whatever is corrupt is left out.
SymbolTable read_som_symbols(const SomFile& file, const Segment& text);

// The shared libraries that the dynamic loader header lists, or nothing when there is no such
// header. The list's first entry is the program's own name and left out, and so is what is corrupt.
std::optional<std::vector<std::string>> read_som_libraries(const SomFile& file,
                                                           const Segment& text);

}  // namespace hardclock
