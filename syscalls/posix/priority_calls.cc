// nice(2). Every process gets its turn whatever its priority, so the value is kept and has no
// effect.
#include <algorithm>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::posix::calls {

// nice(2) of System V: the result is the new value minus 20. Only the superuser lowers it, and
// values beyond the limits of 0 and 39 stay at them.
CallResult nice(Call& call) {
  constexpr std::int64_t usual = 20, most = 39;
  const std::int64_t increment = call.signed_argument(0);
  if ((increment < 0 || increment > 2 * usual) && !call.state.credentials.is_superuser()) {
    return CallResult::failure(Errno::eperm);
  }
  std::int32_t& nice = call.state.nice;
  nice =
      static_cast<std::int32_t>(std::clamp<std::int64_t>(nice + increment, -usual, most - usual));
  return CallResult::value(static_cast<std::uint64_t>(nice));
}

}  // namespace hardclock::posix::calls
