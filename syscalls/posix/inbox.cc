#include "syscalls/posix/inbox.h"

#include <algorithm>
#include <iterator>
#include <utility>

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
  if (!keeps) ++departures;
  return received;
}

void Inbox::clear() {
  while (!messages_.empty()) drop_first();
}

}  // namespace hardclock::posix
