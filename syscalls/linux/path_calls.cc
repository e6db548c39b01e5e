// The calls that take a path relative to an open directory.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "syscalls/linux/calls.h"
#include "syscalls/linux/path_at.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux {
namespace {

using posix::GuestReader;

// include/uapi/linux/fcntl.h
constexpr std::uint32_t at_removedir = 0x200, at_eaccess = 0x200;

// Removes the argument: the others move down.
void drop_argument(Call& call, std::size_t index) {
  std::move(call.arguments.begin() + static_cast<std::ptrdiff_t>(index) + 1, call.arguments.end(),
            call.arguments.begin() + static_cast<std::ptrdiff_t>(index));
}

// One of the two times of a call; nullopt: EINVAL.
using NextTime = std::optional<host::TimeChange> (*)(GuestReader& members);

std::optional<host::TimeChange> to_change(std::int64_t seconds, std::uint64_t nanoseconds) {
  constexpr std::uint64_t utime_now = 0x3fffffff, utime_omit = 0x3ffffffe;
  if (nanoseconds == utime_now) return host::TimeChange::now();
  if (nanoseconds == utime_omit) return host::TimeChange::keep();
  return host::FileTime{seconds, static_cast<std::uint32_t>(nanoseconds)};
}

// struct timespec
std::optional<host::TimeChange> next_timespec(GuestReader& members) {
  const std::int64_t seconds = members.signed_long();
  return to_change(seconds, members.word_long());
}

// struct __kernel_timespec
std::optional<host::TimeChange> next_wide_timespec(GuestReader& members) {
  const auto seconds = static_cast<std::int64_t>(members.wide());
  return to_change(seconds, members.wide());
}

// struct timeval
std::optional<host::TimeChange> next_timeval(GuestReader& members) {
  const std::int64_t seconds = members.signed_long(), microseconds = members.signed_long();
  if (microseconds < 0 || microseconds >= 1'000'000) return std::nullopt;
  return host::FileTime{seconds, static_cast<std::uint32_t>(microseconds * 1000)};
}

// A member of struct utimbuf
std::optional<host::TimeChange> next_time(GuestReader& members) {
  return host::FileTime{members.signed_long(), 0};
}

// Calls `change(access, modification)` for the two times at that argument; now, if it is null.
template <class Change>
CallResult with_times(Call& call, std::size_t argument, NextTime next, Change change) {
  std::optional<host::TimeChange> access = host::TimeChange::now(), modification = access;
  if (!call.is_null(argument)) {
    GuestReader members(call, call.address(argument));
    access = next(members);
    modification = next(members);
    if (!members.ok()) return CallResult::failure(Errno::efault);
    if (!access || !modification) return CallResult::failure(Errno::einval);
  }
  return posix::done_or_errno(change(*access, *modification));
}

// utimensat(directory, path, times, flags); without a path, it changes the open file itself.
CallResult set_times_at(Call& call, NextTime next, std::uint32_t flags) {
  if (call.is_null(1)) {
    const auto file = posix::file_at(call);
    if (file == nullptr) return CallResult::failure(Errno::ebadf);
    return with_times(call, 2, next, [&](const auto& access, const auto& modification) {
      return file->set_times(access, modification);
    });
  }
  const auto named = path_at(call, 0, flags);
  if (!named) return CallResult::failure(named.error());
  return with_times(call, 2, next, [&](const auto& access, const auto& modification) {
    return call.os.files().set_times(named->path, access, modification, named->follow);
  });
}

// utimes(path, times)
CallResult set_times(Call& call, NextTime next) {
  const auto path = posix::read_path(call, call.address(0));
  if (!path) return CallResult::failure(path.error());
  return with_times(call, 1, next, [&](const auto& access, const auto& modification) {
    return call.os.files().set_times(*path, access, modification, host::Follow::yes);
  });
}

// Where a path leads whose last component may be a symbolic link.
Result<host::GuestPath, Errno> behind_links(Call& call, host::GuestPath path) {
  constexpr int most_links = 40;  // as Linux follows (path_resolution(7))
  host::GuestFiles& files = call.os.files();
  for (int links = 0; links < most_links; ++links) {
    const auto status = files.status(path, host::Follow::no);
    if (!status) return Failure{posix::to_errno(status.error())};
    if (status->type != host::FileType::symlink) return path;
    const auto target = files.read_link(path);
    if (!target) return Failure{posix::to_errno(target.error())};
    auto next = host::GuestPath::parse(path.parent().text(), *target);
    if (!next) return Failure{posix::to_errno(next.error())};
    path = *std::move(next);
  }
  return Failure{Errno::eloop};
}

}  // namespace

