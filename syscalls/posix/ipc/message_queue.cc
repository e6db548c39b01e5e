#include "syscalls/posix/ipc/message_queue.h"

#include <algorithm>
#include <utility>

#include "sim/state/archive.h"

namespace hardclock::posix {
namespace {

// What the host needs for a message beside its text.
constexpr std::uint64_t header_bytes = sizeof(Message) + 16;

}  // namespace

bool MessageWanted::matches(const Message& message) const {
  if (type == 0) return true;
  if (type > 0) return (message.type == type) != other_type;
  return -message.type >= type;
}

MessageQueue::MessageQueue(const IpcPermission& its, std::uint64_t limit, std::uint64_t now,
                           std::shared_ptr<MemoryBudget> budget, MessageTotal& total)
    : charge_(std::move(budget)), total_(total) {
  permission = its;
  status_.limit = limit;
  status_.changed = now;
  charge_.add_anyway(sizeof *this);
}

QueueStatus MessageQueue::status() const {
  QueueStatus status = status_;
  status.permission = permission;
  status.bytes = bytes_;
  status.count = messages_.size();
  return status;
}

void MessageQueue::set_limit(std::uint64_t limit, std::uint64_t now) {
  status_.limit = limit;
  status_.changed = now;
}

// A queue takes at most as many messages as it takes bytes, so that empty ones have an end, too
// (Linux, ipc/msg.c, msg_fits_inqueue()).
bool MessageQueue::has_room(std::uint64_t bytes) const {
  return bytes + bytes_ <= status_.limit && messages_.size() < status_.limit &&
         total_.count < total_.most;
}

// A receiver whose buffer is too small for the message is told so, and the next one is asked.
bool MessageQueue::deliver(Message& message, int pid, std::uint64_t now) {
  return receivers_.find([&](MessageReceiver& receiver) {
    if (!receiver.wanted.matches(message)) return false;
    if (message.text.size() > receiver.wanted.most && !receiver.wanted.cuts) {
      receiver.end(Errno::e2big);
      return false;
    }
    receiver.message = std::move(message);
    receiver.end();
    status_.last_sender = static_cast<std::uint64_t>(pid);
    status_.last_receiver = static_cast<std::uint64_t>(receiver.pid);
    status_.sent = status_.received = now;
    return true;
  });
}

std::optional<Errno> MessageQueue::send(Message message, int pid, std::uint64_t now) {
  if (deliver(message, pid, now)) return std::nullopt;
  if (!charge_.add(header_bytes + message.text.size())) return Errno::enomem;
  bytes_ += message.text.size();
  messages_.push_back(std::move(message));
  ++total_.count;
  status_.last_sender = static_cast<std::uint64_t>(pid);
  status_.sent = now;
  return std::nullopt;
}

IpcWait MessageQueue::wait_to_send(std::shared_ptr<MessageSender> sender) {
  senders_.find([](const auto&) { return false; });  // forgets those that have ended
  return senders_.add(std::move(sender), IpcWait::For::room);
}

void MessageQueue::admit_senders(std::uint64_t now) {
  senders_.find([&](MessageSender& sender) {
    if (!has_room(sender.message.text.size())) return false;
    sender.end(send(std::move(sender.message), sender.pid, now));
    return false;
  });
}

std::deque<Message>::iterator MessageQueue::find(const MessageWanted& wanted) {
  if (wanted.place) {
    return *wanted.place < messages_.size()
               ? messages_.begin() + static_cast<std::ptrdiff_t>(*wanted.place)
               : messages_.end();
  }
  const auto matches = [&](const Message& message) { return wanted.matches(message); };
  if (wanted.type >= 0) return std::ranges::find_if(messages_, matches);
  auto lowest = messages_.end();
  for (auto at = messages_.begin(); at != messages_.end(); ++at) {
    if (matches(*at) && (lowest == messages_.end() || at->type < lowest->type)) lowest = at;
  }
  return lowest;
}

Result<std::optional<Message>, Errno> MessageQueue::receive(const MessageWanted& wanted, int pid,
                                                            std::uint64_t now) {
  const auto found = find(wanted);
  if (found == messages_.end()) {
    if (wanted.place) return Failure{Errno::enomsg};
    return std::optional<Message>();
  }
  if (found->text.size() > wanted.most && !wanted.cuts) return Failure{Errno::e2big};
  if (wanted.place) return std::optional(*found);
  Message message = std::move(*found);
  messages_.erase(found);
  --total_.count;
  bytes_ -= message.text.size();
  charge_.drop(header_bytes + message.text.size());
  status_.last_receiver = static_cast<std::uint64_t>(pid);
  status_.received = now;
  return std::optional(std::move(message));
}

IpcWait MessageQueue::wait_to_receive(std::shared_ptr<MessageReceiver> receiver) {
  receivers_.find([](const auto&) { return false; });  // forgets those that have ended
  return receivers_.add(std::move(receiver), IpcWait::For::message);
}

void MessageQueue::end_process(int pid) {
  senders_.end_all_of(pid);
  receivers_.end_all_of(pid);
}

void MessageQueue::end() {
  senders_.end_all(Errno::eidrm);
  receivers_.end_all(Errno::eidrm);
}

void MessageSender::archive(Archive& to) {
  IpcWaiter::archive(to);
  to.state(message);
}

void MessageReceiver::archive(Archive& to) {
  IpcWaiter::archive(to);
  to.state(wanted, message);
}

void MessageQueue::archive(Archive& to) {
  IpcObject::archive(to);
  to.state(messages_, bytes_, status_, senders_, receivers_, charge_);
  to.wiring(total_);
}

}  // namespace hardclock::posix
