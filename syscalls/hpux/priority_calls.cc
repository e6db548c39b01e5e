// getpriority(2), setpriority(2) and rtprio(2). Every process gets its turn whatever its priority,
// so the value is kept and has no effect. There are no real-time processes: only the superuser can
// start one, and no guest is the superuser.
#include "syscalls/hpux/calls.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/priorities.h"

namespace hardclock::hpux::calls {
CallResult getpriority(Call& call) {
  const auto best = posix::best_priority(call, call.argument(0), call.signed_argument(1));
  if (!best) return CallResult::failure(best.error());
  return CallResult::value(static_cast<std::uint64_t>(*best));
}

// EACCES for a process of another user, EPERM for a smaller value; "all processes for which access
// is allowed are still affected". Values are -20 to 20.
CallResult setpriority(Call& call) {
  constexpr posix::PriorityRules rules = {20, &posix::Credentials::may_signal, Errno::eacces,
                                          Errno::eperm};
  return posix::set_priorities(call, call.argument(0), call.signed_argument(1),
                               call.signed_argument(2), rules);
}

// rtprio(pid, priority): RTPRIO_RTOFF is the result for a process that is not a real-time one
// (numbers: Lites, e_hpux.h).
CallResult rtprio(Call& call) {
  constexpr std::uint32_t highest = 127, no_change = 1000, off = 1001;
  const std::uint32_t priority = call.argument(1);
  if (priority > highest && priority != no_change && priority != off) {
    return CallResult::failure(Errno::einval);
  }
  const std::int32_t pid = call.signed_argument(0);
  const Process* const process = pid == 0 ? &call.process : call.simulation().find(pid);
  if (process == nullptr) return CallResult::failure(Errno::esrch);
  const bool is_allowed = priority == no_change || (priority == off && process == &call.process);
  return is_allowed ? CallResult::value(off) : CallResult::failure(Errno::eperm);
}

}  // namespace hardclock::hpux::calls
