// Where in a program's memory the bytes of a transfer come from or go to.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/result.h"
#include "sim/memory/address_space.h"
#include "syscalls/posix/call.h"
#include "syscalls/posix/errno.h"

namespace hardclock::posix {

// The most bytes that one call moves.
inline constexpr std::uint64_t largest_transfer = 0x7fffffff;

class Buffers {
 public:
  struct Buffer {
    GuestAddr address;
    std::uint64_t size = 0;  // bytes
  };
  explicit Buffers(std::vector<Buffer> buffers);

  std::uint64_t total() const { return total_; }
  // Whether no byte, of empty buffers the address, lies behind `end`.
  bool end_by(GuestAddr end) const;
  // How many of the `size` bytes from `from` on allow this access before one that does not.
  std::uint64_t reach(AddressSpace& memory, std::uint64_t from, std::uint64_t size,
                      Access access) const;
  // Each of these is about the bytes from `from` on, and answers false where memory says no.
  bool has_room(AddressSpace& memory, std::uint64_t from, std::uint64_t size) const;
  bool store(AddressSpace& memory, std::uint64_t from, std::span<const std::uint8_t> bytes) const;
  bool load(AddressSpace& memory, std::uint64_t from, std::span<std::uint8_t> bytes) const;

 private:
  template <class Action>
  bool for_each(std::uint64_t from, std::uint64_t size, Action action) const;

  std::vector<Buffer> buffers_;
  std::uint64_t total_ = 0;
};

// One buffer. EINVAL: it is too long.
Result<Buffers, Errno> one_buffer(GuestAddr address, std::uint64_t size);
// Those of an array of struct iovec {void *iov_base; size_t iov_len}. EINVAL, EFAULT.
Result<Buffers, Errno> read_vectors(Call& call, GuestAddr address, std::int64_t count);

}  // namespace hardclock::posix
