// The scheduling calls of POSIX.1b, and getpriority(2). Every process is in the time-sharing class,
// SCHED_OTHER, and runs on the one processor: these calls say so, and refuse what is the
// superuser's.
#include <algorithm>
#include <optional>

#include "syscalls/linux/calls.h"
#include "syscalls/linux/thread_ids.h"
#include "syscalls/linux/time_forms.h"
#include "syscalls/linux/uapi.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/priorities.h"

namespace hardclock::gnu_linux::calls {
namespace {

// include/uapi/linux/sched.h
enum Policy : std::uint32_t {
  sched_other,
  sched_fifo,
  sched_rr,
  sched_batch,
  sched_idle = 5,
  sched_deadline = 6,
};
constexpr std::uint32_t reset_on_fork = 0x40000000;

bool is_real_time(std::uint32_t policy) {
  return policy == sched_fifo || policy == sched_rr;
}

bool is_policy(std::uint32_t policy) {
  return policy <= sched_batch || policy == sched_idle || policy == sched_deadline;
}

// EINVAL; ESRCH: there is no such process or thread of the caller.
std::optional<Errno> refusal(Call& call, std::int32_t pid) {
  if (pid < 0) return Errno::einval;
  const Process* const process = call.simulation().find(pid);
  const bool is_there = pid == 0 || (process != nullptr && !process->exit_status) ||
                        find_thread(call.process, pid) != nullptr;
  if (!is_there) return Errno::esrch;
  return std::nullopt;
}

// struct sched_param {int sched_priority}
Result<std::uint32_t, Errno> read_priority(Call& call, GuestAddr address) {
  if (address == GuestAddr(0)) return Failure{Errno::einval};
  const auto word = call.memory.read<std::uint32_t>(address);
  if (!word) return Failure{Errno::efault};
  return *word;
}

}  // namespace

CallResult priority_bound(Call& call, std::uint32_t of_real_time) {
  const std::uint32_t policy = call.argument(0);
  if (!is_policy(policy)) return CallResult::failure(Errno::einval);
  return CallResult::value(is_real_time(policy) ? of_real_time : 0);
}

CallResult sched_getscheduler(Call& call) {
  const auto error = refusal(call, call.signed_argument(0));
  return error ? CallResult::failure(*error) : CallResult::value(sched_other);
}

// sched_setscheduler(process, policy, parameter)
CallResult sched_setscheduler(Call& call) {
  if (const auto error = refusal(call, call.signed_argument(0))) return CallResult::failure(*error);
  const std::uint32_t policy = call.argument(1) & ~reset_on_fork;
  const auto priority = read_priority(call, call.address(2));
  if (!priority) return CallResult::failure(priority.error());
  if (!is_policy(policy) || policy == sched_deadline) return CallResult::failure(Errno::einval);
  const std::uint32_t least = is_real_time(policy) ? 1 : 0, most = is_real_time(policy) ? 99 : 0;
  if (*priority < least || *priority > most) return CallResult::failure(Errno::einval);
  return is_real_time(policy) ? CallResult::failure(Errno::eperm) : CallResult::value(0);
}

CallResult sched_getparam(Call& call) {
  if (call.is_null(1)) return CallResult::failure(Errno::einval);
  if (const auto error = refusal(call, call.signed_argument(0))) return CallResult::failure(*error);
  return posix::GuestStruct(call).word(0).store(call, call.address(1));
}

CallResult sched_setparam(Call& call) {
  if (const auto error = refusal(call, call.signed_argument(0))) return CallResult::failure(*error);
  const auto priority = read_priority(call, call.address(1));
  if (!priority) return CallResult::failure(priority.error());
  return *priority == 0 ? CallResult::value(0) : CallResult::failure(Errno::einval);
}

// How long a process computes before another one gets its turn: 100 ms (sim/process/hardclock.cc).
CallResult write_time_slice(Call& call, TimeForm form) {
  constexpr std::uint64_t time_slice = 100'000'000;  // nanoseconds
  if (const auto error = refusal(call, call.signed_argument(0))) return CallResult::failure(*error);
  return write_time(call, 1, {0, time_slice}, form);
}

// sched_setaffinity(process, bytes, mask): the processor must be in it.
CallResult sched_setaffinity(Call& call) {
  if (const auto error = refusal(call, call.signed_argument(0))) return CallResult::failure(*error);
  if (call.arguments[1] == 0) return CallResult::failure(Errno::einval);
  posix::GuestReader reader(call, call.address(2));
  const bool has_long = call.arguments[1] >= call.abi().long_bytes();
  const std::uint64_t first = reader.member(has_long ? call.abi().long_bytes() : 1);
  if (!reader.ok()) return CallResult::failure(Errno::efault);
  return (first & 1) != 0 ? CallResult::value(0) : CallResult::failure(Errno::einval);
}

// ---- getpriority(2). Source: Linux, kernel/sys.c and kernel/sched/core.c. Of a thread it is that
// of its process.

// 20 less the priority, which is never negative; or the priority itself.
CallResult getpriority(Call& call) {
  constexpr std::int64_t greatest = 20;
  const auto best = posix::best_priority(call, call.argument(0), call.signed_argument(1));
  if (!best) return CallResult::failure(best.error());
  const std::int64_t told = uapi_of(call.system).priority_is_plain ? *best : greatest - *best;
  return CallResult::value(static_cast<std::uint64_t>(told));
}

CallResult setpriority(Call& call) {
  constexpr posix::PriorityRules rules = {19, &posix::Credentials::may_change_priority_of,
                                          Errno::eperm, Errno::eacces};
  return posix::set_priorities(call, call.argument(0), call.signed_argument(1),
                               call.signed_argument(2), rules);
}

CallResult nice(Call& call) {
  constexpr std::int32_t most = 19, least = -20;
  const std::int32_t increment = std::clamp(call.signed_argument(0), 2 * least, -2 * least);
  if (increment < 0 && !call.state.credentials.is_superuser())
    return CallResult::failure(Errno::eperm);
  call.state.nice = std::clamp(call.state.nice + increment, least, most);
  return CallResult::value(0);
}

}  // namespace hardclock::gnu_linux::calls