Result<host::HeldDirectoryRef, posix::Errno> directory_at(Call& call, std::size_t directory) {
  const std::int32_t number = call.signed_argument(directory);
  if (number == at_fdcwd) return call.paths().directory;
  const auto path = call.memory.read_string(call.address(directory + 1), 1);
  if (!path) return Failure{Errno::efault};
  if (path->empty()) return Failure{Errno::enoent};
  if (*path == "/") return call.paths().directory;
  const auto file = call.descriptors().get_raw(number);
  if (file == nullptr) return Failure{Errno::ebadf};
  if (file->directory() == nullptr) return Failure{Errno::enotdir};
  return file->directory()->held;
}

Result<host::GuestPath, posix::Errno> path_at(Call& call, std::size_t directory) {
  auto base = directory_at(call, directory);
  if (!base) return Failure{base.error()};
  std::swap(call.paths().directory, *base);
  auto path = posix::read_path(call, call.address(directory + 1));
  std::swap(call.paths().directory, *base);
  return path;
}

bool is_empty_path(Call& call, std::size_t directory) {
  const auto path = call.memory.read_string(call.address(directory + 1), 1);
  return path && path->empty();
}

Result<FlaggedPath, posix::Errno> path_at(Call& call, std::size_t directory, std::uint32_t flags) {
  const std::int32_t number = call.signed_argument(directory);
  if ((flags & at_empty_path) == 0 || !is_empty_path(call, directory)) {
    auto path = path_at(call, directory);
    if (!path) return Failure{path.error()};
    const bool follows = (flags & at_symlink_nofollow) == 0;
    return FlaggedPath{*std::move(path), follows ? host::Follow::yes : host::Follow::no};
  }
  if (number == at_fdcwd) {
    return FlaggedPath{host::GuestPath::of_held(call.paths().directory), host::Follow::yes};
  }
  if (call.descriptors().get_raw(number) == nullptr) return Failure{Errno::ebadf};
  // The link leads to the file itself, even to a symbolic link.
  const auto link = host::GuestPath::parse("/proc/self/fd", std::to_string(number));
  return FlaggedPath{*link, host::Follow::yes};
}

