#include "syscalls/host/own_directory.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "syscalls/host/write_all.h"

namespace hardclock::host {
namespace {

constexpr ::timespec of_1970[2] = {};
constexpr ::mode_t mode_for_all = S_ISVTX | S_IRWXU | S_IRWXG | S_IRWXO;

// Both relative to the same directory.
bool leads_to(std::string_view outer, std::string_view inner) {
  return outer.empty() ||
         (inner.starts_with(outer) && (inner.size() == outer.size() || inner[outer.size()] == '/'));
}

// All that there is of a file, or the errno by which the host refused it.
int write_file(int directory, const std::string& path, const BuiltInFile& of) {
  const ::mode_t mode = of.program.empty() ? 0444 : 0555;
  Descriptor file(::openat(directory, path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (file.get() < 0) return errno;
  int error = write_all(file.get(), of.program);
  if (error == 0) error = write_all(file.get(), of.text);
  if (error == 0 && ::fchmod(file.get(), mode) != 0) error = errno;
  if (error == 0 && ::futimens(file.get(), of_1970) != 0) error = errno;
  return error == 0 && file.close() != 0 ? errno : error;
}

int make_link(int directory, const std::string& path, std::string_view to) {
  if (::symlinkat(std::string(to).c_str(), directory, path.c_str()) != 0) return errno;
  return ::utimensat(directory, path.c_str(), of_1970, AT_SYMLINK_NOFOLLOW) == 0 ? 0 : errno;
}

}  // namespace

std::shared_ptr<OwnDirectory> OwnDirectory::at(const std::string& path) {
  const std::filesystem::path whole(path);
  auto parent = std::make_shared<const Descriptor>(
      ::open(whole.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  return std::make_shared<OwnDirectory>(std::move(parent), whole.filename(), Kind::for_all);
}

void OwnDirectory::belongs_to(std::shared_ptr<FileRecords> records, std::shared_ptr<HostUse> use) {
  records_ = std::move(records);
  use_ = std::move(use);
  struct ::stat status;
  if (kind_ == Kind::for_all && is_made() && ::fstat(directory_.get(), &status) == 0) {
    records_->made_for_run(status);
  }
}

HostResult<Ok> OwnDirectory::make(std::string_view path) {
  if (kind_ == Kind::for_all && is_made()) return Ok{};
  auto done = kind_ == Kind::for_all ? make_directory() : make_asked_for(path);
  const bool is_refused = !done && done.error() != Error::not_found;
  if (is_refused && use_ != nullptr) return use_->has_no_room(done.error());
  return done;
}

// A guest whose working directory is the one around ours may have put something there: a link would
// lead out of what it may see, and what is built in would be its own.
HostResult<Ok> OwnDirectory::make_directory() {
  if (is_made()) return Ok{};
  const bool is_new = ::mkdirat(parent_->get(), name_.c_str(), S_IRWXU) == 0;
  if (!is_new && (errno != EEXIST || kind_ == Kind::built_in)) {
    return Failure{errno == ENOENT ? Error::io : from_host_errno(errno)};
  }
  const ::mode_t mode = kind_ == Kind::built_in ? 0755 : mode_for_all;
  if (is_new && ::fchmodat(parent_->get(), name_.c_str(), mode, 0) != 0) return host_failure();
  Descriptor made(
      ::openat(parent_->get(), name_.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct ::stat status;
  if (made.get() < 0 || ::fstat(made.get(), &status) != 0) return host_failure();
  directory_ = std::move(made);
  identity_ = identity_of(status);
  if (kind_ == Kind::for_all && records_ != nullptr) records_->made_for_run(status);
  return Ok{};
}

// What lies below the path is for who lists it, what lies above is no directory.
HostResult<Ok> OwnDirectory::make_asked_for(std::string_view path) {
  const auto is_asked_for = [path](const BuiltInFile& file) {
    return leads_to(path, file.path) || leads_to(file.path, path);
  };
  for (auto next = std::ranges::find_if(unmade_, is_asked_for); next != unmade_.end();
       next = std::ranges::find_if(unmade_, is_asked_for)) {
    const BuiltInFile file = *next;
    if (const auto made = make_file(file); !made) return made;
    std::erase_if(unmade_, [&file](const BuiltInFile& each) { return each.path == file.path; });
    if (file.link.empty()) continue;
    const auto target =
        (std::filesystem::path(file.path).parent_path() / file.link).lexically_normal().string();
    if (const auto made = make_asked_for(target); !made) return made;
  }
  return is_made() ? HostResult<Ok>(Ok{}) : Failure{Error::not_found};
}

// A part of it that was made would be in the way of the next attempt.
HostResult<Ok> OwnDirectory::make_file(const BuiltInFile& file) {
  if (const auto made = make_directory(); !made) return made;
  if (const auto made = make_directories_above(file.path); !made) return made;
  const std::string path(file.path);
  const int error = file.link.empty() ? write_file(directory_.get(), path, file)
                                      : make_link(directory_.get(), path, file.link);
  auto done = error == 0 ? finish_directories_above(file.path)
                         : HostResult<Ok>(Failure{from_host_errno(error)});
  if (!done) ::unlinkat(directory_.get(), path.c_str(), 0);
  return done;
}

HostResult<Ok> OwnDirectory::make_directories_above(std::string_view path) const {
  for (std::size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1)) {
    const std::string above(path.substr(0, slash));
    const bool is_new = ::mkdirat(directory_.get(), above.c_str(), S_IRWXU) == 0;
    if (!is_new && errno != EEXIST) return host_failure();
    if (is_new && ::fchmodat(directory_.get(), above.c_str(), 0755, 0) != 0) return host_failure();
  }
  return Ok{};
}

// What is made in a directory changes its date.
HostResult<Ok> OwnDirectory::finish_directories_above(std::string_view path) const {
  for (std::size_t slash = path.rfind('/'); slash != path.npos; slash = path.rfind('/')) {
    path = path.substr(0, slash);
    const std::string above(path);
    if (::utimensat(directory_.get(), above.c_str(), of_1970, 0) != 0) return host_failure();
  }
  if (::utimensat(parent_->get(), name_.c_str(), of_1970, AT_SYMLINK_NOFOLLOW) != 0) {
    return host_failure();
  }
  return Ok{};
}

}  // namespace hardclock::host
