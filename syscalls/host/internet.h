// The host's network, for guests whose user lets them reach it: sockets of AF_INET. No call of them
// waits.
//
// The host's loopback network is another one than the guests'. So a guest sees the host's as QEMU's
// user network shows it: 10.0.2.2 is the host, 10.0.2.15 the guests' own machine.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>

#include "syscalls/host/descriptor.h"
#include "syscalls/host/error.h"

namespace hardclock::host {

// As numbers: 10.0.2.2 and 10.0.2.15.
inline constexpr std::uint32_t host_for_guests = 0x0a000202, machine_of_guests = 0x0a00020f;

// As guests see it: 10.0.2.2 is 0x0a000202.
struct InternetAddress {
  std::uint32_t host = 0;
  std::uint16_t port = 0;
};

class Internet;

class InternetSocket {
 public:
  enum class Kind : std::uint8_t { stream, datagram };
  InternetSocket(std::shared_ptr<Internet> network, Kind kind, Descriptor descriptor);
  InternetSocket(const InternetSocket&) = delete;
  ~InternetSocket();

  HostResult<Ok> bind(const InternetAddress& to);
  HostResult<Ok> listen(int backlog);
  // Begins to connect, or, datagrams, to receive from there alone. It is writable when that is over
  // and take_error() tells how it ended.
  HostResult<Ok> connect(const InternetAddress& to);
  HostResult<Ok> disconnect();  // of datagrams
  struct Accepted {
    std::unique_ptr<InternetSocket> socket;
    InternetAddress from;
  };
  HostResult<std::optional<Accepted>> accept();  // nullopt: nobody has come
  // To the peer, or, a datagram, to `to`. nullopt: there is no room.
  HostResult<std::optional<std::size_t>> send(std::span<const std::uint8_t> bytes,
                                              const std::optional<InternetAddress>& to);
  struct Receipt {
    std::size_t bytes = 0;  // stored
    std::size_t whole = 0;  // of the datagram: more than were stored if it was cut
    InternetAddress from;   // of a datagram
  };
  // nullopt: nothing has arrived. keeps: MSG_PEEK.
  HostResult<std::optional<Receipt>> receive(std::span<std::uint8_t> into, bool keeps);
  HostResult<Ok> shutdown(bool receiving, bool sending);
  InternetAddress local() const;
  std::optional<Error> take_error();  // SO_ERROR
  void set_reuse_address(bool is_on);
  void set_broadcast(bool is_on);

  struct State {
    bool readable = false, writable = false, failed = false, hung_up = false, ended = false;
    friend bool operator==(const State&, const State&) = default;
  };
  // As poll(2) sees it. Whoever asks may wait for what is not so: Internet::wait() does.
  State state();
  bool is_readable();
  bool is_writable();
  std::uint64_t available() const;  // bytes: FIONREAD

 private:
  friend class Internet;

  short poll(short events);

  std::shared_ptr<Internet> network_;
  Kind kind_;
  Descriptor descriptor_;
  short awaited_ = 0;  // asked for since the last wait, and not there: POLLIN, POLLOUT
};

class Internet : public std::enable_shared_from_this<Internet> {
 public:
  Internet() = default;
  Internet(const Internet&) = delete;

  HostResult<std::unique_ptr<InternetSocket>> open(InternetSocket::Kind kind);

  // Waits until a socket is as somebody asked in vain, until the terminal is readable, a signal's
  // handler has run, or `most` is over (nullopt: never); returns how long that took. `is_over` as
  // in Terminal::wait().
  std::chrono::microseconds wait(std::optional<std::chrono::microseconds> most,
                                 const std::function<bool()>& is_over, bool with_terminal);

 private:
  friend class InternetSocket;

  std::set<InternetSocket*> sockets_;
};

}  // namespace hardclock::host
