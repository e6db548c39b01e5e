// What real kernels did, as cases; inside of the parser.
#pragma once

#include <vector>

#include "syscalls/conform/case.h"
#include "syscalls/conform/reader.h"

namespace hardclock::conform {

// The cases of a file whose root has "rows". What is wrong with its form is the reader's error.
std::vector<Case> read_observations(Reader& reader, const Node& root);

}  // namespace hardclock::conform
