#include "syscalls/posix/priorities.h"

#include <algorithm>
#include <vector>

namespace hardclock::posix {
namespace {

bool is_meant(const Call& call, const Process& process, std::uint32_t kind, std::int32_t who) {
  switch (kind) {
    case prio_process:
      return process.pid == (who == 0 ? call.process.pid : who);
    case prio_pgrp:
      return process.group == (who == 0 ? call.process.group : who);
    default:
      return state_of(process).credentials.user.real ==
             (who == 0 ? call.state.credentials.user.real : static_cast<std::uint32_t>(who));
  }
}

// EINVAL, ESRCH
Result<std::vector<Process*>, Errno> all_meant(Call& call, std::uint32_t kind, std::int32_t who) {
  if (kind > prio_user) return Failure{Errno::einval};
  std::vector<Process*> meant = call.simulation().processes();
  std::erase_if(meant, [&](const Process* process) {
    return process->exit_status.has_value() || !is_meant(call, *process, kind, who);
  });
  if (meant.empty()) return Failure{Errno::esrch};
  return meant;
}

}  // namespace

Result<std::int32_t, Errno> best_priority(Call& call, std::uint32_t kind, std::int32_t who) {
  const auto meant = all_meant(call, kind, who);
  if (!meant) return Failure{meant.error()};
  const auto nice_of = [](const Process* process) { return state_of(*process).nice; };
  return nice_of(*std::ranges::min_element(*meant, {}, nice_of));
}

CallResult set_priorities(Call& call, std::uint32_t kind, std::int32_t who, std::int32_t value,
                          const PriorityRules& rules) {
  const auto meant = all_meant(call, kind, who);
  if (!meant) return CallResult::failure(meant.error());
  const std::int32_t wanted = std::clamp(value, -20, rules.most);
  const Credentials& own = call.state.credentials;
  CallResult result = CallResult::value(0);
  for (Process* const process : *meant) {
    ProcessState& target = state_of(*process);
    if (!(own.*rules.may_change)(target.credentials))
      result = CallResult::failure(rules.not_allowed);
    else if (wanted < target.nice && !own.is_superuser())
      result = CallResult::failure(rules.too_good);
    else
      target.nice = wanted;
  }
  return result;
}

}  // namespace hardclock::posix
