// The limits of a process: getrlimit(2), setrlimit(2) and ulimit(2).
#include <algorithm>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix::calls {
namespace {

// RLIM_INFINITY of System V.4 and 4.3BSD, by the width of rlim_t.
constexpr std::uint64_t infinity32 = 0x7fffffff, infinity64 = 0x7fffffffffffffff;

// rlim_t has 64 bits except in o32.
bool has_wide_limits(const Call& call) {
  return call.abi().register_bits == 64;
}

Limit* limit_of(Call& call, std::uint32_t resource) {
  return resource < system_v_resource_count ? &call.state.limits[resource] : nullptr;
}

// A limit that the type cannot hold appears unlimited to the program.
std::uint64_t to_guest(std::uint64_t limit, std::uint64_t infinity) {
  return std::min(limit, infinity);
}

std::uint64_t from_guest(std::uint64_t limit, std::uint64_t infinity) {
  return limit >= infinity ? no_limit : limit;
}

Result<Limit, Errno> read_limit(Call& call, bool is_wide) {
  GuestReader reader(call, call.address(1));
  const std::size_t bytes = is_wide ? 8 : 4;
  const std::uint64_t infinity = is_wide ? infinity64 : infinity32;
  const std::uint64_t current = reader.member(bytes), maximum = reader.member(bytes);
  // Limits of 32 bits have to be at their alignment.
  const bool is_aligned = is_wide || call.address(1).value() % bytes == 0;
  if (!reader.ok() || !is_aligned) return Failure{Errno::efault};
  return Limit{from_guest(current, infinity), from_guest(maximum, infinity)};
}

// The unit in which ulimit(2) counts file sizes.
constexpr std::uint64_t block = 512;

CallResult file_size_limit(const Call& call) {
  return CallResult::offset(to_guest(call.state.limits[rlimit_fsize].current, infinity32) / block);
}

// UL_SETFSIZE: any process may decrease this limit, but only a process with an effective user ID
// of superuser may increase it.
CallResult set_file_size_limit(Call& call) {
  Limit& limit = call.state.limits[rlimit_fsize];
  const std::int64_t blocks = call.offset(1);
  if (blocks < 0) return CallResult::failure(Errno::einval);
  constexpr auto most = static_cast<std::int64_t>(infinity32 / block);
  const std::uint64_t wanted =
      blocks >= most ? no_limit : static_cast<std::uint64_t>(blocks) * block;
  if (wanted > limit.maximum && !call.state.credentials.is_superuser()) {
    return CallResult::failure(Errno::eperm);
  }
  limit = Limit{wanted, wanted};
  return file_size_limit(call);
}

// UL_GMEMLIM: the highest break. The heap grows up to the stack's lowest place, or by RLIMIT_DATA.
CallResult highest_break(const Call& call) {
  const Layout& layout = call.port().layout;
  const std::uint64_t start = call.state.heap->start.value();
  const std::uint64_t room = layout.stack_top.value() - layout.stack_limit - start;
  return CallResult::offset(start + std::min(room, call.state.limits[rlimit_data].current));
}

}  // namespace

CallResult get_limit(Call& call, bool is_wide) {
  const Limit* const limit = limit_of(call, call.argument(0));
  if (limit == nullptr) return CallResult::failure(Errno::einval);
  const std::uint64_t infinity = is_wide ? infinity64 : infinity32;
  const std::uint64_t current = to_guest(limit->current, infinity);
  const std::uint64_t maximum = to_guest(limit->maximum, infinity);
  const std::size_t bytes = is_wide ? 8 : 4;
  return GuestStruct(call)
      .member(bytes, current)
      .member(bytes, maximum)
      .store(call, call.address(1));
}

// setrlimit(2): the current limit is at most the maximum (EINVAL), and only the superuser raises
// that (EPERM), but nobody that of open files.
CallResult set_limit(Call& call, bool is_wide) {
  Limit* const limit = limit_of(call, call.argument(0));
  if (limit == nullptr) return CallResult::failure(Errno::einval);
  const auto wanted = read_limit(call, is_wide);
  if (!wanted) return CallResult::failure(wanted.error());
  if (wanted->current > wanted->maximum) return CallResult::failure(Errno::einval);
  const bool may_raise = call.state.credentials.is_superuser() && call.argument(0) != rlimit_nofile;
  if (wanted->maximum > limit->maximum && !may_raise) return CallResult::failure(Errno::eperm);
  posix::set_limit(call.process, call.argument(0), *wanted);
  return CallResult::value(0);
}

CallResult getrlimit(Call& call) {
  return get_limit(call, has_wide_limits(call));
}

CallResult setrlimit(Call& call) {
  return set_limit(call, has_wide_limits(call));
}

// ulimit(2) of System V.4
CallResult ulimit(Call& call) {
  enum Command : std::uint32_t { getfsize = 1, setfsize = 2, gmemlim = 3, gdeslim = 4 };
  switch (call.argument(0)) {
    case getfsize:
      return file_size_limit(call);
    case setfsize:
      return set_file_size_limit(call);
    case gmemlim:
      return highest_break(call);
    case gdeslim:
      return CallResult::value(call.state.limits[rlimit_nofile].current);
    default:
      return CallResult::failure(Errno::einval);
  }
}

}  // namespace hardclock::posix::calls
