// IRIX 5.3, o32. Sources: the IRIX man pages, the ABI as SGI's own libc uses it, and NetBSD's
// sys/compat/irix.
#pragma once

#include "syscalls/posix/unix_system.h"

namespace hardclock::irix {

const posix::UnixSystem& irix_system();

}  // namespace hardclock::irix
