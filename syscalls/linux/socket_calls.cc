// The calls for sockets that only Linux has.
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "syscalls/linux/calls.h"
#include "syscalls/linux/time_forms.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/sockets/socket_interface.h"
#include "syscalls/posix/sockets/socket_transfer.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux::calls {
namespace {

using posix::SocketRef;
using posix::TransferFlags;

// The messages of sendmmsg(2) and recvmmsg(2): call(socket, messages, count, ...), of
// struct mmsghdr {struct msghdr msg_hdr; unsigned int msg_len}.
class Batch {
 public:
  // can_split: a message may be moved in part when the call has to wait.
  Batch(Call& call, SocketRef socket, const TransferFlags& flags, bool can_split)
      : call_(call),
        socket_(std::move(socket)),
        count_(std::min<std::uint64_t>(call.argument(2), most)),
        done_(std::min(flags.moved, count_)) {
    if (can_split && done_ != 0) resume_split();
  }

  bool has_next() const { return done_ < count_; }
  bool is_last_whole() const { return bytes_of(done_ - 1) == length_of(done_ - 1); }

  // Moves one message; false: result() says why not.
  bool next(decltype(&posix::send_message) move, TransferFlags flags) {
    flags.moved = std::exchange(moved_, 0);
    const auto error_before = socket_->inbox()->error;
    last_ = move(call_, socket_, message(done_), flags);
    if (last_.kind == CallResult::Kind::value) last_ = store_length(last_.first);
    if (last_.kind == CallResult::Kind::value) {
      ++done_;
      return true;
    }
    // The next call tells of an error that this one hides behind what it has moved.
    const bool is_hidden = done_ != 0 && last_.kind == CallResult::Kind::error;
    if (is_hidden) socket_->inbox()->error = error_before;
    return false;
  }

  // The number of messages, or why there are none. The progress of a wait counts the messages, one
  // that is moved in part among them: it is what the call answers if a signal ends it.
  CallResult result() {
    if (last_.kind != CallResult::Kind::wait) {
      return done_ == 0 ? last_ : CallResult::value(done_);
    }
    const std::uint64_t moved = std::exchange(last_.awaited.progress, done_);
    if (moved == 0) return last_;
    const CallResult stored = store_length(moved);
    if (stored.kind == CallResult::Kind::error) return stored;
    ++last_.awaited.progress;
    return last_;
  }

 private:
  static constexpr std::uint64_t most = 1024;  // UIO_MAXIOV

  std::uint64_t header_bytes() const { return call_.abi().long_bytes() == 8 ? 56 : 28; }
  GuestAddr message(std::uint64_t index) const {
    return call_.address(1) + index * (header_bytes() + call_.abi().long_bytes());
  }
  std::uint64_t bytes_of(std::uint64_t index) const {
    const auto bytes = posix::message_bytes(call_, message(index));
    return bytes ? *bytes : 0;
  }
  std::uint64_t length_of(std::uint64_t index) const {
    const auto bytes = call_.memory.read<std::uint32_t>(message(index) + header_bytes());
    return bytes ? *bytes : 0;
  }
  CallResult store_length(std::uint64_t bytes) {
    return posix::GuestStruct(call_).word(bytes).store(call_, message(done_) + header_bytes());
  }
  void resume_split() {
    const std::uint64_t moved = length_of(done_ - 1);
    if (moved == 0 || moved >= bytes_of(done_ - 1)) return;
    --done_;
    moved_ = moved;
  }

  Call& call_;
  SocketRef socket_;
  std::uint64_t count_;
  std::uint64_t done_;       // messages
  std::uint64_t moved_ = 0;  // bytes of the next one
  CallResult last_ = CallResult::value(0);
};

}  // namespace

// accept4(socket, address, length, flags)
CallResult accept4(Call& call) {
  const std::uint32_t flags = call.argument(3);
  if ((flags & ~posix::type_flags(*call.system.sockets)) != 0) {
    return CallResult::failure(Errno::einval);
  }
  return accept_with(call, flags);
}

