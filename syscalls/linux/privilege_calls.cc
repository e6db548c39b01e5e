// What guests may not do, and how they ask for it. No guest is the superuser or has a capability
// (capabilities(7)).
#include <optional>

#include "syscalls/linux/calls.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux::calls {
namespace {

using posix::GuestReader;
using posix::GuestStruct;

// The forms of struct __user_cap_data_struct, by the version in the header
// (include/uapi/linux/capability.h).
constexpr std::uint32_t version_1 = 0x19980330, version_2 = 0x20071026, version_3 = 0x20080522;

// struct __user_cap_header_struct
struct Header {
  std::uint32_t version = 0;
  std::int32_t pid = 0;
};

Result<Header, Errno> read_header(Call& call) {
  GuestReader members(call, call.address(0));
  Header header;
  header.version = members.word();
  header.pid = static_cast<std::int32_t>(members.word());
  if (!members.ok()) return Failure{Errno::efault};
  return header;
}

// Words of the data; nullopt: the version is unknown.
std::optional<std::size_t> data_words(const Header& header) {
  constexpr std::size_t words_of_one = 3;  // effective, permitted, inheritable
  if (header.version == version_1) return words_of_one;
  if (header.version == version_2 || header.version == version_3) return 2 * words_of_one;
  return std::nullopt;
}

// Tells a program of another version the present one.
CallResult tell_version(Call& call, Errno answer) {
  const CallResult told = GuestStruct(call).word(version_3).store(call, call.address(0));
  return told.kind == CallResult::Kind::error ? told : CallResult::failure(answer);
}

}  // namespace

// capget(header, data)
CallResult capget(Call& call) {
  const auto header = read_header(call);
  if (!header) return CallResult::failure(header.error());
  const auto words = data_words(*header);
  if (!words) {
    const CallResult told = tell_version(call, Errno::einval);
    return call.is_null(1) ? CallResult::value(0) : told;
  }
  if (call.is_null(1)) return CallResult::value(0);
  if (header->pid < 0) return CallResult::failure(Errno::einval);
  if (header->pid != 0 && call.simulation().find(header->pid) == nullptr) {
    return CallResult::failure(Errno::esrch);
  }
  GuestStruct none(call);
  for (std::size_t word = 0; word < *words; ++word) none.word(0);
  return none.store(call, call.address(1));
}

// capset(header, data): no capabilities can be set, as before.
CallResult capset(Call& call) {
  const auto header = read_header(call);
  if (!header) return CallResult::failure(header.error());
  const auto words = data_words(*header);
  if (!words) return tell_version(call, Errno::einval);
  if (header->pid != 0 && header->pid != call.process.pid) {
    return CallResult::failure(Errno::eperm);
  }
  GuestReader members(call, call.address(1));
  std::uint32_t wanted = 0;
  for (std::size_t word = 0; word < *words; ++word) wanted |= members.word();
  if (!members.ok()) return CallResult::failure(Errno::efault);
  return wanted == 0 ? CallResult::value(0) : CallResult::failure(Errno::eperm);
}

}  // namespace hardclock::gnu_linux::calls
