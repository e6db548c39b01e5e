// Observations of real kernels, as cases. Internal to the parser.
#pragma once

#include <vector>

#include "syscalls/conform/case.h"
#include "syscalls/conform/reader.h"

namespace hardclock::conform {

// The cases of a file whose root has "rows". A violation of the format becomes the reader's error.
std::vector<Case> read_observations(Reader& reader, const Node& root);

}  // namespace hardclock::conform