// sendmmsg(socket, messages, count, flags)
CallResult sendmmsg(Call& call) {
  const auto socket = posix::socket_at(call);
  if (!socket) return CallResult::failure(socket.error());
  const auto flags = posix::transfer_flags(call, **socket, call.argument(3));
  if (!flags) return CallResult::failure(flags.error());
  Batch batch(call, *socket, *flags, (*socket)->is_stream());
  while (batch.has_next() && batch.next(posix::send_message, *flags) && batch.is_last_whole()) {
  }
  return batch.result();
}

// recvmmsg(socket, messages, count, flags, timeout). The time limit also ends a wait, as it was
// meant to; Linux looks at it only when a message has come (recvmmsg(2), "BUGS").
CallResult receive_messages(Call& call, TimeForm form) {
  constexpr std::uint32_t wait_for_one = 0x10000;  // MSG_WAITFORONE
  const auto limit = read_time(call, 4, form);
  if (!limit) return CallResult::failure(limit.error());
  const auto socket = posix::socket_at(call);
  if (!socket) return CallResult::failure(socket.error());
  auto flags = posix::transfer_flags(call, **socket, call.argument(3) & ~wait_for_one);
  if (!flags) return CallResult::failure(flags.error());
  const VirtualClock& clock = call.simulation().clock();
  std::optional<Deadline> deadline;
  if (*limit) {
    deadline = call.first_deadline(
        posix::calls::deadline_after(call, (*limit)->seconds, (*limit)->nanoseconds));
  }
  // A limit of no time waits for the first message all the same.
  const bool is_zero = *limit && (*limit)->seconds == 0 && (*limit)->nanoseconds == 0;
  const auto is_over = [&] { return deadline && (is_zero || deadline->has_come(clock)); };
  Batch batch(call, *socket, *flags, flags->waits_for_all && (*socket)->is_stream());
  if (is_over() && !is_zero) flags->does_not_wait = true;
  while (batch.has_next() && batch.next(posix::receive_message, *flags) && !is_over()) {
    if ((call.argument(3) & wait_for_one) != 0) flags->does_not_wait = true;
  }
  CallResult result = batch.result();
  if (!deadline || result.kind == CallResult::Kind::error) return result;
  if (result.kind == CallResult::Kind::wait) {
    if (!is_zero) {
      const Deadline other = result.awaited.until.value_or(*deadline);
      result.awaited.until = other.tick < deadline->tick ? other : *deadline;
    }
    return result;
  }
  const std::uint64_t end = posix::time_of(deadline->tick, clock.tick_rate()),
                      now = posix::nanoseconds_of(clock);
  const std::uint64_t left = end > now && !is_zero ? end - now : 0;
  const CallResult told = write_time(call, 4, to_time(left), form);
  return told.kind == CallResult::Kind::error ? told : result;
}

// socketcall(call, arguments): the others by number, with an array of their arguments
// (include/uapi/linux/net.h, SYS_SOCKET and so on; net/socket.c).
CallResult socketcall(Call& call) {
  struct Row {
    posix::Handler handler;
    std::size_t arguments;
  };
  static constexpr std::array<Row, 20> rows = {
      {{socket, 3},      {bind, 3},        {connect, 3},    {listen, 2},     {accept, 3},
       {getsockname, 3}, {getpeername, 3}, {socketpair, 4}, {send, 4},       {recv, 4},
       {sendto, 6},      {recvfrom, 6},    {shutdown, 2},   {setsockopt, 5}, {getsockopt, 5},
       {sendmsg, 3},     {recvmsg, 3},     {accept4, 4},    {recvmmsg, 5},   {sendmmsg, 4}}};
  const std::uint32_t number = call.argument(0);
  if (number == 0 || number > rows.size()) return CallResult::failure(Errno::einval);
  const Row& row = rows[number - 1];
  posix::GuestReader reader(call, call.address(1));
  for (std::size_t i = 0; i < row.arguments; ++i) call.arguments[i] = reader.word_long();
  if (!reader.ok()) return CallResult::failure(Errno::efault);
  return row.handler(call);
}

}  // namespace hardclock::gnu_linux::calls
