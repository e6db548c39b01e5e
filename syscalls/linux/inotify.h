// The file of inotify(7).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "sim/base/endian.h"
#include "sim/base/result.h"
#include "sim/memory/page.h"
#include "syscalls/host/file_events.h"
#include "syscalls/linux/epoll.h"

namespace hardclock::gnu_linux {

// What guests do with the files that it watches, until somebody reads it.
class Inotify final : public AnonymousFile, private host::FileWatcher {
 public:
  // include/uapi/linux/inotify.h: IN_ALL_EVENTS, IN_UNMOUNT and so on. The events are the bits of
  // host::FileEvent::Kind, in its order.
  static constexpr std::uint32_t all_events = 0xfff, unmount = 0x2000, overflow = 0x4000,
                                 ignored = 0x8000, only_directory = 1 << 24, no_follow = 1 << 25,
                                 not_unlinked = 1 << 26, mask_create = 1 << 28, mask_add = 1 << 29,
                                 is_directory = 1 << 30, once = 1u << 31;

  Inotify(std::shared_ptr<host::FileRecords> records, std::shared_ptr<MemoryBudget> budget,
          Endian endian);
  ~Inotify() override;

  // The number of the watch. EEXIST: there is one, and the mask says that it must be new; ENOSPC:
  // the guests have no memory left for it.
  Result<int, posix::Errno> add(const host::HostIdentity& file, std::uint32_t mask);
  // False: there is none of this number.
  bool remove(int watch);

  // As many events as have room; invalid if there is none for the first one.
  posix::Transfer read(std::span<std::uint8_t> bytes) override;
  posix::Transfer write(std::span<const std::uint8_t>) override {
    return Failure{host::Error::bad_descriptor};
  }
  bool readable(const Thread* /*asker*/) const override { return !events_.empty(); }
  bool writable(std::size_t) const override { return false; }
  std::uint64_t activity(const Thread* /*asker*/) const override { return events_so_far_; }
  host::OpenRights rights() const override { return {.read = true}; }
  host::HostResult<std::uint64_t> available() override;
  void archive(Archive& to) override;

 private:
  struct Watch {
    int number = 0;
    std::uint32_t mask = 0;
  };
  using Watches = std::map<host::HostIdentity, Watch>;
  struct Event {
    int watch = -1;
    std::uint32_t mask = 0;
    std::uint32_t cookie = 0;
    std::string name = {};
    static constexpr std::size_t state_members = 4;
  };

  void hear(const host::FileEvent& event) override;
  void report(const host::HostIdentity& to, const host::FileEvent& event, std::string_view name);
  void drop(Watches::iterator watch);
  void queue(Event event);
  void queue_overflow();
  static std::size_t size_of(const Event& event);
  static std::uint64_t cost_of(const Event& event) { return event_cost + event.name.size(); }

  // /proc/sys/fs/inotify/max_queued_events, as Linux sets it.
  static constexpr std::size_t most_events = 16384;
  static constexpr std::uint64_t watch_cost = 128, event_cost = 64;  // bytes

  std::shared_ptr<host::FileRecords> records_;
  MemoryCharge charge_;
  Endian endian_;
  Watches watches_;
  int last_ = 0;  // numbers are not used again
  std::deque<Event> events_;
  bool has_overflow_ = false;  // among the events
  std::uint64_t events_so_far_ = 0;
};

}  // namespace hardclock::gnu_linux
