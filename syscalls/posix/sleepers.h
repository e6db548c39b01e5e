// Threads that sleep at a place in memory until another one wakes them there: futex(2) and its
// like.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>

#include "sim/memory/address_space.h"
#include "sim/process/wait.h"

namespace hardclock::posix {

struct Call;
class CallResult;

// The same for everybody who reaches this byte: processes that map it shared may see it at
// different addresses.
// No number is given twice.
struct SleepPlace {
  // What `number` is one of.
  enum class In : std::uint8_t { shared_pages, address_space, process };
  In in = In::shared_pages;
  std::uint64_t number = 0;
  std::uint64_t offset = 0;  // in bytes; in a process: a thread's id
  friend auto operator<=>(const SleepPlace&, const SleepPlace&) = default;
  static constexpr std::size_t state_members = 3;
};
SleepPlace sleep_place(const AddressSpace& memory, GuestAddr address);
// What the place is in, which it does not outlive.
std::shared_ptr<const void> sleep_memory(const Owner<AddressSpace>& memory, GuestAddr address);

class Sleeper final : public KernelObject {
 public:
  Sleeper(const SleepPlace& at, std::uint32_t wanted) : place(at), mask(wanted) {}
  Sleeper() = default;

  SleepPlace place;  // moves
  std::uint32_t mask = 0;
  bool is_woken = false;
  std::uint64_t told = 0;  // by the one who woke it

  void archive(Archive& to) override;
  Blank<KernelObject> blank() const override { return blank_of<Sleeper>(); }
};

// A machine's sleepers, in the order in which they fell asleep. One whose wait has ended by a
// signal or by its time is not there any more.
class Sleepers {
 public:
  std::shared_ptr<Sleeper> add(const SleepPlace& place, std::uint32_t mask);
  // Wakes at most `most` of those at the place whose masks have a bit of `mask`, and tells them
  // `told`. The result is how many.
  std::uint64_t wake(const SleepPlace& place, std::uint32_t mask, std::uint64_t most,
                     std::uint64_t told = 0);
  // From now on at most `most` of those at `from` sleep at `to`. The result is how many.
  std::uint64_t move(const SleepPlace& from, const SleepPlace& to, std::uint64_t most);
  std::uint64_t count(const SleepPlace& place) const;

  // ---- Wakes for those who are still to come: counted, so that a program that saves them without
  // end takes no more room. `memory` is sleep_memory()'s.
  void save_wake(const SleepPlace& place, std::weak_ptr<const void> memory, std::uint64_t told);
  // Takes one of those that tell least, and what it tells; nothing: there is none.
  std::optional<std::uint64_t> take_saved_wake(const SleepPlace& place);
  void drop_saved_wakes(const SleepPlace& place) { saved_.erase(place); }
  std::uint64_t saved_wakes(const SleepPlace& place);

  void archive(Archive& to);

 private:
  struct SavedWakes {
    std::weak_ptr<const void> memory;              // gone: nobody will ever sleep there
    std::map<std::uint64_t, std::uint64_t> times;  // by what they tell
  };
  void drop_lost_places();

  // They belong to the waits.
  std::deque<std::weak_ptr<Sleeper>> queue_;
  std::map<SleepPlace, SavedWakes> saved_;
  std::size_t places_to_look_through_ = 64;  // from so many on, for those whose memory is gone
};

inline constexpr std::uint32_t any_sleeper = 0xffffffff;

// ---- For calls that sleep.
enum class Slept : std::uint8_t { not_yet, woken, time_over };
// What happened to the caller's sleep when its call runs again. Of one that was woken `told` is
// what it was told.
Slept slept(Call& call, std::uint64_t* told = nullptr);
// The thread sleeps until it is woken, or at most so long. The call then runs again.
CallResult fall_asleep(Call& call, const SleepPlace& place, std::uint32_t mask,
                       std::optional<Deadline> until, const OnSignal& on_signal);

}  // namespace hardclock::posix
