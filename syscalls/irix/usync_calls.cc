// usync_cntl(): threads and processes that wait for each other at an address, which is all that the
// kernel does for IRIX's mutexes, conditions and semaphores of POSIX.1; the counting is the
// library's. It is not documented; source: a fork of QEMU that runs such programs
// (linux-user/syscall.c and syscall_defs.h); the operations' names are those of NetBSD,
// sys/compat/irix/irix_usema.h.
#include <optional>

#include "syscalls/irix/calls.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/sleepers.h"

namespace hardclock::irix::calls {
namespace {

// The argument, the same in all ABIs.
struct UsyncArgument {
  GuestAddr place, handed_to;
  bool has_limit = false;
  std::uint64_t seconds = 0, nanoseconds = 0;  // the date at which the wait ends
};

Result<UsyncArgument, Errno> read_argument(Call& call) {
  constexpr std::uint16_t flag_limit = 4;
  constexpr std::size_t unknown = 16;
  posix::GuestReader reader(call, call.address(1));
  const auto address = [&] { return call.abi().pointer(reader.wide()); };
  UsyncArgument argument;
  (void)reader.word();  // 1002
  argument.place = address();
  (void)reader.half();
  argument.has_limit = (reader.half() & flag_limit) != 0;
  reader.skip(unknown);
  argument.handed_to = address();
  argument.seconds = reader.wide();
  argument.nanoseconds = reader.wide();
  if (!reader.ok()) return Failure{Errno::efault};
  return argument;
}

// EINVAL: it is no time.
Result<std::optional<Ticks>, Errno> limit_of(const Call& call, const UsyncArgument& argument) {
  constexpr std::uint64_t per_second = 1'000'000'000, longest = 0x7fffffff;
  if (!argument.has_limit) return std::optional<Ticks>();
  if (argument.seconds > longest || argument.nanoseconds >= per_second) {
    return Failure{Errno::einval};
  }
  const auto [seconds, microseconds] = call.os.time_of_day();
  const std::uint64_t now = std::uint64_t{seconds} * per_second + microseconds * 1000;
  const std::uint64_t until = argument.seconds * per_second + argument.nanoseconds;
  const std::uint64_t left = until > now ? until - now : 0;
  return std::optional(deadline_after(call, left / per_second, left % per_second));
}

// What a wait answers if it was ended by a handoff; else 0.
constexpr std::uint64_t by_handoff = 1;

void wake_one(Call& call, GuestAddr address, std::uint64_t told) {
  const posix::SleepPlace place = posix::sleep_place(call.memory, address);
  posix::Sleepers& sleepers = call.os.sleepers();
  if (sleepers.wake(place, posix::any_sleeper, 1, told) == 0) {
    sleepers.save_wake(place, posix::sleep_memory(call.process.memory, address), told);
  }
}

}  // namespace

CallResult usync_wait(Call& call, bool restarts, bool hands_over) {
  std::uint64_t told = 0;
  switch (posix::slept(call, &told)) {
    case posix::Slept::woken:
      return CallResult::value(told);
    case posix::Slept::time_over:
      return CallResult::failure(Errno::etimedout);
    case posix::Slept::not_yet:
      break;
  }
  const auto argument = read_argument(call);
  if (!argument) return CallResult::failure(argument.error());
  const auto limit = limit_of(call, *argument);
  if (!limit) return CallResult::failure(limit.error());
  if (hands_over && call.thread.wait_before() == nullptr) {
    wake_one(call, argument->handed_to, by_handoff);
  }
  const posix::SleepPlace place = posix::sleep_place(call.memory, argument->place);
  if (const auto saved = call.os.sleepers().take_saved_wake(place)) {
    return CallResult::value(*saved);
  }
  const auto until = *limit ? std::optional(call.first_deadline(**limit)) : std::nullopt;
  const OnSignal on_signal = restarts ? OnSignal(Restartable{}) : OnSignal(Interruptible{});
  return posix::fall_asleep(call, place, posix::any_sleeper, until, on_signal);
}

CallResult usync_unblock(Call& call) {
  const auto argument = read_argument(call);
  if (!argument) return CallResult::failure(argument.error());
  wake_one(call, argument->place, 0);
  return CallResult::value(0);
}

// Nobody who comes later is woken, whatever was unblocked before.
CallResult usync_unblock_all(Call& call) {
  const auto argument = read_argument(call);
  if (!argument) return CallResult::failure(argument.error());
  const posix::SleepPlace place = posix::sleep_place(call.memory, argument->place);
  posix::Sleepers& sleepers = call.os.sleepers();
  (void)sleepers.wake(place, posix::any_sleeper, sleepers.count(place));
  sleepers.drop_saved_wakes(place);
  return CallResult::value(0);
}

// How many unblocks are left, or below 0 how many wait.
CallResult usync_get_state(Call& call) {
  const auto argument = read_argument(call);
  if (!argument) return CallResult::failure(argument.error());
  const posix::SleepPlace place = posix::sleep_place(call.memory, argument->place);
  posix::Sleepers& sleepers = call.os.sleepers();
  return CallResult::value(sleepers.saved_wakes(place) - sleepers.count(place));
}

}  // namespace hardclock::irix::calls
