// Sending and receiving on behalf of a call, which waits where it must.
#pragma once

#include <memory>
#include <optional>

#include "syscalls/posix/buffers.h"
#include "syscalls/posix/call.h"
#include "syscalls/posix/sockets/socket.h"

namespace hardclock::posix {

struct TransferFlags {
  bool peeks = false;
  bool waits_for_all = false;
  bool does_not_wait = false;
  bool sends_no_signal = false;
  bool is_urgent = false;       // MSG_OOB
  bool closes_on_exec = false;  // the descriptors that a message brings
  bool tells_whole = false;  // Linux's MSG_TRUNC: how long a datagram was; a stream's are dropped
  std::uint64_t moved = 0;   // bytes that the call moved before it had to wait
};

// Bytes that the call moved before it had to wait.
std::uint64_t progress_of(const Call& call);

// An open file that is a socket.
inline SocketRef socket_of(const std::shared_ptr<OpenFile>& file) {
  return std::static_pointer_cast<Socket>(file);
}
// The socket at argument 0. EBADF, ENOTSOCK.
Result<SocketRef, Errno> socket_at(const Call& call);
// The flags of a message by the system's numbers. EOPNOTSUPP: urgent data of a socket that has
// none.
Result<TransferFlags, Errno> transfer_flags(const Call& call, const Socket& socket,
                                            std::uint32_t flags);

// `received`, if it is not null, is set when the result is a value, the number of bytes.
CallResult receive(Call& call, const SocketRef& socket, const Buffers& buffers,
                   const TransferFlags& flags, Received* received = nullptr);
// Whom recvfrom(2) names: nobody for an internet connection, or a local socket without a name.
std::optional<SocketAddress> told_sender(const Socket& receiver, const Received& received);
// What a send goes to, and takes along.
struct Parcel {
  std::optional<SocketAddress> to;  // nullopt: the peer
  std::vector<std::shared_ptr<OpenFile>> files;
  std::optional<SocketOwner> sender;  // SCM_CREDENTIALS; nullopt: the caller
};
CallResult send(Call& call, const SocketRef& socket, const Buffers& buffers,
                const TransferFlags& flags, Parcel parcel = {});

// sendmsg(2) and recvmsg(2) of the struct msghdr at an address.
CallResult send_message(Call& call, const SocketRef& socket, GuestAddr message,
                        const TransferFlags& flags);
CallResult receive_message(Call& call, const SocketRef& socket, GuestAddr message,
                           const TransferFlags& flags);
// The bytes that the buffers of a struct msghdr hold. EFAULT, and the errors of readv(2).
Result<std::uint64_t, Errno> message_bytes(Call& call, GuestAddr message);

// ---- For ioctl(2) and fcntl(2), of argument 0.
// SIOCATMARK, which stores whether a stream's next byte is urgent. ENOTTY: it is no such socket.
CallResult is_at_mark(Call& call);
// F_SETOWN and SIOCSPGRP: whom SIGURG goes to. ESRCH; nullopt: it is no socket.
std::optional<CallResult> set_socket_owner(Call& call, std::int32_t owner);
// F_GETOWN and SIOCGPGRP; nullopt: it is no socket.
std::optional<std::int32_t> socket_owner(const Call& call);

// Who is at this address, to connect or send to. ECONNREFUSED: nobody; ENETUNREACH, and the errors
// of paths.
Result<SocketRef, Errno> find_socket(Call& call, const Socket& sender, const SocketAddress& at);

}  // namespace hardclock::posix
