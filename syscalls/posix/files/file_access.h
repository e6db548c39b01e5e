// Common parts of all systems' file calls, for the handlers that a system has of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "syscalls/host/file_status.h"
#include "syscalls/host/guest_files.h"
#include "syscalls/posix/call.h"
#include "syscalls/posix/files/open_file.h"

namespace hardclock::posix {

// ---- file_calls.cc
// The open file whose descriptor is this argument; nullptr if it is not open, or only names its
// file, which is EBADF.
std::shared_ptr<OpenFile> file_at(const Call& call, std::size_t argument = 0);
// The same for calls on files of one kind: EBADF, and EINVAL if it is another kind.
template <typename File>
Result<std::shared_ptr<File>, Errno> file_of_kind_at(const Call& call, std::size_t argument = 0) {
  auto file = file_at(call, argument);
  if (file == nullptr) return Failure{Errno::ebadf};
  auto of_kind = std::dynamic_pointer_cast<File>(std::move(file));
  if (of_kind == nullptr) return Failure{Errno::einval};
  return of_kind;
}
// The same, but also for a descriptor that only names its file.
std::shared_ptr<OpenFile> raw_file_at(const Call& call, std::size_t argument = 0);
// The result of a call that would wait for this file but must not: EAGAIN with O_NONBLOCK, 0 with
// System V's O_NDELAY. Nullopt: it waits.
std::optional<CallResult> instead_of_waiting(const Call& call, const OpenFile& file);
// Success, or the host's error as the program's.
CallResult done_or_errno(const host::HostResult<Ok>& result);
// The result of a write that failed: a broken pipe sends SIGPIPE, too.
CallResult write_failed(Call& call, host::Error error);
// Adds the descriptor of a file that was just opened; EMFILE.
CallResult add_descriptor(Call& call, std::shared_ptr<OpenFile> file, bool closes_on_exec = false);

// The path of an open directory, as it is now.
host::GuestPath path_of(const Directory& directory);

// ---- process_calls.cc
// exec of the file at this path; the vectors of arguments and environment are at these addresses.
CallResult exec_file(Call& call, const host::GuestPath& path, GuestAddr arguments,
                     GuestAddr environment);

// ---- path_calls.cc
// chown(path, owner, group) of this path.
CallResult set_owner(Call& call, const host::GuestPath& path, host::Follow follow);
// The result of readlink(path, buffer, size): a longer text is truncated, and no NUL ends it.
CallResult store_link_text(Call& call, const std::string& text);

// ---- status_calls.cc
Result<host::FileStatus, Errno> status_of(Call& call, GuestAddr path, host::Follow follow);
Result<host::FileStatus, Errno> status_of(Call& call, const host::GuestPath& path,
                                          host::Follow follow);
// The status of the file whose descriptor is this argument.
Result<host::FileStatus, Errno> status_of_descriptor(Call& call, std::size_t argument);
// Which file a call is about: that of the path at an argument, with a symbolic link at its end
// followed or not, or that of the descriptor there.
enum class FileAt : std::uint8_t { path, link, descriptor };
Result<host::FileStatus, Errno> status_of(Call& call, FileAt which, std::size_t argument = 0);
// st_mode: the type, in the bits that every Unix since V7 uses for it, and the permissions.
std::uint32_t mode_of(const host::FileStatus& status);
// st_blksize: the same for every file, independent of the host.
inline constexpr std::uint32_t preferred_block_size = 4096;

}  // namespace hardclock::posix
