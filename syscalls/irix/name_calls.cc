// What the system says about itself: uname(2), nuname(2) and sysinfo(2).
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "syscalls/irix/calls.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::irix::calls {
namespace {

// IP12 is the R3000 Indigo's processor board.
constexpr const char *system_name = "IRIX", *release = "5.3", *version = "11091812",
                     *machine = "IP12", *architecture = "mips", *provider = "sgi", *serial = "0";

// sysinfo(2)'s commands of System V.4. Those that set a name are the superuser's.
std::optional<std::string> system_information(const Call& call, std::uint32_t command) {
  switch (command) {
    case 1:
      return system_name;
    case 2:
      return call.os.host_name();
    case 3:
      return release;
    case 4:
      return version;
    case 5:
      return machine;
    case 6:
      return architecture;
    case 7:
      return serial;
    case 8:
      return provider;
    case 9:
      return "";  // of secure RPC: no domain
    default:
      return std::nullopt;
  }
}
constexpr std::uint32_t si_set_hostname = 258, si_set_srpc_domain = 265;

}  // namespace

// The five names in the order of struct utsname, each in its field and ended by a NUL.
CallResult write_names(Call& call, std::size_t field) {
  const std::array<std::string, 5> names = {system_name, call.os.host_name(), release, version,
                                            machine};
  std::vector<std::uint8_t> bytes(names.size() * field);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string text = names[i].substr(0, field - 1);
    std::ranges::copy(text, bytes.begin() + static_cast<std::ptrdiff_t>(i * field));
  }
  if (!call.memory.write_bytes(call.address(0), bytes)) return CallResult::failure(Errno::efault);
  return CallResult::value(1);  // "a non-negative value": SGI's libc tests for an error only
}

// sysinfo(2) of System V.4: the result is the room that the whole string needs, with its NUL; a
// string that does not fit is cut before a NUL.
CallResult sysinfo(Call& call) {
  const std::uint32_t command = call.argument(0);
  if (command == si_set_hostname || command == si_set_srpc_domain) {
    return CallResult::failure(Errno::eperm);
  }
  const auto text = system_information(call, command);
  const std::int32_t room = call.signed_argument(2);
  if (!text || room < 0) return CallResult::failure(Errno::einval);
  if (room != 0) {
    const std::string shown = text->substr(0, static_cast<std::size_t>(room) - 1);
    std::vector<std::uint8_t> bytes(shown.begin(), shown.end());
    bytes.push_back(0);
    if (!call.memory.write_bytes(call.address(1), bytes)) {
      return CallResult::failure(Errno::efault);
    }
  }
  return CallResult::value(text->size() + 1);
}

}  // namespace hardclock::irix::calls
