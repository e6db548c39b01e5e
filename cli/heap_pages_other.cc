#include "cli/heap_pages.h"

namespace hardclock {

void populate_heap_ahead() {}

}  // namespace hardclock
