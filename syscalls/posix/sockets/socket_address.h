// The addresses of sockets as programs have them: struct sockaddr_un and struct sockaddr_in, which
// are alike in all systems (4.3BSD, sys/un.h and netinet/in.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/result.h"
#include "syscalls/posix/call.h"
#include "syscalls/posix/errno.h"
#include "syscalls/posix/sockets/socket.h"

namespace hardclock::posix {

enum AddressFamily : std::uint32_t { af_unspec = 0, af_unix = 1, af_inet = 2 };

// The address of so many bytes for a socket of this family; nullopt: that of no family. EINVAL,
// EFAULT, EAFNOSUPPORT.
Result<std::optional<SocketAddress>, Errno> read_address(Call& call, GuestAddr address,
                                                         std::int32_t bytes, SocketFamily family);
std::vector<std::uint8_t> address_bytes(const Call& call, const SocketAddress& address);
// Stores as much of it as the int at `length` has room for, and there its whole length. A null
// address asks for nothing. EINVAL, EFAULT.
CallResult write_address(Call& call, GuestAddr address, GuestAddr length,
                         const std::optional<SocketAddress>& from, CallResult on_success);

}  // namespace hardclock::posix
