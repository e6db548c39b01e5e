// The number of files that hardclock can have open.
#pragma once

#include <cstdint>

namespace hardclock::host {

// Raises the process's soft limit of open files (getrlimit(2), RLIMIT_NOFILE) as far as guests need
// and the hard limit allows. Returns how many files guests may have open together: `wanted`, or
// what the hard limit leaves besides hardclock's own files.
std::uint64_t make_room_for_files(std::uint64_t wanted);

}  // namespace hardclock::host
