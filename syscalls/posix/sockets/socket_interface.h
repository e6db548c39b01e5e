// How a system's programs name what sockets have: kinds, options, flags of messages.
#pragma once

#include <cstdint>
#include <span>

#include "syscalls/posix/sockets/socket.h"

namespace hardclock::posix {

// 0: there is no such flag.
struct MessageFlags {
  std::uint32_t out_of_band = 1, peek = 2;
  std::uint32_t do_not_wait = 0, wait_for_all = 0, no_signal = 0, close_on_exec = 0;
  std::uint32_t control_cut = 0, cut = 0, end_of_record = 0;
};

struct OptionNumber {
  std::uint32_t number;
  SocketOption option;
};

struct SocketInterface {
  // socket(2)'s type, without the flags.
  std::uint32_t stream, datagram, raw, packets;
  std::uint32_t non_block = 0, close_on_exec = 0;  // flags of the type; 0: there are none
  std::uint32_t option_level = 0xffff;             // SOL_SOCKET
  std::span<const OptionNumber> options;
  MessageFlags flags;
  // Names of local sockets that are none of files, SCM_ messages, and lengths in struct msghdr that
  // are as long as a pointer: Linux. Else struct msghdr ends with the access rights (4.3BSD).
  bool is_linux = false;
  // O_NDELAY is O_NONBLOCK to a socket: a call that would wait answers EAGAIN, not 0.
  bool no_delay_fails = false;
};

// Those of 4.3BSD, which System V.4, IRIX and HP-UX have taken over (sys/socket.h).
std::span<const OptionNumber> bsd_socket_options();

inline constexpr MessageFlags bsd_message_flags = {.do_not_wait = 0x80,
                                                   .wait_for_all = 0x40,
                                                   .control_cut = 0x20,
                                                   .cut = 0x10,
                                                   .end_of_record = 8};

// The flags of socket(2)'s type and of accept4(2).
inline std::uint32_t type_flags(const SocketInterface& known) {
  return known.non_block | known.close_on_exec;
}

}  // namespace hardclock::posix
