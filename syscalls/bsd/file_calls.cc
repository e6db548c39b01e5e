#include "sim/base/endian.h"
#include "syscalls/bsd/calls.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::bsd::calls {
namespace {

// V7 sys3.c dup(): the descriptor, and the bit above it that makes the call dup2().
constexpr std::uint32_t descriptor_bits = 077, dup2_bit = 0100;

CallResult dup2(Call& call) {
  const auto from = static_cast<std::int32_t>(call.argument(0) & descriptor_bits);
  const auto file = call.state.descriptors.get(from);
  const std::int32_t to = call.signed_argument(1);
  if (file == nullptr || to < 0 || static_cast<std::size_t>(to) >= posix::open_max) {
    return CallResult::failure(Errno::ebadf);
  }
  call.state.descriptors.set(to, file);
  return CallResult::value(static_cast<std::uint64_t>(to));
}

// A 64-bit argument of a 32-bit program takes two slots, in the order of memory.
std::int64_t wide_argument(const Call& call, std::size_t first) {
  const bool high_first = call.memory.endian() == Endian::big;
  const std::uint64_t high = call.argument(high_first ? first : first + 1);
  const std::uint64_t low = call.argument(high_first ? first + 1 : first);
  return static_cast<std::int64_t>(high << 32 | low);
}

CallResult wide_result(const Call& call, std::uint64_t value) {
  const std::uint64_t high = value >> 32;
  const std::uint64_t low = value & 0xffffffff;
  return call.memory.endian() == Endian::big ? CallResult::value(high, low)
                                             : CallResult::value(low, high);
}

}  // namespace

// open(name, mode) knows no flags (V7 sys2.c open(), 4.1BSD).
CallResult open_mode(Call& call) {
  call.arguments[2] = 0;
  return open(call);
}

// dup(fd, new) of V7 and 4.1BSD; the other high bits of the descriptor mean nothing.
CallResult dup_v7(Call& call) {
  if ((call.argument(0) & dup2_bit) != 0) return dup2(call);
  call.arguments[0] = call.argument(0) & descriptor_bits;
  return dup(call);
}

// dup(fd, new) of 4.2BSD and 4.3BSD (kern_descrip.c): any high bit makes it dup2().
CallResult dup_bsd42(Call& call) {
  return (call.argument(0) & ~descriptor_bits) != 0 ? dup2(call) : dup(call);
}

// lseek(fd, pad, offset, whence) of 4.4BSD.
CallResult lseek64(Call& call) {
  const auto file = call.state.descriptors.get(call.signed_argument(0));
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  const std::uint32_t whence = call.argument(4);
  if (whence > 2) return CallResult::failure(Errno::einval);
  const auto position = file->seek(wide_argument(call, 2), static_cast<host::Whence>(whence));
  if (!position) return CallResult::failure(posix::to_errno(position.error()));
  return wide_result(call, *position);
}

// mmap(address, length, protection, flags, fd, pad, offset) of 4.4BSD.
CallResult mmap64(Call& call) {
  // vm_mmap.c: anonymous memory has no file.
  const bool anonymous = (call.argument(3) & call.system.map_flags.anonymous) != 0;
  if (anonymous && call.signed_argument(4) != -1) return CallResult::failure(Errno::einval);
  call.arguments[5] = static_cast<std::uint64_t>(wide_argument(call, 6));
  return mmap(call);
}

}  // namespace hardclock::bsd::calls
