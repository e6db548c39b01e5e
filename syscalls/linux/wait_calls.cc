// Waiting for children and for traced threads. Source: Linux 6.1, kernel/exit.c, and wait(2).
#include <limits>

#include "syscalls/linux/calls.h"
#include "syscalls/linux/signals.h"
#include "syscalls/linux/thread_ids.h"
#include "syscalls/posix/calls.h"
#include "syscalls/posix/guest_struct.h"

namespace hardclock::gnu_linux::calls {
namespace {

using posix::GuestStruct;
using posix::SignalInfo;

// include/uapi/linux/wait.h
constexpr std::uint32_t wnohang = 1, wstopped = 2, wexited = 4, wcontinued = 8, wnowait = 0x1000000,
                        of_thread = 0x20000000, any_clone = 0x40000000, clones_alone = 0x80000000;
constexpr std::uint32_t which_children = of_thread | any_clone | clones_alone;

ChildEvent wanted_by(std::uint32_t options) {
  ChildEvent wanted;
  wanted.stopped = (options & wstopped) != 0;
  wanted.continued = (options & wcontinued) != 0;
  wanted.of_caller = (options & of_thread) != 0;
  wanted.clones = (options & any_clone) != 0      ? ChildEvent::Clones::are_included
                  : (options & clones_alone) != 0 ? ChildEvent::Clones::alone
                                                  : ChildEvent::Clones::are_not;
  return wanted;
}

// Of a process or of one of its threads.
void want_number(ChildEvent& wanted, std::int32_t number) {
  wanted.pid = number % between_threads;
  wanted.thread = number / between_threads + 1;
}

// Only the members that tell of a child.
CallResult write_siginfo(Call& call, GuestAddr address, const SignalInfo* info) {
  const std::size_t head = call.abi().long_bytes() == 8 ? 16 : 12, members = 12;  // bytes
  GuestStruct told(call);
  told.skip(head + members);
  if (info != nullptr) {
    told = siginfo_struct(call.system, call.process, call.system.signals.child, *info);
  }
  const auto bytes = std::span(told.bytes()).first(head + members);
  return call.memory.write_bytes(address, bytes) ? CallResult::value(0)
                                                 : CallResult::failure(Errno::efault);
}

// What waitid(2) waits for; the file of a process (P_PIDFD) there cannot be here.
Result<ChildEvent, Errno> wanted_by_type(const Call& call, std::uint32_t type, std::int32_t id,
                                         std::uint32_t options) {
  enum IdType : std::uint32_t { p_all, p_pid, p_pgid, p_pidfd };
  ChildEvent wanted = wanted_by(options);
  wanted.ended = (options & wexited) != 0;
  switch (type) {
    case p_all:
      return wanted;
    case p_pid:
      if (id <= 0) return Failure{Errno::einval};
      want_number(wanted, id);
      return wanted;
    case p_pgid:
      if (id < 0) return Failure{Errno::einval};
      wanted.group = id == 0 ? call.process.group : id;
      return wanted;
    case p_pidfd:
      return Failure{id < 0 ? Errno::einval : Errno::ebadf};
    default:
      return Failure{Errno::einval};
  }
}

}  // namespace

// wait4(process, status, options, usage)
CallResult wait4(Call& call) {
  const std::int32_t pid = call.signed_argument(0);
  const std::uint32_t options = call.argument(2);
  if ((options & ~(wnohang | wstopped | wcontinued | which_children)) != 0) {
    return CallResult::failure(Errno::einval);
  }
  if (pid == std::numeric_limits<std::int32_t>::min()) return CallResult::failure(Errno::esrch);
  ChildEvent wanted = wanted_by(options);
  if (pid > 0) want_number(wanted, pid);
  if (pid == 0) wanted.group = call.process.group;
  if (pid < -1) wanted.group = -pid;
  return posix::calls::wait_with_pointers(call, wanted, (options & wnohang) == 0, call.address(1),
                                          call.address(3));
}

// waitid(type, id, info, options, usage)
CallResult waitid(Call& call) {
  const std::uint32_t options = call.argument(3);
  constexpr std::uint32_t events = wexited | wstopped | wcontinued;
  if ((options & ~(wnohang | wnowait | events | which_children)) != 0 || (options & events) == 0) {
    return CallResult::failure(Errno::einval);
  }
  const auto wanted = wanted_by_type(call, call.argument(0), call.signed_argument(1), options);
  if (!wanted) return CallResult::failure(wanted.error());
  return posix::calls::wait_with_info(call, *wanted,
                                      {.hang = (options & wnohang) == 0,
                                       .takes = (options & wnowait) == 0,
                                       .info = call.address(2),
                                       .rusage = call.address(4),
                                       .write = write_siginfo});
}

}  // namespace hardclock::gnu_linux::calls
