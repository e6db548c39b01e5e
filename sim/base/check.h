// CHECK(condition): an invariant of hardclock itself. When it fails there is a bug in hardclock,
// never in the guest or the user's input: those get a signal, an errno or a message.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace hardclock::internal {

// Cleanup after a failed CHECK, before the program ends; nullptr if there is none. It is called
// once: a CHECK that fails in it aborts, unless it installed another handler. When it returns,
// abort() ends the program.
inline void (*after_failed_check)() = nullptr;

[[noreturn]] inline void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "hardclock: internal error: %s:%d: %s; please report this\n", file, line,
               condition);
  if (auto* const last_act = std::exchange(after_failed_check, nullptr)) last_act();
  std::abort();
}

}  // namespace hardclock::internal

#define CHECK(condition) \
  ((condition) ? (void)0 : ::hardclock::internal::check_failed(#condition, __FILE__, __LINE__))
