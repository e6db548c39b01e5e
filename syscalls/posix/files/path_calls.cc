// Names: links, directories, permissions, owners, times.
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::posix {
namespace {

// A guest is one user, not the superuser, in one group: a file keeps its owner. -1 and the file's
// present ids are accepted (POSIX.1, chown(): _POSIX_CHOWN_RESTRICTED).
CallResult keep_owner(const Call& call, const Result<host::FileStatus, Errno>& status,
                      const std::function<void()>& tell) {
  constexpr std::uint32_t unchanged = 0xffffffff;
  const std::uint32_t owner = call.argument(1), group = call.argument(2);
  if (!status) return CallResult::failure(status.error());
  const bool same = (owner == unchanged || owner == status->owner) &&
                    (group == unchanged || group == status->group);
  if (!same) return CallResult::failure(Errno::eperm);
  if (owner != unchanged || group != unchanged) tell();
  return CallResult::value(0);
}

}  // namespace

CallResult set_owner(Call& call, const host::GuestPath& path, host::Follow follow) {
  return keep_owner(call, status_of(call, path, follow),
                    [&] { call.os.files().owner_was_set(path, follow); });
}

CallResult store_link_text(Call& call, const std::string& text) {
  const std::size_t size = std::min<std::uint64_t>(text.size(), call.arguments[2]);
  const std::vector<std::uint8_t> bytes(text.begin(),
                                        text.begin() + static_cast<std::ptrdiff_t>(size));
  if (!call.memory.write_bytes(call.address(1), bytes)) return CallResult::failure(Errno::efault);
  return CallResult::value(size);
}

namespace calls {
namespace {

// access(2)'s argument.
constexpr std::uint32_t x_ok = 1, w_ok = 2, r_ok = 4;
// Of st_mode, in every Unix that has FIFOs.
constexpr std::uint32_t type_bits = 0170000, fifo_type = 0010000;

// Calls `change(path)` for the path at argument 0.
template <class Change>
CallResult with_path(Call& call, Change change) {
  const auto path = read_path(call, call.address(0));
  if (!path) return CallResult::failure(path.error());
  return done_or_errno(change(*path));
}

// The same for the paths at arguments 0 and 1.
template <class Change>
CallResult with_two_paths(Call& call, Change change) {
  const auto first = read_path(call, call.address(0));
  if (!first) return CallResult::failure(first.error());
  const auto second = read_path(call, call.address(1));
  if (!second) return CallResult::failure(second.error());
  return done_or_errno(change(*first, *second));
}

// mkfifo(path, mode) with the path at argument `first`.
CallResult make_fifo(Call& call, std::size_t first, std::uint32_t mode) {
  const auto path = read_path(call, call.address(first));
  if (!path) return CallResult::failure(path.error());
  const auto node =
      call.os.files().make_node(*path, host::FileType::fifo, mode & 0777 & ~call.paths().umask);
  if (!node) return CallResult::failure(to_errno(node.error()));
  call.os.fifos().forget(node->identity);
  return CallResult::value(0);
}

CallResult go_to(Call& call, const host::GuestPath& path) {
  host::GuestFiles& files = call.os.files();
  const auto allowed = files.find_directory(path);
  if (!allowed) return CallResult::failure(to_errno(allowed.error()));
  auto held = files.hold(path);
  if (!held) return CallResult::failure(to_errno(held.error()));
  call.paths().directory = *std::move(held);
  return CallResult::value(0);
}

// Without privileges, only Linux keeps a sticky bit of what is no directory.
std::uint32_t mode_to_set(const Call& call, std::uint32_t mode,
                          const Result<host::FileStatus, Errno>& status) {
  constexpr std::uint32_t sticky = 01000;
  const bool may =
      call.system.has_sticky_files || !status || status->type == host::FileType::directory;
  return may ? mode : mode & ~sticky;
}

}  // namespace

CallResult access(Call& call) {
  const std::uint32_t kinds = call.argument(1);
  if ((kinds & ~(r_ok | w_ok | x_ok)) != 0) return CallResult::failure(Errno::einval);
  return with_path(call, [&](const host::GuestPath& path) {
    return call.os.files().access(path, {.read = (kinds & r_ok) != 0,
                                         .write = (kinds & w_ok) != 0,
                                         .execute = (kinds & x_ok) != 0});
  });
}

CallResult chdir(Call& call) {
  const auto path = read_path(call, call.address(0));
  if (!path) return CallResult::failure(path.error());
  return go_to(call, *path);
}

CallResult fchdir(Call& call) {
  const auto file = raw_file_at(call);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  const Directory* const directory = file->directory();
  if (directory == nullptr) return CallResult::failure(Errno::enotdir);
  return go_to(call, path_of(*directory));
}

CallResult chmod(Call& call) {
  return with_path(call, [&](const host::GuestPath& path) {
    const auto status = status_of(call, path, host::Follow::yes);
    return call.os.files().change_mode(path, mode_to_set(call, call.argument(1), status));
  });
}

CallResult fchmod(Call& call) {
  const auto file = file_at(call);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  const std::uint32_t mode = mode_to_set(call, call.argument(1), status_of_descriptor(call, 0));
  return done_or_errno(file->change_mode(mode));
}

CallResult keep_owner_at(Call& call, host::Follow follow) {
  const auto path = read_path(call, call.address(0));
  if (!path) return CallResult::failure(path.error());
  return set_owner(call, *path, follow);
}

CallResult fchown(Call& call) {
  const auto file = file_at(call);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  return keep_owner(call, status_of_descriptor(call, 0), [&] { file->owner_was_set(); });
}

CallResult link(Call& call) {
  return with_two_paths(call, [&](const host::GuestPath& from, const host::GuestPath& to) {
    return call.os.files().link(from, to);
  });
}

// mknod(2): "the effective user of the calling process is not superuser" is EPERM, except for named
// pipes, and not even a superuser makes devices here.
CallResult mknod_at(Call& call, std::size_t first) {
  const std::uint32_t mode = call.argument(first + 1);
  if ((mode & type_bits) == fifo_type) return make_fifo(call, first, mode);
  const auto path = read_path(call, call.address(first));
  if (!path) return CallResult::failure(path.error());
  if (call.os.files().status(*path, host::Follow::no)) return CallResult::failure(Errno::eexist);
  return CallResult::failure(Errno::eperm);
}

CallResult mkfifo(Call& call) {
  return make_fifo(call, 0, call.argument(1));
}

CallResult rename(Call& call) {
  return with_two_paths(call, [&](const host::GuestPath& from, const host::GuestPath& to) {
    return call.os.files().rename(from, to);
  });
}

CallResult symlink(Call& call) {
  const auto target = call.memory.read_string(call.address(0), host::GuestPath::max_length + 1);
  if (!target) return CallResult::failure(Errno::efault);
  const auto path = read_path(call, call.address(1));
  if (!path) return CallResult::failure(path.error());
  return done_or_errno(call.os.files().make_symlink(*target, *path));
}

// readlink(path, buffer, size)
CallResult readlink(Call& call) {
  const auto path = read_path(call, call.address(0));
  if (!path) return CallResult::failure(path.error());
  const auto target = call.os.files().read_link(*path);
  if (!target) return CallResult::failure(to_errno(target.error()));
  return store_link_text(call, *target);
}

CallResult unlink(Call& call) {
  return with_path(call,
                   [&](const host::GuestPath& path) { return call.os.files().remove_file(path); });
}

CallResult mkdir(Call& call) {
  return with_path(call, [&](const host::GuestPath& path) {
    return call.os.files().make_directory(path, call.argument(1) & ~call.paths().umask);
  });
}

CallResult rmdir(Call& call) {
  return with_path(
      call, [&](const host::GuestPath& path) { return call.os.files().remove_directory(path); });
}

}  // namespace calls
}  // namespace hardclock::posix
