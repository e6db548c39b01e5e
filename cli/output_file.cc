#include "cli/output_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstring>
#include <optional>
#include <streambuf>
#include <utility>

#include "cli/leftovers.h"
#include "cli/run_signals.h"
#include "cli/usage_error.h"
#include "cli/values.h"

namespace hardclock {
namespace {

using host::Descriptor;

// 0, or the errno of the write that failed; EINTR if the run is to end and nobody reads.
int write_all(int descriptor, std::string_view bytes) {
  const bool was_to_end = is_to_end();
  while (!bytes.empty()) {
    const ::ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR || (!was_to_end && is_to_end())) {
      return errno;
    }
  }
  return 0;
}

bool same_inode(const struct ::stat& a, const struct ::stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Whether ".." is a component of a path.
bool goes_up(std::string_view path) {
  while (!path.empty()) {
    const std::string_view component = path.substr(0, path.find('/'));
    if (component == "..") return true;
    path.remove_prefix(std::min(path.size(), component.size() + 1));
  }
  return false;
}

// The rest of a path below the working directory; nullopt if the user's path leads out of it.
std::optional<std::string> below_working_directory(const std::string& path) {
  if (goes_up(path)) return std::nullopt;
  if (!path.starts_with('/')) return path;
  std::array<char, PATH_MAX> here;
  if (::getcwd(here.data(), here.size()) == nullptr) return std::nullopt;
  const std::string prefix = std::string(here.data()) + "/";
  if (path + "/" == prefix) return ".";
  if (!path.starts_with(prefix)) return std::nullopt;
  const std::size_t rest = path.find_first_not_of('/', prefix.size());
  return rest == std::string::npos ? "." : path.substr(rest);
}

constexpr int directory_flags = O_PATH | O_DIRECTORY | O_CLOEXEC;

// A guest may have made links below the working directory: they must not lead out of it.
int open_directory(const std::string& path) {
  const auto below = below_working_directory(path);
  if (!below) return ::open(path.c_str(), directory_flags);
  ::open_how how = {};
  how.flags = directory_flags;
  how.resolve = RESOLVE_BENEATH;
  long descriptor = -1;
  do {
    descriptor = ::syscall(SYS_openat2, AT_FDCWD, below->c_str(), &how, sizeof how);
  } while (descriptor < 0 && errno == EAGAIN);
  return static_cast<int>(descriptor);
}

// The links of these directories are the system's, and mean what they point to.
bool has_links_of_the_system(const Descriptor& directory, const struct ::stat& status) {
  struct ::statfs file_system;
  struct ::stat devices;
  const bool is_proc =
      ::fstatfs(directory.get(), &file_system) == 0 && file_system.f_type == PROC_SUPER_MAGIC;
  return is_proc || (::stat("/dev", &devices) == 0 && same_inode(devices, status));
}

// The N of a name that is /proc/self/fd/N, itself or as a link; nullopt otherwise.
std::optional<int> own_descriptor(const Descriptor& directory, const struct ::stat& status,
                                  const std::string& name) {
  constexpr std::string_view own = "/proc/self/fd/";
  std::string number = name;
  struct ::stat descriptors;
  if (::stat(own.data(), &descriptors) != 0) return std::nullopt;
  if (!same_inode(descriptors, status)) {
    std::array<char, PATH_MAX> target;
    const ::ssize_t size =
        ::readlinkat(directory.get(), name.c_str(), target.data(), target.size());
    const std::string_view text(target.data(), size < 0 ? 0 : static_cast<std::size_t>(size));
    if (!text.starts_with(own)) return std::nullopt;
    number = text.substr(own.size());
  }
  const auto descriptor = parse_whole_number(number, 0, INT_MAX);
  return descriptor ? std::optional(static_cast<int>(*descriptor)) : std::nullopt;
}

// A writable duplicate, or -1 with errno.
int duplicate(int descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY) {
    errno = EBADF;
    return -1;
  }
  return flags < 0 ? -1 : ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

// fsync(2): 0 or errno. A signal does not end it.
int sync(int descriptor) {
  while (::fsync(descriptor) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

std::string new_name() {
  static unsigned made = 0;
  return "hardclock-output-" + std::to_string(::getpid()) + "-" + std::to_string(++made);
}

}  // namespace

// ---- OutputStream

class OutputStream::Buffer final : public std::streambuf {
 public:
  Buffer(int descriptor, bool closes) : descriptor_(descriptor), closes_(closes) {
    setp(bytes_.data(), bytes_.data() + bytes_.size());
  }
  int close() {
    if (descriptor_ < 0 || !closes_) return error_;
    // NFS and quotas may say only now that there is no room.
    if (::close(descriptor_) != 0 && errno != EINTR && error_ == 0) error_ = errno;
    descriptor_ = -1;
    return error_;
  }

 private:
  int_type overflow(int_type letter) override {
    if (sync() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(letter, traits_type::eof())) {
      sputc(traits_type::to_char_type(letter));
    }
    return traits_type::not_eof(letter);
  }
  int sync() override {
    if (error_ == 0) {
      error_ = write_all(descriptor_, {pbase(), static_cast<std::size_t>(pptr() - pbase())});
    }
    setp(bytes_.data(), bytes_.data() + bytes_.size());
    return error_ == 0 ? 0 : -1;
  }

  int descriptor_;
  bool closes_;
  int error_ = 0;
  std::array<char, 8192> bytes_;
};

OutputStream::OutputStream(int descriptor, bool closes)
    : std::ostream(nullptr), buffer_(std::make_unique<Buffer>(descriptor, closes)) {
  rdbuf(buffer_.get());
}

OutputStream::~OutputStream() {
  finish();
}

int OutputStream::finish() {
  flush();
  return buffer_->close();
}

// ---- OutputFile

Result<OutputFile, std::string> OutputFile::find(const std::string& path) {
  OutputFile file(path == "-" ? "/dev/stdout" : path);
  if (auto found = file.find_directory(); !found) return Failure{found.error()};
  if (auto found = file.find_kind(); !found) return Failure{found.error()};
  return file;
}

Result<Ok, std::string> OutputFile::find_directory() {
  const std::size_t slash = path_.rfind('/');
  name_ = path_.substr(slash == std::string::npos ? 0 : slash + 1);
  const std::string directory = slash == std::string::npos ? "." : path_.substr(0, slash + 1);
  if (name_.empty() || name_ == "." || name_ == "..") return Failure{open_error(EISDIR)};
  directory_ = Descriptor(open_directory(directory));
  if (directory_.get() < 0 && errno == EXDEV) {
    return Failure{printable_path(path_) +
                   ": its folder is a link out of the working directory, which a guest may have "
                   "made; name the folder that it should be"};
  }
  if (directory_.get() < 0 || ::fstat(directory_.get(), &directory_status_) != 0) {
    return Failure{open_error(errno)};
  }
  return Ok{};
}

Result<Ok, std::string> OutputFile::find_kind() {
  const int here = directory_.get();
  if (::fstatat(here, name_.c_str(), &status_, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno != ENOENT) return Failure{open_error(errno)};
    return Ok{};
  }
  if (S_ISDIR(status_.st_mode)) return Failure{open_error(EISDIR)};
  if (S_ISREG(status_.st_mode)) {
    kind_ = Kind::regular;
    if (::faccessat(here, name_.c_str(), W_OK, AT_EACCESS) != 0) return Failure{open_error(errno)};
  } else if (!S_ISLNK(status_.st_mode)) {
    kind_ = Kind::special;
  } else if (has_links_of_the_system(directory_, directory_status_)) {
    kind_ = Kind::special;
    if (::fstatat(here, name_.c_str(), &status_, 0) != 0) return Failure{open_error(errno)};
    if (S_ISDIR(status_.st_mode)) return Failure{open_error(EISDIR)};
  }
  return Ok{};
}

bool OutputFile::is_same(const OutputFile& other) const {
  const bool is_device = kind_ == Kind::special && S_ISCHR(status_.st_mode);
  if (is_device) return false;
  if (same_inode(directory_status_, other.directory_status_) && name_ == other.name_) return true;
  return kind_ != Kind::fresh && other.kind_ != Kind::fresh && same_inode(status_, other.status_);
}

bool OutputFile::is_file(::dev_t device, ::ino_t inode) const {
  return kind_ == Kind::regular && status_.st_dev == device && status_.st_ino == inode;
}

int OutputFile::open_special() const {
  constexpr int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY;
  const auto own = own_descriptor(directory_, directory_status_, name_);
  if (own) return duplicate(*own);
  const int follow = has_links_of_the_system(directory_, directory_status_) ? 0 : O_NOFOLLOW;
  return ::openat(directory_.get(), name_.c_str(), flags | follow);
}

int OutputFile::open_in_place() const {
  return ::openat(directory_.get(), name_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW);
}

int OutputFile::create(const std::string& name) const {
  return ::openat(directory_.get(), name.c_str(),
                  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

// Sets each as far as the host allows. The owner comes first: a new one may change the mode.
void OutputFile::keep_owner_and_mode(int descriptor) const {
  if (kind_ != Kind::regular) return;
  [[maybe_unused]] const int owned = ::fchown(descriptor, status_.st_uid, status_.st_gid);
  ::fchmod(descriptor, status_.st_mode & 0777);
}

bool OutputFile::is_unwritable_directory(int error) const {
  return kind_ == Kind::regular && (error == EACCES || error == EPERM || error == EROFS);
}

Result<Ok, std::string> OutputFile::prepare() {
  if (kind_ == Kind::special) {
    special_ = Descriptor(open_special());
    if (special_.get() < 0) return Failure{open_error(errno)};
    return Ok{};
  }
  const std::string trial = new_name();
  const Leftover leftover(directory_.get(), trial, Leftover::Kind::file);
  const Descriptor created(create(trial));
  if (created.get() < 0 && !is_unwritable_directory(errno)) return Failure{open_error(errno)};
  if (created.get() >= 0) ::unlinkat(directory_.get(), trial.c_str(), 0);
  return Ok{};
}

namespace {

OutputFile::Write writer_of(std::string_view content) {
  return [content](std::ostream& out) -> Result<Ok, std::string> {
    out << content;
    return Ok{};
  };
}

}  // namespace

Result<Ok, std::string> OutputFile::replace(std::string_view content) {
  return replace(writer_of(content));
}

Result<Ok, std::string> OutputFile::replace_for_good(std::string_view content) {
  return replace(writer_of(content), Until::on_disk);
}

Result<Ok, std::string> OutputFile::replace(const Write& write) {
  return replace(write, Until::written);
}

Result<Ok, std::string> OutputFile::replace(const Write& write, Until until) {
  auto replacement = begin_replacement();
  if (!replacement) return Failure{replacement.error()};
  if (auto written = write((*replacement)->stream()); !written) return written;
  return (*replacement)->finish(until);
}

// A file of a name of its own, which goes with this object unless it has taken over another name:
// even when memory runs out.
class OutputFile::NewFile {
 public:
  explicit NewFile(int directory)
      : directory_(directory),
        name_(new_name()),
        leftover_(directory_, name_, Leftover::Kind::file) {}
  ~NewFile() { ::unlinkat(directory_, name_.c_str(), 0); }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  const std::string& name() const { return name_; }

 private:
  int directory_;
  std::string name_;
  Leftover leftover_;
};

Result<std::unique_ptr<OutputFile::Replacement>, std::string> OutputFile::begin_replacement() {
  if (kind_ == Kind::special) {
    if (special_.get() < 0) special_ = Descriptor(open_special());
    if (special_.get() < 0) return Failure{open_error(errno)};
    return std::make_unique<Replacement>(*this, special_.get(), false);
  }
  auto made = std::make_unique<NewFile>(directory_.get());
  int descriptor = create(made->name());
  if (descriptor >= 0) {
    return std::make_unique<Replacement>(*this, std::move(made), descriptor);
  }
  if (is_unwritable_directory(errno)) descriptor = open_in_place();
  if (descriptor < 0) return Failure{open_error(errno)};
  return std::make_unique<Replacement>(*this, descriptor, true);
}

// A host whose directories cannot be synchronised keeps their order itself, or does not.
int OutputFile::sync_directory() const {
  const Descriptor directory(::openat(directory_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const int error = directory.get() < 0 ? errno : sync(directory.get());
  return error == EACCES || error == EINVAL || error == EOPNOTSUPP ? 0 : error;
}

Result<std::unique_ptr<OutputStream>, std::string> OutputFile::begin() {
  const int descriptor = kind_ == Kind::special ? open_special() : begin_new();
  if (descriptor < 0) return Failure{open_error(errno)};
  return std::make_unique<OutputStream>(descriptor);
}

// The descriptor of a new file that already has the name; -1 with errno.
int OutputFile::begin_new() const {
  const int here = directory_.get();
  const std::string name = new_name();
  const Leftover leftover(here, name, Leftover::Kind::file);
  const int descriptor = create(name);
  if (descriptor < 0) return is_unwritable_directory(errno) ? open_in_place() : -1;
  keep_owner_and_mode(descriptor);
  if (::renameat(here, name.c_str(), here, name_.c_str()) == 0) return descriptor;
  const int error = errno;
  ::close(descriptor);
  ::unlinkat(here, name.c_str(), 0);
  errno = error;
  return -1;
}

// ---- OutputFile::Replacement

// Not inline, where NewFile is not known.
OutputFile::Replacement::Replacement(const OutputFile& file, std::unique_ptr<NewFile> made,
                                     int descriptor)
    : file_(file), made_(std::move(made)), descriptor_(descriptor), stream_(descriptor) {}

OutputFile::Replacement::Replacement(const OutputFile& file, int descriptor, bool closes)
    : file_(file), descriptor_(descriptor), stream_(descriptor, closes) {}

OutputFile::Replacement::~Replacement() = default;

Result<Ok, std::string> OutputFile::Replacement::finish(Until until) {
  const bool to_disk = until == Until::on_disk && file_.kind_ != Kind::special;
  if (made_ != nullptr) file_.keep_owner_and_mode(descriptor_);
  int error = 0;
  if (to_disk && stream_.flush()) error = sync(descriptor_);
  if (const int later = stream_.finish(); error == 0) error = later;
  const int here = file_.directory_.get();
  if (error == 0 && made_ != nullptr &&
      ::renameat(here, made_->name().c_str(), here, file_.name_.c_str()) != 0) {
    error = errno;
  }
  if (to_disk && error == 0) error = file_.sync_directory();
  return error == 0 ? Result<Ok, std::string>(Ok{}) : Failure{file_.write_error(error)};
}

std::string OutputFile::open_error(int error) const {
  return printable_path(path_) + ": " + std::strerror(error) + "; name another file";
}

std::string OutputFile::write_error(int error) const {
  return printable_path(path_) + ": writing failed: " + std::strerror(error) +
         "; make room or name another file";
}

}  // namespace hardclock
