// Finds the handler of a call, from the lists that a call table generates (syscalls/master).
#pragma once

#include <optional>

#include "syscalls/posix/unix_system.h"

#define HARDCLOCK_CALL_CASE(call_number, name) \
  case call_number:                            \
    return calls::name;
#define HARDCLOCK_SUBCALL_IF(call_number, code, name) \
  if (number == call_number && subcode == code) return calls::name;

// Defines UnixSystem::handler for the table HARDCLOCK_`TABLE`_CALLS. The handlers are functions of
// the namespace `calls` that is visible there.
#define HARDCLOCK_DEFINE_HANDLER(function, TABLE)                                                \
  posix::Handler function(unsigned number, [[maybe_unused]] std::optional<unsigned> subcode) {   \
    HARDCLOCK_##TABLE##_SUBCALLS(HARDCLOCK_SUBCALL_IF) if (subcode) return nullptr;              \
    switch (number) { HARDCLOCK_##TABLE##_CALLS(HARDCLOCK_CALL_CASE) default : return nullptr; } \
  }
