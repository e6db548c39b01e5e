// clone(2), whose arguments have an order of their own on each architecture.
#pragma once

#include <cstdint>

#include "sim/base/units.h"
#include "sim/engine/cpu.h"
#include "syscalls/posix/call.h"

namespace hardclock::gnu_linux::calls {

struct CloneRequest {
  std::uint32_t flags = 0;
  GuestAddr stack = {};           // 0: the child goes on with the parent's
  std::uint64_t stack_bytes = 0;  // where the call has a size
  // Puts the child, which is about to return from the call, on `stack`. Never null.
  void (*use_stack)(const posix::Call& call, Cpu& child, const CloneRequest& request) = nullptr;
  GuestAddr parent_tid = {}, child_tid = {};
  std::uint64_t thread_pointer = 0;
};

// In thread_calls.cc.
posix::CallResult clone_process(posix::Call& call, const CloneRequest& request);

}  // namespace hardclock::gnu_linux::calls
