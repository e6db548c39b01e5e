// A limit on the simulator's own memory, as a second safeguard: MemoryBudget counts what a guest
// may cost where it arises; this limit is for whatever was forgotten there.
#pragma once

#include <cstdint>

namespace hardclock::host {

// Bytes of address space that the process may add to its current ones, for a guest that may have
// `guest_bytes` of memory, at most 2^60.
std::uint64_t own_memory_for(std::uint64_t guest_bytes);

// After this, allocations beyond the limit fail with std::bad_alloc (setrlimit(2), RLIMIT_AS). A
// lower limit of the user's stays. No effect under sanitizers, which reserve terabytes.
void limit_own_memory(std::uint64_t guest_bytes);

}  // namespace hardclock::host
