// The forms of waiting for a child, from V7's to SVR4's.
#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/rusage.h"
#include "syscalls/posix/siginfo.h"
#include "syscalls/posix/signals.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix::calls {
namespace {

// waitpid(2): one child (above 0), any (-1), any of the caller's group (0) or of another (below).
ChildEvent wanted_by_pid(const Call& call, std::int32_t pid) {
  ChildEvent wanted;
  if (pid > 0) {
    wanted.pid = pid;
  } else if (pid == 0) {
    wanted.group = call.process.group;
  } else if (pid != -1) {
    wanted.group = -pid;
  }
  return wanted;
}

// Children, and those that the process traces.
std::vector<Process*> waited_for(Simulation& simulation, const Process& waiter,
                                 const ChildEvent& wanted) {
  std::vector<Process*> children = simulation.processes();
  std::erase_if(children, [&](const Process* child) {
    return !child->is_awaited_by(waiter.pid) || !wanted.includes(*child);
  });
  return children;
}

Process* first_concerned(const Process& waiter, const std::vector<Process*>& children,
                         const ChildEvent& wanted) {
  const auto found = std::ranges::find_if(children, [&](const Process* child) {
    return child->reports_to(waiter.pid) && wanted.has_happened_to(*child);
  });
  return found == children.end() ? nullptr : *found;
}

CpuTime used_by(const Process& child) {
  CpuTime used = child.time;
  used += child.children_time;
  return used;
}

// A report is made once; a zombie then disappears. If the signal that announced it is blocked, it
// is removed as well, unless it announces another child (POSIX.1, wait()).
void take(Call& call, Process& child) {
  const unsigned signal = call.system.signals.child;
  if (signal != 0 && call.system.signals.children_queue &&
      call.thread.blocked_signals.test(signal - 1) &&
      call.state.pending.forget_child(signal, child.pid)) {
    call.process.signals.pending.reset(signal - 1);
  }
  if (!child.exit_status) {
    (child.stop_to_report ? child.stop_to_report : child.continue_to_report) = false;
    return;
  }
  if (child.parent == call.process.pid) call.process.children_time += used_by(child);
  call.os.hand_to_parent(call.simulation, child);
}

// The status of wait(): the exit code in the second byte, or the signal in the first (wait(2) of V7
// and all after it); WSTOPPED and the signal in the second (4.2BSD), WCONTINUED (System V.4).
std::uint32_t status_word(const Process& child) {
  constexpr std::uint32_t wstopped = 0x7f, wcontinued = 0xffff;
  if (child.exit_status) {
    return child.exit_status->by_signal ? child.exit_status->code : child.exit_status->code << 8;
  }
  return child.stop_to_report ? child.stopped_by << 8 | wstopped : wcontinued;
}

// Answers the call; `child` is nullptr if nothing has happened yet and the caller does not wait.
using Report = std::function<CallResult(Process* child)>;

// Reports what a child did, or waits for that. Without a child: ECHILD.
CallResult wait_for(Call& call, const ChildEvent& wanted, bool hang, const Report& report) {
  const auto children = waited_for(call.simulation, call.process, wanted);
  if (children.empty()) return CallResult::failure(Errno::echild);
  Process* const child = first_concerned(call.process, children, wanted);
  if (child != nullptr || !hang) return report(child);
  return CallResult::wait({.event = wanted});
}

CallResult write_rusage(Call& call, GuestAddr address, const CpuTime& used) {
  if (address == GuestAddr(0)) return CallResult::value(0);
  return rusage(call, used).store(call, address);
}

// wait3, wait4, waitpid: the status through a pointer, the pid as the result.
CallResult wait_with_pointers(Call& call, std::int32_t pid, GuestAddr status, std::uint32_t options,
                              GuestAddr rusage) {
  constexpr std::uint32_t wnohang = 1, wuntraced = 2;
  if ((options & ~(wnohang | wuntraced)) != 0) return CallResult::failure(Errno::einval);
  ChildEvent wanted = wanted_by_pid(call, pid);
  wanted.stopped = (options & wuntraced) != 0;
  return wait_for(call, wanted, (options & wnohang) == 0, [&](Process* child) {
    if (child == nullptr) return CallResult::value(0);
    if (status != GuestAddr(0)) {
      const std::uint32_t word[] = {status_word(*child)};
      const CallResult written = write_words(call, status, word, CallResult::value(0));
      if (written.kind == CallResult::Kind::error) return written;
    }
    const CallResult written = write_rusage(call, rusage, used_by(*child));
    if (written.kind == CallResult::Kind::error) return written;
    const auto found = static_cast<std::uint64_t>(child->pid);
    take(call, *child);
    return CallResult::value(found);
  });
}

constexpr std::int32_t any_child = -1;

// waitsys: SVR4's waitid() with a rusage.
enum IdType : std::uint32_t { p_pid = 0, p_pgid = 2, p_all = 7 };
constexpr std::uint32_t wexited = 1, wtrapped = 2, wstopped = 4, wcontinued = 8, wnohang = 0x40,
                        wnowait = 0x80;
constexpr std::uint32_t all_wait_options =
    wexited | wtrapped | wstopped | wcontinued | wnohang | wnowait;

SignalInfo info_of(const Call& call, const Process& child) {
  if (child.exit_status) return call.os.end_info(call.simulation, child);
  const SignalInfo::Cause stopped = child.stopped_for_tracer ? SignalInfo::Cause::child_trapped
                                                             : SignalInfo::Cause::child_stopped;
  return child.stop_to_report
             ? call.os.child_info(call.simulation, child, stopped, child.stopped_by)
             : call.os.child_info(call.simulation, child, SignalInfo::Cause::child_continued,
                                  call.system.signals.cont);
}

// A whole siginfo_t; zeros if there is nothing to report.
CallResult report_siginfo(Call& call, Process* child) {
  std::vector<std::uint8_t> info(siginfo_size);
  if (child != nullptr) {
    info = saved_siginfo(call.process, call.system.signals.child, info_of(call, *child));
  }
  if (call.address(2) != GuestAddr(0) && !call.memory.write_bytes(call.address(2), info)) {
    return CallResult::failure(Errno::efault);
  }
  if (child == nullptr) return CallResult::value(0);
  const CallResult written = write_rusage(call, call.address(4), used_by(*child));
  if (written.kind == CallResult::Kind::error) return written;
  if ((call.argument(3) & wnowait) == 0) take(call, *child);
  return CallResult::value(0);
}

}  // namespace

