#include "syscalls/posix/sockets/socket_address.h"

#include <algorithm>
#include <cstddef>

#include "sim/base/endian.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/sockets/socket_interface.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix {
namespace {

constexpr std::size_t family_bytes = 2, internet_bytes = 16, longest_local = 110;

// Later BSDs have the length in the first byte.
std::uint32_t family_at(const Call& call, std::span<const std::uint8_t> bytes) {
  const auto family = load_bytes<std::uint16_t>(bytes.data(), call.memory.endian());
  return call.system.sockets->is_linux ? family : family & 0xff;
}

Result<std::optional<SocketAddress>, Errno> to_internet(const Call& call,
                                                        std::span<const std::uint8_t> bytes) {
  if (bytes.size() < family_bytes) return Failure{Errno::einval};
  const std::uint32_t family = family_at(call, bytes);
  if (family == af_unspec) return std::optional<SocketAddress>();
  if (bytes.size() < internet_bytes) return Failure{Errno::einval};
  if (family != af_inet) return Failure{Errno::eafnosupport};
  return std::optional(SocketAddress{SocketFamily::internet,
                                     {},
                                     load_bytes<std::uint32_t>(&bytes[4], Endian::big),
                                     load_bytes<std::uint16_t>(&bytes[2], Endian::big)});
}

Result<std::optional<SocketAddress>, Errno> to_local(const Call& call,
                                                     std::span<const std::uint8_t> bytes) {
  if (bytes.size() < family_bytes || bytes.size() > longest_local) return Failure{Errno::einval};
  const std::uint32_t family = family_at(call, bytes);
  if (family == af_unspec) return std::optional<SocketAddress>();
  if (family != af_unix) return Failure{Errno::einval};
  std::string name(bytes.begin() + family_bytes, bytes.end());
  const bool is_no_path = call.system.sockets->is_linux && name.starts_with('\0');
  if (!is_no_path) name.resize(std::min(name.size(), name.find('\0')));
  return std::optional(SocketAddress{SocketFamily::local, std::move(name), 0, 0});
}

}  // namespace

Result<std::optional<SocketAddress>, Errno> read_address(Call& call, GuestAddr address,
                                                         std::int32_t bytes, SocketFamily family) {
  constexpr std::int32_t longest = 128;  // struct sockaddr_storage
  if (bytes < 0 || bytes > longest) return Failure{Errno::einval};
  std::vector<std::uint8_t> content(static_cast<std::size_t>(bytes));
  if (!call.memory.read_bytes(address, content)) return Failure{Errno::efault};
  return family == SocketFamily::local ? to_local(call, content) : to_internet(call, content);
}

std::vector<std::uint8_t> address_bytes(const Call& call, const SocketAddress& address) {
  GuestStruct members(call);
  if (address.family == SocketFamily::internet) {
    std::uint8_t network[6];
    store_bytes(&network[0], address.port, Endian::big);
    store_bytes(&network[2], address.host, Endian::big);
    return members.half(af_inet).append(network).skip(8).bytes();
  }
  std::vector<std::uint8_t> bytes = members.half(af_unix).bytes();
  bytes.insert(bytes.end(), address.name.begin(), address.name.end());
  if (!address.name.empty() && address.name.front() != '\0') bytes.push_back(0);
  return bytes;
}

CallResult write_address(Call& call, GuestAddr address, GuestAddr length,
                         const std::optional<SocketAddress>& from, CallResult on_success) {
  if (address == GuestAddr(0)) return on_success;
  const auto room = call.memory.read<std::uint32_t>(length);
  if (!room) return CallResult::failure(Errno::efault);
  if (static_cast<std::int32_t>(*room) < 0) return CallResult::failure(Errno::einval);
  const std::vector<std::uint8_t> bytes =
      from ? address_bytes(call, *from) : std::vector<std::uint8_t>();
  const std::size_t part = std::min<std::size_t>(bytes.size(), *room);
  if (!call.memory.write_bytes(address, std::span(bytes).first(part))) {
    return CallResult::failure(Errno::efault);
  }
  return write_words(call, length, {{static_cast<std::uint32_t>(bytes.size())}}, on_success);
}

}  // namespace hardclock::posix
