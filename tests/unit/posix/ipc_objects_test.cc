// Who waits for System V's semaphores and messages, and who is served: semop(2) and msgop(2) of
// Linux, ipc/sem.c and ipc/msg.c.
#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <random>

#include "sim/state/digest.h"
#include "syscalls/posix/ipc/ipc.h"

namespace hardclock::posix {
namespace {

constexpr std::uint64_t now = 1000;

const IpcWaiter& waiter_of(const IpcWait& event) {
  return static_cast<const IpcWaiter&>(*event.waiter);
}

class IpcObjects : public ::testing::Test {
 protected:
  std::shared_ptr<MemoryBudget> budget = std::make_shared<MemoryBudget>(1 << 20);
  SemaphoreSet set{IpcPermission(), 2, {.value = 32767, .adjustment = 16384}, now, budget};
  MessageTotal total{.count = 0, .most = 100};
  MessageQueue queue{IpcPermission(), 10, now, budget, total};

  // The wait for one operation, which cannot be done yet.
  IpcWait wait(int pid, const SemaphoreOperation& operation) {
    const auto blocked = set.operate(std::span(&operation, 1), {pid}, now);
    EXPECT_TRUE(blocked && *blocked);
    auto waiter = std::make_shared<SemaphoreWaiter>();
    waiter->operations = {operation};
    waiter->pid = pid;
    waiter->blocked = operation;
    return set.wait(std::move(waiter));
  }
  void operate(int pid, const SemaphoreOperation& operation) {
    const auto blocked = set.operate(std::span(&operation, 1), {pid}, now);
    EXPECT_TRUE(blocked && !*blocked);
  }
  std::int32_t value(std::size_t number) const { return set.semaphores()[number].value; }
  IpcWait receive(int pid, std::int64_t type, std::uint64_t most) {
    auto receiver = std::make_shared<MessageReceiver>();
    receiver->wanted = {.type = type, .most = most};
    receiver->pid = pid;
    return queue.wait_to_receive(std::move(receiver));
  }
};

TEST_F(IpcObjects, TheFirstThatCanGoOnDoesAndNobodyOvertakesIt) {
  const auto two = wait(1, {.number = 0, .change = -2});
  const auto one = wait(2, {.number = 0, .change = -1});
  const auto last = wait(3, {.number = 0, .change = -1});
  EXPECT_EQ(set.waiting_for_rise(0), 3u);
  operate(4, {.number = 0, .change = 1});
  EXPECT_FALSE(waiter_of(two).is_over);
  EXPECT_TRUE(waiter_of(one).is_over);
  EXPECT_FALSE(waiter_of(last).is_over);
  EXPECT_EQ(value(0), 0) << "the waiter has it";
  EXPECT_EQ(set.semaphores()[0].last_pid, 2);
}

TEST_F(IpcObjects, AWaitThatHasEndedOtherwiseTakesNothing) {
  auto given_up = wait(1, {.number = 0, .change = -1});
  given_up.waiter = nullptr;
  operate(2, {.number = 0, .change = 1});
  EXPECT_EQ(value(0), 1);
  EXPECT_EQ(set.waiting_for_rise(0), 0u);
}

TEST_F(IpcObjects, AProcessThatEndsServesOthersNotItself) {
  operate(1, {.number = 0, .change = 1});
  operate(1, {.number = 0, .change = -1, .undo = true});
  const auto own = wait(1, {.number = 0, .change = -1});
  const auto other = wait(2, {.number = 0, .change = -1});
  set.end_process(1, now);
  EXPECT_TRUE(waiter_of(other).is_over);
  EXPECT_EQ(waiter_of(other).error, std::nullopt);
  EXPECT_EQ(waiter_of(own).error, Errno::eintr);
  EXPECT_EQ(value(0), 0);
}

TEST_F(IpcObjects, AReceiverWithTooLittleRoomIsToldAndTheNextOneServed) {
  const auto of_other_type = receive(1, 5, 10);
  const auto small = receive(2, 0, 2);
  const auto large = receive(3, 0, 10);
  EXPECT_EQ(queue.send({.type = 1, .text = {1, 2, 3}}, 4, now), std::nullopt);
  EXPECT_FALSE(waiter_of(of_other_type).is_over);
  EXPECT_EQ(waiter_of(small).error, Errno::e2big);
  EXPECT_TRUE(waiter_of(large).is_over);
  EXPECT_EQ(queue.status().count, 0u);
  EXPECT_EQ(queue.status().last_receiver, 3u);
}

TEST_F(IpcObjects, TheMessagesOfAllQueuesHaveALimit) {
  total.most = 1;
  EXPECT_EQ(queue.send({.type = 1, .text = {}}, 4, now), std::nullopt);
  EXPECT_FALSE(queue.has_room(0));
  auto sender = std::make_shared<MessageSender>();
  sender->message = {.type = 2, .text = {7}};
  const auto waits = queue.wait_to_send(std::move(sender));
  EXPECT_TRUE(queue.receive({.type = 1, .most = 1}, 5, now));
  queue.admit_senders(now);
  EXPECT_TRUE(waiter_of(waits).is_over);
  EXPECT_EQ(queue.status().bytes, 1u);
}

TEST_F(IpcObjects, WhatTheyHaveAndWhoWaitsIsState) {
  const StateDigest of_set = digest_of(set), of_queue = digest_of(queue);
  auto one = wait(1, {.number = 0, .change = -1});
  const StateDigest with_one = digest_of(set);
  EXPECT_NE(with_one, of_set);
  auto receiver = receive(1, 5, 10);
  EXPECT_NE(digest_of(queue), of_queue);
  operate(2, {.number = 1, .change = 1});
  EXPECT_NE(digest_of(set), with_one);
  receiver.waiter = nullptr;
  EXPECT_EQ(digest_of(queue), of_queue) << "it waits no more";
  EXPECT_EQ(queue.send({.type = 1, .text = {1}}, 4, now), std::nullopt);
  EXPECT_NE(digest_of(queue), of_queue);
}

TEST_F(IpcObjects, AnIdentifierThatIsUsedAgainIsAnotherOne) {
  IpcTable<IpcObject> table;
  const auto make = [] { return std::make_shared<IpcObject>(); };
  const auto first = make();
  EXPECT_EQ(table.id(table.add(first, 50), 50), 0u);
  table.remove(*first);
  EXPECT_EQ(table.id(table.add(make(), 50), 50), 50u);
  EXPECT_EQ(table.find(0, 50), nullptr);
  EXPECT_NE(table.find(50, 50), nullptr);
  EXPECT_EQ(table.find(-1, 50), nullptr);
}

// Against a table that looks at every object: the lowest place (Linux, ipc/util.c, idr_alloc()),
// the place of each key, the sum of the semaphores.
TEST_F(IpcObjects, TheTableFindsWhatASearchOfAllFinds) {
  constexpr std::uint32_t places = 40;
  IpcTable<IpcObject> table;
  std::map<std::uint32_t, std::shared_ptr<IpcObject>> all;
  std::mt19937 random(1);
  for (int step = 0; step < 4000; ++step) {
    const std::uint32_t key = random() % 8;  // 0 is private
    if (random() % 2 == 0 && all.size() < places && (key == 0 || !table.place_of_key(key))) {
      auto object = std::make_shared<IpcObject>();
      object->permission.key = key;
      object->parts = random() % 5;
      std::uint32_t lowest = 0;
      while (all.contains(lowest)) ++lowest;
      ASSERT_EQ(table.add(object, places), lowest);
      all.emplace(lowest, object);
    } else if (!all.empty()) {
      const auto some = std::next(all.begin(), static_cast<std::ptrdiff_t>(random() % all.size()));
      if (random() % 4 == 0) {
        table.make_private(*some->second);
      } else {
        table.remove(*some->second);
        all.erase(some);
      }
    }
    ASSERT_EQ(table.all(), all);
    std::uint64_t parts = 0;
    std::map<std::uint32_t, std::uint32_t> keys;
    for (const auto& [place, object] : all) {
      parts += object->parts;
      if (object->permission.key != ipc_private) keys[object->permission.key] = place;
    }
    ASSERT_EQ(table.parts(), parts);
    for (std::uint32_t wanted = 1; wanted < 8; ++wanted) {
      const auto found = keys.find(wanted);
      ASSERT_EQ(table.place_of_key(wanted),
                found == keys.end() ? std::nullopt : std::optional(found->second));
    }
  }
}

// ---- Segments.

// shmctl(2): shm_nattch is the number of current attaches.
TEST(SharedSegments, CountTheRegionsThatShowThemAndNoPointerOfTheHost) {
  const auto budget = std::make_shared<MemoryBudget>(1 << 20);
  AddressSpace memory(budget, Endian::big, GuestAddr(0x8000'0000));
  SharedSegment segment(IpcPermission(), page_size, 100, now);
  const std::shared_ptr<SharedPages> kept = segment.pages();
  EXPECT_EQ(segment.status().attachments, 0U);
  const Permissions rw{.read = true, .write = true};
  for (const std::uint64_t place : {0x2000, 0x4000}) {
    ASSERT_TRUE(memory.map_object(GuestAddr(place), page_size, rw, "[shm]", {kept, nullptr, 0}));
  }
  EXPECT_EQ(segment.status().attachments, 2U);
  segment.let_go();
  EXPECT_EQ(segment.status().attachments, 2U);
  EXPECT_FALSE(segment.is_gone());
  for (const std::uint64_t place : {0x2000, 0x4000}) {
    ASSERT_TRUE(memory.unmap(GuestAddr(place), page_size));
  }
  EXPECT_EQ(segment.status().attachments, 0U);
  EXPECT_TRUE(segment.is_gone());
}

}  // namespace
}  // namespace hardclock::posix
