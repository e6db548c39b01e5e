// Solaris for hardclock's MIPS guests: its calls, numbers, errors and signals with the MIPS system
// call convention and the contexts of System V.4 on a MIPS. 2.5 stands for the releases whose
// profil(2) is per LWP, the other for 2.6 and later.
#pragma once

#include "syscalls/posix/unix_system.h"

namespace hardclock::solaris {

const posix::UnixSystem& solaris25_system();
const posix::UnixSystem& solaris_system();

// Its terminals, as its programs see them.
extern const posix::TerminalInterface terminal;

}  // namespace hardclock::solaris
