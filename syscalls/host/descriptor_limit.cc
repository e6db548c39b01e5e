#include "syscalls/host/descriptor_limit.h"

#include <sys/resource.h>

#include <algorithm>

namespace hardclock::host {
namespace {

// For logs, guest roots and binds, and the short-lived descriptors of a path lookup.
constexpr std::uint64_t own_files = 64;

}  // namespace

std::uint64_t make_room_for_files(std::uint64_t wanted) {
  struct ::rlimit limit;
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  limit.rlim_cur =
      std::max<::rlim_t>(limit.rlim_cur, std::min<::rlim_t>(limit.rlim_max, wanted + own_files));
  ::setrlimit(RLIMIT_NOFILE, &limit);
  return std::min<std::uint64_t>(wanted,
                                 limit.rlim_cur - std::min<::rlim_t>(limit.rlim_cur, own_files));
}

}  // namespace hardclock::host
