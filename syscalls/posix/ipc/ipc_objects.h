// What System V's messages, semaphores and shared memory have in common: identifiers, keys,
// permissions, and calls that wait until another one completes them. Sources: intro(2), msgop(2),
// semop(2), shmop(2) of System V.4; Linux 6.1, ipc/util.c.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "sim/process/wait.h"
#include "syscalls/posix/errno.h"
#include "syscalls/posix/process_state.h"

namespace hardclock::posix {

// The flags of msgget(2), semget(2) and shmget(2), and IPC_PRIVATE; the same everywhere.
inline constexpr std::uint32_t ipc_create = 01000, ipc_exclusive = 02000, ipc_no_wait = 04000;
inline constexpr std::uint32_t ipc_private = 0, ipc_mode_bits = 0777;
inline constexpr std::uint32_t ipc_read = 0444, ipc_write = 0222;

// struct ipc_perm
struct IpcPermission {
  std::uint32_t key = ipc_private;
  std::uint32_t user = 0, group = 0, creator = 0, creator_group = 0;
  std::uint32_t mode = 0;      // the permissions, and of a segment flags above them
  std::uint32_t sequence = 0;  // counts up when a place in the table is used again
  static constexpr std::size_t state_members = 7;

  IpcPermission() = default;
  IpcPermission(const Credentials& of, std::uint32_t its_key, std::uint32_t flags)
      : key(its_key),
        user(of.user.effective),
        group(of.group.effective),
        creator(of.user.effective),
        creator_group(of.group.effective),
        mode(flags & ipc_mode_bits) {}

  // Whether a caller has all the permissions of `wanted`, a mode of which its own class counts.
  bool allows(const Credentials& caller, std::uint32_t wanted) const;
  // Whether the caller may remove the object or change its permissions.
  bool is_of(const Credentials& caller) const;
};

// An object of one kind, which a call that waits for it keeps after its removal.
struct IpcObject {
  virtual ~IpcObject() = default;
  virtual void archive(Archive& to);
  IpcPermission permission;
  std::uint64_t parts = 1;  // a set's semaphores; does not change
  std::uint32_t place = 0;  // in its table
};

// A machine's objects of one kind by identifier: a place and how often such were used again. A
// program may make tens of thousands: nothing here looks at all of them.
template <class Object>
class IpcTable {
 public:
  // Null: there is none.
  std::shared_ptr<Object> find(std::int32_t id, std::uint32_t places) const {
    if (id < 0) return nullptr;
    const auto number = static_cast<std::uint32_t>(id);
    auto object = at(number % places);
    return object != nullptr && object->permission.sequence == number / places ? object : nullptr;
  }
  std::shared_ptr<Object> at(std::uint32_t place) const {
    const auto found = objects_.find(place);
    return found == objects_.end() ? nullptr : found->second;
  }
  std::optional<std::uint32_t> place_of_key(std::uint32_t key) const {
    const auto found = keys_.find(key);
    return found == keys_.end() ? std::nullopt : std::optional(found->second);
  }
  std::uint32_t id(std::uint32_t place, std::uint32_t places) const {
    return at(place)->permission.sequence * places + place;
  }
  // Takes the lowest free place, which there must be. No object has its key, unless that is
  // private.
  std::uint32_t add(std::shared_ptr<Object> object, std::uint32_t places) {
    auto place = static_cast<std::uint32_t>(objects_.size());  // if there is no gap
    if (!gaps_.empty()) place = gaps_.extract(gaps_.begin()).value();
    if (last_ && place <= *last_) sequence_ = (sequence_ + 1) % (0x80000000 / places);
    last_ = place;
    object->permission.sequence = sequence_;
    object->place = place;
    parts_ += object->parts;
    if (object->permission.key != ipc_private) keys_.emplace(object->permission.key, place);
    objects_.emplace(place, std::move(object));
    return place;
  }
  void remove(const Object& object) {
    const std::uint32_t place = object.place;
    if (object.permission.key != ipc_private) keys_.erase(object.permission.key);
    parts_ -= object.parts;
    objects_.erase(place);
    gaps_.insert(place);
  }
  // The key is free, the object stays.
  void make_private(Object& object) {
    if (object.permission.key != ipc_private) keys_.erase(object.permission.key);
    object.permission.key = ipc_private;
  }
  // Of all objects.
  std::uint64_t parts() const { return parts_; }
  const std::map<std::uint32_t, std::shared_ptr<Object>>& all() const { return objects_; }
  void archive(Archive& to) {
    auto& [objects, keys, gaps, of_all, sequence, last] = *this;
    to.state(objects, sequence, last);
    to.saved(keys, gaps, of_all);
  }

 private:
  std::map<std::uint32_t, std::shared_ptr<Object>> objects_;
  std::map<std::uint32_t, std::uint32_t> keys_;  // and their places
  std::set<std::uint32_t> gaps_;  // all free places below the first that was never taken
  std::uint64_t parts_ = 0;
  std::uint32_t sequence_ = 0;
  std::optional<std::uint32_t> last_;
};

// A call that waits for an object. Whoever makes it possible performs it on the waiter's behalf, so
// that nobody overtakes it; the call only fetches the outcome.
struct IpcWaiter : KernelObject {
  void archive(Archive& to) override;
  Blank<KernelObject> blank() const override { return blank_of<IpcWaiter>(); }

  int pid = 0;
  bool is_over = false;
  std::optional<Errno> error;  // of a wait that is over; nothing: it did what was asked for

  void end(std::optional<Errno> with = std::nullopt) {
    is_over = true;
    error = with;
  }
};

// Those who wait for one object, in the order in which they came. One whose wait a signal or its
// time has ended is not there any more: they belong to the waits.
template <class Waiter>
class IpcWaiters {
 public:
  IpcWait add(std::shared_ptr<Waiter> waiter, IpcWait::For what) {
    waiters_.push_back(waiter);
    return {std::move(waiter), what};
  }
  // Calls visit(waiter) for each in turn until it returns true, and returns whether one did.
  template <class Visit>
  bool find(Visit visit) {
    std::erase_if(waiters_, [](const auto& waiter) {
      const auto kept = waiter.lock();
      return kept == nullptr || kept->is_over;
    });
    return std::ranges::any_of(waiters_, [&](const auto& waiter) { return visit(*waiter.lock()); });
  }
  void end_all(Errno error) {
    find([&](Waiter& waiter) {
      waiter.end(error);
      return false;
    });
  }
  // The process ends: what its threads wait for must not be done for them any more.
  void end_all_of(int pid) {
    find([&](Waiter& waiter) {
      if (waiter.pid == pid) waiter.end(Errno::eintr);
      return false;
    });
  }

  void archive(Archive& to) { archive_living(to, waiters_); }

 private:
  std::deque<std::weak_ptr<Waiter>> waiters_;
};

}  // namespace hardclock::posix
