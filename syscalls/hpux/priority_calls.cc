// getpriority(2), setpriority(2) and rtprio(2). Every process gets its turn whatever its priority,
// so the value is kept and has no effect. There are no real-time processes: only the superuser can
// start one, and no guest is the superuser.
#include <algorithm>
#include <limits>
#include <vector>

#include "syscalls/hpux/calls.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::hpux::calls {
namespace {

// From aeriebsd (sys/compat/hpux/hppa/syscalls.master: as in 4.4BSD).
enum Which : std::uint32_t { prio_process, prio_pgrp, prio_user };

std::int32_t& nice_of(Process& process) {
  return posix::state_of(process).nice;
}

bool is_meant(const Call& call, const Process& process) {
  const std::int32_t who = call.signed_argument(1);
  switch (call.argument(0)) {
    case prio_process:
      return process.pid == (who == 0 ? call.process.pid : who);
    case prio_pgrp:
      return process.group == (who == 0 ? call.process.group : who);
    default:
      return posix::state_of(process).credentials.user.real ==
             (who == 0 ? call.state.credentials.user.real : call.argument(1));
  }
}

// EINVAL, ESRCH
Result<std::vector<Process*>, Errno> meant(Call& call) {
  if (call.argument(0) > prio_user) return Failure{Errno::einval};
  std::vector<Process*> processes;
  for (Process* const process : call.simulation.processes()) {
    if (!process->exit_status && is_meant(call, *process)) processes.push_back(process);
  }
  if (processes.empty()) return Failure{Errno::esrch};
  return processes;
}

}  // namespace

// "The priority returned by getpriority() is the smallest valued priority of all the indicated
// processes."
CallResult getpriority(Call& call) {
  const auto processes = meant(call);
  if (!processes) return CallResult::failure(processes.error());
  std::int32_t lowest = std::numeric_limits<std::int32_t>::max();
  for (Process* const process : *processes) lowest = std::min(lowest, nice_of(*process));
  return CallResult::value(static_cast<std::uint64_t>(lowest));
}

// EACCES for a process of another user, EPERM for a smaller value; "all processes for which access
// is allowed are still affected". Values are -20 to 20.
CallResult setpriority(Call& call) {
  const auto processes = meant(call);
  if (!processes) return CallResult::failure(processes.error());
  const std::int32_t wanted = std::clamp(call.signed_argument(2), -20, 20);
  const posix::Credentials& own = call.state.credentials;
  CallResult result = CallResult::value(0);
  for (Process* const process : *processes) {
    if (!own.may_signal(posix::state_of(*process).credentials)) {
      result = CallResult::failure(Errno::eacces);
    } else if (wanted < nice_of(*process) && !own.is_superuser()) {
      result = CallResult::failure(Errno::eperm);
    } else {
      nice_of(*process) = wanted;
    }
  }
  return result;
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
  const Process* const process = pid == 0 ? &call.process : call.simulation.find(pid);
  if (process == nullptr) return CallResult::failure(Errno::esrch);
  const bool is_allowed = priority == no_change || (priority == off && process == &call.process);
  return is_allowed ? CallResult::value(off) : CallResult::failure(Errno::eperm);
}

}  // namespace hardclock::hpux::calls
