// Tells whether two files have the same code.
#pragma once

#include <string>

#include "sim/load/image.h"

namespace hardclock {

// 16 hexadecimal digits: the 64-bit FNV-1a hash (draft-eastlake-fnv, section 2) of the executable
// segments' bytes in the file, in the order of their addresses. Left out is what strip(1) and
// objcopy(1) change: an ELF header and program headers at the front of a segment, and zeros at its
// ends, which fill the pages of SGI's link editor. So a stripped or moved program has the same
// hash.
std::string text_hash(const Image& image);

// The same of older hardclocks, which is in their profiles: of all but the ELF header.
std::string former_text_hash(const Image& image);

}  // namespace hardclock
