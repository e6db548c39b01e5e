#include "syscalls/linux/time_forms.h"

#include <algorithm>
#include <utility>

#include "syscalls/linux/clock_ids.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux::calls {
namespace {

constexpr std::uint64_t per_second = 1'000'000'000;  // nanoseconds

}  // namespace

TimeSpan to_time(std::uint64_t nanoseconds) {
  return {nanoseconds / per_second, nanoseconds % per_second};
}

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

CallResult write_time(Call& call, std::size_t argument, const TimeSpan& time, TimeForm form) {
  posix::GuestStruct members(call);
  add_time(members, time, form);
  return members.store(call, call.address(argument));
}

void add_time(posix::GuestStruct& members, const TimeSpan& time, TimeForm form) {
  const std::size_t bytes = form == TimeForm::wide ? 8 : members.long_bytes();
  members.member(bytes, time.seconds).member(bytes, time.nanoseconds);
}

TimeSpan time_now(const Call& call, std::uint32_t clock) {
  if (is_real_time(clock)) {
    const host::GuestTime date = call.os.date();
    return {static_cast<std::uint64_t>(date.seconds), date.nanoseconds};
  }
  return to_time(posix::nanoseconds_of(call.simulation().clock()));
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
