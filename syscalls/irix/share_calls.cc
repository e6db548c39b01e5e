// prctl(2) and blockproc(2): calls of processes about themselves and their share groups.
#include <algorithm>

#include "syscalls/irix/calls.h"
#include "syscalls/irix/share_group.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::irix::calls {
namespace {

// 0 is the caller. ESRCH, and EPERM for a process that the caller may not signal.
Result<Process*, Errno> process_named(Call& call, std::int32_t pid) {
  Process* const process = pid == 0 ? &call.process : call.simulation().find(pid);
  if (process == nullptr || process->exit_status) return Failure{Errno::esrch};
  if (!call.state.credentials.may_signal(posix::state_of(*process).credentials)) {
    return Failure{Errno::eperm};
  }
  return process;
}

CallResult set_signal(Call& call, unsigned& own, unsigned ShareGroup::*of_group) {
  const std::uint32_t signal = call.argument(1);
  if (signal > call.system.signals.last) return CallResult::failure(Errno::einval);
  own = signal;
  ShareGroup* const group = irix_state_of(call.process).group.get();
  if (group != nullptr) group->*of_group = signal;
  return CallResult::value(0);
}

}  // namespace

CallResult isblocked(Call& call) {
  const auto process = process_named(call, call.signed_argument(1));
  if (!process) return CallResult::failure(process.error());
  return CallResult::value((*process)->blocked ? 1 : 0);
}

// PR_SETSTACKSIZE: the size of the stacks that sproc() makes, in bytes; the result is the new size.
CallResult setstacksize(Call& call) {
  const std::uint64_t size = round_up_to_page(call.argument(1));
  if (size == 0 || size > call.port().layout.stack_limit) {
    return CallResult::failure(Errno::einval);
  }
  irix_state_of(call.process).stack_size = size;
  return CallResult::offset(size);
}

CallResult getstacksize(Call& call) {
  const std::uint64_t size = irix_state_of(call.process).stack_size;
  return CallResult::offset(size == 0 ? call.state.limits[posix::rlimit_stack].current : size);
}

CallResult unblkonexec(Call& call) {
  const auto process = process_named(call, call.signed_argument(1));
  if (!process) return CallResult::failure(process.error());
  irix_state_of(call.process).unblocks_on_exec = (*process)->pid;
  return CallResult::value(0);
}

CallResult setexitsig(Call& call) {
  return set_signal(call, irix_state_of(call.process).exit_signal, &ShareGroup::exit_signal);
}

CallResult setabortsig(Call& call) {
  return set_signal(call, irix_state_of(call.process).abort_signal, &ShareGroup::abort_signal);
}

CallResult termchild(Call& call) {
  irix_state_of(call.process).ends_with_parent = true;
  return CallResult::value(0);
}

// PR_GETSHMASK: the caller's mask (0), or what it shares with another member.
CallResult getshmask(Call& call) {
  const IrixState& own = irix_state_of(call.process);
  const std::int32_t pid = call.signed_argument(1);
  if (pid == 0) return CallResult::value(own.mask);
  Process* const other = call.simulation().find(pid);
  if (other == nullptr || other->exit_status || own.group == nullptr ||
      irix_state_of(*other).group != own.group) {
    return CallResult::failure(Errno::einval);
  }
  return CallResult::value(own.mask & irix_state_of(*other).mask);
}

// PR_GETNSHARE: the number of members of the share group; 0 for a process in none (NetBSD,
// sys/compat/irix/irix_prctl.c).
CallResult getnshare(Call& call) {
  const auto group = irix_state_of(call.process).group;
  if (group == nullptr) return CallResult::value(0);
  const auto all = call.simulation().processes();
  return CallResult::value(static_cast<std::uint64_t>(std::ranges::count_if(
      all, [&](Process* process) { return irix_state_of(*process).group == group; })));
}

// PR_LASTSHEXIT: whether the caller is the last member.
CallResult lastshexit(Call& call) {
  return CallResult::value(getnshare(call).first < 2 ? 1 : 0);
}

// procblk(operation, pid, count): blockproc(), unblockproc(), setblockproccnt(), and the same for
// all members of the process's group.
CallResult procblk(Call& call) {
  enum Operation : std::uint32_t { block = 0, unblock = 1, set_count = 2, for_all = 3 };
  constexpr std::int32_t limit = 10000;  // PR_MAXBLOCKCNT, and below 0 PR_MINBLOCKCNT
  const std::uint32_t code = call.argument(0);
  const std::int32_t count = call.signed_argument(2);
  const auto named = process_named(call, call.signed_argument(1));
  if (!named) return CallResult::failure(named.error());
  if (code >= 2 * for_all) return CallResult::failure(Errno::einval);
  const std::uint32_t operation = code % for_all;
  const auto wanted = [&](Process& process) {
    const int now = irix_state_of(process).block_count;
    return operation == set_count ? count : operation == block ? now - 1 : now + 1;
  };
  const auto is_possible = [&](Process& process) {
    return wanted(process) >= -limit && wanted(process) <= limit;
  };
  std::vector<Process*> targets = {*named};
  const auto group = irix_state_of(**named).group;
  if (code >= for_all && group != nullptr) {
    targets = call.simulation().processes();
    std::erase_if(targets, [&](Process* process) {
      return process->exit_status || irix_state_of(*process).group != group;
    });
  }
  if (!std::ranges::all_of(targets, [&](Process* process) { return is_possible(*process); })) {
    return CallResult::failure(Errno::einval);
  }
  for (Process* const target : targets) set_block_count(*target, wanted(*target));
  return CallResult::value(0);
}

}  // namespace hardclock::irix::calls
