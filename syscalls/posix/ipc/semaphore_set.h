// Sets of System V's semaphores. Source: semop(2) of System V.4 and of Linux.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/memory/page.h"
#include "syscalls/posix/ipc/ipc_objects.h"

namespace hardclock::posix {

// struct sembuf
struct SemaphoreOperation {
  std::uint16_t number = 0;
  std::int16_t change = 0;  // 0: the value is to be 0
  bool undo = false;
  bool no_wait = false;
  static constexpr std::size_t state_members = 4;
};

// The most that a value may be (SEMVMX), and that the end of a process may change it by (SEMAEM).
struct SemaphoreLimits {
  std::int32_t value = 0, adjustment = 0;
};

struct Semaphore {
  std::int32_t value = 0;
  int last_pid = 0;  // that changed it or waited for it to be 0
  static constexpr std::size_t state_members = 2;
};

struct SemaphoreWaiter : IpcWaiter {
  void archive(Archive& to) override;
  Blank<KernelObject> blank() const override { return blank_of<SemaphoreWaiter>(); }

  int undo_list = 0;
  std::vector<SemaphoreOperation> operations;
  SemaphoreOperation blocked;  // the first operation that cannot be done
};

// Whose operations are undone together: a process's, or those of threads of its that share a list.
struct UndoList {
  int pid = 0;
  int number = 0;
  auto operator<=>(const UndoList&) const = default;
  static constexpr std::size_t state_members = 2;
};

// What IPC_STAT tells; times are in seconds since 1970.
struct SetStatus {
  IpcPermission permission;
  std::uint64_t operated = 0, changed = 0;
  std::uint64_t count = 0;
};

class SemaphoreSet final : public IpcObject {
 public:
  // `count` semaphores of value 0. The budget is charged; is_whole() says whether it had room.
  SemaphoreSet(const IpcPermission& its, std::size_t count, const SemaphoreLimits& limits,
               std::uint64_t now, std::shared_ptr<MemoryBudget> budget);

  explicit SemaphoreSet(Archive& from) : charge_(from) {}

  bool is_whole() const { return is_whole_; }
  SetStatus status() const;
  std::span<const Semaphore> semaphores() const { return semaphores_; }
  void note_change(std::uint64_t now) { changed_ = now; }

  // All of the operations, whose numbers the set has, or none. The result is the operation that
  // cannot be done, or nothing. ERANGE.
  Result<std::optional<SemaphoreOperation>, Errno> operate(
      std::span<const SemaphoreOperation> operations, const UndoList& by, std::uint64_t now);
  IpcWait wait(std::shared_ptr<SemaphoreWaiter> waiter);
  // Sets a value, or as many as there are semaphores, and forgets what was to be undone.
  void set(std::size_t number, std::int32_t value, int pid, std::uint64_t now);
  void set_all(std::span<const std::uint16_t> values, int pid, std::uint64_t now);
  // How many wait for the value to rise, and to become 0.
  std::uint64_t waiting_for_rise(std::size_t number);
  std::uint64_t waiting_for_zero(std::size_t number);
  // The semaphores that the end of the list changes.
  std::size_t undo_count(const UndoList& list) const;
  void undo(const UndoList& list, std::uint64_t now);
  // Undoes what the process wanted undone at its end.
  void end_process(int pid, std::uint64_t now);
  // Nobody waits for it any more: EIDRM.
  void end() { waiters_.end_all(Errno::eidrm); }
  void archive(Archive& to) override;

 private:
  using Adjustments = std::map<std::uint16_t, std::int32_t>;  // by the semaphore's number
  enum class Step : std::uint8_t { done, blocked, out_of_range };
  Result<std::optional<SemaphoreOperation>, Errno> attempt(
      std::span<const SemaphoreOperation> operations, const UndoList& by, std::uint64_t now);
  Step apply(const SemaphoreOperation& operation, Adjustments& adjustments);
  void take_back(std::span<const SemaphoreOperation> operations, Adjustments& adjustments);
  void complete_waiting(std::uint64_t now);
  std::uint64_t count_waiting(std::size_t number, bool for_zero);

  std::vector<Semaphore> semaphores_;
  SemaphoreLimits limits_;
  MemoryCharge charge_;
  bool is_whole_ = false;
  std::uint64_t operated_ = 0, changed_ = 0;
  std::map<UndoList, Adjustments> adjustments_;
  IpcWaiters<SemaphoreWaiter> waiters_;
};

}  // namespace hardclock::posix
