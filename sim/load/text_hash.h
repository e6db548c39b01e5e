// Tells whether two files have the same code.
#pragma once

#include <string>

#include "sim/load/image.h"

namespace hardclock {

// 16 hexadecimal digits: FNV-1a, 64 bits (draft-eastlake-fnv, section 2), of the bytes that the
// file has for its executable segments, in the order of their addresses. An ELF header at the front
// of one is left out: strip(1) changes it. So a stripped program, or one that was moved, has the
// same hash.
std::string text_hash(const Image& image);

}  // namespace hardclock
