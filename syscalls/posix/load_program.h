// Places a loaded program in memory, as every Unix's exec does.
#pragma once

#include <string>

#include "sim/base/result.h"
#include "sim/load/image.h"
#include "sim/memory/address_space.h"
#include "syscalls/posix/layout.h"

namespace hardclock::posix {

// Maps the image's segments in whole pages of the layout's size, and fills them; the guest calls
// their file `path`. The error is one line.
Result<Ok, std::string> map_image(const Layout& layout, AddressSpace& memory, const Image& image,
                                  const std::string& path);

// The first page boundary at or after the end of the image: where the break starts.
GuestAddr end_of_image(const Layout& layout, const Image& image);

}  // namespace hardclock::posix
