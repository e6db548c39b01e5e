// A process's identity, its limits and how its handlers run: the parts of its state that calls
// about processes change.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/base/units.h"
#include "syscalls/posix/credentials.h"

namespace hardclock::posix {

// getrlimit(2): the numbers of System V.4, of which 4.3BSD's are the first part, except rlimit_rss;
// and behind them those that only Linux has.
enum Resource : std::uint32_t {
  rlimit_cpu = 0,
  rlimit_fsize,
  rlimit_data,
  rlimit_stack,
  rlimit_core,
  rlimit_nofile,
  rlimit_vmem,
  rlimit_rss,
  rlimit_pthread,
  rlimit_nproc,
  rlimit_memlock,
  rlimit_locks,
  rlimit_sigpending,
  rlimit_msgqueue,
  rlimit_nice,
  rlimit_rtprio,
  rlimit_rttime,
};
inline constexpr std::size_t system_v_resource_count = 9;
inline constexpr std::size_t resource_count = 17;
inline constexpr std::uint64_t no_limit = ~std::uint64_t{0};

struct Limit {
  std::uint64_t current = no_limit;
  std::uint64_t maximum = no_limit;
  static constexpr std::size_t state_members = 2;
};
using Limits = std::array<Limit, resource_count>;
struct FirstLimit {
  Resource resource;
  Limit limit;
};

// The most open files of a process: sysconf(_SC_OPEN_MAX) of IRIX 5.3, more than the others of its
// time had.
inline constexpr std::size_t open_max = 200;

// sigaltstack(2)
struct AlternateStack {
  GuestAddr base;
  std::uint64_t size = 0;  // bytes
  bool enabled = false;
  static constexpr std::size_t state_members = 3;

  bool holds(GuestAddr stack_pointer) const {
    return enabled && stack_pointer >= base && stack_pointer - base < size;
  }
};

}  // namespace hardclock::posix
