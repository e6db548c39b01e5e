#include "syscalls/host/built_in_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "syscalls/host/descriptor.h"

namespace hardclock::host {
namespace {

bool make_directory(const std::string& path) {
  return ::mkdir(path.c_str(), S_IRWXU) == 0 || errno == EEXIST;
}

bool make_directories_above(const std::string& directory, std::string_view path) {
  for (std::size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1)) {
    if (!make_directory(directory + "/" + std::string(path.substr(0, slash)))) return false;
  }
  return true;
}

bool write_file(const std::string& path, std::span<const std::uint8_t> content) {
  constexpr ::mode_t mode = 0555;
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (file.get() < 0) return false;
  while (!content.empty()) {
    const ::ssize_t count = ::write(file.get(), content.data(), content.size());
    if (count < 0) return false;
    content = content.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

bool make_built_in_root(const std::string& directory, std::span<const BuiltInFile> files) {
  if (!make_directory(directory)) return false;
  for (const BuiltInFile& file : files) {
    const std::string path = directory + "/" + std::string(file.path);
    if (!make_directories_above(directory, file.path)) return false;
    const bool made = file.link.empty()
                          ? write_file(path, file.content)
                          : ::symlink(std::string(file.link).c_str(), path.c_str()) == 0;
    if (!made) return false;
  }
  return true;
}

}  // namespace hardclock::host
