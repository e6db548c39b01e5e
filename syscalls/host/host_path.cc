#include "syscalls/host/host_path.h"

#include <fcntl.h>
#include <unistd.h>

namespace hardclock::host {

std::string host_link_to(int descriptor) {
  return "/proc/self/fd/" + std::to_string(descriptor);
}

HostResult<std::string> host_path_of(int descriptor) {
  const std::string link = host_link_to(descriptor);
  constexpr std::size_t longest = 4095;  // Linux PATH_MAX minus its NUL
  std::string path(longest + 1, 0);
  const ::ssize_t size = ::readlink(link.c_str(), path.data(), path.size());
  if (size < 0) return host_failure();
  path.resize(static_cast<std::size_t>(size));
  if (path.size() > longest) return Failure{Error::name_too_long};
  return path;
}

HostResult<Descriptor> open_by_link(int descriptor, int flags) {
  Descriptor opened(::open(host_link_to(descriptor).c_str(), flags | O_CLOEXEC));
  if (opened.get() < 0) return host_failure();
  return opened;
}

}  // namespace hardclock::host
