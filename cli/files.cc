#include "cli/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "cli/usage_error.h"
#include "syscalls/host/descriptor.h"

namespace hardclock {
namespace {

FileError file_error(const std::string& path, const std::string& what, const std::string& next) {
  return {printable_path(path) + ": " + what + "; " + next};
}

FileError system_error(const std::string& path, int error) {
  const char* next = "check the file";
  if (error == ENOENT || error == ENOTDIR || error == ENAMETOOLONG) next = "check the name";
  if (error == EACCES || error == EPERM) next = "check its permissions";
  return file_error(path, std::strerror(error), next);
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
  if (bytes == 0 || bytes % mebibyte != 0) return std::to_string(bytes) + " bytes";
  return std::to_string(bytes / mebibyte) + " MiB";
}

FileError too_large(const std::string& path, std::uint64_t most) {
  return file_error(path, "larger than " + size_text(most), "is that the right file?");
}

// What `path` must not be, checked before anything opens it: opening a device may have effects.
const char* refused_kind(const struct stat& status) {
  if (S_ISDIR(status.st_mode)) return "is a directory";
  if (S_ISREG(status.st_mode) || S_ISFIFO(status.st_mode)) return nullptr;
  return "is not a regular file";
}

// Reads to the end of the file. `size` is only a hint: a pipe has none, and a file may grow.
Result<std::vector<std::uint8_t>, FileError> read_all(int file, const std::string& path,
                                                      std::size_t size, std::uint64_t most) {
  std::vector<std::uint8_t> bytes(size + 1);
  std::size_t used = 0;
  for (;;) {
    const ssize_t count = ::read(file, bytes.data() + used, bytes.size() - used);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Failure{system_error(path, errno)};
    if (count == 0) break;
    used += static_cast<std::size_t>(count);
    if (used > most) return Failure{too_large(path, most)};
    if (used == bytes.size()) bytes.resize(std::max<std::size_t>(2 * used, 4096));
  }
  bytes.resize(used);
  return bytes;
}

}  // namespace

Result<std::vector<std::uint8_t>, FileError> read_file(const std::string& path,
                                                       std::uint64_t most) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return Failure{system_error(path, errno)};
  if (const char* kind = refused_kind(status)) {
    return Failure{file_error(path, kind, "name a file")};
  }
  const auto size = static_cast<std::uint64_t>(std::max<off_t>(status.st_size, 0));
  if (size > most) return Failure{too_large(path, most)};

  const host::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (file.get() < 0) return Failure{system_error(path, errno)};

  return read_all(file.get(), path, static_cast<std::size_t>(size), most);
}

Result<std::vector<std::uint8_t>, FileError> read_standard_input(std::uint64_t most) {
  return read_all(STDIN_FILENO, "-", 0, most);
}

}  // namespace hardclock
