#include "syscalls/host/standard_streams.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <utility>

namespace hardclock::host {
namespace {

// Takes the lowest free number, which is the closed one because those below it are open.
bool fill_with_null() {
  return ::open("/dev/null", O_RDWR) >= 0;
}

// The earlier content of a regular file belongs to the user: all of it if the stream appends, else
// the part before its position.
void keep_what_was_there(int number, bool appends, const struct ::stat& status, HostFile& file) {
  const ::off_t position = appends ? status.st_size : ::lseek(number, 0, SEEK_CUR);
  if (position > 0) file.keep_start(static_cast<std::uint64_t>(position));
}

std::optional<HostFile> wrap(int number, const std::shared_ptr<FileRecords>& records,
                             const std::shared_ptr<HostUse>& use) {
  Descriptor copy(::fcntl(number, F_DUPFD_CLOEXEC, 3));
  if (copy.get() < 0) return std::nullopt;
  const int flags = ::fcntl(copy.get(), F_GETFL);
  const int mode = flags & O_ACCMODE;
  struct ::stat status;
  const bool is_output = mode != O_RDONLY && ::fstat(copy.get(), &status) == 0;
  if (is_output) records->made_for_run(status);
  HostFile file = HostFile::of_host(
      std::move(copy), {.read = mode != O_WRONLY, .write = mode != O_RDONLY}, records, use);
  if (is_output) keep_what_was_there(number, (flags & O_APPEND) != 0, status, file);
  return file;
}

}  // namespace

Result<StandardStreams, std::string> open_standard_streams(std::shared_ptr<FileRecords> records,
                                                           std::shared_ptr<HostUse> use) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  std::array<bool, 3> open{};
  for (int number = 0; number < 3; ++number) {
    open[number] = ::fcntl(number, F_GETFD) >= 0;
    if (!open[number] && !fill_with_null()) {
      return Failure{"standard stream " + std::to_string(number) +
                     ": closed, and /dev/null does not open; start hardclock with 0, 1 and 2 open"};
    }
  }
  StandardStreams streams;
  for (int number = 0; number < 3; ++number) {
    if (open[number]) streams[number] = wrap(number, records, use);
  }
  return streams;
}

}  // namespace hardclock::host
