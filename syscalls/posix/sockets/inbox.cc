#include "syscalls/posix/sockets/inbox.h"

#include <algorithm>
#include <utility>

#include "sim/state/archive.h"

namespace hardclock::posix {

bool Inbox::add(SocketMessage message, bool is_stream) {
  const std::size_t size = message.bytes.size();
  // What was received of a message stays until all of it is, so that they may not get long.
  constexpr std::size_t longest_joined = std::size_t{64} << 10;
  const bool continues = is_stream && !messages_.empty() && message.files.files().empty() &&
                         messages_.back().files.files().empty() &&
                         messages_.back().bytes.size() + size <= longest_joined;
  if (!charge_.add(size + (continues ? 0 : message_cost))) return false;
  if (continues) {
    std::vector<std::uint8_t>& last = messages_.back().bytes;
    last.insert(last.end(), message.bytes.begin(), message.bytes.end());
  } else {
    messages_.push_back(std::move(message));
  }
  bytes_ += size;
  ++arrivals;
  return true;
}

void Inbox::drop_first() {
  const SocketMessage& first = messages_.front();
  bytes_ -= first.bytes.size() - first.taken;
  charge_.drop(first.bytes.size() + message_cost);
  messages_.pop_front();
}

Received Inbox::take(std::span<std::uint8_t> into, bool is_stream, bool keeps) {
  Received received;
  std::size_t passed = 0;  // whole messages, of a stream that keeps what it gives
  do {
    SocketMessage& message = messages_[passed];
    const std::size_t left = message.bytes.size() - message.taken;
    const std::size_t count = std::min(into.size() - received.bytes, left);
    std::copy_n(message.bytes.begin() + static_cast<std::ptrdiff_t>(message.taken), count,
                into.begin() + static_cast<std::ptrdiff_t>(received.bytes));
    received.bytes += count;
    received.whole += is_stream ? count : left;
    received.from = message.from;
    received.sender = message.sender;
    received.files = message.files.files();
    const bool is_over = !is_stream || count == left;
    if (keeps) {
      passed += is_over ? 1 : 0;
    } else if (is_over) {
      drop_first();
    } else {
      message.taken += count;
      message.files = {};
      bytes_ -= count;
    }
  } while (is_stream && received.bytes < into.size() && received.files.empty() &&
           passed < messages_.size() && messages_[passed].files.files().empty());
  if (!keeps) {
    ++departures;
    position_ += received.bytes;
    has_mark_ = has_mark_ && position_ <= mark_;
  }
  return received;
}

void Inbox::pass_mark() {
  std::uint8_t passed = 0;
  if (passes_over_first()) take({&passed, 1}, true, false);
}

void Inbox::mark_urgent() {
  const SocketMessage& last = messages_.back();
  if (bytes_ > 1) pass_mark();
  urgent_ = last.bytes.back();
  mark_ = position_ + bytes_ - 1;
  has_mark_ = true;
  urgent_is_taken_ = false;
  ++arrivals;
}

std::optional<std::uint8_t> Inbox::take_urgent(bool keeps) {
  if (!has_urgent() || keeps_urgent_inline) return std::nullopt;
  urgent_is_taken_ = !keeps;
  return urgent_;
}

std::uint64_t Inbox::bytes_to_mark() const {
  return has_mark_ && !keeps_urgent_inline ? mark_ - position_ : bytes_;
}

Received Inbox::take_to_mark(std::span<std::uint8_t> into, bool keeps) {
  if (!keeps) pass_mark();
  if (passes_over_first()) {
    std::vector<std::uint8_t> with_urgent(into.size() + 1);
    Received received = take(with_urgent, true, true);
    received.whole = --received.bytes;
    std::copy_n(with_urgent.begin() + 1, received.bytes, into.begin());
    return received;
  }
  const bool stops = has_mark_ && !is_at_mark() && mark_ - position_ < into.size();
  return take(stops ? into.first(mark_ - position_) : into, true, keeps);
}

void Inbox::clear() {
  while (!messages_.empty()) drop_first();
}

void FilesInFlight::archive(Archive& to) {
  auto& [sent, count] = *this;
  to.state(sent);
  to.kept(count);
}

void Inbox::archive(Archive& to) {
  auto& [is_inline, signalled, most, ended, closed, reset, failure, came, left, messages, taken,
         marked, mark, urgent, took_urgent, held, charge] = *this;
  to.state(is_inline, signalled, most, ended, closed, reset, failure, came, left, messages, taken,
           marked, mark, urgent, took_urgent, held, charge);
}

}  // namespace hardclock::posix
