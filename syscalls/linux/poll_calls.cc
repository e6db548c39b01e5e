// Waiting for files and for time to pass, with the time limits of each form of the calls.
#include <optional>

#include "syscalls/linux/calls.h"
#include "syscalls/linux/clock_ids.h"
#include "syscalls/linux/signals.h"
#include "syscalls/linux/time_forms.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux::calls {
namespace {

using posix::GuestReader;

// Sleeps; when a handler ends it, what remains is stored at argument `left`, if that is not 0. The
// slack belongs to it (kernel/time/hrtimer.c, hrtimer_expires_remaining()).
CallResult sleep_for(Call& call, const TimeSpan& time, std::optional<std::size_t> left,
                     TimeForm form) {
  if (time.seconds == 0 && time.nanoseconds == 0) return CallResult::value(0);
  const std::uint64_t slack = sleep_slack(call);
  const Deadline deadline = end_after(call, time, slack);
  if (!left || call.is_null(*left)) return sleep_until(call, deadline, Interruptible{});
  if (const Wait* const before = call.thread.wait_before()) {
    return sleep_until(call, deadline, before->on_signal);
  }
  constexpr std::uint64_t per_second = 1'000'000'000;  // nanoseconds
  using Form = TellsTimeLeft::Form;
  return sleep_until(call, deadline,
                     TellsTimeLeft{.form = form == TimeForm::wide ? Form::wide_fields : Form::longs,
                                   .address = call.address(*left),
                                   .end = posix::nanoseconds_of(call.simulation().clock()) +
                                          time.seconds * per_second + time.nanoseconds + slack});
}

// The halves of each long of the sets at arguments 1 to 3 change places. A set's bit i is in the
// long i / 64 of a big-endian n64 program, and in the word i / 32 of what select() looks at.
void swap_set_halves(Call& call) {
  const std::uint64_t longs = (std::uint64_t{call.argument(0)} + 63) / 64;
  for (const std::size_t set : {1, 2, 3}) {
    if (call.address(set) == GuestAddr(0)) continue;
    for (std::uint64_t i = 0; i < longs; ++i) {
      const GuestAddr at = call.address(set) + 8 * i;
      const auto value = call.memory.read<std::uint64_t>(at);
      if (value) (void)call.memory.write<std::uint64_t>(at, *value << 32 | *value >> 32);
    }
  }
}

// Makes the call with its sets as the shared handlers read them.
template <class Select>
CallResult with_sets(Call& call, Select select) {
  const bool has_other_order = call.abi().long_bytes() == 8 &&
                               call.memory.endian() == Endian::big && call.argument(0) <= 1024;
  if (!has_other_order) return select();
  swap_set_halves(call);
  const CallResult result = select();
  swap_set_halves(call);
  return result;
}

}  // namespace

CallResult sleep_at(Call& call, std::size_t argument, TimeForm form) {
  const auto time = read_time(call, argument, form);
  if (!time) return CallResult::failure(time.error());
  if (!*time) return CallResult::failure(Errno::efault);
  return sleep_for(call, **time, argument + 1, form);
}

CallResult sleep_by_clock(Call& call, TimeForm form) {
  constexpr std::uint32_t timer_abstime = 1;
  const std::uint32_t clock = call.argument(0);
  if (is_only_read(clock) || clock == clock_thread_cputime) {
    return CallResult::failure(Errno::eopnotsupp);
  }
  if (!is_wall_clock(clock)) return CallResult::failure(Errno::einval);
  if ((call.argument(1) & timer_abstime) == 0) return sleep_at(call, 2, form);
  const auto until = read_time(call, 2, form);
  if (!until) return CallResult::failure(until.error());
  if (!*until) return CallResult::failure(Errno::efault);
  const auto time = difference(time_now(call, clock), **until);
  return sleep_for(call, time.value_or(TimeSpan{}), std::nullopt, form);
}

CallResult poll_within(Call& call, TimeForm form) {
  const auto time = read_time(call, 2, form);
  if (!time) return CallResult::failure(time.error());
  return poll_for(call, *time);
}

CallResult select_within(Call& call, TimeForm form) {
  const auto time = read_time(call, 4, form);
  if (!time) return CallResult::failure(time.error());
  return with_sets(call, [&] { return select_for(call, *time); });
}

// Puts the mask and its size, which are in memory, into the arguments from 5 on, for the call.
CallResult select_with_mask(Call& call, Handler proper) {
  if (call.is_null(5)) return proper(call);
  GuestReader reader(call, call.address(5));
  call.arguments[5] = reader.word_long();
  call.arguments[6] = reader.word_long();
  if (!reader.ok()) return CallResult::failure(Errno::efault);
  return with_signal_mask(call, 5, proper);
}

CallResult take_signal(Call& call, TimeForm form) {
  if (call.arguments[3] != call.system.signals.last / 8) return CallResult::failure(Errno::einval);
  GuestReader members(call, call.address(0));
  const SignalSet set =
      posix::blockable(call.system.signals, members.signal_longs(call.system.signals.last));
  if (!members.ok()) return CallResult::failure(Errno::efault);
  const auto time = read_time(call, 2, form);
  if (!time) return CallResult::failure(time.error());
  if (const unsigned signal = first_pending(call.thread, set); signal != 0) {
    const posix::SignalInfo info = call.os.signals().take_pending(call.thread, signal);
    const CallResult done = CallResult::value(signal);
    if (call.address(1) == GuestAddr(0)) return done;
    return siginfo_struct(call.system, call.process, signal, info)
        .store(call, call.address(1), done);
  }
  const auto waits = wait_for(call, *time, SignalPending{set});
  return waits ? *waits : CallResult::failure(Errno::eagain);
}

CallResult select(Call& call) {
  return with_sets(call, [&] { return posix::calls::select(call); });
}

}  // namespace hardclock::gnu_linux::calls
