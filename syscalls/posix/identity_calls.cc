// The identity of a process: its users and groups, its process group and its session.
#include <algorithm>
#include <iterator>
#include <vector>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::posix::calls {
namespace {

constexpr std::uint32_t unchanged = 0xffffffff;  // -1 of setreuid(2) and setresuid(2)

constexpr std::uint32_t highest_id = 0x7fffffff;

// 0 means the caller; nullptr if there is no such process.
Process* named(Call& call, std::int32_t pid) {
  return pid == 0 ? &call.process : call.simulation().find(pid);
}

bool leads_session(const Process& process) {
  return process.session == process.pid;
}

bool has_group(Call& call, int group, int session) {
  const auto all = call.simulation().processes();
  return std::ranges::any_of(all, [&](const Process* process) {
    return process->group == group && process->session == session;
  });
}

void start_session(Process& process) {
  process.session = process.pid;
  process.group = process.pid;
}

CallResult pid_value(int pid) {
  return CallResult::value(static_cast<std::uint64_t>(pid));
}

}  // namespace

// ---- Users and groups.

CallResult get_ids(Call& call, IdsOf which) {
  const Ids& ids = call.state.credentials.*which;
  return CallResult::value(ids.real, ids.effective);
}

CallResult get_effective(Call& call, IdsOf which) {
  return CallResult::value((call.state.credentials.*which).effective);
}

// setuid(2) and setgid(2) of POSIX.1: the superuser's sets all three ids.
CallResult set_id(Call& call, IdsOf which) {
  const Credentials& credentials = call.state.credentials;
  Ids& ids = call.state.credentials.*which;
  const std::uint32_t id = call.argument(0);
  if (id > highest_id) return CallResult::failure(Errno::einval);
  if (credentials.is_superuser()) {
    ids = Ids{id, id, id};
  } else if (ids.may_become(id)) {
    ids.effective = id;
  } else {
    return CallResult::failure(Errno::eperm);
  }
  return CallResult::value(0);
}

// setreuid(2) of 4.3BSD: a process without privilege may exchange the ids or return to the saved
// one. The saved id follows the effective one if that is no longer the old real id (4.4BSD,
// setreuid(2)).
CallResult set_both(Call& call, IdsOf which) {
  Ids& ids = call.state.credentials.*which;
  const std::uint32_t real = call.argument(0), effective = call.argument(1);
  const bool may_real = real == unchanged || real == ids.real || real == ids.effective;
  const bool may_effective =
      effective == unchanged || effective == ids.effective || ids.may_become(effective);
  if (!call.state.credentials.is_superuser() && !(may_real && may_effective)) {
    return CallResult::failure(Errno::eperm);
  }
  const bool saves = real != unchanged || (effective != unchanged && effective != ids.real);
  if (real != unchanged) ids.real = real;
  if (effective != unchanged) ids.effective = effective;
  if (saves) ids.saved = ids.effective;
  return CallResult::value(0);
}

// setresuid(2) of HP-UX: "only sets the real, effective, and saved user IDs if ruid, euid, and suid
// each match at least one of the current real, effective, or saved user IDs", but for the
// superuser.
CallResult set_all(Call& call, IdsOf which) {
  Ids& ids = call.state.credentials.*which;
  const bool is_superuser = call.state.credentials.is_superuser();
  Ids wanted = ids;
  std::uint32_t* const places[] = {&wanted.real, &wanted.effective, &wanted.saved};
  for (std::size_t i = 0; i < std::size(places); ++i) {
    const std::uint32_t id = call.argument(i);
    if (id == unchanged) continue;
    if (id > highest_id) return CallResult::failure(Errno::einval);
    if (!is_superuser && id != ids.effective && !ids.may_become(id)) {
      return CallResult::failure(Errno::eperm);
    }
    *places[i] = id;
  }
  ids = wanted;
  return CallResult::value(0);
}

// getgroups(2) of POSIX.1: "if the gidsetsize argument is zero, getgroups() shall return the number
// of group IDs ... without modifying the array".
CallResult getgroups(Call& call) {
  const std::vector<std::uint32_t>& groups = call.state.credentials.groups;
  const std::int32_t room = call.signed_argument(0);
  const CallResult count = CallResult::value(groups.size());
  if (room == 0) return count;
  if (room < 0 || static_cast<std::size_t>(room) < groups.size()) {
    return CallResult::failure(Errno::einval);
  }
  return write_words(call, call.address(1), groups, count);
}

CallResult setgroups(Call& call) {
  if (!call.state.credentials.is_superuser()) return CallResult::failure(Errno::eperm);
  const std::uint32_t count = call.argument(0);
  if (count > groups_max) return CallResult::failure(Errno::einval);
  std::vector<std::uint32_t> groups;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto group = call.memory.read<std::uint32_t>(call.address(1) + 4 * i);
    if (!group) return CallResult::failure(Errno::efault);
    groups.push_back(*group);
  }
  call.state.credentials.groups = groups;
  return CallResult::value(0);
}

// ---- Process groups and sessions.

CallResult getpgrp(Call& call) {
  return pid_value(call.process.group);
}

// setpgrp(2) of System V: If the process is not already a session leader, setpgrp sets the process
// group ID and session ID of the calling process to the process ID.
CallResult setpgrp(Call& call) {
  if (!leads_session(call.process)) start_session(call.process);
  return pid_value(call.process.group);
}

CallResult getpgid(Call& call) {
  const Process* const process = named(call, call.signed_argument(0));
  if (process == nullptr) return CallResult::failure(Errno::esrch);
  return pid_value(process->group);
}

CallResult getsid(Call& call) {
  const Process* const process = named(call, call.signed_argument(0));
  if (process == nullptr) return CallResult::failure(Errno::esrch);
  return pid_value(process->session);
}

// setsid(2): EPERM for the leader of a process group.
CallResult setsid(Call& call) {
  if (has_group(call, call.process.pid, call.process.session)) {
    return CallResult::failure(Errno::eperm);
  }
  start_session(call.process);
  return pid_value(call.process.group);
}

// setpgid(2) of POSIX.1, with its errors in its order.
CallResult setpgid(Call& call) {
  const std::int32_t pid = call.signed_argument(0);
  std::int32_t group = call.signed_argument(1);
  if (pid < 0 || group < 0) return CallResult::failure(Errno::einval);
  Process* const process = named(call, pid);
  if (process == nullptr || (process != &call.process && process->parent != call.process.pid)) {
    return CallResult::failure(Errno::esrch);
  }
  if (process != &call.process && state_of(*process).has_executed) {
    return CallResult::failure(Errno::eacces);
  }
  if (group == 0) group = process->pid;
  if (leads_session(*process) || process->session != call.process.session ||
      (group != process->pid && !has_group(call, group, call.process.session))) {
    return CallResult::failure(Errno::eperm);
  }
  process->group = group;
  return CallResult::value(0);
}

// setpgrp(2) of 4.3BSD: any group for a process of the caller's user or below the caller.
CallResult setpgrp_of(Call& call) {
  Process* const process = named(call, call.signed_argument(0));
  if (process == nullptr) return CallResult::failure(Errno::esrch);
  const Credentials& own = call.state.credentials;
  if (!own.is_superuser() && process->parent != call.process.pid && process != &call.process &&
      own.user.effective != state_of(*process).credentials.user.effective) {
    return CallResult::failure(Errno::eperm);
  }
  process->group = call.signed_argument(1);
  return CallResult::value(0);
}

}  // namespace hardclock::posix::calls
