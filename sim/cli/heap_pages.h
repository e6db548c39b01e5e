// The pages of the command's heap.
#pragma once

namespace hardclock {

// From now on pages that the heap takes from the host are made present together, before they are
// used: see host_pages.h. To be called once, before there are other threads. Does nothing where the
// heap is not jemalloc's.
void make_heap_pages_present();

}  // namespace hardclock
