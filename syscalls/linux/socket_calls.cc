// The calls for sockets that only Linux has.
#include <array>
#include <cstddef>

#include "syscalls/linux/calls.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/socket_interface.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux::calls {

// accept4(socket, address, length, flags)
CallResult accept4(Call& call) {
  const std::uint32_t flags = call.argument(3);
  if ((flags & ~posix::type_flags(*call.system.sockets)) != 0) {
    return CallResult::failure(Errno::einval);
  }
  return accept_with(call, flags);
}

// socketcall(call, arguments): the others by number, with an array of their arguments
// (include/uapi/linux/net.h, SYS_SOCKET and so on; net/socket.c).
CallResult socketcall(Call& call) {
  struct Row {
    posix::Handler handler;
    std::size_t arguments;
  };
  static constexpr std::array<Row, 18> rows = {{{socket, 3},
                                                {bind, 3},
                                                {connect, 3},
                                                {listen, 2},
                                                {accept, 3},
                                                {getsockname, 3},
                                                {getpeername, 3},
                                                {socketpair, 4},
                                                {send, 4},
                                                {recv, 4},
                                                {sendto, 6},
                                                {recvfrom, 6},
                                                {shutdown, 2},
                                                {setsockopt, 5},
                                                {getsockopt, 5},
                                                {sendmsg, 3},
                                                {recvmsg, 3},
                                                {accept4, 4}}};
  const std::uint32_t number = call.argument(0);
  if (number == 0 || number > rows.size()) return CallResult::failure(Errno::einval);
  const Row& row = rows[number - 1];
  posix::GuestReader reader(call, call.address(1));
  for (std::size_t i = 0; i < row.arguments; ++i) call.arguments[i] = reader.word_long();
  if (!reader.ok()) return CallResult::failure(Errno::efault);
  return row.handler(call);
}

}  // namespace hardclock::gnu_linux::calls
