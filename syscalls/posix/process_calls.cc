#include <algorithm>
#include <vector>

#include "isa/mips/abi.h"
#include "syscalls/irix/calls.h"
#include "syscalls/irix/irix.h"
#include "syscalls/irix/rusage.h"
#include "syscalls/irix/signals.h"

namespace hardclock::irix::calls {
namespace {

constexpr std::uint32_t exit_code_mask = 0xff;
// The most argument and environment strings, and the longest: exec's own limit on bytes comes
// later.
constexpr std::size_t max_strings = 4096;
constexpr std::size_t max_string = 20480;

// waitsys(2): SVR4's waitid with a rusage.
enum IdType : std::uint32_t { p_pid = 0, p_pgid = 2, p_all = 7 };
constexpr std::uint32_t wexited = 1, wtrapped = 2, wstopped = 4, wcontinued = 8, wnohang = 0x40,
                        wnowait = 0x80;
constexpr std::uint32_t all_wait_options =
    wexited | wtrapped | wstopped | wcontinued | wnohang | wnowait;
// siginfo of a child: si_signo, si_code, si_errno, pid, utime, status, stime (word offsets 0..6).
constexpr std::uint32_t cld_exited = 1, cld_killed = 2;
constexpr std::size_t siginfo_words = 7;

// A NULL-terminated vector of string pointers.
Result<std::vector<std::string>, Errno> read_strings(Call& call, GuestAddr vector) {
  std::vector<std::string> strings;
  if (vector == GuestAddr(0)) return strings;
  for (;; vector = vector + 4) {
    const auto pointer = call.memory.read<std::uint32_t>(vector);
    if (!pointer) return Failure{Errno::efault};
    if (*pointer == 0) return strings;
    if (strings.size() == max_strings) return Failure{Errno::e2big};
    auto text = call.memory.read_string(GuestAddr(*pointer), max_string);
    if (!text) return Failure{Errno::efault};
    strings.push_back(*std::move(text));
  }
}

bool is_waited_for(const Process& child, std::uint32_t type, std::uint32_t id) {
  // Process groups are those of the whole simulation: every process is in its parent's.
  return type != p_pid || static_cast<std::uint32_t>(child.pid) == id;
}

std::vector<Process*> waited_for(Simulation& simulation, const Process& parent, std::uint32_t type,
                                 std::uint32_t id) {
  std::vector<Process*> children = simulation.children_of(parent);
  std::erase_if(children, [&](const Process* child) { return !is_waited_for(*child, type, id); });
  return children;
}

Process* first_zombie(const std::vector<Process*>& children) {
  const auto zombie = std::find_if(children.begin(), children.end(), [](const Process* child) {
    return child->exit_status.has_value();
  });
  return zombie == children.end() ? nullptr : *zombie;
}

CallResult report_zombie(Call& call, Process& zombie) {
  const ExitStatus status = *zombie.exit_status;
  const std::uint32_t info[siginfo_words] = {
      sigcld,
      status.by_signal ? cld_killed : cld_exited,
      0,
      static_cast<std::uint32_t>(zombie.pid),
      static_cast<std::uint32_t>(zombie.time.user.value()),
      status.code,
      static_cast<std::uint32_t>(zombie.time.system.value())};
  CpuTime used = zombie.time;
  used += zombie.children_time;
  const CallResult done = CallResult::value(0);
  if (call.argument(2) != 0) {
    const CallResult written = write_words(call, call.address(2), info, done);
    if (written.kind == CallResult::Kind::error) return written;
  }
  if (call.argument(4) != 0) {
    const auto rusage = rusage_words(used, call.simulation.clock().tick_rate());
    const CallResult written = write_words(call, call.address(4), rusage, done);
    if (written.kind == CallResult::Kind::error) return written;
  }
  if ((call.argument(3) & wnowait) == 0) {
    call.process.children_time += used;
    call.simulation.reap(zombie);
  }
  return done;
}

}  // namespace

CallResult exit(Call& call) {
  call.simulation.exit(call.process, ExitStatus{false, call.argument(0) & exit_code_mask});
  return CallResult::no_return();
}

// Both return from the call: the parent with the child's pid, the child with its parent's and v1 =
// 1, by which libc's stub knows it.
CallResult fork(Call& call) {
  if (call.simulation.at_process_limit()) return CallResult::failure(Errno::eagain);
  return CallResult::value(
      static_cast<std::uint32_t>(call.os.fork(call.simulation, call.thread).pid));
}

CallResult execve(Call& call) {
  const auto path = read_path(call, call.address(0));
  if (!path) return CallResult::failure(path.error());
  auto arguments = read_strings(call, call.address(1));
  if (!arguments) return CallResult::failure(arguments.error());
  auto environment = read_strings(call, call.address(2));
  if (!environment) return CallResult::failure(environment.error());
  const auto allowed = call.os.files().access(*path, host::AccessKinds{.execute = true});
  if (!allowed) return CallResult::failure(to_errno(allowed.error()));
  auto image = call.os.load(*path);
  if (!image) return CallResult::failure(image.error());
  const auto replaced = call.os.replace_program(
      call.simulation, call.process,
      Program{path->text(), *std::move(image), *std::move(arguments), *std::move(environment)});
  if (!replaced) return CallResult::failure(replaced.error());
  return CallResult::no_return();
}

CallResult waitsys(Call& call) {
  const std::uint32_t type = call.argument(0);
  const std::uint32_t id = call.argument(1);
  const std::uint32_t options = call.argument(3);
  if ((type != p_pid && type != p_pgid && type != p_all) || (options & ~all_wait_options) != 0 ||
      (options & (wexited | wtrapped | wstopped | wcontinued)) == 0) {
    return CallResult::failure(Errno::einval);
  }
  const auto children = waited_for(call.simulation, call.process, type, id);
  if (children.empty()) return CallResult::failure(Errno::echild);
  Process* const zombie = (options & wexited) != 0 ? first_zombie(children) : nullptr;
  if (zombie != nullptr) return report_zombie(call, *zombie);
  if ((options & wnohang) != 0) {
    const std::uint32_t nothing[siginfo_words] = {};
    if (call.argument(2) == 0) return CallResult::value(0);
    return write_words(call, call.address(2), nothing, CallResult::value(0));
  }
  Simulation& simulation = call.simulation;
  const Process& parent = call.process;
  return CallResult::wait([&simulation, &parent, type, id, options] {
    const auto candidates = waited_for(simulation, parent, type, id);
    return candidates.empty() || ((options & wexited) != 0 && first_zombie(candidates) != nullptr);
  });
}

CallResult getpid(Call& call) {
  return CallResult::value(static_cast<std::uint32_t>(call.process.pid),
                           static_cast<std::uint32_t>(call.process.parent));
}

// One user, who is not the superuser: real and effective ids are the same.
constexpr std::uint32_t user_id = 1000;
CallResult getuid(Call&) {
  return CallResult::value(user_id, user_id);
}
CallResult getgid(Call&) {
  return CallResult::value(user_id, user_id);
}

}  // namespace hardclock::irix::calls
