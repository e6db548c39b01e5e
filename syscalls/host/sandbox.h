// The second wall around a run: the kernel takes from hardclock's own process what it no longer
// needs, so that a mistake in the first wall (guest_files.h), or in the engine, opens nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "syscalls/host/file_space.h"

namespace hardclock::host {

// The confinement in force. A kernel or a container may lack either part.
struct Sandbox {
  int landlock = 0;  // the version of the kernel's interface in use, 2 or more; 0: none
  bool seccomp = false;
};

// Confines this process for the rest of its life. Call it when all files of the run are open and
// before the guest's first instruction, in a process with a single thread.
//
// Landlock: files open only below the directories of `space`, for writing and for new names only
// below the writable ones. In the directories `outputs`, regular files can be made, written,
// renamed and removed; `temporary`, which is the scratch directory or holds it, can be removed.
// Nothing can be executed or connected to, and no other process gets a signal, as far as the
// kernel's version of Landlock supports that.
// seccomp: only those of the kernel's calls are left that a run makes (make_sandbox_filter.cc); all
// others give EPERM. No memory becomes code.
// With allows_internet, sockets of TCP and UDP over IPv4 are left (internet.h), which Landlock then
// does not look at. In addition: no core dump, no debugger; a superuser keeps only the capabilities
// that make the owner of a file matter less.
//
// Under a sanitizer it does nothing: the sanitizer's own calls would be refused.
Sandbox confine(const FileSpace& space, const std::vector<std::string>& outputs,
                const std::optional<std::string>& temporary, bool allows_internet = false);

}  // namespace hardclock::host
