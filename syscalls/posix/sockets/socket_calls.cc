// Sockets and their connections.
#include <algorithm>
#include <optional>
#include <utility>

#include "syscalls/host/internet.h"
#include "syscalls/posix/calls.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/sockets/outside_sockets.h"
#include "syscalls/posix/sockets/socket_address.h"
#include "syscalls/posix/sockets/socket_interface.h"
#include "syscalls/posix/sockets/socket_transfer.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix::calls {
namespace {

enum Protocol : std::uint32_t { protocol_any = 0, protocol_tcp = 6, protocol_udp = 17 };
constexpr std::int32_t most_pending = 4096;  // SOMAXCONN

SocketOwner owner_of(const Call& call) {
  const Credentials& ids = call.state.credentials;
  return {call.process.pid, ids.user.effective, ids.group.effective};
}

// The kinds of a local socket. A raw one is a datagram socket (unix(7)).
Result<Socket::Form, Errno> local_form(const SocketInterface& known, std::uint32_t type,
                                       std::uint32_t protocol) {
  if (protocol > af_unix) return Failure{Errno::eprotonosupport};
  if (type == known.stream) return Socket::Form{SocketFamily::local, SocketKind::stream, 0};
  if (type == known.datagram || type == known.raw) {
    return Socket::Form{SocketFamily::local, SocketKind::datagram, 0};
  }
  if (type == known.packets) return Socket::Form{SocketFamily::local, SocketKind::packets, 0};
  return Failure{Errno::esocktnosupport};
}

Result<Socket::Form, Errno> internet_form(const SocketInterface& known, std::uint32_t type,
                                          std::uint32_t protocol) {
  if (type == known.raw)
    return Failure{protocol == protocol_any ? Errno::eprotonosupport : Errno::eperm};
  const bool is_stream = type == known.stream;
  if (!is_stream && type != known.datagram) return Failure{Errno::esocktnosupport};
  const std::uint32_t own = is_stream ? protocol_tcp : protocol_udp;
  if (protocol != protocol_any && protocol != own) return Failure{Errno::eprotonosupport};
  return Socket::Form{SocketFamily::internet, is_stream ? SocketKind::stream : SocketKind::datagram,
                      own};
}

// Of the arguments (domain, type, protocol). EINVAL, EAFNOSUPPORT, ESOCKTNOSUPPORT,
// EPROTONOSUPPORT; EPERM: only the superuser has raw sockets.
Result<Socket::Form, Errno> wanted_form(const Call& call) {
  const SocketInterface& known = *call.system.sockets;
  const std::uint32_t type = call.argument(1) & ~type_flags(known);
  constexpr std::uint32_t first_invalid_type = 11;  // SOCK_MAX
  if (known.is_linux && type >= first_invalid_type) return Failure{Errno::einval};
  if (call.argument(0) == af_unix) return local_form(known, type, call.argument(2));
  if (call.argument(0) == af_inet) return internet_form(known, type, call.argument(2));
  return Failure{Errno::eafnosupport};
}

// Whether the guests may have one socket more, with its connection; else ENOBUFS.
bool has_room_for_socket(Call& call) {
  constexpr std::uint64_t most_of_one = 4096;  // bytes
  return call.simulation().budget()->has_table_room(most_of_one);
}

SocketRef make_socket(Call& call, const Socket::Form& form) {
  return std::make_shared<Socket>(form, owner_of(call), call.os.files().records(),
                                  call.simulation().budget());
}

// Adds a descriptor with the flags of socket(2)'s type.
CallResult add_socket(Call& call, const SocketRef& socket, std::uint32_t flags) {
  const SocketInterface& known = *call.system.sockets;
  if ((flags & known.non_block) != 0) socket->status_flags |= call.system.open_flags.non_block;
  return add_descriptor(call, socket, (flags & known.close_on_exec) != 0);
}

bool does_not_wait(const Call& call, const Socket& socket) {
  const OpenFlags& flags = call.system.open_flags;
  return (socket.status_flags & (flags.non_block | flags.no_delay)) != 0;
}

CallResult done_or_errno(const Result<Ok, Errno>& result) {
  return result ? CallResult::value(0) : CallResult::failure(result.error());
}

// The address at argument 1, of argument 2 bytes.
Result<std::optional<SocketAddress>, Errno> address_argument(Call& call, const Socket& socket) {
  return read_address(call, call.address(1), call.signed_argument(2), socket.form().family);
}

// The file that names the socket is new.
CallResult bind_to_path(Call& call, const SocketRef& socket, const SocketAddress& address) {
  const auto path = host::GuestPath::parse(call.paths().directory, address.name);
  if (!path) return CallResult::failure(to_errno(path.error()));
  if (socket->local) {
    const bool is_taken = call.os.files().status(*path, host::Follow::no).ok();
    return CallResult::failure(is_taken ? Errno::eaddrinuse : Errno::einval);
  }
  const auto node =
      call.os.files().make_node(*path, host::FileType::socket, 0777 & ~call.paths().umask);
  if (!node) {
    const bool is_taken = node.error() == host::Error::exists;
    return CallResult::failure(is_taken ? Errno::eaddrinuse : to_errno(node.error()));
  }
  call.os.network().bind(socket, node->identity);
  socket->local = address;
  return CallResult::value(0);
}

CallResult bind_local(Call& call, const SocketRef& socket, const SocketAddress& address) {
  if (!address.name.empty() && address.name.front() != '\0') {
    return bind_to_path(call, socket, address);
  }
  if (socket->local) return CallResult::failure(Errno::einval);
  if (!call.system.sockets->is_linux) return CallResult::failure(Errno::einval);
  Network& network = call.os.network();
  return done_or_errno(address.name.empty() ? network.bind_to_any_name(socket)
                                            : network.bind(socket, address.name));
}

// Ports below 1024 are the superuser's.
CallResult bind_internet(Call& call, const SocketRef& socket, const SocketAddress& address) {
  constexpr std::uint16_t first_free = 1024;
  if (socket->local) return CallResult::failure(Errno::einval);
  if (goes_outside(call, *socket, address.host)) {
    return done_or_errno(bind_outside(call, *socket, address));
  }
  const bool is_reserved = address.port != 0 && address.port < first_free;
  if (is_reserved && !call.state.credentials.is_superuser()) {
    return CallResult::failure(Errno::eacces);
  }
  const auto bound = call.os.network().bind(socket, address.host, address.port);
  if (!bound || socket->has_connections()) return done_or_errno(bound);
  const auto shown = show_outside(call, *socket);
  if (!shown) socket->local.reset();
  return done_or_errno(shown);
}

// ---- connect(2)

// What the caller's socket becomes the peer of.
SocketRef make_accepted(Call& call, const Socket& listener, const Socket& caller,
                        const SocketAddress& at) {
  auto accepted = std::make_shared<Socket>(listener.form(), listener.owner,
                                           call.os.files().records(), call.simulation().budget());
  accepted->options = listener.options;
  accepted->inbox()->keeps_urgent_inline = listener.inbox()->keeps_urgent_inline;
  // Linux keeps the owner in the open file, of which the accepted socket has a new one (fs/fcntl.c,
  // f_setown()); 4.3BSD in the socket, which begins as its listener is (uipc_socket2.c,
  // sonewconn()).
  if (!call.system.sockets->is_linux) accepted->inbox()->owner = listener.inbox()->owner;
  accepted->local = listener.local;
  if (!listener.is_local()) {
    accepted->local->host = at.host == any_host ? loopback_host : at.host;
    call.os.network().add(accepted);
  }
  accepted->peer = caller.local.value_or(SocketAddress{listener.form().family, {}, 0, 0});
  return accepted;
}

// An internet socket that does not wait hears of it later, even here, where it is over at once.
CallResult connection_ends(Call& call, Socket& socket, std::optional<host::Error> error) {
  const bool is_later = !socket.is_local() && does_not_wait(call, socket);
  if (is_later) {
    socket.has_news_of_connection = true;
    socket.inbox()->error = error;
    ++socket.inbox()->arrivals;
    return CallResult::failure(Errno::einprogress);
  }
  return error ? CallResult::failure(to_errno(*error)) : CallResult::value(0);
}

// How a connection that was in progress has ended; nullopt: badly, and SO_ERROR has told so.
std::optional<CallResult> news_of_connection(Socket& socket) {
  socket.has_news_of_connection = false;
  if (const auto error = socket.take_error()) return CallResult::failure(to_errno(*error));
  if (!socket.is_connected()) return std::nullopt;
  return CallResult::value(0);
}

CallResult give_caller_an_address(Call& call, const SocketRef& socket) {
  if (socket->is_local()) return CallResult::value(0);
  if (!socket->local) {
    return done_or_errno(call.os.network().bind_to_any(socket, loopback_host));
  }
  if (socket->local->host == any_host) socket->local->host = loopback_host;
  return CallResult::value(0);
}

CallResult connect_stream(Call& call, const SocketRef& socket, const SocketAddress& at) {
  socket->settle();
  if (socket->has_news_of_connection) {
    if (const auto news = news_of_connection(*socket)) return *news;
  }
  if (socket->is_connected()) return CallResult::failure(Errno::eisconn);
  if (socket->is_listening()) {
    return CallResult::failure(socket->is_local() ? Errno::einval : Errno::eisconn);
  }
  if (socket->is_connecting()) return wait_for_connection(call, socket);
  if (goes_outside(call, *socket, at.host)) return connect_stream_outside(call, socket, at);
  const auto found = find_socket(call, *socket, at);
  if (!found && found.error() != Errno::econnrefused) return CallResult::failure(found.error());
  if (found && (*found)->form().kind != socket->form().kind) {
    return CallResult::failure(Errno::eprototype);
  }
  if (!found || !(*found)->is_listening()) {
    return connection_ends(call, *socket, host::Error::connection_refused);
  }
  const SocketRef& listener = *found;
  if (!listener->has_backlog_room()) {
    if (does_not_wait(call, *socket)) return CallResult::failure(Errno::eagain);
    return CallResult::wait({.event = SocketWait{SocketWait::For::connection, {listener}}});
  }
  if (!has_room_for_socket(call)) return CallResult::failure(Errno::enobufs);
  const CallResult bound = give_caller_an_address(call, socket);
  if (bound.kind == CallResult::Kind::error) return bound;
  const SocketRef accepted = make_accepted(call, *listener, *socket, at);
  Socket::join(accepted, socket);
  socket->peer = accepted->local;
  listener->add_pending(accepted);
  return connection_ends(call, *socket, std::nullopt);
}

CallResult connect_datagram(Call& call, const SocketRef& socket,
                            const std::optional<SocketAddress>& at) {
  if (!at) {
    socket->drop_peer();
    if (socket->outside() != nullptr) (void)socket->outside()->disconnect();
    return CallResult::value(0);
  }
  SocketRef peer;
  if (socket->is_local()) {
    const auto found = find_socket(call, *socket, *at);
    if (!found) return CallResult::failure(found.error());
    peer = *found;
    if (peer->has_connections()) return CallResult::failure(Errno::eprototype);
    if (!peer->takes_from(*socket)) return CallResult::failure(Errno::eperm);
  } else if (goes_outside(call, *socket, at->host)) {
    return connect_datagram_outside(call, *socket, *at);
  } else if (!is_loopback(at->host)) {
    return CallResult::failure(Errno::enetunreach);
  }
  const CallResult bound = give_caller_an_address(call, socket);
  if (bound.kind == CallResult::Kind::error) return bound;
  SocketAddress address = *at;
  if (!socket->is_local() && address.host == any_host) address.host = loopback_host;
  socket->set_peer(peer, address);
  return CallResult::value(0);
}

}  // namespace

