#include "syscalls/host/built_in_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <set>

#include "syscalls/host/descriptor.h"
#include "syscalls/host/write_all.h"

namespace hardclock::host {
namespace {

constexpr ::timespec of_1970[2] = {};

// Those made, the longest paths first.
using Directories = std::set<std::string, std::greater<>>;

bool make_directory(const std::string& path, Directories& made) {
  if (::mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST) return false;
  made.insert(path);
  return true;
}

bool make_directories_above(const std::string& directory, std::string_view path,
                            Directories& made) {
  for (std::size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1)) {
    if (!make_directory(directory + "/" + std::string(path.substr(0, slash)), made)) return false;
  }
  return true;
}

bool write_file(const std::string& path, const BuiltInFile& of) {
  const ::mode_t mode = of.program.empty() ? 0444 : 0555;
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  return file.get() >= 0 && write_all(file.get(), of.program) == 0 &&
         write_all(file.get(), of.text) == 0 && ::fchmod(file.get(), mode) == 0 &&
         ::futimens(file.get(), of_1970) == 0 && file.close() == 0;
}

bool make_link(const std::string& path, std::string_view to) {
  return ::symlink(std::string(to).c_str(), path.c_str()) == 0 &&
         ::utimensat(AT_FDCWD, path.c_str(), of_1970, AT_SYMLINK_NOFOLLOW) == 0;
}

bool make_file(const std::string& directory, const BuiltInFile& file, Directories& made) {
  const std::string path = directory + "/" + std::string(file.path);
  if (!make_directories_above(directory, file.path, made)) return false;
  return file.link.empty() ? write_file(path, file) : make_link(path, file.link);
}

// What is made in a directory changes its date: it is set at the end.
bool finish_directory(const std::string& path) {
  return ::chmod(path.c_str(), 0755) == 0 && ::utimensat(AT_FDCWD, path.c_str(), of_1970, 0) == 0;
}

}  // namespace

bool make_built_in_root(const std::string& directory, std::span<const BuiltInFile> files) {
  Directories made;
  if (!make_directory(directory, made)) return false;
  for (const BuiltInFile& file : files) {
    if (!make_file(directory, file, made)) return false;
  }
  for (const std::string& each : made) {
    if (!finish_directory(each)) return false;
  }
  return true;
}

}  // namespace hardclock::host
