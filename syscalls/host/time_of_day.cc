#include "syscalls/host/time_of_day.h"

namespace hardclock::host {

GuestTime TimeOfDay::at(std::uint64_t nanoseconds) const {
  constexpr std::uint64_t second = 1'000'000'000;
  return {epoch_ + static_cast<std::int64_t>(nanoseconds / second),
          static_cast<std::uint32_t>(nanoseconds % second)};
}

}  // namespace hardclock::host
