// Source: Linux 6.1, kernel/futex/core.c, exit_robust_list() and handle_futex_death();
// kernel/fork.c, mm_release().
#include "syscalls/linux/robust_locks.h"

#include <utility>

#include "syscalls/linux/thread_ids.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux {
namespace {

// include/uapi/linux/futex.h
constexpr std::uint32_t futex_waiters = 0x80000000, futex_owner_died = 0x40000000,
                        futex_tid_mask = 0x3fffffff;
constexpr unsigned robust_list_limit = 2048;

void wake_one(Thread& thread, GuestAddr word) {
  auto& os = static_cast<posix::Kernel&>(*thread.process.os);
  os.sleepers().wake(posix::sleep_place(*thread.process.memory, word), posix::any_sleeper, 1);
}

// The lock of a thread that has died, if the thread held it, says so to the next owner.
void mark_dead(Thread& thread, GuestAddr word) {
  AddressSpace& memory = *thread.process.memory;
  if (word.value() % 4 != 0) return;
  const auto value = memory.read<std::uint32_t>(word);
  const bool is_held =
      value && (*value & futex_tid_mask) == static_cast<std::uint32_t>(tid_of(thread));
  if (!is_held || !memory.write(word, (*value & futex_waiters) | futex_owner_died)) return;
  if ((*value & futex_waiters) != 0) wake_one(thread, word);
}

// The list's entries are addresses; bit 0 marks a lock with priority inheritance. `offset` leads
// from an entry to its word.
void release_robust_locks(Thread& thread, GuestAddr head) {
  AddressSpace& memory = *thread.process.memory;
  posix::GuestReader members(posix::guest_types(thread.process), memory, head);
  const auto plain = [](GuestAddr entry) { return GuestAddr(entry.value() & ~std::uint64_t{1}); };
  GuestAddr entry = plain(members.pointer());
  const std::int64_t offset = members.signed_long();
  const GuestAddr pending = plain(members.pointer());
  if (!members.ok()) return;
  const auto word_of = [&](GuestAddr of) {
    return posix::abi_of(thread.process).pointer(of.value() + static_cast<std::uint64_t>(offset));
  };
  for (unsigned count = 0; entry != head && count < robust_list_limit; ++count) {
    posix::GuestReader next(posix::guest_types(thread.process), memory, entry);
    const GuestAddr following = plain(next.pointer());
    if (entry != pending) mark_dead(thread, word_of(entry));
    if (!next.ok()) break;
    entry = following;
  }
  if (pending != GuestAddr(0)) mark_dead(thread, word_of(pending));
}

}  // namespace

void release_words(Thread& thread) {
  posix::ThreadState& state = posix::thread_state_of(thread);
  const GuestAddr head = std::exchange(state.robust_list, GuestAddr(0));
  if (head != GuestAddr(0)) release_robust_locks(thread, head);
  const GuestAddr word = std::exchange(state.zero_at_end, GuestAddr(0));
  if (word == GuestAddr(0)) return;
  (void)thread.process.memory->write(word, std::uint32_t{0});
  wake_one(thread, word);
}

void release_all_words(Process& process) {
  for (const auto& thread : process.threads) release_words(*thread);
}

}  // namespace hardclock::gnu_linux
