#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "syscalls/host/random_bytes.h"
#include "syscalls/linux/calls.h"
#include "syscalls/linux/common.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux::calls {
namespace {

// struct new_utsname: six strings of this size, with their NULs.
constexpr std::size_t name_bytes = 65;

// arch/mips/include/uapi/asm/sysmips.h
enum SysmipsCommand : std::uint32_t { flush_cache = 3, mips_fixade = 7, mips_atomic_set = 2001 };

}  // namespace

CallResult uname(Call& call) {
  const std::array<std::string_view, 6> names = {"Linux", call.os.host_name(), release,
                                                 "#1",    call.port().machine, "(none)"};
  std::vector<std::uint8_t> bytes(names.size() * name_bytes);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = names[i].substr(0, name_bytes - 1);
    std::ranges::copy(name, bytes.begin() + static_cast<std::ptrdiff_t>(i * name_bytes));
  }
  if (!call.memory.write_bytes(call.address(0), bytes)) return CallResult::failure(Errno::efault);
  return CallResult::value(0);
}

// Bytes that depend only on when which process asks: a run repeats to the byte.
CallResult getrandom(Call& call) {
  constexpr std::uint64_t largest = 256;  // what a call gives at least, getrandom(2)
  constexpr std::uint32_t flags = 7;      // GRND_NONBLOCK, GRND_RANDOM, GRND_INSECURE
  if ((call.argument(2) & ~flags) != 0) return CallResult::failure(Errno::einval);
  std::vector<std::uint8_t> bytes(std::min(call.arguments[1], largest));
  std::uint64_t state =
      call.simulation().clock().now().value() << 16 ^ static_cast<std::uint64_t>(call.process.pid);
  fill_without_order(bytes, state);
  // What fits, as drivers/char/random.c, get_random_bytes_user().
  const auto into = posix::one_buffer(call.address(0), bytes.size());
  if (!into) return CallResult::failure(into.error());
  const std::uint64_t part = into->reach(call.memory, 0, bytes.size(), Access::write);
  if (part == 0 && !bytes.empty()) return CallResult::failure(Errno::efault);
  into->store(call.memory, 0, std::span(bytes).first(part));
  return CallResult::value(part);
}

// sysmips(MIPS_FIXADE, flags), for the calling thread (arch/mips/kernel/syscall.c).
CallResult fix_address_errors(Call& call) {
  constexpr std::uint32_t fix = 1, log = 2;
  const std::uint32_t flags = call.argument(1);
  if ((flags & ~(fix | log)) != 0) return CallResult::failure(Errno::einval);
  posix::thread_state_of(call.thread).unaligned = {.are_refused = (flags & fix) == 0,
                                                   .are_silent = (flags & log) == 0};
  return CallResult::value(0);
}

// sysmips(MIPS_ATOMIC_SET, address, value): returns the old value.
CallResult sysmips(Call& call) {
  switch (call.argument(0)) {
    case mips_atomic_set: {
      const GuestAddr where(call.arguments[1]);
      if (where.value() % 4 != 0) return CallResult::failure(Errno::einval);
      const auto old = call.memory.read<std::uint32_t>(where);
      if (!old || !call.memory.write(where, call.argument(2))) {
        return CallResult::failure(Errno::efault);
      }
      return CallResult::value(*old);
    }
    case flush_cache:
      return CallResult::value(0);
    case mips_fixade:
      return fix_address_errors(call);
    default:
      return CallResult::failure(Errno::einval);
  }
}

// Stores reach the instructions without help.
CallResult cacheflush(Call& call) {
  constexpr std::uint32_t both_caches = 3;
  return (call.argument(2) & ~both_caches) == 0 ? CallResult::value(0)
                                                : CallResult::failure(Errno::einval);
}

}  // namespace hardclock::gnu_linux::calls
