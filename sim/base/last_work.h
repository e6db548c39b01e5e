// Work that must not throw, as that of destructors.
#pragma once

#include <new>

namespace hardclock {

// Does it, but for what needs memory that the host does not have.
template <class Work>
void do_last_work(const Work& work) noexcept {
  try {
    work();
  } catch (const std::bad_alloc&) {
    // The run is ending for want of memory, and has said so.
  }
}

}  // namespace hardclock
