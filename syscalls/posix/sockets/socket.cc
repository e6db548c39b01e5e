#include "syscalls/posix/sockets/socket.h"

#include <algorithm>

#include "syscalls/host/internet.h"

namespace hardclock::posix {
namespace {

constexpr std::uint64_t socket_cost = 1024;  // beside its messages, in bytes
constexpr std::size_t largest_internet_datagram = 65507;

SocketAddress address_of(const host::InternetAddress& address) {
  return {SocketFamily::internet, {}, address.host, address.port};
}

bool are_equal(const Readiness& a, const Readiness& b) {
  return a.readable == b.readable && a.writable == b.writable && a.hung_up == b.hung_up &&
         a.failed == b.failed && a.ended == b.ended;
}

}  // namespace

Socket::Socket(const Form& form, const SocketOwner& of, std::shared_ptr<host::FileRecords> records,
               std::shared_ptr<MemoryBudget> budget)
    : owner(of),
      form_(form),
      budget_(budget),
      charge_(budget),
      inbox_(std::make_shared<Inbox>(std::move(budget))),
      times_{records->now(), records->now(), records->now()},
      inode_(records->unnamed()) {
  charge_.add_anyway(socket_cost);
}

// Whoever closes with bytes unread, or without waiting for what was sent, has broken the
// connection, not ended it (net/ipv4/tcp.c, __tcp_close()).
Socket::~Socket() {
  const bool breaks = !inbox_->empty() || lingers_for_nothing();
  if (outbox_ != nullptr) {
    outbox_->is_reset = breaks;
    if (breaks) outbox_->error = host::Error::connection_reset;
    outbox_->is_ended = true;
    ++outbox_->arrivals;
  }
  for (const SocketRef& waiting : pending_) {
    if (waiting->outbox_ != nullptr) waiting->outbox_->error = host::Error::connection_reset;
  }
  inbox_->is_closed = true;
  ++inbox_->departures;
  inbox_->clear();
}

bool Socket::lingers_for_nothing() const {
  const auto linger = options.find(SocketOption::linger);
  const bool is_on = linger != options.end() && linger->second.first != 0;
  return is_on && linger->second.second == 0 && is_stream() && !is_local();
}

void Socket::join(const SocketRef& first, const SocketRef& second) {
  if (!first->has_connections()) {
    first->set_peer(second, second->local.value_or(SocketAddress{first->form_.family, {}, 0, 0}));
    second->set_peer(first, first->local.value_or(SocketAddress{first->form_.family, {}, 0, 0}));
  } else {
    first->outbox_ = second->inbox_;
    second->outbox_ = first->inbox_;
  }
  first->peer_owner = second->owner;
  second->peer_owner = first->owner;
}

void Socket::listen(std::size_t backlog) {
  is_listening_ = true;
  backlog_ = backlog;
}

SocketRef Socket::take_pending() {
  if (pending_.empty()) return nullptr;
  SocketRef first = std::move(pending_.front());
  pending_.pop_front();
  ++inbox_->departures;
  return first;
}

void Socket::set_peer(const SocketRef& to, const SocketAddress& address) {
  target_ = to;
  has_target_ = true;
  peer = address;
}

void Socket::drop_peer() {
  target_.reset();
  has_target_ = false;
  peer.reset();
}

bool Socket::takes_from(const Socket& sender) const {
  return !has_target_ || target_.lock().get() == &sender;
}

void Socket::stop_receiving() {
  stopped_receiving_ = true;
  if (outside_stage_ == Outside::connected) (void)outside_->shutdown(true, false);
  if (is_local()) inbox_->is_closed = true;
  ++inbox_->arrivals;
}

void Socket::stop_sending() {
  stopped_sending_ = true;
  if (outside_stage_ == Outside::connected) (void)outside_->shutdown(false, true);
  if (outbox_ == nullptr) return;
  outbox_->is_ended = true;
  ++outbox_->arrivals;
}

// ---- The host's network.

void Socket::reach_outside(std::unique_ptr<host::InternetSocket> to) {
  outside_ = std::move(to);
}

std::unique_ptr<host::InternetSocket> Socket::take_outside() {
  return std::move(outside_);
}

void Socket::accept_outside(std::unique_ptr<host::InternetSocket> to, const SocketAddress& from) {
  outside_ = std::move(to);
  outside_stage_ = Outside::connected;
  local = address_of(outside_->local());
  peer = from;
}

void Socket::connect_outside(std::unique_ptr<host::InternetSocket> through,
                             const SocketAddress& to) {
  outside_ = std::move(through);
  outside_stage_ = Outside::connecting;
  outside_peer_ = to;
}

void Socket::settle() {
  if (!is_connecting() || !outside_->is_writable()) return;
  has_news_of_connection = true;
  inbox_->error = outside_->take_error();
  ++inbox_->arrivals;
  if (inbox_->error) {
    outside_.reset();
    outside_stage_ = Outside::none;
    return;
  }
  outside_stage_ = Outside::connected;
  local = address_of(outside_->local());
  peer = std::exchange(outside_peer_, std::nullopt);
}

Receipt Socket::receive_outside(std::span<std::uint8_t> into, bool keeps) {
  if (is_connecting()) return std::optional<Received>();
  if (is_stream() && into.empty()) return std::optional(Received{});
  const auto got = outside_->receive(into, keeps);
  if (!got) return Failure{got.error()};
  if (!*got) return std::optional<Received>();
  Received received;
  received.bytes = (*got)->bytes;
  received.whole = (*got)->whole;
  received.from = address_of((*got)->from);
  return std::optional(received);
}

Transfer Socket::send_outside(std::span<const std::uint8_t> bytes,
                              const std::optional<SocketAddress>& to) {
  if (stopped_sending_) return Failure{host::Error::broken_pipe};
  if (is_stream() && bytes.empty()) return std::optional<std::size_t>(0);
  return outside_->send(
      bytes, to ? std::optional(host::InternetAddress{to->host, to->port}) : std::nullopt);
}

Readiness Socket::readiness_outside() const {
  const host::InternetSocket::State state = outside_->state();
  return {.readable = state.readable,
          .writable = state.writable,
          .hung_up = state.hung_up,
          .failed = state.failed,
          .ended = state.ended};
}

std::optional<host::Error> Socket::take_error() {
  settle();
  if (inbox_->error || outside_ == nullptr || is_connecting()) {
    return std::exchange(inbox_->error, std::nullopt);
  }
  return outside_->take_error();
}

// net/unix/af_unix.c, unix_stream_read_generic(); net/ipv4/tcp.c, tcp_recvmsg()
host::Error Socket::unconnected() const {
  return is_local() && is_stream() ? host::Error::invalid : host::Error::not_connected;
}

Receipt Socket::receive(std::span<std::uint8_t> into, bool keeps) {
  settle();
  if (is_outside_stream()) return receive_outside(into, keeps);
  if (has_connections() && outbox_ == nullptr) {
    if (const auto error = take_error()) return Failure{*error};
    return Failure{unconnected()};
  }
  if (is_stream() && into.empty() && inbox_->error == std::nullopt)
    return std::optional(Received{});
  if (!keeps) inbox_->pass_mark();
  if (has_arrivals()) {
    return std::optional(is_stream() ? inbox_->take_to_mark(into, keeps)
                                     : inbox_->take(into, false, keeps));
  }
  if (outside_ != nullptr && !has_connections()) {
    const Receipt received = receive_outside(into, keeps);
    if (!received || *received) return received;
  }
  if (inbox_->is_ended && inbox_->error == host::Error::broken_pipe)
    return std::optional(Received{});
  if (const auto error = take_error()) return Failure{*error};
  if (inbox_->is_ended || stopped_receiving_) return std::optional(Received{});
  return std::optional<Received>();
}

// net/ipv4/tcp.c, tcp_recv_urg(). "Yes this is right!", it says of the error.
Receipt Socket::receive_urgent(std::span<std::uint8_t> into, bool keeps) {
  if (is_listening_) return Failure{host::Error::not_connected};
  const auto byte = inbox_->take_urgent(keeps);
  if (!byte) return Failure{host::Error::invalid};
  Received received;
  received.whole = 1;
  if (!into.empty()) {
    into.front() = *byte;
    received.bytes = 1;
  }
  return std::optional(received);
}

FileOwner Socket::mark_sent_as_urgent() {
  if (outbox_ == nullptr || outbox_->is_closed || outbox_->empty()) return {};
  outbox_->mark_urgent();
  return outbox_->owner;
}

SocketMessage Socket::message(std::span<const std::uint8_t> bytes, Attached attached) const {
  SocketMessage made;
  made.bytes.assign(bytes.begin(), bytes.end());
  made.from = local.value_or(SocketAddress{form_.family, {}, 0, 0});
  if (made.from.host == any_host) made.from.host = loopback_host;
  made.sender = attached.sender.value_or(owner);
  made.files = std::move(attached.files);
  return made;
}

bool Socket::takes_datagram(std::size_t size) const {
  if (inbox_->is_closed) return true;
  const std::size_t most = is_local() ? Inbox::most_local_messages : Inbox::most_messages;
  return inbox_->message_count() < most && (inbox_->empty() || inbox_->room() >= size);
}

Transfer Socket::send(std::span<const std::uint8_t> bytes, Socket* to, Attached attached) {
  settle();
  if (is_connecting()) return std::optional<std::size_t>();
  if (is_outside_stream()) return send_outside(bytes, std::nullopt);
  if (!has_connections()) return send_datagram(bytes, to, std::move(attached));
  return send_on_connection(bytes, std::move(attached));
}

// What no internet socket takes is lost; the sender of a connected one hears of that later.
Transfer Socket::send_datagram(std::span<const std::uint8_t> bytes, Socket* to, Attached attached) {
  if (const auto error = take_error(); error && !is_local()) return Failure{*error};
  if (stopped_sending_) return Failure{host::Error::broken_pipe};
  const std::size_t most = is_local() ? Inbox::default_capacity : largest_internet_datagram;
  if (bytes.size() > most) return Failure{host::Error::message_too_long};
  const SocketRef target = to == nullptr ? target_.lock() : nullptr;
  if (to == nullptr) to = target.get();
  if (to == nullptr) {
    if (!has_target_) {
      return Failure{is_local() ? host::Error::not_connected : host::Error::destination_required};
    }
    if (is_local()) return Failure{host::Error::connection_refused};
    inbox_->error = host::Error::connection_refused;
    ++inbox_->arrivals;
    return std::optional(bytes.size());
  }
  if (is_local() && to->inbox_->is_closed) return Failure{host::Error::broken_pipe};
  if (!to->takes_datagram(bytes.size())) {
    if (is_local()) return std::optional<std::size_t>();
    return std::optional(bytes.size());
  }
  if (!to->inbox_->add(message(bytes, std::move(attached)), false)) {
    return Failure{host::Error::no_memory};
  }
  return std::optional(bytes.size());
}

// The first segment to an internet socket that was closed goes out, and its answer breaks the
// connection.
Transfer Socket::send_on_connection(std::span<const std::uint8_t> bytes, Attached attached) {
  if (outbox_ == nullptr) {
    return Failure{is_local() ? host::Error::not_connected : host::Error::broken_pipe};
  }
  if (!is_local()) {
    if (const auto error = take_error()) return Failure{*error};
  }
  if (stopped_sending_) return Failure{host::Error::broken_pipe};
  if (outbox_->is_closed) {
    if (is_local() || inbox_->is_reset) return Failure{host::Error::broken_pipe};
    inbox_->error = host::Error::broken_pipe;
    stopped_sending_ = true;
    ++inbox_->arrivals;
    return std::optional(bytes.size());
  }
  if (!is_stream() && bytes.size() > Inbox::default_capacity) {
    return Failure{host::Error::message_too_long};
  }
  if (is_stream() && bytes.empty()) return std::optional<std::size_t>(0);
  if (!writable(bytes.size())) return std::optional<std::size_t>();
  const std::size_t count = is_stream() ? std::min(bytes.size(), outbox_->room()) : bytes.size();
  if (!outbox_->add(message(bytes.first(count), std::move(attached)), is_stream())) {
    return Failure{host::Error::no_memory};
  }
  return std::optional(count);
}

Transfer Socket::read(std::span<std::uint8_t> bytes) {
  const Receipt received = receive(bytes, false);
  if (!received) return Failure{received.error()};
  if (!*received) return std::optional<std::size_t>();
  return std::optional((*received)->bytes);
}

Transfer Socket::write(std::span<const std::uint8_t> bytes) {
  return send(bytes, nullptr, {});
}

bool Socket::readable(const Thread* /*asker*/) const {
  const bool comes_from_outside =
      outside_ != nullptr && !is_connecting() && outside_->is_readable();
  if (is_listening_) return !pending_.empty() || comes_from_outside;
  if (is_connecting()) {
    const Readiness ready = readiness_outside();
    return ready.failed || ready.hung_up;
  }
  if (is_outside_stream()) return comes_from_outside;
  if (comes_from_outside) return true;
  return has_arrivals() || inbox_->is_ended || stopped_receiving_ || inbox_->error ||
         (has_connections() && outbox_ == nullptr);
}

bool Socket::writable(std::size_t size) const {
  if (is_listening_) return false;
  if (is_outside_stream()) return outside_->is_writable();
  if (!has_connections()) {
    const SocketRef target = target_.lock();
    if (target == nullptr || !is_local() || stopped_sending_) return true;
    return target->takes_datagram(size);
  }
  if (outbox_ == nullptr || stopped_sending_ || outbox_->is_closed) return true;
  if (!is_local() && inbox_->error) return true;
  if (is_stream()) return outbox_->room() > 0;
  return outbox_->message_count() < Inbox::most_messages &&
         (outbox_->empty() || outbox_->room() >= size);
}

// net/ipv4/tcp.c, tcp_poll(); net/unix/af_unix.c, unix_poll()
Readiness Socket::readiness(const Thread* asker) {
  settle();
  if (is_outside_stream()) {
    return is_connecting() ? Readiness{} : readiness_outside();
  }
  Readiness ready;
  const bool is_plain = has_connections() && outbox_ == nullptr && !is_listening_;
  ready.failed = inbox_->error.has_value();
  ready.ended = inbox_->is_ended || stopped_receiving_ || (is_plain && ready.failed);
  ready.readable = is_plain ? ready.ended : readable(asker);
  ready.writable = writable(1);
  const bool sends_nothing = stopped_sending_ || (is_local() && outbox_ && outbox_->is_closed) ||
                             inbox_->error == host::Error::broken_pipe;
  ready.hung_up = is_plain || (ready.ended && sends_nothing);
  return ready;
}

std::uint64_t Socket::activity(const Thread* /*asker*/) const {
  if (outside_ != nullptr) {
    const Readiness readiness = readiness_outside();
    const std::uint64_t bytes = outside_->available();
    if (!are_equal(readiness, seen_outside_.readiness) || bytes != seen_outside_.bytes) {
      seen_outside_ = {readiness, bytes, seen_outside_.changes + 1};
    }
  }
  return seen_outside_.changes + inbox_->arrivals + (outbox_ == nullptr ? 0 : outbox_->departures);
}

host::HostResult<std::uint64_t> Socket::available() {
  if (is_listening_) return Failure{host::Error::invalid};
  if (outside_ != nullptr && inbox_->empty()) return outside_->available();
  if (is_stream()) return inbox_->bytes_to_mark();
  return has_connections() ? inbox_->bytes() : inbox_->first_message_bytes();
}

host::HostResult<host::FileStatus> Socket::status() const {
  host::FileStatus status;
  status.inode = inode_;
  status.type = host::FileType::socket;
  status.permissions = 0777;
  status.times = times_;
  status.is_own_owner = status.is_own_group = true;
  return status;
}

Socket::Socket(Archive& from)
    : budget_(from.provided<std::shared_ptr<MemoryBudget>>()), charge_(budget_) {}

Blank<KernelObject> Socket::blank() const {
  return blank_of<Socket>();
}

// What comes from the host's network, and what is on its way there, is not in it.
void Socket::archive(Archive& to) {
  OpenFile::archive(to);
  if (outside_ != nullptr) to.refuse("a socket of the host's network");
  to.state(local, peer, owner, peer_owner, options, protocol_options, has_news_of_connection, form_,
           inbox_, outbox_, target_, has_target_, is_listening_, stopped_sending_,
           stopped_receiving_, backlog_, pending_, outside_stage_, outside_peer_, times_, inode_,
           charge_);
  to.wiring(budget_, outside_, seen_outside_);
}

}  // namespace hardclock::posix
