// The calls for sockets of AF_NETLINK; any other socket's are those of syscalls/posix.
#include <algorithm>
#include <memory>

#include "syscalls/host/internet.h"
#include "syscalls/linux/calls.h"
#include "syscalls/linux/netlink.h"
#include "syscalls/posix/buffers.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/sockets/socket_interface.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux::calls {
namespace {

using posix::Buffers;
using posix::GuestReader;
using posix::GuestStruct;
using NetlinkRef = std::shared_ptr<NetlinkSocket>;

constexpr std::uint32_t af_netlink = 16, netlink_route = 0;
constexpr std::uint32_t address_bytes = 12;  // struct sockaddr_nl

// Null: it is none.
NetlinkRef netlink_at(const Call& call) {
  return std::dynamic_pointer_cast<NetlinkSocket>(posix::file_at(call));
}

std::vector<NetworkInterface> interfaces_of(const Call& call) {
  std::vector<NetworkInterface> interfaces = {{1, "lo", 0x7f000001, 0, 8}};
  if (call.os.internet() != nullptr) {
    constexpr std::uint32_t in_network = 0xff;
    constexpr std::uint32_t own = host::machine_of_guests;
    interfaces.push_back({2, "eth0", own, own | in_network, 24});
  }
  return interfaces;
}

// An address of the kernel's, port 0, or of a socket.
CallResult tell_address(Call& call, GuestAddr address, GuestAddr length, std::uint32_t port,
                        CallResult on_success) {
  if (address == GuestAddr(0)) return on_success;
  const auto room = call.memory.read<std::uint32_t>(length);
  if (!room) return CallResult::failure(Errno::efault);
  if (static_cast<std::int32_t>(*room) < 0) return CallResult::failure(Errno::einval);
  const GuestStruct told = GuestStruct(call).half(af_netlink).half(0).word(port).word(0);
  const auto part = std::span(told.bytes()).first(std::min(*room, address_bytes));
  if (!call.memory.write_bytes(address, part)) return CallResult::failure(Errno::efault);
  return GuestStruct(call).word(address_bytes).store(call, length, on_success);
}

// A process's first socket has its pid, others have numbers that no process has.
void bind_to_any(Call& call, NetlinkSocket& socket) {
  if (socket.port != 0) return;
  const posix::Descriptors& descriptors = call.descriptors();
  const auto pid = static_cast<std::uint32_t>(call.process.pid);
  bool is_taken = false;
  for (std::size_t number = 0; number < descriptors.end(); ++number) {
    const auto other = std::dynamic_pointer_cast<NetlinkSocket>(
        descriptors.get(static_cast<std::int64_t>(number)));
    is_taken = is_taken || (other != nullptr && other->port == pid);
  }
  constexpr std::uint32_t first_other = 0xfffff000;
  const auto number = static_cast<std::uint32_t>(call.signed_argument(0));
  socket.port = is_taken ? first_other - number : pid;
}

// The bytes of one datagram.
CallResult ask(Call& call, NetlinkSocket& socket, const Buffers& buffers) {
  constexpr std::uint64_t longest = 212992;  // the send buffer (net/core/sock.c)
  if (buffers.total() > longest) return CallResult::failure(Errno::emsgsize);
  std::vector<std::uint8_t> bytes(buffers.total());
  if (!buffers.load(call.memory, 0, bytes)) return CallResult::failure(Errno::efault);
  bind_to_any(call, socket);
  const auto asked = socket.ask(bytes);
  return asked ? CallResult::value(bytes.size()) : CallResult::failure(Errno::enobufs);
}

struct Taken {
  CallResult result;
  bool is_cut = false;
};

// One answer. With MSG_TRUNC the result is its whole size.
Taken take(Call& call, const NetlinkRef& socket, const Buffers& buffers, std::uint32_t flags) {
  const posix::MessageFlags& known = call.system.sockets->flags;
  if (!socket->has_answer()) {
    const bool waits = (flags & known.do_not_wait) == 0 &&
                       (socket->status_flags & call.system.open_flags.non_block) == 0;
    if (!waits) return {CallResult::failure(Errno::eagain)};
    return {CallResult::wait(
        {.event = FileWait{
             {{.descriptor = call.signed_argument(0), .file = socket, .for_reading = true}}}})};
  }
  const std::span answer(socket->first_answer());
  const std::size_t whole = answer.size(), part = std::min<std::size_t>(buffers.total(), whole);
  if (!buffers.store(call.memory, 0, answer.first(part))) {
    return {CallResult::failure(Errno::efault)};
  }
  if ((flags & known.peek) == 0) socket->drop_first_answer();
  return {CallResult::value((flags & known.cut) != 0 ? whole : part), part < whole};
}

// struct msghdr, and where its members are that recvmsg(2) sets.
struct Message {
  GuestAddr name, vectors;
  std::int64_t vector_count = 0;
  std::size_t name_bytes_at = 0, control_bytes_at = 0, flags_at = 0;
};

Result<Message, Errno> read_message(Call& call) {
  Message message;
  GuestReader reader(call, call.address(1));
  message.name = reader.pointer();
  (void)reader.word();
  message.name_bytes_at = reader.offset() - 4;
  message.vectors = reader.pointer();
  message.vector_count = static_cast<std::int64_t>(reader.word_long());
  (void)reader.pointer();
  (void)reader.word_long();
  message.control_bytes_at = reader.offset() - reader.long_bytes();
  (void)reader.word();
  message.flags_at = reader.offset() - 4;
  if (!reader.ok()) return Failure{Errno::efault};
  return message;
}

}  // namespace

