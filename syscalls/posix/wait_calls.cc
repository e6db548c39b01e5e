// The forms of waiting for a child, from V7's to SVR4's.
#include <algorithm>
#include <functional>
#include <vector>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/rusage.h"
#include "syscalls/posix/signals/siginfo.h"
#include "syscalls/posix/signals/signals.h"
#include "syscalls/posix/thread_numbers.h"
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

CpuTime used_by(const Process& child) {
  CpuTime used = child.time;
  used += child.children_time;
  return used;
}

// What is to be told first of one who did something that is wanted.
enum class Deed : std::uint8_t { end, stop, continuation };

Deed deed_of(const Waitable& waitable, const ChildEvent& wanted) {
  if (wanted.ended && waitable.has_ended()) return Deed::end;
  const bool tells_stop = wanted.stopped || waitable.thread != 0;
  return tells_stop && waitable.has_stopped() ? Deed::stop : Deed::continuation;
}

int number_of(const Waitable& waitable) {
  return waitable.thread == 0 ? waitable.process->pid
                              : thread_number(*waitable.process, waitable.thread);
}

unsigned stop_of(const Waitable& waitable) {
  return waitable.thread == 0 ? waitable.process->stopped_by : waitable.tracee()->traced_stop;
}

ExitStatus end_of(const Waitable& waitable) {
  const bool is_process = waitable.thread == 0 || waitable.thread == 1;
  return is_process ? *waitable.process->exit_status : waitable.ended_tracee()->status;
}

void take_end(Call& call, const Waitable& waitable) {
  Process& process = *waitable.process;
  const bool is_child = process.parent == call.process.pid && waitable.thread <= 1;
  if (is_child) call.process.children_time += used_by(process);
  if (is_child) {
    call.simulation().reap(process);
  } else {
    call.os.ptrace().forget_tracee(process, waitable.thread);
  }
}

// A report is made once; a zombie then disappears. If the signal that announced it is blocked, it
// is removed as well, unless it announces another child (POSIX.1, wait()).
void take(Call& call, const Waitable& waitable, Deed deed) {
  const unsigned signal = call.system.signals.child;
  if (signal != 0 && call.system.signals.children_queue &&
      call.thread.blocked_signals.test(signal - 1) &&
      call.state.pending.forget_child(signal, number_of(waitable))) {
    call.process.signals.pending.reset(signal - 1);
  }
  if (deed == Deed::end) {
    take_end(call, waitable);
  } else if (deed == Deed::continuation) {
    waitable.process->continue_to_report = false;
  } else {
    (waitable.thread == 0 ? waitable.process->stop_to_report : waitable.tracee()->stop_to_report) =
        false;
  }
}

// The status of wait(): the exit code in the second byte, or the signal in the first (wait(2) of V7
// and all after it); WSTOPPED and the signal in the second (4.2BSD), WCONTINUED (System V.4).
std::uint32_t status_word(const Waitable& waitable, Deed deed) {
  constexpr std::uint32_t wstopped = 0x7f, wcontinued = 0xffff;
  if (deed == Deed::continuation) return wcontinued;
  if (deed == Deed::stop) return stop_of(waitable) << 8 | wstopped;
  const ExitStatus status = end_of(waitable);
  return status.by_signal ? status.code : status.code << 8;
}

// Answers the call; `found` is nullptr if nothing has happened yet and the caller does not wait.
using Report = std::function<CallResult(const Waitable* found)>;

// Reports what somebody did, or waits for that. With nobody to wait for: ECHILD.
CallResult wait_for(Call& call, const ChildEvent& wanted, bool hang, const Report& report) {
  const auto waitables = call.simulation().waitables_of(call.thread, wanted);
  if (waitables.empty()) return CallResult::failure(Errno::echild);
  const auto found =
      std::ranges::find_if(waitables, [&](const Waitable& one) { return one.has_done(wanted); });
  if (found != waitables.end()) return report(&*found);
  return hang ? CallResult::wait({.event = wanted}) : report(nullptr);
}

CallResult write_rusage(Call& call, GuestAddr address, const CpuTime& used) {
  if (address == GuestAddr(0)) return CallResult::value(0);
  return rusage(call, used).store(call, address);
}

// wait3, wait4, waitpid
CallResult wait_with_options(Call& call, std::int32_t pid, GuestAddr status, std::uint32_t options,
                             GuestAddr rusage) {
  constexpr std::uint32_t wnohang = 1, wuntraced = 2;
  if ((options & ~(wnohang | wuntraced)) != 0) return CallResult::failure(Errno::einval);
  ChildEvent wanted = wanted_by_pid(call, pid);
  wanted.stopped = (options & wuntraced) != 0;
  return wait_with_pointers(call, wanted, (options & wnohang) == 0, status, rusage);
}

