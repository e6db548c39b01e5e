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

// Terminals as their programs see them. V7 has no process groups of terminals; 4.1BSD has requests
// without sizes, 4.2BSD and later with, and 4.4BSD has struct termios besides.
extern const posix::TerminalInterface v7_terminal, bsd41_terminal, bsd42_terminal, bsd44_terminal;

}  // namespace hardclock::bsd
