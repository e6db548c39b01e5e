// Fields of a program's memory that are as wide as its longs: 4 bytes each in 32-bit programs (o32,
// n32, PA-RISC's narrow ones), 8 in the others. An address is read by read_pointer(s) and nothing
// else: a 32-bit one is zero-extended, as GuestAddr wants it, where a long has a sign.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/result.h"
#include "syscalls/posix/call.h"

namespace hardclock::posix {

// Bytes of the program's longs and pointers.
unsigned long_bytes(const Call& call);
// A pointer at `address`. EFAULT.
Result<GuestAddr, Errno> read_pointer(Call& call, GuestAddr address);
// `count` longs that follow each other, sign-extended. EFAULT.
Result<std::vector<std::int64_t>, Errno> read_signed_longs(Call& call, GuestAddr address,
                                                           std::size_t count);
// The same of unsigned longs: sizes. EFAULT.
Result<std::vector<std::uint64_t>, Errno> read_unsigned_longs(Call& call, GuestAddr address,
                                                              std::size_t count);
// Values are cut to the program's longs. Nothing is stored unless all of them can be: EFAULT.
CallResult write_longs(Call& call, GuestAddr address, std::span<const std::uint64_t> values,
                       CallResult on_success);
// `count` structures {time_t, long}: timeval and timespec. EFAULT.
Result<std::vector<std::int64_t>, Errno> read_times(Call& call, GuestAddr address,
                                                    std::size_t count);
// As write_longs(); the first `count` pairs of values are such structures.
CallResult write_times(Call& call, GuestAddr address, std::span<const std::uint64_t> values,
                       std::size_t count, CallResult on_success);
// The same with fields of 8 bytes whatever the program's longs are.
Result<std::vector<std::uint64_t>, Errno> read_words64(Call& call, GuestAddr address,
                                                       std::size_t count);
CallResult write_words64(Call& call, GuestAddr address, std::span<const std::uint64_t> values,
                         CallResult on_success);

}  // namespace hardclock::posix