constexpr std::int32_t any_child = -1;

// waitsys: SVR4's waitid() with a rusage.
enum IdType : std::uint32_t { p_pid = 0, p_pgid = 2, p_all = 7 };
constexpr std::uint32_t wexited = 1, wtrapped = 2, wstopped = 4, wcontinued = 8, wnohang = 0x40,
                        wnowait = 0x80;
constexpr std::uint32_t all_wait_options =
    wexited | wtrapped | wstopped | wcontinued | wnohang | wnowait;

// A whole siginfo_t.
CallResult write_siginfo(Call& call, GuestAddr address, const SignalInfo* info) {
  const unsigned signal = call.system.signals.child;
  const auto bytes = info == nullptr ? std::vector<std::uint8_t>(siginfo_size)
                                     : saved_siginfo(call.process, signal, *info);
  return call.memory.write_bytes(address, bytes) ? CallResult::value(0)
                                                 : CallResult::failure(Errno::efault);
}

SignalInfo info_of(const Call& call, const Waitable& waitable, Deed deed) {
  const Process& process = *waitable.process;
  using Cause = SignalInfo::Cause;
  const auto told = [&](Cause cause, unsigned status) {
    SignalInfo info = call.os.signals().child_info(process, cause, status);
    info.pid = number_of(waitable);
    return info;
  };
  if (deed == Deed::continuation) return told(Cause::child_continued, call.system.signals.cont);
  if (deed == Deed::stop) {
    return told(waitable.thread == 0 ? Cause::child_stopped : Cause::child_trapped,
                stop_of(waitable));
  }
  const ExitStatus status = end_of(waitable);
  return told(status.by_signal ? Cause::child_killed : Cause::child_exited, status.code);
}

}  // namespace

CallResult wait_with_pointers(Call& call, const ChildEvent& wanted, bool hang, GuestAddr status,
                              GuestAddr rusage) {
  return wait_for(call, wanted, hang, [&](const Waitable* found) {
    if (found == nullptr) return CallResult::value(0);
    const Deed deed = deed_of(*found, wanted);
    if (status != GuestAddr(0)) {
      const std::uint32_t word[] = {status_word(*found, deed)};
      const CallResult written = write_words(call, status, word, CallResult::value(0));
      if (written.kind == CallResult::Kind::error) return written;
    }
    const CallResult written = write_rusage(call, rusage, used_by(*found->process));
    if (written.kind == CallResult::Kind::error) return written;
    const auto number = static_cast<std::uint64_t>(number_of(*found));
    take(call, *found, deed);
    return CallResult::value(number);
  });
}

CallResult wait_with_info(Call& call, const ChildEvent& wanted, const InfoWait& how) {
  return wait_for(call, wanted, how.hang, [&](const Waitable* found) {
    const Deed deed = found == nullptr ? Deed::end : deed_of(*found, wanted);
    const SignalInfo info = found == nullptr ? SignalInfo{} : info_of(call, *found, deed);
    if (how.info != GuestAddr(0)) {
      const CallResult written = how.write(call, how.info, found == nullptr ? nullptr : &info);
      if (written.kind == CallResult::Kind::error) return written;
    }
    if (found == nullptr) return CallResult::value(0);
    const CallResult written = write_rusage(call, how.rusage, used_by(*found->process));
    if (written.kind == CallResult::Kind::error) return written;
    if (how.takes) take(call, *found, deed);
    return CallResult::value(0);
  });
}

// The pid and the status in the two result registers.
CallResult wait(Call& call) {
  return wait_for(call, ChildEvent{}, true, [&](const Waitable* found) {
    const Deed deed = deed_of(*found, ChildEvent{});
    const CallResult result =
        CallResult::value(static_cast<std::uint64_t>(number_of(*found)), status_word(*found, deed));
    take(call, *found, deed);
    return result;
  });
}

// wait(status)
CallResult wait_status(Call& call) {
  return wait_with_options(call, any_child, call.address(0), 0, GuestAddr(0));
}

CallResult wait3(Call& call) {
  return wait_with_options(call, any_child, call.address(0), call.argument(1), call.address(2));
}

CallResult wait4(Call& call) {
  return wait_with_options(call, call.signed_argument(0), call.address(1), call.argument(2),
                           call.address(3));
}

CallResult waitpid(Call& call) {
  return wait_with_options(call, call.signed_argument(0), call.address(1), call.argument(2),
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
  return wait_with_info(call, wanted,
                        {.hang = (options & wnohang) == 0,
                         .takes = (options & wnowait) == 0,
                         .info = call.address(2),
                         .rusage = call.address(4),
                         .write = write_siginfo});
}

}  // namespace hardclock::posix::calls
