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
// `result_bytes`: bytes of addresses beside these, which only the end of a run gets.
void limit_own_memory(std::uint64_t guest_bytes, std::uint64_t result_bytes = 0);
// The guest has ended; what it did is to be written.
void release_memory_for_results();

// Keeps addresses back for an orderly end: when an allocation fails for the first time, it gets
// them, and has_run_out_of_memory() is true from then on. The next one that fails throws
// std::bad_alloc. None are kept if there are too few.
void reserve_own_memory();
bool has_run_out_of_memory();

}  // namespace hardclock::host
