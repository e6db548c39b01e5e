// CHECK(condition): an invariant of hardclock itself. When it fails there is a bug in hardclock,
// never in the guest or the user's input: those get a signal, an errno or a message.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace hardclock::internal {

[[noreturn]] inline void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "hardclock: internal error: %s:%d: %s; please report this\n", file, line,
               condition);
  std::abort();
}

}  // namespace hardclock::internal

#define CHECK(condition) \
  ((condition) ? (void)0 : ::hardclock::internal::check_failed(#condition, __FILE__, __LINE__))
