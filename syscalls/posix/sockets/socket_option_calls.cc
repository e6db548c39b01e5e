// getsockopt(2) and setsockopt(2).
#include <algorithm>
#include <optional>
#include <utility>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/sockets/socket_address.h"
#include "syscalls/posix/sockets/socket_interface.h"
#include "syscalls/posix/sockets/socket_transfer.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix {

std::span<const OptionNumber> bsd_socket_options() {
  using enum SocketOption;
  static constexpr OptionNumber all[] = {
      {0x1, debug},        {0x2, accepts},        {0x4, reuse_address},   {0x8, keep_alive},
      {0x10, dont_route},  {0x20, broadcast},     {0x40, use_loopback},   {0x80, linger},
      {0x100, oob_inline}, {0x200, reuse_port},   {0x1001, send_buffer},  {0x1002, receive_buffer},
      {0x1003, send_low},  {0x1004, receive_low}, {0x1005, send_timeout}, {0x1006, receive_timeout},
      {0x1007, error},     {0x1008, type}};
  return all;
}

namespace calls {
namespace {

enum Level : std::uint32_t { level_ip = 0, level_tcp = 6, level_udp = 17 };
// Options of protocols are kept and change nothing; those from here on are about what is not here:
// groups of receivers and more.
constexpr std::uint32_t first_unknown_option = 32;

std::optional<SocketOption> find_option(const SocketInterface& known, std::uint32_t number) {
  const auto found = std::ranges::find(known.options, number, &OptionNumber::number);
  if (found == known.options.end()) return std::nullopt;
  return found->option;
}

bool is_fixed(SocketOption option) {
  return option >= SocketOption::error;
}

bool is_timeout(SocketOption option) {
  return option == SocketOption::send_timeout || option == SocketOption::receive_timeout;
}

bool is_buffer_size(SocketOption option) {
  return option >= SocketOption::send_buffer && option <= SocketOption::receive_buffer_force;
}

// The buffer that the option is about.
SocketOption buffer_of(SocketOption option) {
  const bool is_send =
      option == SocketOption::send_buffer || option == SocketOption::send_buffer_force;
  return is_send ? SocketOption::send_buffer : SocketOption::receive_buffer;
}

// Linux doubles what a program asks for, within bounds (net/core/sock.c, sock_setsockopt()).
void set_buffer_size(const Call& call, Socket& socket, SocketOption option, std::uint32_t value) {
  constexpr std::uint64_t most = Inbox::default_capacity;
  const bool is_send = option == SocketOption::send_buffer;
  const std::uint64_t least = is_send ? 4608 : 2304;
  const std::uint64_t wanted = std::min<std::uint64_t>(value, most);
  const std::uint64_t size = call.system.sockets->is_linux ? std::max(2 * wanted, least) : wanted;
  socket.options[option] = {size, 0};
  if (!is_send) socket.inbox()->capacity = std::max<std::uint64_t>(size, least);
}

Result<std::pair<std::uint64_t, std::uint64_t>, Errno> read_timeval(Call& call, GuestAddr address,
                                                                    std::uint32_t bytes) {
  if (bytes < 2 * call.abi().long_bytes()) return Failure{Errno::einval};
  GuestReader reader(call, address);
  const std::int64_t seconds = reader.time(), microseconds = reader.signed_long();
  if (!reader.ok()) return Failure{Errno::efault};
  if (microseconds < 0 || microseconds >= 1'000'000) return Failure{Errno::edom};
  constexpr std::int64_t longest = 100'000'000;  // seconds
  return std::pair(static_cast<std::uint64_t>(std::clamp<std::int64_t>(seconds, 0, longest)),
                   static_cast<std::uint64_t>(microseconds));
}

CallResult set_option(Call& call, Socket& socket, SocketOption option) {
  const GuestAddr address = call.address(3);
  const std::uint32_t bytes = call.argument(4);
  if (is_timeout(option)) {
    const auto limit = read_timeval(call, address, bytes);
    if (!limit) return CallResult::failure(limit.error());
    socket.options[option] = *limit;
    return CallResult::value(0);
  }
  const std::uint32_t words = option == SocketOption::linger ? 2 : 1;
  if (bytes < 4 * words) return CallResult::failure(Errno::einval);
  GuestReader reader(call, address);
  const std::uint32_t value = reader.word();
  const std::uint32_t second = words == 2 ? reader.word() : 0;
  if (!reader.ok()) return CallResult::failure(Errno::efault);
  if (is_buffer_size(option)) {
    const bool is_forced = buffer_of(option) != option;
    if (is_forced && !call.state.credentials.is_superuser()) {
      return CallResult::failure(Errno::eperm);
    }
    set_buffer_size(call, socket, buffer_of(option), value);
  } else {
    const bool is_flag = option != SocketOption::priority && option != SocketOption::send_low &&
                         option != SocketOption::receive_low;
    socket.options[option] = {is_flag ? std::uint64_t{value != 0} : value, second};
    if (option == SocketOption::oob_inline) socket.inbox()->keeps_urgent_inline = value != 0;
  }
  return CallResult::value(0);
}

std::uint64_t default_of(const Socket& socket, SocketOption option) {
  const bool is_tcp = !socket.is_local() && socket.is_stream();
  switch (option) {
    case SocketOption::send_buffer:
      return is_tcp ? 16384 : Inbox::default_capacity;
    case SocketOption::receive_buffer:
      return is_tcp ? 131072 : Inbox::default_capacity;
    case SocketOption::send_low:
    case SocketOption::receive_low:
      return 1;
    default:
      return 0;
  }
}

std::uint32_t type_number(const SocketInterface& known, SocketKind kind) {
  switch (kind) {
    case SocketKind::stream:
      return known.stream;
    case SocketKind::datagram:
      return known.datagram;
    case SocketKind::packets:
      return known.packets;
  }
  return 0;
}

std::uint64_t fixed_value(const Call& call, Socket& socket, SocketOption option) {
  switch (option) {
    case SocketOption::error: {
      const auto error = socket.take_error();
      return error ? call.system.errnos.of(to_errno(*error)) : 0;
    }
    case SocketOption::type:
      return type_number(*call.system.sockets, socket.form().kind);
    case SocketOption::accepts:
      return socket.is_listening() ? 1 : 0;
    case SocketOption::protocol:
      return socket.form().protocol;
    default:
      return socket.is_local() ? af_unix : af_inet;
  }
}

// What the option's value is, as bytes.
GuestStruct value_of(const Call& call, Socket& socket, SocketOption option) {
  GuestStruct value(call);
  const auto found = socket.options.find(option);
  const auto kept = found == socket.options.end()
                        ? std::pair<std::uint64_t, std::uint64_t>(default_of(socket, option), 0)
                        : found->second;
  if (option == SocketOption::peer_credentials) {
    const bool has_peer = socket.is_local() && socket.peer;
    const SocketOwner none{0, ~std::uint32_t{0}, ~std::uint32_t{0}};
    const SocketOwner& owner = has_peer ? socket.peer_owner : none;
    return value.word(static_cast<std::uint32_t>(owner.pid)).word(owner.user).word(owner.group);
  }
  if (is_timeout(option)) return value.time(kept.first).word_long(kept.second);
  if (option == SocketOption::linger) return value.word(kept.first).word(kept.second);
  if (is_fixed(option)) return value.word(fixed_value(call, socket, option));
  return value.word(kept.first);
}

CallResult write_value(Call& call, const std::vector<std::uint8_t>& value) {
  const auto room = call.memory.read<std::uint32_t>(call.address(4));
  if (!room) return CallResult::failure(Errno::efault);
  if (static_cast<std::int32_t>(*room) < 0) return CallResult::failure(Errno::einval);
  const std::size_t part = std::min<std::size_t>(value.size(), *room);
  if (!call.memory.write_bytes(call.address(3), std::span(value).first(part))) {
    return CallResult::failure(Errno::efault);
  }
  return write_words(call, call.address(4), {{static_cast<std::uint32_t>(part)}},
                     CallResult::value(0));
}

// Whether a protocol's option can be kept; EOPNOTSUPP, ENOPROTOOPT.
Result<Ok, Errno> check_protocol_option(const Socket& socket, std::uint32_t level,
                                        std::uint32_t number) {
  if (socket.is_local()) return Failure{Errno::eopnotsupp};
  const bool is_known = level == level_ip || (level == level_tcp && socket.is_stream()) ||
                        (level == level_udp && !socket.is_stream());
  if (!is_known || number == 0 || number >= first_unknown_option) {
    return Failure{Errno::enoprotoopt};
  }
  return Ok{};
}

}  // namespace

// setsockopt(socket, level, option, value, length)
CallResult setsockopt(Call& call) {
  const auto socket = socket_at(call);
  if (!socket) return CallResult::failure(socket.error());
  const std::uint32_t level = call.argument(1), number = call.argument(2);
  if (call.signed_argument(4) < 0) return CallResult::failure(Errno::einval);
  if (level == call.system.sockets->option_level) {
    const auto option = find_option(*call.system.sockets, number);
    if (!option || is_fixed(*option)) return CallResult::failure(Errno::enoprotoopt);
    return set_option(call, **socket, *option);
  }
  if (const auto known = check_protocol_option(**socket, level, number); !known) {
    return CallResult::failure(known.error());
  }
  std::uint64_t value = 0;
  if (call.argument(4) >= 4) {
    const auto word = call.memory.read<std::uint32_t>(call.address(3));
    if (!word) return CallResult::failure(Errno::efault);
    value = *word;
  } else {
    const auto byte = call.memory.read<std::uint8_t>(call.address(3));
    if (!byte) return CallResult::failure(Errno::efault);
    value = *byte;
  }
  (*socket)->protocol_options[{level, number}] = value;
  return CallResult::value(0);
}

// getsockopt(socket, level, option, value, length)
CallResult getsockopt(Call& call) {
  const auto socket = socket_at(call);
  if (!socket) return CallResult::failure(socket.error());
  const std::uint32_t level = call.argument(1), number = call.argument(2);
  if (level == call.system.sockets->option_level) {
    const auto option = find_option(*call.system.sockets, number);
    if (!option) return CallResult::failure(Errno::enoprotoopt);
    return write_value(call, value_of(call, **socket, *option).bytes());
  }
  if (const auto known = check_protocol_option(**socket, level, number); !known) {
    return CallResult::failure(known.error());
  }
  const auto& kept = (*socket)->protocol_options;
  const auto found = kept.find({level, number});
  return write_value(call, GuestStruct(call).word(found == kept.end() ? 0 : found->second).bytes());
}

}  // namespace calls
}  // namespace hardclock::posix
