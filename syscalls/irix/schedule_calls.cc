// The scheduling calls of POSIX.1b, and getpriority(2). Every process is in the time-sharing class
// and gets its turn whatever its priority, so these calls report and keep values that have no
// effect.
#include <array>

#include "syscalls/irix/calls.h"
#include "syscalls/irix/share_group.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/priorities.h"

namespace hardclock::irix::calls {
namespace {

// IRIX <sched.h>
constexpr std::uint32_t sched_fifo = 1, sched_rr = 2, sched_ts = 3;

// What libc of IRIX 6.2 asks of sysmp(MP_SCHED) for setpriority(2) and getpriority(2), by
// posix::PriorityKind.
constexpr std::uint32_t first_set = 4, first_get = 7, kinds = 3;

Result<Process*, Errno> process_named(Call& call) {
  const std::int32_t pid = call.signed_argument(0);
  Process* const process = pid == 0 ? &call.process : call.simulation().find(pid);
  if (process == nullptr || process->exit_status) return Failure{Errno::esrch};
  return process;
}

// struct sched_param {int sched_priority}
Result<std::int32_t, Errno> read_priority(Call& call, GuestAddr address) {
  const auto word = call.memory.read<std::uint32_t>(address);
  if (!word) return Failure{Errno::efault};
  return static_cast<std::int32_t>(*word);
}

CallResult set_priority(Call& call, Process& process, GuestAddr parameters) {
  const auto priority = read_priority(call, parameters);
  if (!priority) return CallResult::failure(priority.error());
  const posix::Credentials& target = posix::state_of(process).credentials;
  if (!call.state.credentials.may_signal(target)) return CallResult::failure(Errno::eperm);
  irix_state_of(process).priority = *priority;
  return CallResult::value(0);
}

}  // namespace

// sysmp(MP_SCHED, command, who, value). Source: getpriority(2).
CallResult sched(Call& call) {
  constexpr posix::PriorityRules rules = {20, &posix::Credentials::may_change_priority_of,
                                          Errno::eperm, Errno::eacces};
  const std::uint32_t command = call.argument(1);
  const std::int32_t who = call.signed_argument(2);
  if (command < first_set || command >= first_get + kinds)
    return CallResult::failure(Errno::einval);
  if (command < first_get)
    return posix::set_priorities(call, command - first_set, who, call.signed_argument(3), rules);
  const auto best = posix::best_priority(call, command - first_get, who);
  if (!best) return CallResult::failure(best.error());
  return CallResult::value(static_cast<std::uint64_t>(std::int64_t{*best}));
}

CallResult sched_getscheduler(Call& call) {
  const auto process = process_named(call);
  if (!process) return CallResult::failure(process.error());
  return CallResult::value(sched_ts);
}

// The real-time classes are the superuser's.
CallResult sched_setscheduler(Call& call) {
  const auto process = process_named(call);
  if (!process) return CallResult::failure(process.error());
  const std::uint32_t policy = call.argument(1);
  if (policy == sched_fifo || policy == sched_rr) return CallResult::failure(Errno::eperm);
  if (policy != sched_ts) return CallResult::failure(Errno::einval);
  const CallResult set = set_priority(call, **process, call.address(2));
  return set.kind == CallResult::Kind::error ? set : CallResult::value(sched_ts);
}

CallResult sched_getparam(Call& call) {
  const auto process = process_named(call);
  if (!process) return CallResult::failure(process.error());
  const std::array<std::uint32_t, 1> priority = {
      static_cast<std::uint32_t>(irix_state_of(**process).priority)};
  return posix::write_words(call, call.address(1), priority, CallResult::value(0));
}

CallResult sched_setparam(Call& call) {
  const auto process = process_named(call);
  if (!process) return CallResult::failure(process.error());
  return set_priority(call, **process, call.address(1));
}

// sched_rr_get_interval(pid, interval): a turn lasts 100 ms.
CallResult sched_rr_get_interval(Call& call) {
  const auto process = process_named(call);
  if (!process) return CallResult::failure(process.error());
  return posix::GuestStruct(call).time(0).word_long(100'000'000).store(call, call.address(1));
}

}  // namespace hardclock::irix::calls
