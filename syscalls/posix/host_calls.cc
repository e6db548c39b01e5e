// The names of a machine: gethostname(2) and its relatives. No guest may rename it.
#include <algorithm>
#include <string>
#include <vector>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::posix::calls {
namespace {

// gethostname(2) of 4.3BSD: The returned name is null-terminated, unless insufficient space is
// provided.
CallResult write_name(Call& call, const std::string& name) {
  const std::int32_t room = call.signed_argument(1);
  if (room < 0) return CallResult::failure(Errno::einval);
  std::vector<std::uint8_t> bytes(name.begin(), name.end());
  bytes.push_back(0);
  bytes.resize(std::min<std::size_t>(bytes.size(), static_cast<std::size_t>(room)));
  if (!call.memory.write_bytes(call.address(0), bytes)) return CallResult::failure(Errno::efault);
  return CallResult::value(0);
}

}  // namespace

CallResult gethostname(Call& call) {
  return write_name(call, call.os.host_name());
}

// No machine is in a domain of the network information service.
CallResult getdomainname(Call& call) {
  return write_name(call, "");
}

}  // namespace hardclock::posix::calls
