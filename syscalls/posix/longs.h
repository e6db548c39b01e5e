// Structures whose fields are all of type long, as the times and limits of 32- and 64-bit programs
// are: 4 bytes each in o32 and n32, 8 in n64.
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
// `count` longs that follow each other, sign-extended. EFAULT.
Result<std::vector<std::int64_t>, Errno> read_longs(Call& call, GuestAddr address,
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
