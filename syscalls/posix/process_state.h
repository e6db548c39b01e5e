// A process's identity, its limits and how its handlers run: the parts of its state that calls
// about processes change.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/units.h"

namespace hardclock::posix {

// Every guest starts as one user, who is not the superuser.
inline constexpr std::uint32_t first_user = 1000;
// The most supplementary groups: sysconf(_SC_NGROUPS_MAX) of IRIX.
inline constexpr std::size_t groups_max = 16;

// One kind of a process's ids: user or group.
struct Ids {
  std::uint32_t real = first_user;
  std::uint32_t effective = first_user;
  std::uint32_t saved = first_user;

  // Whether an unprivileged process may change to this id: setuid(2) of POSIX.1.
  bool may_become(std::uint32_t id) const { return id == real || id == saved; }
};

struct Credentials {
  Ids user;
  Ids group;
  std::vector<std::uint32_t> groups{first_user};  // supplementary

  bool is_superuser() const { return user.effective == 0; }
  // kill(2) of POSIX.1: "the real or effective user ID of the sending process shall match the real
  // or saved set-user-ID of the receiving process", or the sender is the superuser.
  bool may_signal(const Credentials& target) const {
    return is_superuser() || target.user.may_become(user.real) ||
           target.user.may_become(user.effective);
  }
};

// getrlimit(2): the numbers of System V.4; 4.3BSD's are their first part, except rlimit_rss.
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
};
inline constexpr std::size_t resource_count = 9;
inline constexpr std::uint64_t no_limit = ~std::uint64_t{0};

struct Limit {
  std::uint64_t current = no_limit;
  std::uint64_t maximum = no_limit;
};
using Limits = std::array<Limit, resource_count>;

// The most open files of a process: sysconf(_SC_OPEN_MAX) of IRIX 5.3, more than the others of its
// time had.
inline constexpr std::size_t open_max = 200;

// sigaltstack(2)
struct AlternateStack {
  GuestAddr base;
  std::uint64_t size = 0;  // bytes
  bool enabled = false;

  bool holds(GuestAddr stack_pointer) const {
    return enabled && stack_pointer >= base && stack_pointer - base < size;
  }
};

}  // namespace hardclock::posix
