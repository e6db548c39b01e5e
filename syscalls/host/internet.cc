#include "syscalls/host/internet.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "syscalls/host/outside_wait.h"

namespace hardclock::host {
namespace {

bool is_loopback_of_host(std::uint32_t host) {
  return host >> 24 == 127;
}

::sockaddr_in to_host(const InternetAddress& address) {
  const bool is_here = address.host == host_for_guests || address.host == machine_of_guests;
  ::sockaddr_in made{};
  made.sin_family = AF_INET;
  made.sin_port = htons(address.port);
  made.sin_addr.s_addr = htonl(is_here ? INADDR_LOOPBACK : address.host);
  return made;
}

// `here`: what stands for the host's loopback addresses.
InternetAddress to_guest(const ::sockaddr_in& address, std::uint32_t here) {
  const std::uint32_t host = ntohl(address.sin_addr.s_addr);
  return {is_loopback_of_host(host) ? here : host, ntohs(address.sin_port)};
}

const ::sockaddr* generic(const ::sockaddr_in& address) {
  return reinterpret_cast<const ::sockaddr*>(&address);
}

::sockaddr* generic(::sockaddr_in& address) {
  return reinterpret_cast<::sockaddr*>(&address);
}

HostResult<Ok> done(int result) {
  if (result != 0) return host_failure();
  return Ok{};
}

bool would_wait() {
  return errno == EAGAIN || errno == EINTR;
}

}  // namespace

InternetSocket::InternetSocket(std::shared_ptr<Internet> network, Kind kind, Descriptor descriptor)
    : network_(std::move(network)), kind_(kind), descriptor_(std::move(descriptor)) {
  network_->sockets_.insert(this);
}

InternetSocket::~InternetSocket() {
  network_->sockets_.erase(this);
}

// Its own machine's address is the guest's for all of the host's.
HostResult<Ok> InternetSocket::bind(const InternetAddress& to) {
  ::sockaddr_in address = to_host(to);
  if (to.host == machine_of_guests) address.sin_addr.s_addr = htonl(INADDR_ANY);
  return done(::bind(descriptor_.get(), generic(address), sizeof address));
}

HostResult<Ok> InternetSocket::listen(int backlog) {
  return done(::listen(descriptor_.get(), backlog));
}

HostResult<Ok> InternetSocket::connect(const InternetAddress& to) {
  const ::sockaddr_in address = to_host(to);
  const int result = ::connect(descriptor_.get(), generic(address), sizeof address);
  if (result != 0 && errno != EINPROGRESS) return host_failure();
  return Ok{};
}

HostResult<Ok> InternetSocket::disconnect() {
  const ::sockaddr nobody{.sa_family = AF_UNSPEC, .sa_data = {}};
  return done(::connect(descriptor_.get(), &nobody, sizeof nobody));
}

HostResult<std::optional<InternetSocket::Accepted>> InternetSocket::accept() {
  ::sockaddr_in from{};
  ::socklen_t size = sizeof from;
  Descriptor accepted(
      ::accept4(descriptor_.get(), generic(from), &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (accepted.get() < 0 && would_wait()) return std::optional<Accepted>();
  if (accepted.get() < 0) return host_failure();
  return std::optional(
      Accepted{std::make_unique<InternetSocket>(network_, Kind::stream, std::move(accepted)),
               to_guest(from, host_for_guests)});
}

HostResult<std::optional<std::size_t>> InternetSocket::send(
    std::span<const std::uint8_t> bytes, const std::optional<InternetAddress>& to) {
  const ::sockaddr_in address = to_host(to.value_or(InternetAddress{}));
  const ::ssize_t sent = ::sendto(descriptor_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL,
                                  to ? generic(address) : nullptr, to ? sizeof address : 0);
  if (sent < 0 && would_wait()) return std::optional<std::size_t>();
  if (sent < 0) return host_failure();
  return std::optional(static_cast<std::size_t>(sent));
}

HostResult<std::optional<InternetSocket::Receipt>> InternetSocket::receive(
    std::span<std::uint8_t> into, bool keeps) {
  const int flags = (keeps ? MSG_PEEK : 0) | (kind_ == Kind::datagram ? MSG_TRUNC : 0);
  ::sockaddr_in from{};
  ::socklen_t size = sizeof from;
  const ::ssize_t got =
      ::recvfrom(descriptor_.get(), into.data(), into.size(), flags, generic(from), &size);
  if (got < 0 && would_wait()) return std::optional<Receipt>();
  if (got < 0) return host_failure();
  Receipt receipt;
  receipt.whole = static_cast<std::size_t>(got);
  receipt.bytes = std::min(receipt.whole, into.size());
  receipt.from = to_guest(from, host_for_guests);
  return std::optional(receipt);
}

HostResult<Ok> InternetSocket::shutdown(bool receiving, bool sending) {
  return done(::shutdown(descriptor_.get(), receiving && sending ? SHUT_RDWR
                                            : receiving          ? SHUT_RD
                                                                 : SHUT_WR));
}

InternetAddress InternetSocket::local() const {
  ::sockaddr_in address{};
  ::socklen_t size = sizeof address;
  if (::getsockname(descriptor_.get(), generic(address), &size) != 0) return {};
  return to_guest(address, machine_of_guests);
}

std::optional<Error> InternetSocket::take_error() {
  int error = 0;
  ::socklen_t size = sizeof error;
  if (::getsockopt(descriptor_.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) return Error::io;
  if (error == 0) return std::nullopt;
  return from_host_errno(error);
}

void InternetSocket::set_reuse_address(bool is_on) {
  const int value = is_on ? 1 : 0;
  ::setsockopt(descriptor_.get(), SOL_SOCKET, SO_REUSEADDR, &value, sizeof value);
}

void InternetSocket::set_broadcast(bool is_on) {
  const int value = is_on ? 1 : 0;
  ::setsockopt(descriptor_.get(), SOL_SOCKET, SO_BROADCAST, &value, sizeof value);
}

short InternetSocket::poll(short events) {
  ::pollfd file{.fd = descriptor_.get(), .events = events, .revents = 0};
  ::poll(&file, 1, 0);
  return file.revents;
}

InternetSocket::State InternetSocket::state() {
  const short found = poll(POLLIN | POLLOUT | POLLRDHUP);
  const State state{.readable = (found & POLLIN) != 0,
                    .writable = (found & POLLOUT) != 0,
                    .failed = (found & POLLERR) != 0,
                    .hung_up = (found & POLLHUP) != 0,
                    .ended = (found & POLLRDHUP) != 0};
  if (!state.readable) awaited_ |= POLLIN;
  if (!state.writable) awaited_ |= POLLOUT;
  return state;
}

// An error, too, lets a call go on.
bool InternetSocket::is_readable() {
  const bool is_so = poll(POLLIN) != 0;
  if (!is_so) awaited_ |= POLLIN;
  return is_so;
}

bool InternetSocket::is_writable() {
  const bool is_so = poll(POLLOUT) != 0;
  if (!is_so) awaited_ |= POLLOUT;
  return is_so;
}

std::uint64_t InternetSocket::available() const {
  int bytes = 0;
  return ::ioctl(descriptor_.get(), FIONREAD, &bytes) == 0 ? static_cast<std::uint64_t>(bytes) : 0;
}

HostResult<std::unique_ptr<InternetSocket>> Internet::open(InternetSocket::Kind kind) {
  const int type = kind == InternetSocket::Kind::stream ? SOCK_STREAM : SOCK_DGRAM;
  Descriptor made(::socket(AF_INET, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (made.get() < 0) return host_failure();
  return std::make_unique<InternetSocket>(shared_from_this(), kind, std::move(made));
}

std::chrono::microseconds Internet::wait(std::optional<std::chrono::microseconds> most,
                                         const std::function<bool()>& is_over, bool with_terminal) {
  std::vector<::pollfd> files;
  if (with_terminal) files.push_back({.fd = STDIN_FILENO, .events = POLLIN, .revents = 0});
  for (InternetSocket* const socket : sockets_) {
    if (socket->awaited_ == 0) continue;
    files.push_back({.fd = socket->descriptor_.get(),
                     .events = std::exchange(socket->awaited_, short{0}),
                     .revents = 0});
  }
  return wait_for_files(files, most, is_over);
}

}  // namespace hardclock::host
