// A bound on the simulator's own memory, as a belt: what a guest may cost is counted where it comes
// to be (MemoryBudget); this is for what was forgotten there.
#pragma once

#include <cstdint>

namespace hardclock::host {

// Bytes of address space that the process may have beside what it has now, for a guest that may
// have `guest_bytes` of memory, 2^60 at most.
std::uint64_t own_memory_for(std::uint64_t guest_bytes);

// From now on allocations beyond that fail with std::bad_alloc (setrlimit(2), RLIMIT_AS). A lower
// limit of the user's stays. Without effect under sanitizers, which reserve terabytes.
void limit_own_memory(std::uint64_t guest_bytes);

}  // namespace hardclock::host
