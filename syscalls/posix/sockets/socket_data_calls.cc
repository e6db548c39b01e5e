// Bytes through sockets: send(2), recv(2) and the forms with an address.
#include "syscalls/posix/buffers.h"
#include "syscalls/posix/calls.h"
#include "syscalls/posix/sockets/socket_address.h"
#include "syscalls/posix/sockets/socket_transfer.h"

namespace hardclock::posix::calls {
namespace {

// (socket, buffer, count, flags), to an address if there is one.
CallResult send_to(Call& call, GuestAddr address, std::int32_t address_bytes) {
  const auto socket = socket_at(call);
  if (!socket) return CallResult::failure(socket.error());
  const auto buffer = one_buffer(call.address(1), call.arguments[2]);
  if (!buffer) return CallResult::failure(buffer.error());
  const auto flags = transfer_flags(call, **socket, call.argument(3));
  if (!flags) return CallResult::failure(flags.error());
  Parcel parcel;
  if (address != GuestAddr(0)) {
    const auto to = read_address(call, address, address_bytes, (*socket)->form().family);
    if (!to) return CallResult::failure(to.error());
    parcel.to = *to;
    const bool is_connection = (*socket)->has_connections() && (*socket)->is_local();
    if (is_connection) {
      return CallResult::failure((*socket)->is_connected() ? Errno::eisconn : Errno::eopnotsupp);
    }
  }
  return posix::send(call, *socket, *buffer, *flags, std::move(parcel));
}

CallResult receive_from(Call& call, GuestAddr address, GuestAddr address_bytes) {
  const auto socket = socket_at(call);
  if (!socket) return CallResult::failure(socket.error());
  const auto buffer = one_buffer(call.address(1), call.arguments[2]);
  if (!buffer) return CallResult::failure(buffer.error());
  const auto flags = transfer_flags(call, **socket, call.argument(3));
  if (!flags) return CallResult::failure(flags.error());
  Received received;
  const CallResult result = receive(call, *socket, *buffer, *flags, &received);
  if (result.kind != CallResult::Kind::value) return result;
  return write_address(call, address, address_bytes, told_sender(**socket, received), result);
}

}  // namespace

CallResult send(Call& call) {
  return send_to(call, GuestAddr(0), 0);
}

// sendto(socket, buffer, count, flags, address, length)
CallResult sendto(Call& call) {
  return send_to(call, call.address(4), call.signed_argument(5));
}

CallResult recv(Call& call) {
  return receive_from(call, GuestAddr(0), GuestAddr(0));
}

// recvfrom(socket, buffer, count, flags, address, length)
CallResult recvfrom(Call& call) {
  return receive_from(call, call.address(4), call.address(5));
}

}  // namespace hardclock::posix::calls
