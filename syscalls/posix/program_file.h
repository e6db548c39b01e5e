// Finds all files that exec needs for a path: the program, or the interpreter that a script names
// in its first line, and the dynamic linker that the program asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
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
  std::shared_ptr<const Image> linker = {};  // PT_INTERP's, without symbols; nullptr: static
  std::vector<LibraryFile> libraries = {};   // see library_search.h
};

// Why exec failed, for the program and for the user.
struct ExecFailure {
  Errno error;
  std::string message;           // one line
  std::string interpreter = {};  // of a script, as its first line names it; empty: no script
};

struct ProgramRequest {
  host::GuestPath path;
  std::string directory;         // absolute; a script's relative interpreter starts here
  std::size_t script_line = 0;   // most bytes of "#!" and its line; 0: no scripts
  bool needs_permission = true;  // to execute the file
  // The most bytes that the program and its dynamic linker may need.
  std::uint64_t memory = std::numeric_limits<std::uint64_t>::max();
  // Why programs of this file do not run, one line; nullopt: they do. Asked before the dynamic
  // linker is looked for; null: nobody asks.
  std::function<std::optional<std::string>(const Image& image)> objection = {};
  bool symbols = true;  // of the program
};

// The functions of a program that was loaded without their names, by its file: none if that is gone
// or has other code now.
SymbolTable read_symbols(host::GuestFiles& files, const std::string& path, const Image& program);

// Loads a program without argv and environment; a script gets the arguments that its first line and
// its name put before argv[1].
//
// EACCES: not a regular file, or no permission to execute it. ENOEXEC: not a program, one with an
// objection, or a script whose interpreter is a script. ENOENT: the file, the script's
// interpreter or the program's linker does not exist. ENOMEM: larger than 256 MiB, or larger than
// `memory` once loaded.
Result<Program, ExecFailure> load_program(host::GuestFiles& files, const ProgramRequest& request);

// A shared library, without its symbols. The size of the file is taken from `room`. Returns nullptr
// if there is no such library, or its file or its memory is larger than `room`.
std::shared_ptr<const Image> load_library_file(host::GuestFiles& files, const host::GuestPath& path,
                                               std::uint64_t& room);

// Gives the program its argv.
void add_arguments(Program& program, std::vector<std::string> arguments);

}  // namespace hardclock::posix