// socket(domain, type, protocol)
CallResult socket(Call& call) {
  const auto form = wanted_form(call);
  if (!form) return CallResult::failure(form.error());
  if (!has_room_for_socket(call)) return CallResult::failure(Errno::enobufs);
  return add_socket(call, make_socket(call, *form),
                    call.argument(1) & type_flags(*call.system.sockets));
}

// socketpair(domain, type, protocol, sockets)
CallResult socketpair(Call& call) {
  const auto form = wanted_form(call);
  if (!form) return CallResult::failure(form.error());
  if (form->family != SocketFamily::local) return CallResult::failure(Errno::eopnotsupp);
  if (!has_room_for_socket(call)) return CallResult::failure(Errno::enobufs);
  if (!call.memory.probe(call.address(3), 8, Access::write)) {
    return CallResult::failure(Errno::efault);
  }
  const SocketRef first = make_socket(call, *form), second = make_socket(call, *form);
  Socket::join(first, second);
  first->peer = second->peer = SocketAddress{};
  const std::uint32_t flags = call.argument(1) & type_flags(*call.system.sockets);
  const CallResult one = add_socket(call, first, flags);
  if (one.kind == CallResult::Kind::error) return one;
  const CallResult other = add_socket(call, second, flags);
  if (other.kind == CallResult::Kind::error) {
    call.descriptors().close(static_cast<std::int64_t>(one.first));
    return other;
  }
  return GuestStruct(call).word(one.first).word(other.first).store(call, call.address(3));
}

