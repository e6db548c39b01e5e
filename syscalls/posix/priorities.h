// The priorities of getpriority(2) and setpriority(2). Every process gets its turn whatever its
// priority, so the value is kept and has no effect.
#pragma once

#include <cstdint>

#include "sim/base/result.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::posix {

// Processes that a call means: one, one group's or one user's. The numbers are 4.4BSD's, which all
// systems have; `who` is an id, 0 for the caller's.
enum PriorityKind : std::uint32_t { prio_process, prio_pgrp, prio_user };

// "The highest priority (lowest numerical value) enjoyed by any of the specified processes"
// (getpriority(2) of 4.4BSD). EINVAL, ESRCH.
Result<std::int32_t, Errno> best_priority(Call& call, std::uint32_t kind, std::int32_t who);

struct PriorityRules {
  std::int32_t most = 0;  // greater values become this; the least is -20
  bool (Credentials::*may_change)(const Credentials& target) const = nullptr;
  Errno not_allowed{};  // to change the process
  Errno too_good{};     // a smaller value than it has, for who is no superuser
};

// Gives the value to each of which the caller may: 0, or the last refusal. EINVAL, ESRCH.
CallResult set_priorities(Call& call, std::uint32_t kind, std::int32_t who, std::int32_t value,
                          const PriorityRules& rules);

}  // namespace hardclock::posix
