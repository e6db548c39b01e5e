// Locks and advice for memory. Nothing is ever swapped out, so what is right changes nothing.
// Source: mpin(2), madvise(2), plock(2) and sysmips(2) of IRIX 6.2; mpin and munpin are the numbers
// that libc of IRIX 5.3 and 6.2 asks of pagelock.
#include "syscalls/irix/calls.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/process_memory.h"

namespace hardclock::irix::calls {
namespace {

enum PageLock : std::uint32_t { munpin = 0, mpin = 8 };
// System V.4, <sys/lock.h>
enum ProcessLock : std::uint32_t { unlock = 0, process_lock = 1, text_lock = 2, data_lock = 4 };
// System V.4, <sys/mman.h>
constexpr std::uint32_t madv_dontneed = 4;
// Linux, arch/mips/include/uapi/asm/sysmips.h
constexpr std::uint32_t flush_cache = 3, mips_fixade = 7;

bool is_mapped(const AddressSpace& memory, std::uint64_t start, std::uint64_t size) {
  if (size > ~std::uint64_t{0} - start) return false;
  const std::uint64_t end = start + size;
  for (std::uint64_t at = start; at < end;) {
    const Region* const region = posix::next_region(memory, at);
    if (region == nullptr || region->start > at) return false;
    at = region->end;
  }
  return true;
}

CallResult done_if(bool is_good, Errno error) {
  return is_good ? CallResult::value(0) : CallResult::failure(error);
}

bool is_range_mapped(Call& call) {
  return is_mapped(call.memory, call.address(0).value(), call.arguments[1]);
}

}  // namespace

// "The addresses specified by (addr, addr + len) are not mapped": EINVAL (mpin(2)).
CallResult pagelock(Call& call) {
  const std::uint32_t operation = call.argument(2);
  const bool is_known = operation == mpin || operation == munpin;
  return done_if(is_known && is_range_mapped(call), Errno::einval);
}

CallResult madvise(Call& call) {
  if (call.argument(2) != madv_dontneed) return CallResult::failure(Errno::einval);
  return done_if(is_range_mapped(call), Errno::enomem);
}

// "The calling process must have the super-user privilege" (plock(2)).
CallResult plock(Call& call) {
  switch (call.argument(0)) {
    case unlock:
    case process_lock:
    case text_lock:
    case data_lock:
      return CallResult::failure(Errno::eperm);
    default:
      return CallResult::failure(Errno::einval);
  }
}

// sysmips(MIPS_FIXADE, on): from now on the kernel makes the thread's accesses that are not
// aligned, or refuses them.
CallResult sysmips(Call& call) {
  const std::uint32_t command = call.argument(0);
  if (command == mips_fixade)
    posix::thread_state_of(call.thread).unaligned = {.are_refused = call.argument(1) == 0};
  return done_if(command == flush_cache || command == mips_fixade, Errno::einval);
}

}  // namespace hardclock::irix::calls