// bind(socket, address, length)
CallResult bind(Call& call) {
  const auto socket = socket_at(call);
  if (!socket) return CallResult::failure(socket.error());
  const auto address = address_argument(call, **socket);
  if (!address) return CallResult::failure(address.error());
  if (!*address)
    return CallResult::failure((*socket)->is_local() ? Errno::einval : Errno::eafnosupport);
  return (*socket)->is_local() ? bind_local(call, *socket, **address)
                               : bind_internet(call, *socket, **address);
}

// listen(socket, backlog)
CallResult listen(Call& call) {
  const auto found = socket_at(call);
  if (!found) return CallResult::failure(found.error());
  const SocketRef& socket = *found;
  if (!socket->has_connections()) return CallResult::failure(Errno::eopnotsupp);
  if (socket->is_connected()) return CallResult::failure(Errno::einval);
  if (socket->is_local() && !socket->local) return CallResult::failure(Errno::einval);
  if (!socket->local) {
    const auto bound = call.os.network().bind_to_any(socket, any_host);
    if (!bound) return CallResult::failure(bound.error());
  }
  if (!socket->is_local() && call.os.network().has_listener(*socket)) {
    return CallResult::failure(Errno::eaddrinuse);
  }
  const std::int32_t backlog = call.signed_argument(1);
  if (const auto shown = listen_outside(call, *socket, backlog); !shown) {
    return CallResult::failure(shown.error());
  }
  socket->owner = owner_of(call);
  socket->listen(
      static_cast<std::size_t>(backlog < 0 ? most_pending : std::min(backlog, most_pending)));
  return CallResult::value(0);
}

