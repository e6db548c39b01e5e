#include "sim/base/host_pages.h"

#include <linux/mman.h>
#include <sys/mman.h>

#include <cerrno>

namespace hardclock {
namespace {

void advise(void* start, std::size_t bytes, int advice) {
  const int before = errno;
  ::madvise(start, bytes, advice);
  errno = before;
}

}  // namespace

void populate(void* start, std::size_t bytes) {
  advise(start, bytes, MADV_POPULATE_WRITE);
}

void populate_for_reading(const void* start, std::size_t bytes) {
  advise(const_cast<void*>(start), bytes, MADV_POPULATE_READ);
}

}  // namespace hardclock
