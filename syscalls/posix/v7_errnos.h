// The errors of V7, for systems that have no others, or whose others are not known.
#pragma once

#include <cstdint>

#include "syscalls/posix/errno.h"

namespace hardclock::posix {

inline constexpr std::uint16_t v7_enoent = 2, v7_eexist = 17, v7_einval = 22, v7_efbig = 27;

// They end at 34, and stand in for ENAMETOOLONG, EOVERFLOW, ENOSYS, ELOOP, ENOTEMPTY and
// EOPNOTSUPP. EINVAL is what all kernels before 4.4BSD's answer a missing call with when SIGSYS
// does not kill.
inline constexpr ErrnoNumbers v7_errnos(11, {v7_enoent, v7_efbig, v7_einval, v7_enoent, v7_eexist,
                                             v7_einval});

}  // namespace hardclock::posix
