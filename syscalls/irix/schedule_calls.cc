// The scheduling calls of POSIX.1b, and getpriority(2). Every process is in the time-sharing class
// and gets its turn whatever its priority, so these calls report and keep values that have no
// effect.
#include <algorithm>
#include <array>
#include <vector>

#include "syscalls/irix/calls.h"
#include "syscalls/irix/share_group.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::irix::calls {
namespace {

// IRIX <sched.h>
constexpr std::uint32_t sched_fifo = 1, sched_rr = 2, sched_ts = 3;

// What libc of IRIX 6.2 asks of sysmp(MP_SCHED) for setpriority(2) and getpriority(2), by
// PRIO_PROCESS, PRIO_PGRP and PRIO_USER.
constexpr std::uint32_t first_set = 4, first_get = 7, kinds = 3;
enum Who : std::uint32_t { one_process = 0, one_group = 1, one_user = 2 };

Result<Process*, Errno> process_named(Call& call) {
  const std::int32_t pid = call.signed_argument(0);
  Process* const process = pid == 0 ? &call.process : call.simulation.find(pid);
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

bool is_meant(Call& call, const Process& process, std::uint32_t kind) {
  const std::int32_t who = call.signed_argument(2);
  switch (kind) {
    case one_process:
      return process.pid == (who == 0 ? call.process.pid : who);
    case one_group:
      return process.group == (who == 0 ? call.process.group : who);
    default:
      return posix::state_of(process).credentials.user.real ==
             (who == 0 ? call.state.credentials.user.real : call.argument(2));
  }
}

std::vector<Process*> all_meant(Call& call, std::uint32_t kind) {
  std::vector<Process*> meant = call.simulation.processes();
  std::erase_if(meant, [&](const Process* process) {
    return process->exit_status.has_value() || !is_meant(call, *process, kind);
  });
  return meant;
}

CallResult get_nice(const std::vector<Process*>& meant) {
  const auto nice_of = [](const Process* process) { return posix::state_of(*process).nice; };
  const std::int32_t least = nice_of(*std::ranges::min_element(meant, {}, nice_of));
  return CallResult::value(static_cast<std::uint64_t>(std::int64_t{least}));
}

CallResult set_nice(Call& call, const std::vector<Process*>& meant) {
  constexpr std::int32_t least = -20, most = 20;
  const std::int32_t value = std::clamp(call.signed_argument(3), least, most);
  const posix::Credentials& caller = call.state.credentials;
  for (Process* const process : meant) {
    posix::State& state = posix::state_of(*process);
    const auto& user = state.credentials.user;
    const bool is_own = user.effective == caller.user.effective ||
                        user.real == caller.user.effective || caller.is_superuser();
    if (!is_own) return CallResult::failure(Errno::eperm);
    if (value < state.nice && !caller.is_superuser()) return CallResult::failure(Errno::eacces);
    state.nice = value;
  }
  return CallResult::value(0);
}

}  // namespace

// sysmp(MP_SCHED, command, who, value). Source: getpriority(2).
CallResult sched(Call& call) {
  const std::uint32_t command = call.argument(1);
  if (command < first_set || command >= first_get + kinds) {
    return CallResult::failure(Errno::einval);
  }
  const auto meant = all_meant(call, (command - first_set) % kinds);
  if (meant.empty()) return CallResult::failure(Errno::esrch);
  return command >= first_get ? get_nice(meant) : set_nice(call, meant);
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
