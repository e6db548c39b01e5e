// V7 and the BSDs for hardclock's MIPS guests. Only 4.4BSD ever ran on a MIPS (the DECstation:
// sys/pmax); the others combine their own kernels' calls, numbers, errors and signals with its
// system call convention and signal frame. V7 and 2.11BSD keep a PDP-11's 64 KiB of user addresses.
#pragma once

#include "syscalls/posix/unix_system.h"

namespace hardclock::bsd {

const posix::UnixSystem& v7_system();
const posix::UnixSystem& bsd211_system();
const posix::UnixSystem& bsd41_system();
const posix::UnixSystem& bsd42_system();
const posix::UnixSystem& bsd43_system();
const posix::UnixSystem& bsd44_system();

}  // namespace hardclock::bsd
