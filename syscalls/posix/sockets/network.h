// The guests' own network: where sockets are bound, and who is there. It is the loopback network
// 127.0.0.0/8 and the names of local sockets; nothing else can be reached.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/result.h"
#include "syscalls/host/file_status.h"
#include "syscalls/posix/errno.h"

namespace hardclock::posix {

class Socket;
using SocketRef = std::shared_ptr<Socket>;

// Whether packets to this host stay here. As in Linux, those to 0.0.0.0 do.
bool is_loopback(std::uint32_t host);

class Network {
 public:
  // ---- Internet sockets.
  // Gives the socket an address; port 0: a free one. EADDRNOTAVAIL, EADDRINUSE.
  Result<Ok, Errno> bind(const SocketRef& socket, std::uint32_t host, std::uint16_t port);
  // Gives a socket that has no port one: connect(2), listen(2), sendto(2).
  Result<Ok, Errno> bind_to_any(const SocketRef& socket, std::uint32_t host);
  // An accepted socket has the port of the one that listened.
  void add(const SocketRef& socket);
  // Another one listens there.
  bool has_listener(const Socket& besides) const;
  // Who listens there; null: nobody.
  SocketRef listener(std::uint32_t host, std::uint16_t port) const;
  // Whom a datagram of `sender` reaches there; null: nobody.
  SocketRef receiver(const Socket& sender, std::uint32_t host, std::uint16_t port) const;

  // ---- Local sockets. The file, which is new, is what others name.
  void bind(const SocketRef& socket, const host::HostIdentity& file);
  // A name that is none of a file; EADDRINUSE.
  Result<Ok, Errno> bind(const SocketRef& socket, const std::string& name);
  // The same with a name that nobody has. EADDRINUSE: there is none.
  Result<Ok, Errno> bind_to_any_name(const SocketRef& socket);
  SocketRef at(const host::HostIdentity& file) const;
  SocketRef at(const std::string& name) const;

  // The names and numbers of sockets are the sockets' own state.
  void archive(Archive& to);
  // How many open files are on their way in messages.
  const std::shared_ptr<std::uint64_t>& files_in_flight() const { return files_in_flight_; }

 private:
  using Known = std::vector<std::weak_ptr<Socket>>;

  bool is_free(const Socket& socket, std::uint32_t host, std::uint16_t port) const;
  void forget_closed();

  Known internet_;
  std::map<host::HostIdentity, std::weak_ptr<Socket>> files_;
  std::map<std::string, std::weak_ptr<Socket>> names_;
  std::uint16_t next_port_ = 0;  // above first_ephemeral
  std::uint32_t next_name_ = 0;
  std::shared_ptr<std::uint64_t> files_in_flight_ = std::make_shared<std::uint64_t>(0);
};

}  // namespace hardclock::posix
