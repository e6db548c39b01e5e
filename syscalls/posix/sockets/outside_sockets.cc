#include "syscalls/posix/sockets/outside_sockets.h"

#include <memory>
#include <utility>

#include "syscalls/host/internet.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix {
namespace {

using Outside = std::unique_ptr<host::InternetSocket>;
using Kind = host::InternetSocket::Kind;

host::InternetAddress to_host(const SocketAddress& address) {
  return {address.host, address.port};
}

// With the options that matter there.
Result<Outside, Errno> open(const Call& call, const Socket& socket) {
  auto made = call.os.internet()->open(socket.is_stream() ? Kind::stream : Kind::datagram);
  if (!made) return Failure{to_errno(made.error())};
  (*made)->set_reuse_address(socket.option(SocketOption::reuse_address) != 0);
  (*made)->set_broadcast(socket.option(SocketOption::broadcast) != 0);
  return *std::move(made);
}

Result<Outside, Errno> open_at(const Call& call, const Socket& socket,
                               const SocketAddress& address) {
  auto made = open(call, socket);
  if (!made) return made;
  const auto bound = (*made)->bind(to_host(address));
  if (!bound) return Failure{to_errno(bound.error())};
  return made;
}

bool is_non_blocking(const Call& call, const Socket& socket) {
  const OpenFlags& flags = call.system.open_flags;
  return (socket.status_flags & (flags.non_block | flags.no_delay)) != 0;
}

// That of a stream socket to connect through: bound where the socket is.
Result<Outside, Errno> open_to_connect(const Call& call, Socket& socket) {
  if (socket.outside() != nullptr) return socket.take_outside();
  return socket.local ? open_at(call, socket, *socket.local) : open(call, socket);
}

CallResult wait_until_writable(const Call& call, const SocketRef& socket) {
  return CallResult::wait(
      {.event = FileWait{
           {{.descriptor = call.signed_argument(0), .file = socket, .bytes_to_write = 1}}}});
}

}  // namespace

bool goes_outside(const Call& call, const Socket& socket, std::uint32_t host) {
  return call.os.internet() != nullptr && !socket.is_local() && !is_loopback(host);
}

Result<Ok, Errno> bind_outside(Call& call, Socket& socket, const SocketAddress& address) {
  auto made = open_at(call, socket, address);
  if (!made) return Failure{made.error()};
  socket.local = address;
  socket.local->port = (*made)->local().port;
  socket.reach_outside(*std::move(made));
  return Ok{};
}

Result<Ok, Errno> show_outside(Call& call, Socket& socket) {
  const bool is_shown = call.os.internet() != nullptr && !socket.is_local() &&
                        socket.local->host == any_host && socket.outside() == nullptr;
  if (!is_shown) return Ok{};
  auto made = open_at(call, socket, *socket.local);
  if (!made) return Failure{made.error()};
  socket.reach_outside(*std::move(made));
  return Ok{};
}

Result<Ok, Errno> listen_outside(Call& call, Socket& socket, int backlog) {
  if (const auto shown = show_outside(call, socket); !shown) return shown;
  if (socket.outside() == nullptr) return Ok{};
  const auto listens = socket.outside()->listen(backlog);
  if (!listens) return Failure{to_errno(listens.error())};
  return Ok{};
}

Result<SocketRef, Errno> accept_outside(Call& call, Socket& listener) {
  if (listener.outside() == nullptr) return SocketRef();
  auto accepted = listener.outside()->accept();
  if (!accepted) return Failure{to_errno(accepted.error())};
  if (!*accepted) return SocketRef();
  auto socket = std::make_shared<Socket>(listener.form(), listener.owner, call.os.files().records(),
                                         call.simulation().budget());
  socket->options = listener.options;
  const host::InternetAddress& from = (*accepted)->from;
  socket->accept_outside(std::move((*accepted)->socket),
                         {SocketFamily::internet, {}, from.host, from.port});
  return socket;
}

CallResult wait_for_connection(Call& call, const SocketRef& socket) {
  if (is_non_blocking(call, *socket)) return CallResult::failure(Errno::ealready);
  return wait_until_writable(call, socket);
}

CallResult connect_stream_outside(Call& call, const SocketRef& socket, const SocketAddress& at) {
  auto made = open_to_connect(call, *socket);
  if (!made) return CallResult::failure(made.error());
  const auto begun = (*made)->connect(to_host(at));
  if (!begun) return CallResult::failure(to_errno(begun.error()));
  socket->connect_outside(*std::move(made), at);
  if (is_non_blocking(call, *socket)) return CallResult::failure(Errno::einprogress);
  return wait_until_writable(call, socket);
}

// A port of the guests that is taken on the host is another one there.
Result<Ok, Errno> open_outside(Call& call, Socket& socket) {
  if (socket.outside() != nullptr) return Ok{};
  auto made = open(call, socket);
  if (!made) return Failure{made.error()};
  if (socket.local) (void)(*made)->bind({any_host, socket.local->port});
  socket.reach_outside(*std::move(made));
  return Ok{};
}

CallResult connect_datagram_outside(Call& call, Socket& socket, const SocketAddress& at) {
  const auto opened = open_outside(call, socket);
  if (!opened) return CallResult::failure(opened.error());
  const auto connected = socket.outside()->connect(to_host(at));
  if (!connected) return CallResult::failure(to_errno(connected.error()));
  const host::InternetAddress local = socket.outside()->local();
  socket.local = SocketAddress{SocketFamily::internet, {}, local.host, local.port};
  socket.set_peer(nullptr, at);
  return CallResult::value(0);
}

}  // namespace hardclock::posix
