// Queues of System V's messages. Source: msgop(2) of System V.4 and of Linux.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "sim/memory/page.h"
#include "syscalls/posix/ipc/ipc_objects.h"

namespace hardclock::posix {

struct Message {
  std::int64_t type = 0;  // above 0
  std::vector<std::uint8_t> text;
  static constexpr std::size_t state_members = 2;
};

// Which message msgrcv(2) takes: the first of all (type 0), of the type, of another one than the
// type, or of the lowest type that is at most -`type`.
struct MessageWanted {
  std::int64_t type = 0;
  bool other_type = false;                  // Linux's MSG_EXCEPT
  std::uint64_t most = 0;                   // bytes of the text
  bool cuts = false;                        // a longer text loses its end; else it is E2BIG
  std::optional<std::uint64_t> place = {};  // Linux's MSG_COPY: the message at this place

  static constexpr std::size_t state_members = 5;

  bool matches(const Message& message) const;
};

struct MessageSender : IpcWaiter {
  void archive(Archive& to) override;
  Blank<KernelObject> blank() const override { return blank_of<MessageSender>(); }

  Message message;
};

struct MessageReceiver : IpcWaiter {
  void archive(Archive& to) override;
  Blank<KernelObject> blank() const override { return blank_of<MessageReceiver>(); }

  MessageWanted wanted;
  Message message;  // when it is over
};

// What IPC_STAT tells; times are in seconds since 1970.
struct QueueStatus {
  IpcPermission permission;
  std::uint64_t bytes = 0, count = 0, limit = 0;  // limit: the most bytes
  std::uint64_t last_sender = 0, last_receiver = 0;
  std::uint64_t sent = 0, received = 0, changed = 0;
  static constexpr std::size_t state_members = 9;
};

// The messages in all queues.
struct MessageTotal {
  std::uint64_t count = 0, most = 0;
  static constexpr std::size_t state_members = 2;
};

class MessageQueue final : public IpcObject {
 public:
  // Texts are charged to the budget. `total` outlives the queue.
  MessageQueue(const IpcPermission& its, std::uint64_t limit, std::uint64_t now,
               std::shared_ptr<MemoryBudget> budget, MessageTotal& total);
  explicit MessageQueue(Archive& from) : charge_(from), total_(from.provided<MessageTotal>()) {}
  ~MessageQueue() override { total_.count -= messages_.size(); }
  MessageQueue(const MessageQueue&) = delete;
  MessageQueue& operator=(const MessageQueue&) = delete;

  QueueStatus status() const;
  std::uint64_t bytes() const { return bytes_; }
  // Then, and when a message has gone, those who wait to send may have room.
  void set_limit(std::uint64_t limit, std::uint64_t now);

  bool has_room(std::uint64_t bytes) const;
  // Puts the message in the queue, or gives it to one who waits for it. There must be room. ENOMEM.
  std::optional<Errno> send(Message message, int pid, std::uint64_t now);
  IpcWait wait_to_send(std::shared_ptr<MessageSender> sender);
  // Sends for those who wait, as far as there is room now.
  void admit_senders(std::uint64_t now);
  // Nothing: there is none like it. E2BIG, ENOMSG (of `place`).
  Result<std::optional<Message>, Errno> receive(const MessageWanted& wanted, int pid,
                                                std::uint64_t now);
  IpcWait wait_to_receive(std::shared_ptr<MessageReceiver> receiver);
  // Nobody waits for it any more: EIDRM.
  void end();
  void end_process(int pid);
  void archive(Archive& to) override;

 private:
  std::deque<Message>::iterator find(const MessageWanted& wanted);
  bool deliver(Message& message, int pid, std::uint64_t now);

  std::deque<Message> messages_;
  std::uint64_t bytes_ = 0;
  QueueStatus status_;  // but for the counts
  MemoryCharge charge_;
  MessageTotal& total_;
  IpcWaiters<MessageSender> senders_;
  IpcWaiters<MessageReceiver> receivers_;
};

}  // namespace hardclock::posix