CallResult accept_with(Call& call, std::uint32_t flags) {
  const auto socket = socket_at(call);
  if (!socket) return CallResult::failure(socket.error());
  if (!(*socket)->has_connections()) return CallResult::failure(Errno::eopnotsupp);
  if (!(*socket)->is_listening()) return CallResult::failure(Errno::einval);
  SocketRef accepted = (*socket)->take_pending();
  if (accepted == nullptr) {
    auto from_outside = accept_outside(call, **socket);
    if (!from_outside) return CallResult::failure(from_outside.error());
    accepted = *std::move(from_outside);
  }
  if (accepted == nullptr) {
    const auto instead = instead_of_waiting(call, **socket);
    if (instead) return CallResult::failure(Errno::eagain);
    return CallResult::wait(
        {.event = FileWait{
             {{.descriptor = call.signed_argument(0), .file = *socket, .for_reading = true}}}});
  }
  const CallResult added = add_socket(call, accepted, flags);
  if (added.kind == CallResult::Kind::error) return added;
  return write_address(call, call.address(1), call.address(2), accepted->peer, added);
}

// connect(socket, address, length)
CallResult connect(Call& call) {
  const auto socket = socket_at(call);
  if (!socket) return CallResult::failure(socket.error());
  const auto address = address_argument(call, **socket);
  if (!address) return CallResult::failure(address.error());
  if (!(*socket)->has_connections()) return connect_datagram(call, *socket, *address);
  if (!*address) {
    return CallResult::failure((*socket)->is_local() ? Errno::einval : Errno::eafnosupport);
  }
  return connect_stream(call, *socket, **address);
}

// getsockname(socket, address, length)
CallResult getsockname(Call& call) {
  const auto socket = socket_at(call);
  if (!socket) return CallResult::failure(socket.error());
  const SocketAddress none{(*socket)->form().family, {}, 0, 0};
  if (call.is_null(1)) return CallResult::failure(Errno::efault);
  return write_address(call, call.address(1), call.address(2), (*socket)->local.value_or(none),
                       CallResult::value(0));
}

// getpeername(socket, address, length)
CallResult getpeername(Call& call) {
  const auto socket = socket_at(call);
  if (!socket) return CallResult::failure(socket.error());
  (*socket)->settle();
  if (!(*socket)->peer) return CallResult::failure(Errno::enotconn);
  if (call.is_null(1)) return CallResult::failure(Errno::efault);
  return write_address(call, call.address(1), call.address(2), (*socket)->peer,
                       CallResult::value(0));
}

// shutdown(socket, how)
CallResult shutdown(Call& call) {
  enum How : std::uint32_t { receiving, sending, both };
  const auto socket = socket_at(call);
  if (!socket) return CallResult::failure(socket.error());
  const std::uint32_t how = call.argument(1);
  if (how > both) return CallResult::failure(Errno::einval);
  const bool has_peer =
      (*socket)->has_connections() ? (*socket)->is_connected() : (*socket)->peer.has_value();
  if (!has_peer) return CallResult::failure(Errno::enotconn);
  if (how != sending) (*socket)->stop_receiving();
  if (how != receiving) (*socket)->stop_sending();
  return CallResult::value(0);
}

}  // namespace hardclock::posix::calls
