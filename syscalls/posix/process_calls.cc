#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/library_search.h"

namespace hardclock::posix {
namespace {

constexpr std::uint32_t exit_code_mask = 0xff;
// The most argument and environment strings, and the longest: exec's own limit on bytes comes
// later.
constexpr std::size_t max_strings = 4096;
constexpr std::size_t max_string = 20480;

// A NULL-terminated vector of string pointers; empty for a vector at NULL.
Result<std::vector<std::string>, Errno> read_strings(Call& call, GuestAddr vector) {
  std::vector<std::string> strings;
  if (vector == GuestAddr(0)) return strings;
  GuestReader pointers(call, vector);
  for (;;) {
    const GuestAddr pointer = pointers.pointer();
    if (!pointers.ok()) return Failure{Errno::efault};
    if (pointer == GuestAddr(0)) return strings;
    if (strings.size() == max_strings) return Failure{Errno::e2big};
    auto text = call.memory.read_string(pointer, max_string);
    if (!text) return Failure{Errno::efault};
    strings.push_back(*std::move(text));
  }
}

}  // namespace

// The file first, then the arguments, as kern_exec.c execve() of 4.3BSD.
CallResult exec_file(Call& call, const host::GuestPath& path, GuestAddr argument_vector,
                     GuestAddr environment_vector) {
  // A process keeps its processor.
  const auto objection = [&call](const Image& image) -> std::optional<std::string> {
    if (image.architecture == call.process.image->architecture) return std::nullopt;
    return "a program for another processor";
  };
  auto program = load_program(
      call.os.files(),
      {path, call.paths().directory->path().text(), call.system.script_line, true,
       call.simulation().budget()->free_bytes(), objection, call.os.names_functions()});
  if (!program) return CallResult::failure(program.error().error);
  auto arguments = read_strings(call, argument_vector);
  if (!arguments) return CallResult::failure(arguments.error());
  add_arguments(*program, *std::move(arguments));
  auto environment = read_strings(call, environment_vector);
  if (!environment) return CallResult::failure(environment.error());
  program->environment = *std::move(environment);
  // Without a port the kernel refuses it.
  const Port* const port = find_port(call.system, *program->image);
  if (port != nullptr) find_libraries(call.os.files(), *port, *program);
  const auto replaced = call.os.replace_program(call.thread, *std::move(program));
  if (!replaced) return CallResult::failure(replaced.error());
  return CallResult::no_return();
}

namespace calls {
namespace {

CallResult exec(Call& call, GuestAddr environment_vector) {
  const auto path = read_path(call, call.address(0));
  if (!path) return CallResult::failure(path.error());
  return exec_file(call, *path, call.address(1), environment_vector);
}

}  // namespace

CallResult exit(Call& call) {
  const std::uint32_t code = call.argument(0) & exit_code_mask;
  call.os.end(call.process, ExitStatus{false, code});
  return CallResult::no_return();
}

// Both return from the call: the parent with the child's pid, the child with its parent's and a
// second result of 1, by which libc's stub recognises it.
CallResult fork(Call& call) {
  constexpr auto memory = Kernel::ChildMemory::copied;
  if (!call.os.has_room_for_process(call.process, memory)) {
    return CallResult::failure(Errno::eagain);
  }
  Process& child = call.os.fork(call.thread, memory);
  call.os.ptrace().trace_child(call.thread, child.main_thread(), TraceEvent::fork);
  return CallResult::value(static_cast<std::uint64_t>(child.pid), 0);
}

// The child borrows the parent's memory, or has a copy of it where the system's rules say so, until
// it execs or exits; the parent waits for that.
CallResult vfork(Call& call) {
  return call.os.vfork(call.thread);
}

CallResult execv(Call& call) {
  return exec(call, GuestAddr(0));
}

CallResult execve(Call& call) {
  return exec(call, call.address(2));
}

CallResult getpid(Call& call) {
  return CallResult::value(static_cast<std::uint64_t>(call.process.pid),
                           static_cast<std::uint64_t>(call.process.parent));
}

CallResult getppid(Call& call) {
  return CallResult::value(static_cast<std::uint64_t>(call.process.parent));
}

}  // namespace calls
}  // namespace hardclock::posix
