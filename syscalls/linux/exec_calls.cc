// execve(2) and execveat(2), after which the process is called by the program's name (fs/exec.c,
// begin_new_exec()).
#include <array>

#include "syscalls/linux/calls.h"
#include "syscalls/linux/path_at.h"
#include "syscalls/linux/process_files.h"
#include "syscalls/posix/calls.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux::calls {
namespace {

CallResult exec_named(Call& call, const host::GuestPath& path, GuestAddr arguments,
                      GuestAddr environment) {
  Process& process = call.process;
  const CallResult result = posix::exec_file(call, path, arguments, environment);
  if (result.kind == CallResult::Kind::no_return) name_program(process, path.text());
  return result;
}

// A script whose descriptor, at argument 0, is closed before its interpreter opens it.
bool is_script_that_closes(const Call& call) {
  if (!call.descriptors().closes_on_exec(call.signed_argument(0))) return false;
  const auto file = posix::file_at(call);
  std::array<std::uint8_t, 2> first{};
  const auto moved = file == nullptr ? posix::Transfer(std::nullopt) : file->pread(first, 0);
  return moved && *moved == first.size() && first[0] == '#' && first[1] == '!';
}

}  // namespace

CallResult execve(Call& call) {
  const auto path = posix::read_path(call, call.address(0));
  if (!path) return CallResult::failure(path.error());
  return exec_named(call, *path, call.address(1), call.address(2));
}

// execveat(directory, path, arguments, environment, flags). An open file is called /dev/fd/N, by
// which a script's interpreter opens it.
CallResult execveat(Call& call) {
  const std::uint32_t flags = call.argument(4);
  if ((flags & ~(at_symlink_nofollow | at_empty_path)) != 0) {
    return CallResult::failure(Errno::einval);
  }
  auto named = path_at(call, 0, flags);
  if (!named) return CallResult::failure(named.error());
  if (named->follow == host::Follow::no) {
    const auto status = posix::status_of(call, named->path, host::Follow::no);
    const bool is_link = status && status->type == host::FileType::symlink;
    if (is_link) return CallResult::failure(Errno::eloop);
  }
  const bool is_open =
      (flags & at_empty_path) != 0 && is_empty_path(call, 0) && call.signed_argument(0) != at_fdcwd;
  if (is_open) {
    named->path = *host::GuestPath::parse("/dev/fd", std::to_string(call.signed_argument(0)));
    if (is_script_that_closes(call)) return CallResult::failure(Errno::enoent);
  }
  return exec_named(call, named->path, call.address(2), call.address(3));
}

}  // namespace hardclock::gnu_linux::calls
