#include "syscalls/bsd/calls.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::bsd::calls {
namespace {

// V7 sys3.c dup(): the descriptor; a bit above it makes the call dup2().
constexpr std::uint32_t descriptor_bits = 077, dup2_bit = 0100;

// dup2(file, new) with only those bits of the descriptor.
CallResult dup2_low(Call& call) {
  call.arguments[0] = call.argument(0) & descriptor_bits;
  return dup2(call);
}

}  // namespace

// dup(fd, new) of V7 and 4.1BSD; the other high bits of the descriptor mean nothing.
CallResult dup_v7(Call& call) {
  if ((call.argument(0) & dup2_bit) != 0) return dup2_low(call);
  call.arguments[0] = call.argument(0) & descriptor_bits;
  return dup(call);
}

// dup(fd, new) of 4.2BSD and 4.3BSD (kern_descrip.c): any high bit makes it dup2().
CallResult dup_bsd42(Call& call) {
  return (call.argument(0) & ~descriptor_bits) != 0 ? dup2_low(call) : dup(call);
}

// mmap(address, length, protection, flags, fd, pad, offset) of 4.4BSD.
CallResult mmap64(Call& call) {
  // vm_mmap.c: anonymous memory has no file.
  const bool anonymous = (call.argument(3) & call.system.map_flags.anonymous) != 0;
  if (anonymous && call.signed_argument(4) != -1) return CallResult::failure(Errno::einval);
  return posix::calls::mmap64(call);
}

}  // namespace hardclock::bsd::calls
