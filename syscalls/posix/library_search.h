// The shared libraries that a dynamic program or a library, and its dynamic linker, need, found as
// a dynamic linker would find them. Only what is asked of the processor depends on it: what a
// program really maps is its dynamic linker's affair.
#pragma once

#include "syscalls/host/guest_files.h"
#include "syscalls/posix/port.h"
#include "syscalls/posix/program_file.h"

namespace hardclock::posix {

// Fills program.libraries, without the linker, from the names in the files (DT_NEEDED; SOM's list
// of libraries), and so on for each library found. A name with a '/' is a path. Any other is looked
// for in LD_LIBRARY_PATH (HP-UX: and SHLIB_PATH) of the program's environment, in the directories
// that the requesting file names, and in those of the port. A file of another ABI is skipped, as
// rld(1) and ld.so(8) do; a missing library is left out. At most 128 libraries are read, 64 MiB in
// all, in 4096 places.
void find_libraries(host::GuestFiles& files, const Port& port, Program& program);

}  // namespace hardclock::posix
