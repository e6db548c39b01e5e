#include "syscalls/posix/sockets/network.h"

#include <algorithm>
#include <cstdio>

#include "syscalls/posix/sockets/socket.h"

namespace hardclock::posix {
namespace {

// Ports that a socket gets without asking: ip(7), ip_local_port_range.
constexpr std::uint16_t first_ephemeral = 32768, ephemeral_ports = 28232;

bool hosts_meet(std::uint32_t a, std::uint32_t b) {
  return a == b || a == any_host || b == any_host;
}

// Whether a socket bound to this host is reached at `host`.
bool serves(const Socket& socket, std::uint32_t host, std::uint16_t port) {
  return socket.local && socket.local->port == port &&
         (socket.local->host == any_host || socket.local->host == host || host == any_host);
}

// Both may have the port: SO_REUSEADDR, unless one listens, and SO_REUSEPORT (socket(7)).
bool may_share(const Socket& a, const Socket& b) {
  if (a.option(SocketOption::reuse_port) != 0 && b.option(SocketOption::reuse_port) != 0) {
    return true;
  }
  return a.option(SocketOption::reuse_address) != 0 && b.option(SocketOption::reuse_address) != 0 &&
         !a.is_listening() && !b.is_listening();
}

}  // namespace

bool is_loopback(std::uint32_t host) {
  return host >> 24 == 127 || host == any_host;
}

void Network::forget_closed() {
  std::erase_if(internet_, [](const auto& socket) { return socket.expired(); });
  std::erase_if(files_, [](const auto& entry) { return entry.second.expired(); });
  std::erase_if(names_, [](const auto& entry) { return entry.second.expired(); });
}

bool Network::is_free(const Socket& socket, std::uint32_t host, std::uint16_t port) const {
  return std::ranges::none_of(internet_, [&](const std::weak_ptr<Socket>& known) {
    const SocketRef other = known.lock();
    return other != nullptr && other.get() != &socket && other->local &&
           other->form().kind == socket.form().kind && other->local->port == port &&
           hosts_meet(other->local->host, host) && !may_share(*other, socket);
  });
}

Result<Ok, Errno> Network::bind(const SocketRef& socket, std::uint32_t host, std::uint16_t port) {
  if (!is_loopback(host)) return Failure{Errno::eaddrnotavail};
  if (port == 0) return bind_to_any(socket, host);
  forget_closed();
  if (!is_free(*socket, host, port)) return Failure{Errno::eaddrinuse};
  socket->local = SocketAddress{SocketFamily::internet, {}, host, port};
  add(socket);
  return Ok{};
}

Result<Ok, Errno> Network::bind_to_any(const SocketRef& socket, std::uint32_t host) {
  forget_closed();
  for (unsigned tried = 0; tried < ephemeral_ports; ++tried) {
    const auto port = static_cast<std::uint16_t>(first_ephemeral + next_port_);
    next_port_ = static_cast<std::uint16_t>((next_port_ + 1) % ephemeral_ports);
    if (is_free(*socket, host, port)) {
      socket->local = SocketAddress{SocketFamily::internet, {}, host, port};
      add(socket);
      return Ok{};
    }
  }
  return Failure{Errno::eaddrinuse};
}

void Network::add(const SocketRef& socket) {
  internet_.push_back(socket);
}

bool Network::has_listener(const Socket& besides) const {
  return std::ranges::any_of(internet_, [&](const std::weak_ptr<Socket>& known) {
    const SocketRef other = known.lock();
    return other != nullptr && other.get() != &besides && other->is_listening() &&
           other->local->port == besides.local->port &&
           hosts_meet(other->local->host, besides.local->host) && !may_share(*other, besides);
  });
}

// The one that is bound to just this host goes first.
SocketRef Network::listener(std::uint32_t host, std::uint16_t port) const {
  SocketRef best;
  for (const std::weak_ptr<Socket>& known : internet_) {
    SocketRef socket = known.lock();
    if (socket == nullptr || !socket->is_listening() || !serves(*socket, host, port)) continue;
    if (best == nullptr || best->local->host == any_host) best = std::move(socket);
  }
  return best;
}

// One that is connected to the sender goes first (net/ipv4/udp.c, compute_score()).
SocketRef Network::receiver(const Socket& sender, std::uint32_t host, std::uint16_t port) const {
  SocketRef best;
  int best_score = -1;
  for (const std::weak_ptr<Socket>& known : internet_) {
    SocketRef socket = known.lock();
    if (socket == nullptr || socket->form().kind != SocketKind::datagram) continue;
    if (!serves(*socket, host, port)) continue;
    if (socket->peer && !(sender.local && socket->peer->port == sender.local->port)) continue;
    const int score = (socket->peer ? 2 : 0) + (socket->local->host != any_host ? 1 : 0);
    if (score <= best_score) continue;
    best_score = score;
    best = std::move(socket);
  }
  return best;
}

void Network::bind(const SocketRef& socket, const host::HostIdentity& file) {
  forget_closed();
  files_[file] = socket;
}

Result<Ok, Errno> Network::bind(const SocketRef& socket, const std::string& name) {
  forget_closed();
  if (names_.contains(name)) return Failure{Errno::eaddrinuse};
  names_[name] = socket;
  socket->local = SocketAddress{SocketFamily::local, name, 0, 0};
  return Ok{};
}

// unix(7), "Autobind feature": five hexadecimal digits.
Result<Ok, Errno> Network::bind_to_any_name(const SocketRef& socket) {
  constexpr std::uint32_t names = 1u << 20;
  for (std::uint32_t tried = 0; tried < names; ++tried) {
    char digits[8];
    std::snprintf(digits, sizeof digits, "%05x", next_name_++ % names);
    if (bind(socket, std::string(1, '\0') + digits)) return Ok{};
  }
  return Failure{Errno::eaddrinuse};
}

SocketRef Network::at(const host::HostIdentity& file) const {
  const auto found = files_.find(file);
  return found == files_.end() ? nullptr : found->second.lock();
}

SocketRef Network::at(const std::string& name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? nullptr : found->second.lock();
}

void Network::archive(Archive& to) {
  auto& [internet, files, names, port, name, in_flight] = *this;
  to.state(port, name, *in_flight);
  to.saved(internet, files, names);
}

}  // namespace hardclock::posix
