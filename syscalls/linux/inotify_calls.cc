// inotify(7)
#include <memory>

#include "syscalls/linux/calls.h"
#include "syscalls/linux/inotify.h"
#include "syscalls/linux/uapi.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux::calls {
namespace {

// The object at the path, which the caller may read. EACCES, ENOTDIR.
Result<host::HostIdentity, Errno> watchable(Call& call, const host::GuestPath& path,
                                            std::uint32_t mask) {
  host::GuestFiles& files = call.os.files();
  const host::Follow follow =
      (mask & Inotify::no_follow) != 0 ? host::Follow::no : host::Follow::yes;
  const auto status = files.status(path, follow);
  if (!status) return Failure{posix::to_errno(status.error())};
  const bool is_directory = status->type == host::FileType::directory;
  if ((mask & Inotify::only_directory) != 0 && !is_directory) return Failure{Errno::enotdir};
  if (status->type != host::FileType::symlink) {
    const auto allowed = files.access(path, {.read = true});
    if (!allowed) return Failure{posix::to_errno(allowed.error())};
  }
  const auto identity = files.identity(path, follow);
  if (!identity) return Failure{posix::to_errno(identity.error())};
  return *identity;
}

}  // namespace

// inotify_init1(flags)
CallResult inotify_init1(Call& call) {
  const posix::OpenFlags& known = call.system.open_flags;
  const std::uint32_t flags = new_file_flags(call, 0);
  if ((flags & ~(known.non_block | known.close_on_exec)) != 0) {
    return CallResult::failure(Errno::einval);
  }
  return add_anonymous_file(
      call,
      std::make_shared<Inotify>(call.os.files().records(), call.simulation().budget(),
                                call.memory.endian()),
      flags);
}

// inotify_add_watch(inotify, path, mask)
CallResult inotify_add_watch(Call& call) {
  constexpr std::uint32_t known = Inotify::all_events | Inotify::unmount | Inotify::overflow |
                                  Inotify::ignored | Inotify::only_directory | Inotify::no_follow |
                                  Inotify::not_unlinked | Inotify::mask_create | Inotify::mask_add |
                                  Inotify::is_directory | Inotify::once;
  constexpr std::uint32_t both = Inotify::mask_add | Inotify::mask_create;
  const std::uint32_t mask = call.argument(2);
  if (mask == 0 || (mask & ~known) != 0) return CallResult::failure(Errno::einval);
  if (posix::file_at(call) == nullptr) return CallResult::failure(Errno::ebadf);
  if ((mask & both) == both) return CallResult::failure(Errno::einval);
  const auto inotify = posix::file_of_kind_at<Inotify>(call);
  if (!inotify) return CallResult::failure(inotify.error());
  const auto path = posix::read_path(call, call.address(1));
  if (!path) return CallResult::failure(path.error());
  const auto file = watchable(call, *path, mask);
  if (!file) return CallResult::failure(file.error());
  const auto watch = (*inotify)->add(*file, mask);
  if (!watch) return CallResult::failure(watch.error());
  return CallResult::value(static_cast<std::uint32_t>(*watch));
}

// inotify_rm_watch(inotify, watch)
CallResult inotify_rm_watch(Call& call) {
  const auto inotify = posix::file_of_kind_at<Inotify>(call);
  if (!inotify) return CallResult::failure(inotify.error());
  const bool is_done = (*inotify)->remove(call.signed_argument(1));
  return is_done ? CallResult::value(0) : CallResult::failure(Errno::einval);
}

}  // namespace hardclock::gnu_linux::calls
