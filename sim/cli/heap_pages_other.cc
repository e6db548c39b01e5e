#include "sim/cli/heap_pages.h"

namespace hardclock {

void make_heap_pages_present() {}

}  // namespace hardclock
