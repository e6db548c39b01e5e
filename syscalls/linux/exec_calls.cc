// execve(2), after which the process is called by the program's name (fs/exec.c, begin_new_exec()).
#include "syscalls/linux/calls.h"
#include "syscalls/linux/process_files.h"
#include "syscalls/posix/calls.h"

namespace hardclock::gnu_linux::calls {

CallResult execve(Call& call) {
  const auto path = posix::read_path(call, call.address(0));
  if (!path) return CallResult::failure(path.error());
  Process& process = call.process;
  const CallResult result = posix::calls::execve(call);
  if (result.kind == CallResult::Kind::no_return) name_program(process, path->text());
  return result;
}

}  // namespace hardclock::gnu_linux::calls
