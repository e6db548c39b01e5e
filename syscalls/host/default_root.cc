#include "syscalls/host/default_root.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "syscalls/host/descriptor.h"

namespace hardclock::host {
namespace {

constexpr ::timespec of_1970[2] = {};

bool make_directory(const std::string& path) {
  return ::mkdir(path.c_str(), S_IRWXU) == 0 || ::access(path.c_str(), F_OK) == 0;
}

bool write_file(const std::string& path, std::string_view content) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444));
  return file.get() >= 0 &&
         ::write(file.get(), content.data(), content.size()) ==
             static_cast<::ssize_t>(content.size()) &&
         ::fchmod(file.get(), 0444) == 0 && ::futimens(file.get(), of_1970) == 0;
}

// What is made in a directory changes its date: it is set at the end.
bool finish_directory(const std::string& path) {
  return ::chmod(path.c_str(), 0755) == 0 && ::utimensat(AT_FDCWD, path.c_str(), of_1970, 0) == 0;
}

}  // namespace

bool make_default_root(const std::string& path, std::span<const DefaultFile> files) {
  if (!make_directory(path)) return false;
  for (const DefaultFile& file : files) {
    const std::string directory = path + "/" + std::string(file.directory);
    if (!make_directory(directory)) return false;
    if (!write_file(directory + "/" + std::string(file.name), file.content)) return false;
    if (!finish_directory(directory)) return false;
  }
  return finish_directory(path);
}

}  // namespace hardclock::host
