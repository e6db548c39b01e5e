#include "syscalls/host/temporary_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "sim/base/check.h"
#include "syscalls/host/descriptor.h"
#include "syscalls/host/write_all.h"

namespace hardclock::host {

Result<std::string, std::string> temporary_directory() {
  const char* const wanted = std::getenv("TMPDIR");
  const std::string name = wanted != nullptr && *wanted != '\0' ? wanted : "/tmp";
  struct ::stat status {};
  if (::stat(name.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) return name;
  return Failure{"no directory " + name + "; set TMPDIR to a writable directory"};
}

TemporaryFile::TemporaryFile() {
  ::sigset_t all;
  ::sigfillset(&all);
  CHECK(::pthread_sigmask(SIG_SETMASK, &all, &signals_) == 0);
}

TemporaryFile::~TemporaryFile() {
  if (!path_.empty()) ::unlink(path_.c_str());
  ::pthread_sigmask(SIG_SETMASK, &signals_, nullptr);
}

std::string TemporaryFile::name() const {
  return path_.substr(path_.rfind('/') + 1);
}

bool TemporaryFile::write(std::span<const std::uint8_t> bytes) {
  Descriptor file(::mkostemp(path_.data(), O_CLOEXEC));
  if (file.get() < 0) {
    path_.clear();
    return false;
  }
  constexpr ::mode_t mode = 0755;
  return write_all(file.get(), bytes) == 0 && ::fchmod(file.get(), mode) == 0 && file.close() == 0;
}

Result<std::unique_ptr<TemporaryFile>, std::string> TemporaryFile::create(
    const std::string& directory, std::span<const std::uint8_t> bytes) {
  std::unique_ptr<TemporaryFile> file(new TemporaryFile);
  file->path_ = directory + "/hardclock-XXXXXX";
  if (file->write(bytes)) return file;
  return Failure{"cannot write to " + directory + "; set TMPDIR to a writable directory"};
}

}  // namespace hardclock::host
