// Who called whom, how often, and what it took: what is kept of a thread's calls, or of those of
// many threads together.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/memory/page.h"

namespace hardclock {

// Bytes that are taken from the budget for profiles while this object lives. They leave a part of
// it to others: cycles need less room than calls, and matter more.
class ProfileCharge {
 public:
  ProfileCharge() = default;
  // Null: nothing is charged, and there is always room. Else the whole budget is taken up to one
  // part in so many of it.
  explicit ProfileCharge(std::shared_ptr<MemoryBudget> budget, unsigned parts)
      : budget_(std::move(budget)), parts_(parts) {}
  ~ProfileCharge() {
    if (budget_ != nullptr) budget_->return_profile_bytes(bytes_);
  }
  ProfileCharge(const ProfileCharge&) = delete;
  ProfileCharge& operator=(const ProfileCharge&) = delete;
  ProfileCharge(ProfileCharge&& other) noexcept { swap(other); }
  ProfileCharge& operator=(ProfileCharge&& other) noexcept {
    swap(other);
    return *this;
  }

  // False: there is no room.
  bool grow(std::uint64_t bytes) {
    if (budget_ != nullptr) {
      const std::uint64_t most = budget_->most_profile_bytes() / parts_;
      if (budget_->profile_bytes() + bytes > most || !budget_->take_profile_bytes(bytes))
        return false;
    }
    bytes_ += bytes;
    return true;
  }

 private:
  void swap(ProfileCharge& other) {
    std::swap(budget_, other.budget_);
    std::swap(parts_, other.parts_);
    std::swap(bytes_, other.bytes_);
  }

  std::shared_ptr<MemoryBudget> budget_;
  unsigned parts_ = 1;
  std::uint64_t bytes_ = 0;
};

class CallRecord {
 public:
  using Number = std::uint32_t;
  static constexpr Number none = ~Number{0};
  // A function that is called again on a path has no more places than these; deeper calls belong to
  // the last of them. So trees of recursive programs are small.
  static constexpr unsigned most_on_path = 2;
  // Nodes on a path. Only a program that calls ever new functions needs more.
  static constexpr unsigned longest_path = 1024;

  struct Node {
    Number parent = none;  // none: a root
    GuestAddr function;    // its first address or, if nobody knows, where it was entered
    std::uint64_t calls = 0;
    std::uint64_t cycles = 0;  // in user mode; of the function alone
    std::uint64_t ticks = 0;   // likewise
    // A function begins there. Else only jumps in code without symbols led there.
    bool is_beginning = false;

    friend bool operator==(const Node&, const Node&) = default;
  };
  struct ArcKey {
    GuestAddr site;
    GuestAddr function;

    friend auto operator<=>(const ArcKey&, const ArcKey&) = default;
  };
  struct Arc {
    std::uint64_t calls = 0;
    // With all that was called. Of calls within calls by this arc: those of the outermost.
    std::uint64_t cycles = 0;

    friend bool operator==(const Arc&, const Arc&) = default;
  };

  // A jump in code without symbols, to another function perhaps; and the function whose call it was
  // in.
  struct Jump {
    GuestAddr to;
    GuestAddr site;
    GuestAddr within;

    friend auto operator<=>(const Jump&, const Jump&) = default;
  };

  // Charged to no budget.
  CallRecord() = default;
  // Of threads that run: a quarter of the budget. Of those that have ended: half of it, so that
  // what a thread has kept has room when it ends.
  static constexpr unsigned of_running = 4, of_ended = 2;
  CallRecord(std::shared_ptr<MemoryBudget> budget, unsigned parts)
      : charge_(std::move(budget), parts) {}
  CallRecord(const CallRecord& other) { add(other); }
  CallRecord& operator=(const CallRecord& other);
  CallRecord(CallRecord&&) noexcept = default;
  CallRecord& operator=(CallRecord&&) noexcept = default;

  // The node of `function` when that of `parent` (none: nobody) calls it. None: the path is too
  // long, or there is no room, which there always is for a root.
  Number child(Number parent, GuestAddr function);
  // An arc, by its place in arcs(). None: there is no room.
  Number arc(const ArcKey& key);
  // False: there is no room.
  bool add(const Jump& jump);
  // What the other has. Where there is no room, what a function took is its caller's.
  void add(const CallRecord& other);

  std::vector<Node>& nodes() { return nodes_; }
  const std::vector<Node>& nodes() const { return nodes_; }  // parents before their children
  std::vector<std::pair<ArcKey, Arc>>& arcs() { return arcs_; }
  const std::vector<std::pair<ArcKey, Arc>>& arcs() const { return arcs_; }  // as first seen
  const std::set<Jump>& jumps() const { return jumps_; }
  // Calls for which there was no room, or whose path was too long.
  std::uint64_t not_kept() const { return not_kept_; }
  void count_not_kept(std::uint64_t calls) { not_kept_ += calls; }
  // Of host memory, about.
  std::uint64_t bytes() const {
    return children_.size() * node_bytes + arcs_.size() * arc_bytes + jumps_.size() * jump_bytes;
  }

  friend bool operator==(const CallRecord& a, const CallRecord& b) {
    return a.nodes_ == b.nodes_ && a.arcs_ == b.arcs_ && a.jumps_ == b.jumps_ &&
           a.not_kept_ == b.not_kept_;
  }

 private:
  // With their places in the maps.
  static constexpr std::uint64_t node_bytes = 128;
  static constexpr std::uint64_t arc_bytes = 128;
  static constexpr std::uint64_t jump_bytes = 80;

  Number place_on_path(Number parent, GuestAddr function) const;

  std::vector<Node> nodes_;
  std::vector<std::uint16_t> lengths_;  // of the paths to them
  std::map<std::pair<Number, GuestAddr>, Number> children_;
  std::vector<std::pair<ArcKey, Arc>> arcs_;
  std::map<ArcKey, Number> arc_numbers_;
  std::set<Jump> jumps_;
  std::uint64_t not_kept_ = 0;
  ProfileCharge charge_;
};

}  // namespace hardclock
