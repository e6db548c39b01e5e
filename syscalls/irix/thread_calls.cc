// What IRIX's libpthread asks of the kernel besides nsproc() and usync_cntl(). None of it is
// documented; source: a fork of QEMU that runs its programs (linux-user/syscall.c).
#include "syscalls/irix/calls.h"
#include "syscalls/irix/share_group.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/signals/siginfo.h"
#include "syscalls/posix/sleepers.h"
#include "syscalls/posix/thread_numbers.h"

namespace hardclock::irix::calls {
namespace {

// Where a thread sleeps that has blocked itself.
posix::SleepPlace block_of(const Thread& thread) {
  return {posix::SleepPlace::In::process, static_cast<std::uint64_t>(thread.process.pid),
          static_cast<std::uint64_t>(thread.id)};
}

// The wakes are those of unblock, which may have come before.
CallResult block(Call& call) {
  if (posix::slept(call) == posix::Slept::woken) return CallResult::value(0);
  const posix::SleepPlace place = block_of(call.thread);
  if (call.os.sleepers().take_saved_wake(place)) return CallResult::value(0);
  return posix::fall_asleep(call, place, posix::any_sleeper, std::nullopt, Interruptible{});
}

CallResult unblock(Call& call, const Thread& thread) {
  const posix::SleepPlace place = block_of(thread);
  posix::Sleepers& sleepers = call.os.sleepers();
  if (sleepers.wake(place, posix::any_sleeper, 1) == 0) {
    sleepers.save_wake(place, call.process.memory.object(), 0);
  }
  return CallResult::value(0);
}

// Signal 0 only asks whether the thread is there.
CallResult send(Call& call, Thread& thread, std::uint32_t signal) {
  if (signal > call.system.signals.last) return CallResult::failure(Errno::einval);
  if (signal != 0) {
    call.os.signals().post_to(thread, signal,
                              posix::sent_by(call.process, call.state.credentials.user.real));
  }
  return CallResult::value(0);
}

// The process ends with its last thread.
CallResult leave(Call& call) {
  const auto areas = irix_state_of(call.process).data_areas;
  if (areas != nullptr && call.process.threads.size() > 1) {
    areas->remove(posix::thread_number(call.thread));
  }
  call.os.end_thread(call.thread, {}, {});
  return CallResult::no_return();
}

}  // namespace

CallResult init_threads(Call& call) {
  irix_state_of(call.process).has_threads = true;
  return CallResult::value(0);
}

// PR_THREAD_CTL: (option, operation, thread, signal)
CallResult thread_ctl(Call& call) {
  enum Operation : std::uint32_t { op_exit = 1, op_block = 2, op_unblock = 3, op_kill = 4 };
  const std::uint32_t operation = call.argument(1);
  if (operation == op_exit) return leave(call);
  if (operation == op_block) return block(call);
  if (operation != op_unblock && operation != op_kill) {
    return call.os.answer_missing("PR_THREAD_CTL " + std::to_string(operation));
  }
  Thread* const thread = posix::thread_with_number(call.process, call.signed_argument(2));
  if (thread == nullptr) return CallResult::failure(Errno::esrch);
  return operation == op_unblock ? unblock(call, *thread) : send(call, *thread, call.argument(3));
}

}  // namespace hardclock::irix::calls