namespace calls {

CallResult in_directory(Call& call, std::size_t directory, Handler proper) {
  auto base = directory_at(call, directory);
  if (!base) return CallResult::failure(base.error());
  drop_argument(call, directory);
  std::swap(call.paths().directory, *base);
  const CallResult result = proper(call);
  std::swap(call.paths().directory, *base);
  return result;
}

// mknod(path, mode, device): anybody makes regular files and FIFOs.
CallResult mknod(Call& call) {
  constexpr std::uint32_t type_bits = 0170000, regular = 0100000;
  const std::uint32_t type = call.argument(1) & type_bits;
  if (type != 0 && type != regular) return posix::calls::mknod(call);
  const auto path = posix::read_path(call, call.address(0));
  if (!path) return CallResult::failure(path.error());
  const auto made =
      call.os.files().open(*path, {.write = true,
                                   .create = true,
                                   .exclusive = true,
                                   .mode = call.argument(1) & 0777 & ~call.paths().umask});
  return made ? CallResult::value(0) : CallResult::failure(posix::to_errno(made.error()));
}

CallResult unlinkat(Call& call) {
  const std::uint32_t flags = call.argument(2);
  if ((flags & ~at_removedir) != 0) return CallResult::failure(Errno::einval);
  return in_directory(call, 0, (flags & at_removedir) != 0 ? rmdir : unlink);
}

CallResult fchownat(Call& call) {
  const std::uint32_t flags = call.argument(4);
  if ((flags & ~(at_symlink_nofollow | at_empty_path)) != 0) {
    return CallResult::failure(Errno::einval);
  }
  const auto named = path_at(call, 0, flags);
  if (!named) return CallResult::failure(named.error());
  drop_argument(call, 0);
  return posix::set_owner(call, named->path, named->follow);
}

// faccessat2(directory, path, kinds, flags): a guest's real and effective ids are the same, and
// anybody may do anything with a symbolic link.
CallResult faccessat2(Call& call) {
  constexpr std::uint32_t x_ok = 1, w_ok = 2, r_ok = 4;
  const std::uint32_t kinds = call.argument(2), flags = call.argument(3);
  const bool is_known = (kinds & ~(r_ok | w_ok | x_ok)) == 0 &&
                        (flags & ~(at_eaccess | at_symlink_nofollow | at_empty_path)) == 0;
  if (!is_known) return CallResult::failure(Errno::einval);
  const auto named = path_at(call, 0, flags);
  if (!named) return CallResult::failure(named.error());
  const auto status = posix::status_of(call, named->path, named->follow);
  if (!status) return CallResult::failure(status.error());
  if (status->type == host::FileType::symlink) return CallResult::value(0);
  return posix::done_or_errno(call.os.files().access(
      named->path,
      {.read = (kinds & r_ok) != 0, .write = (kinds & w_ok) != 0, .execute = (kinds & x_ok) != 0}));
}

// AT_SYMLINK_FOLLOW: the new name is the file's to which a symbolic link leads. AT_EMPTY_PATH is a
// superuser's (linkat(2), ENOENT).
CallResult linkat(Call& call) {
  constexpr std::uint32_t at_symlink_follow = 0x400, at_empty_path = 0x1000;
  const std::uint32_t flags = call.argument(4);
  if ((flags & ~(at_symlink_follow | at_empty_path)) != 0) {
    return CallResult::failure(Errno::einval);
  }
  auto from = path_at(call, 0);
  if (from && (flags & at_symlink_follow) != 0) from = behind_links(call, *std::move(from));
  if (!from) return CallResult::failure(from.error());
  const auto to = path_at(call, 2);
  if (!to) return CallResult::failure(to.error());
  return posix::done_or_errno(call.os.files().link(*from, *to));
}

CallResult renameat(Call& call) {
  const auto from = path_at(call, 0);
  if (!from) return CallResult::failure(from.error());
  const auto to = path_at(call, 2);
  if (!to) return CallResult::failure(to.error());
  return posix::done_or_errno(call.os.files().rename(*from, *to));
}

// renameat2(directory, path, new_directory, new_path, flags): the new path must not be there, or
// both change places, which this file system does not offer.
CallResult renameat2(Call& call) {
  constexpr std::uint32_t rename_noreplace = 1;
  const std::uint32_t flags = call.argument(4);
  if ((flags & ~rename_noreplace) != 0) return CallResult::failure(Errno::einval);
  const auto to = path_at(call, 2);
  if (!to) return CallResult::failure(to.error());
  if (flags != 0 && call.os.files().status(*to, host::Follow::no)) {
    return CallResult::failure(Errno::eexist);
  }
  return renameat(call);
}

CallResult utimensat(Call& call) {
  return set_times_at(call, next_timespec, call.argument(3));
}

CallResult utimensat_time64(Call& call) {
  return set_times_at(call, next_wide_timespec, call.argument(3));
}

// utime(path, struct utimbuf {long actime, modtime})
CallResult utime(Call& call) {
  return set_times(call, next_time);
}

CallResult utimes(Call& call) {
  return set_times(call, next_timeval);
}

CallResult futimesat(Call& call) {
  return set_times_at(call, next_timeval, 0);
}

// The path is looked up first.
CallResult chroot(Call& call) {
  const auto path = posix::read_path(call, call.address(0));
  if (!path) return CallResult::failure(path.error());
  const auto found = call.os.files().find_directory(*path);
  return CallResult::failure(found ? Errno::eperm : posix::to_errno(found.error()));
}

// readlinkat(directory, path, buffer, size): an empty path means the symbolic link of the
// descriptor itself (readlink(2)).
CallResult readlinkat(Call& call) {
  if (!is_empty_path(call, 0)) return in_directory(call, 0, readlink);
  const auto file = posix::raw_file_at(call);
  if (file == nullptr && call.signed_argument(0) != at_fdcwd) {
    return CallResult::failure(Errno::ebadf);
  }
  const auto held = file == nullptr ? nullptr : file->held_file();
  if (held == nullptr) return CallResult::failure(Errno::enoent);
  const auto text = held->read_link();
  if (!text) return CallResult::failure(posix::to_errno(text.error()));
  drop_argument(call, 0);
  return posix::store_link_text(call, *text);
}

}  // namespace calls
}  // namespace hardclock::gnu_linux
