// Record locks by POSIX.1 fcntl(), against a model that keeps every byte's locks by themselves.
#include "syscalls/posix/files/record_locks.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace hardclock::posix {
namespace {

constexpr host::HostIdentity file{1, 2}, other_file{1, 3};

TEST(RecordLocks, SharedLocksGoTogetherAndExclusiveOnesDoNot) {
  RecordLocks locks;
  locks.set(file, {.owner = 1, .exclusive = false, .start = 10, .end = 20});
  const RecordLock shared{.owner = 2, .exclusive = false, .start = 15, .end = 16};
  const RecordLock exclusive{.owner = 2, .exclusive = true, .start = 15, .end = 16};
  EXPECT_FALSE(locks.conflict(file, shared).has_value());
  EXPECT_TRUE(locks.conflict(file, exclusive).has_value());
  EXPECT_FALSE(locks.conflict(other_file, exclusive).has_value());
  const RecordLock behind{.owner = 2, .exclusive = true, .start = 20};
  EXPECT_FALSE(locks.conflict(file, behind).has_value()) << "the end is not locked";
}

TEST(RecordLocks, TheFirstLockInTheWayIsReported) {
  RecordLocks locks;
  const RecordLock late{.owner = 1, .exclusive = true, .start = 50, .end = 60};
  const RecordLock early{.owner = 3, .exclusive = true, .start = 5, .end = 6};
  locks.set(file, late);
  locks.set(file, early);
  EXPECT_EQ(locks.conflict(file, {.owner = 2}), early);
  locks.release(file, 3);
  EXPECT_EQ(locks.conflict(file, {.owner = 2}), late);
}

// Adjacent and overlapping locks of one kind are one: F_GETLK reports the whole of it.
TEST(RecordLocks, NeighboursJoinAndUnlockingSplits) {
  RecordLocks locks;
  locks.set(file, {.owner = 1, .exclusive = true, .start = 0, .end = 10});
  locks.set(file, {.owner = 1, .exclusive = true, .start = 10, .end = 20});
  const RecordLock whole{.owner = 1, .exclusive = true, .start = 0, .end = 20};
  EXPECT_EQ(locks.conflict(file, {.owner = 2}), whole);
  locks.clear(file, {.owner = 1, .start = 5, .end = 15});
  const RecordLock rest{.owner = 1, .exclusive = true, .start = 15, .end = 20};
  EXPECT_EQ(locks.conflict(file, {.owner = 2, .start = 5}), rest);
}

// "The number of locked regions in the system would exceed a system-imposed limit" (POSIX.1,
// fcntl(), ENOLCK).
TEST(RecordLocks, HaveALimit) {
  RecordLocks locks;
  std::uint64_t count = 0;
  const auto lock = [](std::uint64_t at, std::uint64_t size) {
    return RecordLock{.owner = 1, .exclusive = true, .start = at, .end = at + size};
  };
  while (locks.set(file, lock(4 * count, 3))) ++count;
  EXPECT_GE(count, RecordLocks::most - 2);
  EXPECT_LE(count, RecordLocks::most);
  EXPECT_FALSE(locks.conflict(file, {.owner = 2, .start = 4 * count}).has_value());
  while (locks.clear(file, lock(4 * --count + 1, 1))) continue;
  EXPECT_TRUE(locks.conflict(file, {.owner = 2, .start = 4 * count + 1}).has_value());
  EXPECT_TRUE(locks.clear(file, lock(4 * count, 3))) << "nothing becomes two";
  locks.release(file, 1);
  EXPECT_FALSE(locks.conflict(file, {.owner = 2, .exclusive = true}).has_value());
  EXPECT_TRUE(locks.set(file, lock(0, 1)));
}

// What each process has on each of a few bytes. The last one stands for all that follow it: only
// locks without an end reach it.
struct Model {
  static constexpr unsigned bytes = 40, owners = 3;
  static constexpr unsigned longest = 8;
  enum Held : char { none, shared, exclusive };
  std::array<std::array<Held, bytes>, owners> held{};

  bool conflicts(const RecordLock& wanted) const {
    for (unsigned owner = 0; owner < owners; ++owner) {
      if (static_cast<int>(owner) == wanted.owner) continue;
      for (std::uint64_t at = wanted.start; at < std::min<std::uint64_t>(wanted.end, bytes); ++at) {
        if (held[owner][at] == exclusive || (held[owner][at] == shared && wanted.exclusive)) {
          return true;
        }
      }
    }
    return false;
  }
  void put(const RecordLock& range, Held what) {
    for (std::uint64_t at = range.start; at < std::min<std::uint64_t>(range.end, bytes); ++at) {
      held[static_cast<std::size_t>(range.owner)][at] = what;
    }
  }
};

TEST(RecordLocks, AgreesWithTheByteModel) {
  std::mt19937 random(1);
  const auto below = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
  RecordLocks locks;
  Model model;
  unsigned granted = 0, refused = 0;
  for (int step = 0; step < 20000; ++step) {
    RecordLock lock{.owner = static_cast<int>(below(Model::owners)), .exclusive = below(2) == 1};
    lock.start = below(Model::bytes - Model::longest - 1);
    if (below(5) != 0) lock.end = lock.start + 1 + below(Model::longest);
    if (below(3) == 0) {
      locks.clear(file, lock);
      model.put(lock, Model::none);
      continue;
    }
    const bool conflicts = model.conflicts(lock);
    ASSERT_EQ(locks.conflict(file, lock).has_value(), conflicts) << "step " << step;
    ++(conflicts ? refused : granted);
    if (conflicts) continue;
    locks.set(file, lock);
    model.put(lock, lock.exclusive ? Model::exclusive : Model::shared);
  }
  EXPECT_GT(granted, 1000u);
  EXPECT_GT(refused, 1000u);
}

}  // namespace
}  // namespace hardclock::posix
