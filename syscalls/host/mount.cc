#include "syscalls/host/mount.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "syscalls/host/held_directory.h"
#include "syscalls/host/host_path.h"

namespace hardclock::host {
namespace {

// statfs(2), f_type: file systems whose files are doors into the kernel or into processes. Most are
// mounted below another one and so out of reach (RESOLVE_NO_XDEV); this covers a root, a bind or a
// working directory that is one. Those that <linux/magic.h> lacks are in the kernel's own sources.
constexpr decltype(::statfs::f_type) kernel_file_systems[] = {
    PROC_SUPER_MAGIC,     SYSFS_MAGIC,          DEBUGFS_MAGIC,        TRACEFS_MAGIC,
    SECURITYFS_MAGIC,     CGROUP_SUPER_MAGIC,   CGROUP2_SUPER_MAGIC,  BPF_FS_MAGIC,
    EFIVARFS_MAGIC,       SELINUX_MAGIC,        SMACK_MAGIC,          PSTOREFS_MAGIC,
    BINFMTFS_MAGIC,       DEVPTS_SUPER_MAGIC,   RDTGROUP_SUPER_MAGIC, NSFS_MAGIC,
    SOCKFS_MAGIC,         PIPEFS_MAGIC,         ANON_INODE_FS_MAGIC,  XENFS_SUPER_MAGIC,
    BINDERFS_SUPER_MAGIC, OPENPROM_SUPER_MAGIC, AAFS_MAGIC,
    0x19800202,  // ipc/mqueue.c
    0x65735543,  // fs/fuse/control.c
    0x62656570,  // fs/configfs/mount.c
    0x6e667364,  // fs/nfsd/nfsctl.c
    0x67596969,  // net/sunrpc/rpc_pipe.c
    0x0a647361,  // drivers/usb/gadget/function/f_fs.c
};

bool is_kernel_file_system(int descriptor) {
  struct ::statfs status;
  if (::fstatfs(descriptor, &status) != 0) return true;
  return std::find(std::begin(kernel_file_systems), std::end(kernel_file_systems), status.f_type) !=
         std::end(kernel_file_systems);
}

// openat2(2) answers EAGAIN when a rename elsewhere makes it unsure of ".."; it asks to try again.
constexpr int attempts = 32;

HostResult<Descriptor> open_how(int directory, const char* path, int flags, std::uint32_t mode,
                                std::uint64_t resolve) {
  ::open_how how{};
  how.flags = static_cast<std::uint64_t>(static_cast<unsigned>(flags | O_CLOEXEC));
  how.mode = (flags & O_CREAT) != 0 ? mode & 0777 : 0;
  how.resolve = resolve | RESOLVE_NO_MAGICLINKS;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    Descriptor result(static_cast<int>(::syscall(SYS_openat2, directory, path, &how, sizeof how)));
    if (result.get() >= 0) {
      if (is_kernel_file_system(result.get())) return Failure{Error::access};
      return result;
    }
    if (errno == EXDEV) return Failure{Error::not_found};
    if (errno != EAGAIN && errno != EINTR) return host_failure();
  }
  return Failure{Error::again};
}

struct OpenArguments {
  int flags = 0;
  std::uint32_t mode = 0;
};

// A path that is too long for one call of the host, piece by piece. A link that leads out of a
// later piece leads nowhere: NameSpace::walk() follows it.
HostResult<Descriptor> open_deep(int directory, std::string_view path, OpenArguments arguments,
                                 std::uint64_t first_rules, std::uint64_t later_rules) {
  Descriptor at;
  std::uint64_t rules = first_rules;
  while (path.size() > GuestPath::max_length) {
    const std::size_t slash = path.rfind('/', GuestPath::max_length);
    const std::string piece(path.substr(0, slash));
    auto next = open_how(at.get() < 0 ? directory : at.get(), piece.c_str(), O_PATH | O_DIRECTORY,
                         0, rules);
    if (!next) return next;
    at = *std::move(next);
    path.remove_prefix(slash + 1);
    rules = later_rules;
  }
  return open_how(at.get(), std::string(path).c_str(), arguments.flags, arguments.mode, rules);
}

// The directory itself is opened by the host's link to it: by the name "." it would have to be one
// that can be searched.
HostResult<Descriptor> resolve_from_held(const GuestPath& path, OpenArguments arguments,
                                         std::uint64_t rules) {
  rules |= RESOLVE_BENEATH;
  const int directory = path.held()->descriptor().get();
  const std::string_view below = path.from_held();
  if (below.empty() && !path.ends_in_dots()) {
    return open_by_link(directory, arguments.flags & ~O_NOFOLLOW);
  }
  if (below.size() > GuestPath::max_length) {
    return open_deep(directory, below, arguments, rules, rules);
  }
  const std::string name(below.empty() ? "." : below);
  return open_how(directory, name.c_str(), arguments.flags, arguments.mode, rules);
}

HostIdentity identity_of_open(const Descriptor& descriptor) {
  struct ::stat status {};
  ::fstat(descriptor.get(), &status);
  return identity_of(status);
}

Failure<std::string> refuse(const std::string& where, const std::string& what, const char* next) {
  return Failure{where + ": " + what + "; " + next};
}

// The next step after an error that has its own advice.
const char* next_after(Error error, const char* otherwise) {
  return error == Error::too_many_open ? "raise the limit of open files with 'ulimit -n'"
                                       : otherwise;
}

std::string no_such_directory(int host_errno) {
  if (host_errno == ENOENT) return "no such directory";
  return describe(from_host_errno(host_errno));
}

// An O_PATH descriptor of a directory that we may read and search.
Result<Descriptor, std::string> open_directory(const std::string& where, const std::string& host,
                                               const char* next) {
  Descriptor result(::open(host.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (result.get() < 0) {
    const int reason = errno;
    return refuse(where, no_such_directory(reason), next_after(from_host_errno(reason), next));
  }
  if (::faccessat(result.get(), "", R_OK | X_OK, AT_EACCESS | AT_EMPTY_PATH) != 0) {
    return refuse(where, describe(from_host_errno(errno)), next);
  }
  if (is_kernel_file_system(result.get())) return refuse(where, "a kernel file system", next);
  const auto probe = open_how(result.get(), ".", O_PATH | O_DIRECTORY, 0, RESOLVE_BENEATH);
  if (!probe) {
    return refuse(where, std::string("openat2: ") + describe(probe.error()),
                  next_after(probe.error(),
                             "use Linux 5.6 or later, outside of a container that blocks openat2"));
  }
  return result;
}

}  // namespace

Result<Mount, std::string> Mount::root(const std::string& host) {
  auto directory = open_directory("guest root " + host, host, "pass -L an existing directory");
  if (!directory) return Failure{directory.error()};
  Mount mount;
  mount.directory_ = std::move(directory).value();
  mount.identity_ = identity_of_open(mount.directory_);
  mount.is_root_ = true;
  return mount;
}

Result<Mount, std::string> Mount::bind(const Bind& bind) {
  constexpr const char* next = "pass --bind an existing directory or regular file";
  const std::string where = "bind " + bind.host + ":" + bind.guest;
  struct ::stat status;
  if (::stat(bind.host.c_str(), &status) != 0) {
    return refuse(where, describe(from_host_errno(errno)), next);
  }
  if (!S_ISDIR(status.st_mode) && !S_ISREG(status.st_mode)) {
    return refuse(where, "neither a directory nor a regular file", next);
  }
  std::error_code error;
  std::filesystem::path host = std::filesystem::canonical(bind.host, error);
  if (error) return refuse(where, error.message(), next);
  Mount mount;
  mount.guest_ = bind.guest;
  mount.writable_ = bind.writable;
  mount.identity_ = identity_of(status);
  if (S_ISREG(status.st_mode)) {
    mount.file_ = host.filename().string();
    host = host.parent_path();
  }
  auto directory = open_directory(where, host.string(), next);
  if (!directory) return Failure{directory.error()};
  mount.directory_ = std::move(directory).value();
  return mount;
}

Result<Mount, std::string> Mount::working_directory(const std::string& host, bool writable) {
  const std::string where = "working directory " + host;
  const auto guest = GuestPath::parse("/", host);
  if (!guest) return refuse(where, describe(guest.error()), "start hardclock from another one");
  if (!host.starts_with('/')) return refuse(where, "not absolute", "pass an absolute path");
  if (guest->text() == "/") {
    return refuse(where, "would show the whole host and hide the guest roots",
                  "pass --cwd=none, or start hardclock from a directory below it");
  }
  auto directory = open_directory(where, host, "start hardclock from a directory you can read");
  if (!directory) return Failure{directory.error()};
  Mount mount;
  mount.directory_ = std::move(directory).value();
  mount.identity_ = identity_of_open(mount.directory_);
  mount.guest_ = guest->text();
  mount.writable_ = writable;
  return mount;
}

Mount Mount::own(std::shared_ptr<OwnDirectory> own, const std::optional<std::string>& guest) {
  Mount mount;
  mount.own_ = std::move(own);
  mount.is_root_ = !guest.has_value();
  mount.writable_ = guest.has_value();
  mount.guest_ = guest.value_or("/");
  return mount;
}

HostResult<Descriptor> Mount::resolve(const GuestPath& path, int flags, std::uint32_t mode,
                                      std::uint64_t rules) const {
  const std::string relative(relative_to(path.text(), guest_));
  if (own_ != nullptr) {
    if (const auto made = own_->make(relative); !made) return Failure{made.error()};
  }
  if (!file_.empty()) {
    if (!relative.empty()) return Failure{Error::not_directory};
    return open_how(directory().get(), file_.c_str(), flags, mode,
                    RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS);  // it may be a mount point itself
  }
  rules |= RESOLVE_NO_XDEV;
  if (path.held() != nullptr && path.held()->mount() == this) {
    auto found = resolve_from_held(path, {flags, mode}, rules);
    // A link can lead out of the directory, unless that was removed.
    const bool is_answer = found || found.error() != Error::not_found ||
                           (rules & RESOLVE_NO_SYMLINKS) != 0 || path.held()->is_removed();
    if (is_answer) return found;
  }
  const std::uint64_t first_rules = rules | (is_root_ ? RESOLVE_IN_ROOT : RESOLVE_BENEATH);
  if (relative.size() > GuestPath::max_length) {
    return open_deep(directory().get(), relative, {flags, mode}, first_rules,
                     rules | RESOLVE_BENEATH);
  }
  return open_how(directory().get(), relative.empty() ? "." : relative.c_str(), flags, mode,
                  first_rules);
}

HostResult<Descriptor> Mount::open(const GuestPath& path, int flags, std::uint32_t mode) const {
  return resolve(path, flags, mode, 0);
}

HostResult<Mount::Object> Mount::find(const GuestPath& path, bool follow) const {
  const int flags = O_PATH | (follow ? 0 : O_NOFOLLOW);
  auto direct = resolve(path, flags, 0, RESOLVE_NO_SYMLINKS);
  if (direct) return Object{std::move(direct).value(), false};
  if (direct.error() != Error::loop) return Failure{direct.error()};
  auto object = open(path, flags);
  if (!object) return Failure{object.error()};
  return Object{std::move(object).value(), true};
}

bool Mount::has_links_above(const GuestPath& path) const {
  const auto object = resolve(path, O_PATH | O_NOFOLLOW, 0, RESOLVE_NO_SYMLINKS);
  return !object && object.error() == Error::loop;
}

HostResult<GuestPath> Mount::path_of(const Descriptor& object) const {
  const auto top = host_path_of(directory().get());
  if (!top) return Failure{top.error()};
  const auto inner = host_path_of(object.get());
  if (!inner) return Failure{inner.error()};
  if (!file_.empty()) return GuestPath::parse("/", guest_);
  if (!is_at_or_below(*inner, *top)) return Failure{Error::not_found};
  return GuestPath::parse(guest_, "./" + std::string(relative_to(*inner, *top)));
}

}  // namespace hardclock::host
