// Sending signals.
#include <array>
#include <functional>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/limits.h"
#include "syscalls/posix/signals/signals.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix::calls {
namespace {

// The machine's own first process, which belongs to the superuser and is not simulated.
constexpr int init = 1;

// SIGCONT also goes to any process of the sender's session (POSIX.1, kill()).
bool may_signal(const Call& call, const Process& target, std::uint32_t signal) {
  return call.state.credentials.may_signal(state_of(target).credentials) ||
         (signal != 0 && signal == call.system.signals.cont &&
          target.session == call.process.session);
}

// Signal 0 and, where that is no error, nonexistent numbers only test whether a signal could be
// sent.
void send(Call& call, Process& target, std::uint32_t signal) {
  if (signal == 0 || signal > call.system.signals.last) return;
  call.os.signals().post(target, signal, sent_by(call.process, call.state.credentials.user.real));
}

// Sends to all processes for which `wanted` is true. ESRCH: there are none; EPERM: there are, but
// the caller may signal none of them.
CallResult send_to_all(Call& call, std::uint32_t signal,
                       const std::function<bool(const Process&)>& wanted) {
  bool found = false, sent = false;
  for (Process* const target : call.simulation().processes()) {
    if (target->exit_status || !wanted(*target)) continue;
    found = true;
    if (!may_signal(call, *target, signal)) continue;
    sent = true;
    send(call, *target, signal);
  }
  if (sent) return CallResult::value(0);
  return CallResult::failure(found ? Errno::eperm : Errno::esrch);
}

bool is_valid(const Call& call, std::uint32_t signal) {
  return signal <= call.system.signals.last || call.system.signals.kill_takes_any_number;
}

// Whether a real-time signal is refused because too many wait (Linux, kernel/signal.c,
// __send_signal_locked(): not one of kill(2)).
bool is_queue_full(const Call& call, const Process& target, std::uint32_t signal) {
  const unsigned first = call.system.signals.first_real_time;
  return first != 0 && signal >= first && !has_queue_room(call.system.signals, target);
}

// procset_t of System V.4's sigsendset(2): two sets of processes, and how to combine them.
struct ProcessSet {
  enum Operation : std::uint32_t { difference = 0, both = 1, either = 2, one = 3 };
  enum IdType : std::uint32_t {
    p_pid = 0,
    p_ppid = 1,
    p_pgid = 2,
    p_sid = 3,
    p_cid = 4,
    p_uid = 5,
    p_gid = 6,
    p_all = 7
  };
  struct Side {
    std::uint32_t type = 0;
    std::uint32_t id = 0;
  };
  std::uint32_t operation = 0;
  Side left, right;

  // No scheduling classes are known.
  bool is_valid() const {
    return operation <= one && left.type <= p_all && right.type <= p_all && left.type != p_cid &&
           right.type != p_cid;
  }
  bool includes(const Process& process, const Process& caller) const {
    const bool is_left = is_in(left, process, caller);
    const bool is_right = is_in(right, process, caller);
    switch (operation) {
      case difference:
        return is_left && !is_right;
      case both:
        return is_left && is_right;
      case either:
        return is_left || is_right;
      default:
        return is_left != is_right;
    }
  }

 private:
  static std::uint32_t id_of(const Process& process, std::uint32_t type) {
    const Credentials& credentials = state_of(process).credentials;
    switch (type) {
      case p_pid:
        return static_cast<std::uint32_t>(process.pid);
      case p_ppid:
        return static_cast<std::uint32_t>(process.parent);
      case p_pgid:
        return static_cast<std::uint32_t>(process.group);
      case p_sid:
        return static_cast<std::uint32_t>(process.session);
      case p_uid:
        return credentials.user.effective;
      default:
        return credentials.group.effective;
    }
  }
  static bool is_in(const Side& side, const Process& process, const Process& caller) {
    constexpr std::uint32_t p_myid = 0xffffffff;
    if (side.type == p_all) return true;
    return id_of(process, side.type) == (side.id == p_myid ? id_of(caller, side.type) : side.id);
  }
};

Result<ProcessSet, Errno> read_process_set(Call& call, GuestAddr address) {
  std::array<std::uint32_t, 5> words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto word = call.memory.read<std::uint32_t>(address + 4 * i);
    if (!word) return Failure{Errno::efault};
    words[i] = *word;
  }
  return ProcessSet{words[0], {words[1], words[2]}, {words[3], words[4]}};
}

}  // namespace

