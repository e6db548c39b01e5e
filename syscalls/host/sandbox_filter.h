// The contract between sandbox.cc and the generator of its filter. Internal to this package.
#pragma once

#include <cstdint>

namespace hardclock::host {

// Stands in the generated filter for the process id, which is only known at run time.
inline constexpr std::uint32_t own_process = 0x7fff5e1f;

}  // namespace hardclock::host
