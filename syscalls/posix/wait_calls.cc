// The forms of waiting for a child, from V7's to SVR4's.
#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/rusage.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix::calls {
namespace {

// Which children are meant: one, or all. Process groups are those of the whole simulation: every
// process is in its parent's.
struct Wanted {
  std::optional<std::int32_t> pid;
  bool ended = true;  // a child's end is reported; it never stops or continues here
  bool includes(const Process& child) const { return !pid || child.pid == *pid; }
};

Wanted wanted_by_pid(std::int32_t pid) {
  return {.pid = pid > 0 ? std::optional(pid) : std::nullopt};
}

std::vector<Process*> waited_for(Simulation& simulation, const Process& parent,
                                 const Wanted& wanted) {
  std::vector<Process*> children = simulation.children_of(parent);
  std::erase_if(children, [&](const Process* child) { return !wanted.includes(*child); });
  return children;
}

Process* first_zombie(const std::vector<Process*>& children, const Wanted& wanted) {
  if (!wanted.ended) return nullptr;
  const auto zombie = std::ranges::find_if(
      children, [](const Process* child) { return child->exit_status.has_value(); });
  return zombie == children.end() ? nullptr : *zombie;
}

CpuTime used_by(const Process& child) {
  CpuTime used = child.time;
  used += child.children_time;
  return used;
}

void take(Call& call, Process& zombie) {
  call.process.children_time += used_by(zombie);
  call.simulation.reap(zombie);
}

// What wait() tells about the end: the exit code in the second byte, or the signal in the first
// (wait(2) of V7 and all after it).
std::uint32_t status_word(const ExitStatus& status) {
  return status.by_signal ? status.code : status.code << 8;
}

// Answers the call; null: no child has ended yet, and the caller does not want to wait.
using Report = std::function<CallResult(Process* zombie)>;

// Reports a child that has ended, or waits for one. Without a child: ECHILD.
CallResult wait_for(Call& call, const Wanted& wanted, bool hang, const Report& report) {
  const auto children = waited_for(call.simulation, call.process, wanted);
  if (children.empty()) return CallResult::failure(Errno::echild);
  Process* const zombie = first_zombie(children, wanted);
  if (zombie != nullptr || !hang) return report(zombie);
  Simulation& simulation = call.simulation;
  const Process& parent = call.process;
  return CallResult::wait([&simulation, &parent, wanted] {
    const auto candidates = waited_for(simulation, parent, wanted);
    return candidates.empty() || first_zombie(candidates, wanted) != nullptr;
  });
}

CallResult write_rusage(Call& call, GuestAddr address, const CpuTime& used) {
  const CallResult done = CallResult::value(0);
  if (address == GuestAddr(0)) return done;
  return write_words(call, address, rusage_words(used, call.simulation.clock().tick_rate()), done);
}

// wait3, wait4, waitpid: the status through a pointer, the pid as the result.
CallResult wait_with_pointers(Call& call, std::int32_t pid, GuestAddr status, std::uint32_t options,
                              GuestAddr rusage) {
  constexpr std::uint32_t wnohang = 1, wuntraced = 2;
  if ((options & ~(wnohang | wuntraced)) != 0) return CallResult::failure(Errno::einval);
  return wait_for(call, wanted_by_pid(pid), (options & wnohang) == 0, [&](Process* zombie) {
    if (zombie == nullptr) return CallResult::value(0);
    if (status != GuestAddr(0)) {
      const std::uint32_t word[] = {status_word(*zombie->exit_status)};
      const CallResult written = write_words(call, status, word, CallResult::value(0));
      if (written.kind == CallResult::Kind::error) return written;
    }
    const CallResult written = write_rusage(call, rusage, used_by(*zombie));
    if (written.kind == CallResult::Kind::error) return written;
    const auto found = static_cast<std::uint64_t>(zombie->pid);
    take(call, *zombie);
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
// siginfo of a child: si_signo, si_code, si_errno, pid, utime, status, stime (word offsets 0..6).
constexpr std::uint32_t cld_exited = 1, cld_killed = 2;
constexpr std::size_t siginfo_words = 7;

CallResult write_siginfo(Call& call, std::span<const std::uint32_t> info) {
  const CallResult done = CallResult::value(0);
  return call.argument(2) == 0 ? done : write_words(call, call.address(2), info, done);
}

CallResult report_siginfo(Call& call, Process* zombie) {
  if (zombie == nullptr) {
    const std::uint32_t nothing[siginfo_words] = {};
    return write_siginfo(call, nothing);
  }
  const ExitStatus status = *zombie->exit_status;
  const std::uint32_t info[siginfo_words] = {
      call.system.signals.child,
      status.by_signal ? cld_killed : cld_exited,
      0,
      static_cast<std::uint32_t>(zombie->pid),
      static_cast<std::uint32_t>(zombie->time.user.value()),
      status.code,
      static_cast<std::uint32_t>(zombie->time.system.value())};
  const CallResult told = write_siginfo(call, info);
  if (told.kind == CallResult::Kind::error) return told;
  const CallResult written = write_rusage(call, call.address(4), used_by(*zombie));
  if (written.kind == CallResult::Kind::error) return written;
  if ((call.argument(3) & wnowait) == 0) take(call, *zombie);
  return CallResult::value(0);
}

}  // namespace

// The pid and the status in the two result registers.
CallResult wait(Call& call) {
  return wait_for(call, Wanted{}, true, [&](Process* zombie) {
    const CallResult found = CallResult::value(static_cast<std::uint64_t>(zombie->pid),
                                               status_word(*zombie->exit_status));
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
  Wanted wanted{.pid = {}, .ended = (options & wexited) != 0};
  if (type == p_pid) wanted.pid = call.signed_argument(1);
  return wait_for(call, wanted, (options & wnohang) == 0,
                  [&](Process* zombie) { return report_siginfo(call, zombie); });
}

// waitsys without a rusage.
CallResult waitid(Call& call) {
  call.arguments[4] = 0;
  return waitsys(call);
}

}  // namespace hardclock::posix::calls