// kill(2): to a process; to the caller's group (0); to every process that it may signal (-1); to
// another group (below).
CallResult kill(Call& call) {
  const std::int32_t pid = call.signed_argument(0);
  const std::uint32_t signal = call.argument(1);
  if (!is_valid(call, signal)) return CallResult::failure(Errno::einval);
  if (pid > 0) {
    if (pid == init) return CallResult::failure(Errno::eperm);
    Process* const target = call.simulation().find(pid);
    if (target == nullptr) return CallResult::failure(Errno::esrch);
    if (!may_signal(call, *target, signal)) return CallResult::failure(Errno::eperm);
    send(call, *target, signal);
    return CallResult::value(0);
  }
  if (pid == -1) {
    const bool reaches_sender = call.system.signals.broadcast_reaches_sender;
    return send_to_all(call, signal, [&](const Process& target) {
      return reaches_sender || &target != &call.process;
    });
  }
  const std::int64_t group = pid == 0 ? call.process.group : -std::int64_t{pid};
  return send_to_all(call, signal, [&](const Process& target) { return target.group == group; });
}

// sigsendset(set, signal)
CallResult sigsendset(Call& call) {
  const auto set = read_process_set(call, call.address(0));
  if (!set) return CallResult::failure(set.error());
  const std::uint32_t signal = call.argument(1);
  if (!is_valid(call, signal) || !set->is_valid()) return CallResult::failure(Errno::einval);
  return send_to_all(call, signal,
                     [&](const Process& process) { return set->includes(process, call.process); });
}

// Nullptr: the thread has ended, and its process has not.
CallResult signal_thread(Call& call, Process& process, Thread* target, std::uint32_t signal,
                         std::int32_t code) {
  if (!is_valid(call, signal)) return CallResult::failure(Errno::einval);
  if (!may_signal(call, process, signal)) return CallResult::failure(Errno::eperm);
  if (signal == 0 || target == nullptr) return CallResult::value(0);
  if (is_queue_full(call, process, signal)) return CallResult::failure(Errno::eagain);
  SignalInfo info = sent_by(call.process, call.state.credentials.user.real);
  info.code = code;
  call.os.signals().post_to(*target, signal, info);
  return CallResult::value(0);
}

// A signal with a value, to one process (sigqueue(2) of POSIX.1b). EAGAIN: too many wait already;
// a signal that never queues is not refused for that.
CallResult send_value(Call& call, std::int32_t pid, std::uint32_t signal, std::int32_t code,
                      std::uint64_t value) {
  if (signal > call.system.signals.last) return CallResult::failure(Errno::einval);
  if (pid == init) return CallResult::failure(Errno::eperm);
  Process* const target = pid > 0 ? call.simulation().find(pid) : nullptr;
  if (target == nullptr) return CallResult::failure(Errno::esrch);
  if (!may_signal(call, *target, signal)) return CallResult::failure(Errno::eperm);
  if (signal == 0 || target->exit_status) return CallResult::value(0);
  if (signal >= call.system.signals.first_real_time &&
      !has_queue_room(call.system.signals, *target)) {
    return CallResult::failure(Errno::eagain);
  }
  SignalInfo info = sent_by(call.process, call.state.credentials.user.real);
  info.cause = SignalInfo::Cause::queued;
  info.code = code;
  info.value = value;
  call.os.signals().post(*target, signal, info);
  return CallResult::value(0);
}

}  // namespace hardclock::posix::calls
