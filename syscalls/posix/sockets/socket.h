// Sockets between the guests of one run. They live here, not on the host, as pipes do: nothing that
// is sent through them leaves hardclock, and who receives what, and when, is the simulation's
// alone. Where the user lets guests reach the host's network, an internet socket has one of the
// host behind it for that (outside_sockets.h).
//
// The rules are those of Linux where the systems differ (unix(7), tcp(7), udp(7);
// net/unix/af_unix.c, net/ipv4/tcp.c): a program of an older system does not depend on the
// differences.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "syscalls/host/file_records.h"
#include "syscalls/posix/files/open_file.h"
#include "syscalls/posix/sockets/inbox.h"

namespace hardclock::host {
class InternetSocket;
}

namespace hardclock::posix {

enum class SocketKind : std::uint8_t { stream, datagram, packets };  // packets: SOCK_SEQPACKET

// Options whose value is kept; most change nothing here.
enum class SocketOption : std::uint8_t {
  debug,
  reuse_address,
  reuse_port,
  keep_alive,
  dont_route,
  broadcast,
  linger,  // two values
  oob_inline,
  send_buffer,
  receive_buffer,
  send_buffer_force,
  receive_buffer_force,
  send_low,
  receive_low,
  send_timeout,
  receive_timeout,
  use_loopback,
  priority,
  no_check,
  pass_credentials,
  timestamp,
  // These can only be asked for.
  error,
  type,
  accepts,
  protocol,
  domain,
  peer_credentials,
};

class Socket;
using SocketRef = std::shared_ptr<Socket>;

// What a receive or send gives: nullopt, the caller must wait.
using Receipt = host::HostResult<std::optional<Received>>;

class Socket final : public OpenFile {
 public:
  struct Form {
    SocketFamily family = SocketFamily::local;
    SocketKind kind = SocketKind::stream;
    std::uint32_t protocol = 0;
    static constexpr std::size_t state_members = 3;
  };
  Socket(const Form& form, const SocketOwner& owner, std::shared_ptr<host::FileRecords> records,
         std::shared_ptr<MemoryBudget> budget);
  explicit Socket(Archive& from);
  ~Socket() override;

  const Form& form() const { return form_; }
  bool is_local() const { return form_.family == SocketFamily::local; }
  bool has_connections() const { return form_.kind != SocketKind::datagram; }
  bool is_stream() const { return form_.kind == SocketKind::stream; }

  // ---- Connections.
  // Makes two sockets the ends of one connection, or each the other's peer.
  static void join(const SocketRef& first, const SocketRef& second);
  bool is_connected() const { return outbox_ != nullptr || outside_stage_ == Outside::connected; }
  void listen(std::size_t backlog);
  bool is_listening() const { return is_listening_; }
  bool has_backlog_room() const { return pending_.size() <= backlog_; }
  void add_pending(SocketRef accepted) {
    pending_.push_back(std::move(accepted));
    ++inbox_->arrivals;
  }
  SocketRef take_pending();  // nullptr: there is none
  // A datagram socket's: what goes to nobody in particular goes there, and nothing else arrives.
  void set_peer(const SocketRef& peer, const SocketAddress& address);
  void drop_peer();
  bool takes_from(const Socket& sender) const;
  // shutdown(2)
  void stop_receiving();
  void stop_sending();

  // ---- The host's network. Null: it reaches the guests alone.
  host::InternetSocket* outside() const { return outside_.get(); }
  void reach_outside(std::unique_ptr<host::InternetSocket> outside);
  std::unique_ptr<host::InternetSocket> take_outside();
  // A stream's connection to there is there, or begins. settle() finds that it has ended: then
  // has_news_of_connection.
  void accept_outside(std::unique_ptr<host::InternetSocket> outside, const SocketAddress& from);
  void connect_outside(std::unique_ptr<host::InternetSocket> outside, const SocketAddress& to);
  bool is_connecting() const { return outside_stage_ == Outside::connecting; }
  void settle();
  // A datagram to there; nullopt: to the peer.
  Transfer send_outside(std::span<const std::uint8_t> bytes,
                        const std::optional<SocketAddress>& to);

