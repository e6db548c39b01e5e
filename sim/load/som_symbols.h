// What a SOM file says besides its memory: functions and libraries. Internal to the loader.
#pragma once

#include <string>
#include <vector>

#include "sim/load/image.h"
#include "sim/load/som_file.h"

namespace hardclock {

// Functions from the symbol dictionary and the unwind table; `text` bounds what counts as code.
//
// The dictionary names entry points, and labels of code where no entry point covers the address. A
// code symbol may also be the stub through which other load modules call the entry point of the
// same name; then only the entry point keeps the name. The unwind table gives the bounds, even in
// stripped files. A function that only it knows is called f_ and its address in eight hexadecimal
// digits, so that a profile of a stripped program has a row for each function.
//
// Names keep printable ASCII; every other byte becomes '?'. Corrupt entries are left out.
SymbolTable read_som_symbols(const SomFile& file, const Segment& text);

struct SomLibraries {
  // The list's first entry is the file's own name and is left out, as are corrupt entries.
  std::vector<std::string> names;
  std::string path;  // where to look for them: directories with ':' between
};

// What the dynamic loader header says of the shared libraries; nullopt if there is no such header.
std::optional<SomLibraries> read_som_libraries(const SomFile& file, const Segment& text);

}  // namespace hardclock
