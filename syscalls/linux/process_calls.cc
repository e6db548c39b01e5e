// Processes: limits, ids.
#include <algorithm>
#include <iterator>

#include "syscalls/linux/calls.h"
#include "syscalls/linux/uapi.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/limits.h"

namespace hardclock::gnu_linux::calls {
namespace {

using posix::GuestReader;
using posix::GuestStruct;

// ---- Limits. RLIM_INFINITY is smaller where a long has 32 bits.

enum class LimitForm : std::uint8_t { longs, wide };

bool is_narrow(const Call& call, LimitForm form) {
  return form == LimitForm::longs && call.abi().address_bits == 32;
}

CallResult write_limit(Call& call, GuestAddr address, const posix::Limit& limit, LimitForm form) {
  GuestStruct members(call);
  for (const std::uint64_t value : {limit.current, limit.maximum}) {
    if (is_narrow(call, form)) {
      members.word(std::min(value, uapi_of(call.system).infinity32));
    } else {
      members.wide(value);
    }
  }
  return members.store(call, address);
}

Result<posix::Limit, Errno> read_limit(Call& call, GuestAddr address, LimitForm form) {
  GuestReader members(call, address);
  const auto next = [&]() -> std::uint64_t {
    if (!is_narrow(call, form)) return members.wide();
    const std::uint64_t value = members.word();
    return value >= uapi_of(call.system).infinity32 ? posix::no_limit : value;
  };
  posix::Limit limit;
  limit.current = next();
  limit.maximum = next();
  if (!members.ok()) return Failure{Errno::efault};
  return limit;
}

// Sets the limit stored at `wanted` and stores the old one at `old`; either may be 0.
CallResult limits_of(Call& call, std::uint32_t resource, GuestAddr wanted, GuestAddr old,
                     LimitForm form) {
  const auto& resources = uapi_of(call.system).resources;
  if (resource >= resources.size()) return CallResult::failure(Errno::einval);
  const std::size_t kind = resources[resource];
  const posix::Limit present = call.state.limits[kind];
  Result<posix::Limit, Errno> limit = present;
  if (wanted != GuestAddr(0)) {
    limit = read_limit(call, wanted, form);
    if (!limit) return CallResult::failure(limit.error());
    if (limit->current > limit->maximum) return CallResult::failure(Errno::einval);
    if (limit->maximum > present.maximum) return CallResult::failure(Errno::eperm);
  }
  if (old != GuestAddr(0)) {
    const CallResult told = write_limit(call, old, present, form);
    if (told.kind == CallResult::Kind::error) return told;
  }
  posix::set_limit(call.process, kind, *limit);
  return CallResult::value(0);
}

}  // namespace

// One processor. The result is the size of the kernel's set of processors.
CallResult sched_getaffinity(Call& call) {
  GuestStruct set(call);
  set.word_long(1);
  if (call.arguments[1] < set.bytes().size()) return CallResult::failure(Errno::einval);
  return set.store(call, call.address(2), CallResult::value(set.bytes().size()));
}

CallResult getrlimit(Call& call) {
  return limits_of(call, call.argument(0), GuestAddr(0), call.address(1), LimitForm::longs);
}

CallResult setrlimit(Call& call) {
  return limits_of(call, call.argument(0), call.address(1), GuestAddr(0), LimitForm::longs);
}

// prlimit64(process, resource, limit, old_limit)
CallResult prlimit64(Call& call) {
  const std::int32_t pid = call.signed_argument(0);
  if (pid != 0 && pid != call.process.pid) return CallResult::failure(Errno::esrch);
  return limits_of(call, call.argument(1), call.address(2), call.address(3), LimitForm::wide);
}

CallResult write_ids(Call& call, IdsOf which) {
  const posix::Ids& ids = call.state.credentials.*which;
  const std::uint32_t values[] = {ids.real, ids.effective, ids.saved};
  for (std::size_t i = 0; i < std::size(values); ++i) {
    if (!call.memory.write(call.address(i), values[i])) return CallResult::failure(Errno::efault);
  }
  return CallResult::value(0);
}

}  // namespace hardclock::gnu_linux::calls