  // ---- Data.
  // keeps: MSG_PEEK.
  Receipt receive(std::span<std::uint8_t> into, bool keeps);
  // MSG_OOB, of an internet stream. invalid: there is none, or it was received already.
  Receipt receive_urgent(std::span<std::uint8_t> into, bool keeps);
  // An internet stream's last byte that was sent is urgent. Whom the receiver wants to hear of it:
  // a process or, negative, a group; 0: nobody.
  FileOwner mark_sent_as_urgent();
  // What goes with a sending.
  struct Attached {
    FilesInFlight files;
    std::optional<SocketOwner> sender;  // nullopt: the socket's owner
  };
  // To the peer, or, a datagram, to `to`. broken_pipe: nobody will receive it.
  Transfer send(std::span<const std::uint8_t> bytes, Socket* to, Attached attached);
  // Whether a datagram of this size can be added to what has arrived here.
  bool takes_datagram(std::size_t size) const;

  // ---- As an open file.
  Transfer read(std::span<std::uint8_t> bytes) override;
  Transfer write(std::span<const std::uint8_t> bytes) override;
  bool readable(const Thread* asker) const override;
  bool writable(std::size_t size) const override;
  Readiness readiness(const Thread* asker) override;
  bool has_urgent() const override { return inbox_->has_urgent(); }
  std::uint64_t activity(const Thread* asker) const override;
  // Of the first datagram, or all of a stream.
  host::HostResult<std::uint64_t> available() override;
  host::HostResult<std::uint64_t> seek(std::int64_t, host::Whence) override {
    return Failure{host::Error::not_seekable};
  }
  host::OpenRights rights() const override { return {.read = true, .write = true}; }
  host::HostResult<host::FileStatus> status() const override;
  bool is_made_ready_outside(bool /*for_reading*/) const override { return outside_ != nullptr; }
  Socket* socket() override { return this; }
  void archive(Archive& to) override;
  Blank<KernelObject> blank() const override;

  // ---- What calls keep here.
  std::optional<SocketAddress> local;  // nullopt: not bound
  std::optional<SocketAddress> peer;   // of a connected one
  SocketOwner owner;
  SocketOwner peer_owner;
  std::map<SocketOption, std::pair<std::uint64_t, std::uint64_t>> options;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> protocol_options;  // level, name
  // connect(2) has answered EINPROGRESS, and the next one tells how it ended.
  bool has_news_of_connection = false;

  std::uint64_t option(SocketOption which) const {
    const auto found = options.find(which);
    return found == options.end() ? 0 : found->second.first;
  }
  const std::shared_ptr<Inbox>& inbox() const { return inbox_; }
  // SO_ERROR: tells and forgets.
  std::optional<host::Error> take_error();

 private:
  host::Error unconnected() const;
  Transfer send_datagram(std::span<const std::uint8_t> bytes, Socket* to, Attached attached);
  Transfer send_on_connection(std::span<const std::uint8_t> bytes, Attached attached);
  bool lingers_for_nothing() const;  // SO_LINGER with a time of 0
  bool is_outside_stream() const {
    return outside_stage_ == Outside::connected || outside_stage_ == Outside::connecting;
  }
  Receipt receive_outside(std::span<std::uint8_t> into, bool keeps);
  Readiness readiness_outside() const;
  bool has_arrivals() const {
    return is_stream() ? inbox_->ordinary_bytes() != 0 : !inbox_->empty();
  }
  SocketMessage message(std::span<const std::uint8_t> bytes, Attached attached) const;

  Form form_;
  std::shared_ptr<MemoryBudget> budget_;
  MemoryCharge charge_;
  std::shared_ptr<Inbox> inbox_;
  std::shared_ptr<Inbox> outbox_;  // of a connection: the other end's inbox
  std::weak_ptr<Socket> target_;   // of a datagram socket: its peer
  bool has_target_ = false;
  bool is_listening_ = false;
  bool stopped_sending_ = false, stopped_receiving_ = false;
  std::size_t backlog_ = 0;
  std::deque<SocketRef> pending_;
  enum class Outside : std::uint8_t { none, connecting, connected };  // a stream's connection
  std::unique_ptr<host::InternetSocket> outside_;
  Outside outside_stage_ = Outside::none;
  std::optional<SocketAddress> outside_peer_;  // while it is connecting
  struct Seen {
    Readiness readiness;
    std::uint64_t bytes = 0, changes = 0;
  };
  mutable Seen seen_outside_;  // when activity() was asked last
  host::FileTimes times_;
  std::uint64_t inode_ = 0;
};

}  // namespace hardclock::posix
