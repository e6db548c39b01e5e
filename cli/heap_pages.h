// The pages of the command's heap.
#pragma once

namespace hardclock {

// From now on the heap asks for its pages before their first use: see host_pages.h. Pages that it
// has given back to the host, and pieces beyond 4 MiB, come as they are used. To be called by the
// first thread, which alone allocates much. Does nothing where the heap is not jemalloc's.
void populate_heap_ahead();

}  // namespace hardclock
