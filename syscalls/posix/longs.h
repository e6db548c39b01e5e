// Fields of a program's memory that are as wide as its longs: 4 bytes each in 32-bit programs (o32,
// n32, PA-RISC's narrow ones), 8 in the others. Use only read_pointer(s) for addresses: they
// zero-extend a 32-bit one, as GuestAddr requires, while a long has a sign.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/result.h"
#include "syscalls/posix/call.h"

namespace hardclock::posix {

// The size of the program's longs and pointers, in bytes.
unsigned long_bytes(const Call& call);
// A pointer at `address`. EFAULT.
Result<GuestAddr, Errno> read_pointer(Call& call, GuestAddr address);
// Reads `count` consecutive longs, sign-extended. EFAULT.
Result<std::vector<std::int64_t>, Errno> read_signed_longs(Call& call, GuestAddr address,
                                                           std::size_t count);
// The same for unsigned longs: sizes. EFAULT.
Result<std::vector<std::uint64_t>, Errno> read_unsigned_longs(Call& call, GuestAddr address,
                                                              std::size_t count);
// Truncates values to the program's longs. Stores either all of them or nothing: EFAULT.
CallResult write_longs(Call& call, GuestAddr address, std::span<const std::uint64_t> values,
                       CallResult on_success);
// `count` structures {time_t, long}: timeval and timespec. EFAULT.
Result<std::vector<std::int64_t>, Errno> read_times(Call& call, GuestAddr address,
                                                    std::size_t count);
// Like write_longs(); the first `count` pairs of values are such structures.
CallResult write_times(Call& call, GuestAddr address, std::span<const std::uint64_t> values,
                       std::size_t count, CallResult on_success);
// The same with fields of 8 bytes, whatever the width of the program's longs.
Result<std::vector<std::uint64_t>, Errno> read_words64(Call& call, GuestAddr address,
                                                       std::size_t count);
CallResult write_words64(Call& call, GuestAddr address, std::span<const std::uint64_t> values,
                         CallResult on_success);

}  // namespace hardclock::posix
