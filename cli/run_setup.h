// Turns checked options into a machine that can start: the system and the files.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/default_files.h"
#include "cli/leftovers.h"
#include "cli/run_options.h"
#include "sim/base/result.h"
#include "sim/load/image.h"
#include "syscalls/choose_system.h"
#include "syscalls/host/file_space.h"
#include "syscalls/host/guest_files.h"
#include "syscalls/host/scratch_directory.h"
#include "syscalls/posix/kernel.h"

namespace hardclock {

// A guest program without its libraries, found and read, and the files that its processes will see.
struct GuestProgram {
  std::unique_ptr<Leftover> scratch_leftover;       // outlives `scratch`
  std::unique_ptr<host::ScratchDirectory> scratch;  // nullptr: the guest has no /tmp
  std::unique_ptr<const DefaultFiles> defaults;     // what `files` shows
  host::FileSpace space;
  std::shared_ptr<host::GuestFiles> files;
  posix::Program program;
  std::vector<std::string> notices;  // for the user before the run, a line each
  std::vector<std::string> lacking;  // the same, of files for which the host has no room
};

// Errors are one line for the user.
Result<GuestProgram, UsageError> find_guest_program(const RunOptions& options);

// A shared library in a program's place, for who only looks at it. Nullopt: the file is none, or
// not one that can be read.
std::optional<GuestProgram> find_guest_library(const RunOptions& options);

// The directories of the files that the run writes for the user.
std::vector<std::string> output_directories(const RunOptions& options);

// The operating system that was asked for, or the one that the program's file asks for.
Result<SystemChoice, UsageError> choose_os(const RunOptions& options, const Image& image);

}  // namespace hardclock
