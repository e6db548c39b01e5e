#include "syscalls/conform/agent_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <vector>

#include "sim/base/check.h"
#include "syscalls/host/descriptor.h"

namespace hardclock::conform {

std::string temporary_directory() {
  const char* const wanted = std::getenv("TMPDIR");
  return wanted != nullptr && *wanted != '\0' ? wanted : "/tmp";
}

AgentFile::AgentFile() {
  ::sigset_t all;
  ::sigfillset(&all);
  CHECK(::pthread_sigmask(SIG_SETMASK, &all, &signals_) == 0);
}

AgentFile::~AgentFile() {
  if (!path_.empty()) ::unlink(path_.c_str());
  ::pthread_sigmask(SIG_SETMASK, &signals_, nullptr);
}

std::string AgentFile::name() const {
  return path_.substr(path_.rfind('/') + 1);
}

bool AgentFile::write(const AgentLayout& layout) {
  const host::Descriptor file(::mkostemp(path_.data(), O_CLOEXEC));
  if (file.get() < 0) {
    path_.clear();
    return false;
  }
  constexpr ::mode_t mode = 0755;
  const std::vector<std::uint8_t> bytes = agent_file(layout);
  const auto size = static_cast<::ssize_t>(bytes.size());
  return ::write(file.get(), bytes.data(), bytes.size()) == size && ::fchmod(file.get(), mode) == 0;
}

Result<std::unique_ptr<AgentFile>, std::string> AgentFile::create(const std::string& directory,
                                                                  const AgentLayout& layout) {
  std::unique_ptr<AgentFile> file(new AgentFile);
  file->path_ = directory + "/hardclock-agent-XXXXXX";
  if (file->write(layout)) return file;
  return Failure{"guest: cannot write to " + directory + "; set TMPDIR to a writable directory"};
}

}  // namespace hardclock::conform
