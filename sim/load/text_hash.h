// Tells whether two files have the same code.
#pragma once

#include <string>

#include "sim/load/image.h"

namespace hardclock {

// 16 hexadecimal digits: the 64-bit FNV-1a hash (draft-eastlake-fnv, section 2) of the executable
// segments' bytes in the file, in the order of their addresses. An ELF header at the front of a
// segment is left out because strip(1) changes it. So a stripped or moved program has the same
// hash.
std::string text_hash(const Image& image);

}  // namespace hardclock
