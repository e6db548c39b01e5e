// From a path to all that exec needs of the files: the program, or the interpreter that a script
// names in its first line, and the dynamic linker that the program asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/result.h"
#include "sim/load/image.h"
#include "syscalls/host/guest_files.h"
#include "syscalls/posix/errno.h"

namespace hardclock::posix {

struct LibraryFile {
  std::string path;  // as the guest sees it
  std::shared_ptr<const Image> image;
};

// What exec starts.
struct Program {
  std::string path;  // as the guest sees it
  std::shared_ptr<const Image> image;
  std::vector<std::string> arguments;        // argv, with argv[0]
  std::vector<std::string> environment;      // "NAME=value"
  std::shared_ptr<const Image> linker = {};  // PT_INTERP's; null: a static program
  std::vector<LibraryFile> libraries = {};   // see library_search.h
};

// Why exec failed, for the program and for the user.
struct ExecFailure {
  Errno error;
  std::string message;  // one line
};

struct ProgramRequest {
  host::GuestPath path;
  std::string directory;         // absolute; where a script's relative interpreter is
  std::size_t script_line = 0;   // "#!" and its line have so many bytes at most; 0: no scripts
  bool needs_permission = true;  // to execute the file
  // The most bytes that the program and its dynamic linker may need.
  std::uint64_t memory = std::numeric_limits<std::uint64_t>::max();
};

// Without argv and environment, but for a script with what its first line and its name put in front
// of argv[1].
//
// EACCES: no regular file, or no permission to execute it. ENOEXEC: no program for a processor
// that is simulated, or a script whose interpreter is a script. ENOENT: the file, the script's
// interpreter or the program's linker is not there. ENOMEM: larger than
// 256 MiB, or than `memory` once it is loaded.
Result<Program, ExecFailure> load_program(host::GuestFiles& files, const ProgramRequest& request);

// A shared library, without its symbols. Null: it is not there, its file or its memory is larger
// than `room`, from which the file's size is taken, or it is none for a processor that is
// simulated.
std::shared_ptr<const Image> load_library_file(host::GuestFiles& files, const host::GuestPath& path,
                                               std::uint64_t& room);

// Gives the program its argv.
void add_arguments(Program& program, std::vector<std::string> arguments);

}  // namespace hardclock::posix
