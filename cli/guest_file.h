// Whole files as a guest sees them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "syscalls/host/guest_files.h"

namespace hardclock {

// Nothing, if there is no regular file of that absolute path, or it has more than `largest` bytes.
std::optional<std::vector<std::uint8_t>> read_guest_file(host::GuestFiles& files,
                                                         const std::string& name,
                                                         std::uint64_t largest);

}  // namespace hardclock