// socket(domain, type, protocol)
CallResult socket(Call& call) {
  if (call.argument(0) != af_netlink) return posix::calls::socket(call);
  const posix::SocketInterface& known = *call.system.sockets;
  const std::uint32_t flags = call.argument(1) & posix::type_flags(known),
                      type = call.argument(1) & ~flags;
  if (type != known.raw && type != known.datagram) {
    return CallResult::failure(Errno::esocktnosupport);
  }
  if (call.argument(2) != netlink_route) return CallResult::failure(Errno::eprotonosupport);
  const auto socket = std::make_shared<NetlinkSocket>(
      *call.os.files().records(), call.simulation().budget(), interfaces_of(call),
      call.memory.endian(), call.system.errnos.of(Errno::eopnotsupp));
  if ((flags & known.non_block) != 0) socket->status_flags = call.system.open_flags.non_block;
  return posix::add_descriptor(call, socket, (flags & known.close_on_exec) != 0);
}

// bind(socket, address, length): multicast groups have no news here.
CallResult bind(Call& call) {
  const NetlinkRef socket = netlink_at(call);
  if (socket == nullptr) return posix::calls::bind(call);
  GuestReader reader(call, call.address(1));
  const std::uint32_t family = reader.half();
  (void)reader.half();
  const std::uint32_t port = reader.word();
  if (!reader.ok()) return CallResult::failure(Errno::efault);
  if (call.argument(2) < address_bytes || family != af_netlink) {
    return CallResult::failure(Errno::einval);
  }
  if (socket->port != 0 && port != socket->port) return CallResult::failure(Errno::einval);
  if (port != 0) socket->port = port;
  bind_to_any(call, *socket);
  return CallResult::value(0);
}

// getsockname(socket, address, length)
CallResult getsockname(Call& call) {
  const NetlinkRef socket = netlink_at(call);
  if (socket == nullptr) return posix::calls::getsockname(call);
  if (call.is_null(1)) return CallResult::failure(Errno::efault);
  return tell_address(call, call.address(1), call.address(2), socket->port, CallResult::value(0));
}

// send(socket, buffer, count, flags)
CallResult send(Call& call) {
  const NetlinkRef socket = netlink_at(call);
  if (socket == nullptr) return posix::calls::send(call);
  const auto buffer = posix::one_buffer(call.address(1), call.arguments[2]);
  return buffer ? ask(call, *socket, *buffer) : CallResult::failure(buffer.error());
}

// sendto(socket, buffer, count, flags, address, length): there is nobody but the kernel.
CallResult sendto(Call& call) {
  return netlink_at(call) == nullptr ? posix::calls::sendto(call) : send(call);
}

// sendmsg(socket, message, flags)
CallResult sendmsg(Call& call) {
  const NetlinkRef socket = netlink_at(call);
  if (socket == nullptr) return posix::calls::sendmsg(call);
  const auto message = read_message(call);
  if (!message) return CallResult::failure(message.error());
  const auto buffers = posix::read_vectors(call, message->vectors, message->vector_count);
  return buffers ? ask(call, *socket, *buffers) : CallResult::failure(buffers.error());
}

// recvfrom(socket, buffer, count, flags, address, length)
CallResult recvfrom(Call& call) {
  const NetlinkRef socket = netlink_at(call);
  if (socket == nullptr) return posix::calls::recvfrom(call);
  const auto buffer = posix::one_buffer(call.address(1), call.arguments[2]);
  if (!buffer) return CallResult::failure(buffer.error());
  const CallResult result = take(call, socket, *buffer, call.argument(3)).result;
  if (result.kind != CallResult::Kind::value) return result;
  return tell_address(call, call.address(4), call.address(5), 0, result);
}

// recv(socket, buffer, count, flags)
CallResult recv(Call& call) {
  if (netlink_at(call) == nullptr) return posix::calls::recv(call);
  call.arguments[4] = 0;
  return recvfrom(call);
}

// recvmsg(socket, message, flags)
CallResult recvmsg(Call& call) {
  const NetlinkRef socket = netlink_at(call);
  if (socket == nullptr) return posix::calls::recvmsg(call);
  const auto message = read_message(call);
  if (!message) return CallResult::failure(message.error());
  const auto buffers = posix::read_vectors(call, message->vectors, message->vector_count);
  if (!buffers) return CallResult::failure(buffers.error());
  const Taken taken = take(call, socket, *buffers, call.argument(2));
  if (taken.result.kind != CallResult::Kind::value) return taken.result;
  const GuestAddr header = call.address(1);
  const CallResult named =
      tell_address(call, message->name, header + message->name_bytes_at, 0, CallResult::value(0));
  if (named.kind == CallResult::Kind::error) return named;
  const CallResult controlled =
      GuestStruct(call).word_long(0).store(call, header + message->control_bytes_at);
  if (controlled.kind == CallResult::Kind::error) return controlled;
  return GuestStruct(call)
      .word(taken.is_cut ? call.system.sockets->flags.cut : 0)
      .store(call, header + message->flags_at, taken.result);
}

// setsockopt(socket, level, option, value, length): sizes of buffers, and how much is told, change
// nothing here.
CallResult setsockopt(Call& call) {
  constexpr std::uint32_t sol_netlink = 270;
  if (netlink_at(call) == nullptr) return posix::calls::setsockopt(call);
  const std::uint32_t level = call.argument(1);
  const bool is_known = level == call.system.sockets->option_level || level == sol_netlink;
  if (!is_known) return CallResult::failure(Errno::enoprotoopt);
  const auto value = call.memory.read<std::uint32_t>(call.address(3));
  if (call.argument(4) < 4) return CallResult::failure(Errno::einval);
  return value ? CallResult::value(0) : CallResult::failure(Errno::efault);
}

}  // namespace hardclock::gnu_linux::calls
