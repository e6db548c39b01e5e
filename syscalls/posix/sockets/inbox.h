// What has arrived at a socket and waits to be received: bytes of a stream, or messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/memory/page.h"
#include "syscalls/host/error.h"
#include "syscalls/posix/files/file_owner.h"
#include "syscalls/posix/files/open_file.h"

namespace hardclock::posix {

enum class SocketFamily : std::uint8_t { local, internet };  // AF_UNIX, AF_INET

// Where a socket can be found, in a form that belongs to no system.
struct SocketAddress {
  SocketFamily family = SocketFamily::local;
  // Of a local one: the path as its program gave it, or a name that begins with NUL and is none of
  // a file. Empty: it has no name.
  std::string name;
  std::uint32_t host = 0;  // of an internet one, as a number: 127.0.0.1 is 0x7f000001
  std::uint16_t port = 0;
  friend bool operator==(const SocketAddress&, const SocketAddress&) = default;
  static constexpr std::size_t state_members = 4;
};

inline constexpr std::uint32_t loopback_host = 0x7f000001;  // 127.0.0.1
inline constexpr std::uint32_t any_host = 0;                // 0.0.0.0

// Who has a socket: SO_PEERCRED.
struct SocketOwner {
  std::int32_t pid = 0;
  std::uint32_t user = 0;
  std::uint32_t group = 0;
  static constexpr std::size_t state_members = 3;
};

// Open files on their way from one process to another. They count while they are.
class FilesInFlight {
 public:
  FilesInFlight() = default;
  FilesInFlight(std::vector<std::shared_ptr<OpenFile>> files, std::shared_ptr<std::uint64_t> count)
      : files_(std::move(files)), count_(std::move(count)) {
    *count_ += files_.size();
  }
  FilesInFlight(FilesInFlight&& other) noexcept { swap(other); }
  FilesInFlight& operator=(FilesInFlight&& other) noexcept {
    swap(other);
    return *this;
  }
  ~FilesInFlight() {
    if (count_ != nullptr) *count_ -= files_.size();
  }
  const std::vector<std::shared_ptr<OpenFile>>& files() const { return files_; }
  void archive(Archive& to);

 private:
  void swap(FilesInFlight& other) noexcept {
    std::swap(files_, other.files_);
    std::swap(count_, other.count_);
  }

  std::vector<std::shared_ptr<OpenFile>> files_;
  std::shared_ptr<std::uint64_t> count_;
};

// One sending.
struct SocketMessage {
  std::vector<std::uint8_t> bytes;
  std::size_t taken = 0;  // of a stream's: how many were received already
  SocketAddress from;     // of the sender
  SocketOwner sender;
  FilesInFlight files;
  static constexpr std::size_t state_members = 5;
};

struct Received {
  std::size_t bytes = 0;  // stored
  std::size_t whole = 0;  // of the message: more than were stored if it was cut
  SocketAddress from;
  SocketOwner sender;
  std::vector<std::shared_ptr<OpenFile>> files;
};

class Inbox {
 public:
  // Linux's default of a receive buffer (net/core/sock.c, sysctl_rmem_default).
  static constexpr std::size_t default_capacity = 212992;  // bytes
  // Datagrams of a local socket (net/unix/sysctl_net_unix.c).
  static constexpr std::size_t most_local_messages = 11;
  static constexpr std::size_t most_messages = 512;

  explicit Inbox(std::shared_ptr<MemoryBudget> budget) : charge_(std::move(budget)) {}
  explicit Inbox(Archive& from) : charge_(from) {}

  bool empty() const { return messages_.empty(); }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t first_message_bytes() const {
    return messages_.empty() ? 0 : messages_.front().bytes.size() - messages_.front().taken;
  }
  // Room for more, in bytes.
  std::size_t room() const { return bytes_ < capacity ? capacity - bytes_ : 0; }
  std::size_t message_count() const { return messages_.size(); }
  // Adds a message, or to a stream; false: there is no memory for it.
  bool add(SocketMessage message, bool is_stream);
  // From the first message, or, of a stream, from as many as fill `into` and bring no files. What
  // is kept stays. There must be a message.
  Received take(std::span<std::uint8_t> into, bool is_stream, bool keeps);
  void clear();

  // ---- A stream's urgent byte (tcp(7); net/ipv4/tcp_input.c, tcp_check_urg()). It has its place
  // among the others, the mark, at which reading stops and which it passes over.
  // The byte that arrived last is urgent. An older one that nobody has come to is one like others.
  void mark_urgent();
  bool is_at_mark() const { return has_mark_ && mark_ == position_; }
  // Nobody has asked for it yet.
  bool has_urgent() const { return has_mark_ && !urgent_is_taken_; }
  // nullopt: there is none, or it comes with the others.
  std::optional<std::uint8_t> take_urgent(bool keeps);
  // What the next takes give: all but an urgent byte that is first; what the next one gives at
  // most.
  std::uint64_t ordinary_bytes() const { return bytes_ - (passes_over_first() ? 1 : 0); }
  std::uint64_t bytes_to_mark() const;
  // take() of a stream's ordinary bytes, of which there must be one.
  Received take_to_mark(std::span<std::uint8_t> into, bool keeps);
  // Who receives has come to the mark, and leaves it behind.
  void pass_mark();

  void archive(Archive& to);

  bool keeps_urgent_inline = false;  // SO_OOBINLINE: it comes with the others
  FileOwner owner;                   // of the socket whose inbox it is
  std::size_t capacity = default_capacity;
  bool is_ended = false;             // nobody will write more
  bool is_closed = false;            // nobody will read
  bool is_reset = false;             // the other end broke the connection
  std::optional<host::Error> error;  // what the next call answers: SO_ERROR
  std::uint64_t arrivals = 0;        // how often there was news for who receives
  std::uint64_t departures = 0;      // how often there was news for who sends

 private:
  // Beside its bytes, a message costs this.
  static constexpr std::uint64_t message_cost = 256;

  void drop_first();
  bool passes_over_first() const { return is_at_mark() && !keeps_urgent_inline; }

  std::deque<SocketMessage> messages_;
  std::uint64_t position_ = 0;  // bytes that were ever taken of the stream
  bool has_mark_ = false;
  std::uint64_t mark_ = 0;  // the urgent byte's place, as position_ counts
  std::uint8_t urgent_ = 0;
  bool urgent_is_taken_ = false;
  std::uint64_t bytes_ = 0;
  MemoryCharge charge_;
};

}  // namespace hardclock::posix
