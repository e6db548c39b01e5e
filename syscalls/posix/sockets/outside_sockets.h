// Internet sockets that reach the host's network, as far as the user lets them: all addresses but
// those of the guests' own loopback network are there.
#pragma once

#include <cstdint>

#include "sim/base/result.h"
#include "syscalls/posix/call.h"
#include "syscalls/posix/sockets/socket.h"

namespace hardclock::posix {

// Whether a packet of the socket to this host goes to the host's network.
bool goes_outside(const Call& call, const Socket& socket, std::uint32_t host);

// The address is one of the host's, or 10.0.2.15: there the socket is bound alone.
Result<Ok, Errno> bind_outside(Call& call, Socket& socket, const SocketAddress& address);
// A socket that is bound here to all addresses is found on the host's network, too, under the same
// port: a datagram socket, and a stream socket that listens.
Result<Ok, Errno> show_outside(Call& call, Socket& socket);
Result<Ok, Errno> listen_outside(Call& call, Socket& socket, int backlog);
// Who has come from the host's network; null: nobody.
Result<SocketRef, Errno> accept_outside(Call& call, Socket& listener);
// connect(2). A stream socket must not be connected, nor listen.
CallResult connect_stream_outside(Call& call, const SocketRef& socket, const SocketAddress& at);
CallResult connect_datagram_outside(Call& call, Socket& socket, const SocketAddress& at);
// A datagram socket gets what it needs to send to there.
Result<Ok, Errno> open_outside(Call& call, Socket& socket);
// A call on a stream socket that is being connected waits for that; with O_NONBLOCK, EALREADY.
CallResult wait_for_connection(Call& call, const SocketRef& socket);

}  // namespace hardclock::posix
