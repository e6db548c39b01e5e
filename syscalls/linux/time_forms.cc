#include "syscalls/linux/time_forms.h"

#include <algorithm>
#include <utility>

#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux::calls {
namespace {

constexpr std::uint64_t per_second = 1'000'000'000;  // nanoseconds

}  // namespace

Result<TimeLimit, Errno> read_time(Call& call, std::size_t argument, TimeForm form) {
  if (call.address(argument) == GuestAddr(0)) return TimeLimit();
  posix::GuestReader members(call, call.address(argument));
  const bool is_wide = form == TimeForm::wide;
  const auto seconds = is_wide ? static_cast<std::int64_t>(members.wide()) : members.signed_long();
  const auto nanoseconds =
      is_wide ? static_cast<std::int64_t>(members.wide()) : members.signed_long();
  if (!members.ok()) return Failure{Errno::efault};
  if (seconds < 0 || nanoseconds < 0 || nanoseconds >= static_cast<std::int64_t>(per_second)) {
    return Failure{Errno::einval};
  }
  constexpr std::int64_t longest = 100'000'000;  // seconds: three years
  return TimeLimit({static_cast<std::uint64_t>(std::min(seconds, longest)),
                    static_cast<std::uint64_t>(nanoseconds)});
}

TimeSpan time_now(const Call& call, std::uint32_t clock) {
  constexpr std::uint64_t micro = 1'000'000;
  if (clock == 0) {  // CLOCK_REALTIME
    const auto [seconds, microseconds] = call.os.time_of_day(call.simulation);
    return {seconds, std::uint64_t{microseconds} * 1000};
  }
  const std::uint64_t microseconds = call.simulation.clock().microseconds();
  return {microseconds / micro, microseconds % micro * 1000};
}

TimeLimit difference(const TimeSpan& from, const TimeSpan& to) {
  if (std::pair(to.seconds, to.nanoseconds) <= std::pair(from.seconds, from.nanoseconds)) {
    return std::nullopt;
  }
  const bool borrows = to.nanoseconds < from.nanoseconds;
  return TimeSpan{to.seconds - from.seconds - (borrows ? 1 : 0),
                  to.nanoseconds + (borrows ? per_second : 0) - from.nanoseconds};
}

}  // namespace hardclock::gnu_linux::calls
