// ptrace(2): what all architectures have in common, and what one of them adds.
#pragma once

#include <cstdint>
#include <optional>

#include "syscalls/posix/call.h"

namespace hardclock::gnu_linux {

// The registers of a thread that stands still, as ptrace(2) numbers them.
struct TracedRegisters {
  // The register at this offset of struct user, in bytes; nullopt: there is none.
  std::optional<std::uint64_t> (*peek)(Thread& thread, std::uint64_t offset);
  // False: there is none, or it cannot be written.
  bool (*poke)(Thread& thread, std::uint64_t offset, std::uint64_t value);
  // The answer to a request that other architectures lack; nullopt: this one lacks it, too.
  std::optional<posix::CallResult> (*own_request)(posix::Call& call, Thread& thread,
                                                  std::uint32_t request);
  // Before a single step: whether it is over already. Null: the kernel lets nobody step.
  bool (*begin_step)(Thread& thread) = nullptr;
  // What is read by PTRACE_PEEK* is the call's result, and does not go to where `data` points.
  bool peeks_are_results = false;
};

posix::CallResult trace_request(posix::Call& call, const TracedRegisters& registers);

}  // namespace hardclock::gnu_linux