// The pid and the status in the two result registers.
CallResult wait(Call& call) {
  return wait_for(call, ChildEvent{}, true, [&](Process* zombie) {
    const CallResult found =
        CallResult::value(static_cast<std::uint64_t>(zombie->pid), status_word(*zombie));
    take(call, *zombie);
    return found;
  });
}

// wait(status)
CallResult wait_status(Call& call) {
  return wait_with_pointers(call, any_child, call.address(0), 0, GuestAddr(0));
}

CallResult wait3(Call& call) {
  return wait_with_pointers(call, any_child, call.address(0), call.argument(1), call.address(2));
}

CallResult wait4(Call& call) {
  return wait_with_pointers(call, call.signed_argument(0), call.address(1), call.argument(2),
                            call.address(3));
}

CallResult waitpid(Call& call) {
  return wait_with_pointers(call, call.signed_argument(0), call.address(1), call.argument(2),
                            GuestAddr(0));
}

CallResult waitsys(Call& call) {
  const std::uint32_t type = call.argument(0);
  const std::uint32_t options = call.argument(3);
  if ((type != p_pid && type != p_pgid && type != p_all) || (options & ~all_wait_options) != 0 ||
      (options & (wexited | wtrapped | wstopped | wcontinued)) == 0) {
    return CallResult::failure(Errno::einval);
  }
  ChildEvent wanted;
  wanted.ended = (options & wexited) != 0;
  wanted.stopped = (options & (wstopped | wtrapped)) != 0;
  wanted.continued = (options & wcontinued) != 0;
  if (type == p_pid) wanted.pid = call.signed_argument(1);
  if (type == p_pgid) {
    const std::int32_t group = call.signed_argument(1);
    wanted.group = group == 0 ? call.process.group : group;
  }
  return wait_for(call, wanted, (options & wnohang) == 0,
                  [&](Process* child) { return report_siginfo(call, child); });
}

// waitsys without a rusage.
CallResult waitid(Call& call) {
  call.arguments[4] = 0;
  return waitsys(call);
}

}  // namespace hardclock::posix::calls
