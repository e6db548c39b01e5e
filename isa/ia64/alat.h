// The advanced load address table: which advanced loads no store has touched since.
// Source: "Intel Itanium Architecture Software Developer's Manual", revision 2.3 (here: SDM):
// volume 1, section 4.4.5; volume 3, chapter 2 (ld, ldf, ldfp, chk.a, invala) and chapter 3
// (alat_frame_update). Its 32 entries, fully associative, are the Itanium 2's (Itanium: 2 ways).
// That a full table gives up its oldest entry is an assumption.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/base/check.h"
#include "sim/state/archive.h"

namespace hardclock::ia64 {

// The name of a register in the table: for a general register what RegisterStack::alat_register()
// says, for a floating-point register floating_point_alat_register() of its physical number.
//
// It does not change when frames do, so an entry outlives calls, returns and rotations, and is
// found again under any number that then means the register. A physical register that the ring has
// given to another frame has another name, so no frame hits what another one loaded; the SDM's
// alat_frame_update() mentions tag bits, which may serve the same purpose. A frame that takes the
// place of one that has ended has the same names: a program checks only what it has loaded. A
// program that switches stacks executes invala (SDM 2, 6.9 and 6.11).
using AlatRegister = std::uint64_t;
constexpr AlatRegister floating_point_alat_register(unsigned physical) { return 128 + physical; }

// A value: copy it with the registers.
//
//   ld.a, ld.sa          forget(register) first, for it may fault or defer; insert() when the value
//                        has come, not when ld.sa deferred
//   ldfp*.a              the same with both registers, each with the whole pair's address and size
//   chk.a, ld.c          check(), clearing for .clr. On a hit ld.c leaves the register as it is; on
//   a
//                        miss it loads, and ld.c.nc then insert()s
//   stores, semaphores   store(), also for what other threads and the system write into the
//                        program's memory
//   invala, invala.e     clear(), forget()
//
// Other writes to a register leave its entry.
class Alat {
 public:
  static constexpr std::size_t most_entries = 32;

  // With no entries every check misses, which the architecture allows.
  explicit Alat(std::size_t entries = most_entries) : capacity_(entries) {
    CHECK(entries <= most_entries);
  }

  // `size` bytes, 1 or more, from `address` on have been loaded into `target`. Replaces its entry.
  void insert(AlatRegister target, std::uint64_t address, std::uint64_t size) {
    forget(target);
    if (capacity_ == 0) return;
    if (count_ == capacity_) remove(0);
    entries_[count_++] = {target, address, address + size - 1};
    touched_ |= lines(address, size);
  }

  // Whether `target` has an entry. Address and size are not compared: a check must name those of
  // its load.
  bool check(AlatRegister target, bool clear_on_hit) {
    for (std::size_t i = 0; i < count_; ++i) {
      if (entries_[i].target != target) continue;
      if (clear_on_hit) remove(i);
      return true;
    }
    return false;
  }

  // Removes every entry that has a byte in common with the `size` bytes, 1 or more, from `address`
  // on. In most programs that is one test of a word.
  void store(std::uint64_t address, std::uint64_t size) {
    if ((touched_ & lines(address, size)) == 0) [[likely]]
      return;
    remove_overlapping(address, address + size - 1);
  }

  void forget(AlatRegister target) { check(target, true); }
  void clear() {
    count_ = 0;
    touched_ = 0;
  }
  std::size_t size() const { return count_; }
  // Where, in an Alat, 8 bytes lie that are 0 only if stores have nothing to remove.
  static std::size_t place_of_touched() { return offsetof(Alat, touched_); }

  // The same entries, of the same age.
  friend bool operator==(const Alat& a, const Alat& b) {
    return std::equal(a.entries_.begin(), a.entries_.begin() + a.count_, b.entries_.begin(),
                      b.entries_.begin() + b.count_);
  }

  void archive(Archive& to) {
    auto& [entries, count, capacity, touched] = *this;
    to.state(count);
    for (std::size_t i = 0; i < count; ++i) to.state(entries[i]);
    to.derived(touched);
    if (!to.loads()) return;
    touched = 0;
    for (std::size_t i = 0; i < count; ++i)
      touched |= lines(entries[i].first, entries[i].last - entries[i].first + 1);
    to.wiring(capacity);
  }

 private:
  struct Entry {
    AlatRegister target = 0;
    std::uint64_t first = 0, last = 0;  // bytes; last is below first only across address 0

    bool operator==(const Entry&) const = default;
    static constexpr std::size_t state_members = 3;
  };

  // A bit for each 16-byte line, modulo 64, that has one of the bytes.
  static std::uint64_t lines(std::uint64_t address, std::uint64_t size) {
    const std::uint64_t count = ((address & 15) + size - 1) / 16 + 1;
    if (size > 1024 || count >= 64) return ~std::uint64_t{0};
    const std::uint64_t bits = (std::uint64_t{1} << count) - 1;
    const unsigned first = address >> 4 & 63;
    return bits << first | (first == 0 ? 0 : bits >> (64 - first));
  }

  void remove_overlapping(std::uint64_t first, std::uint64_t last) {
    // Relative to the store's first byte, so that ranges may cross address 0.
    const std::uint64_t extent = last - first;
    for (std::size_t i = count_; i-- > 0;) {
      const Entry& entry = entries_[i];
      if (entry.first - first <= extent || first - entry.first <= entry.last - entry.first)
        remove(i);
    }
  }

  void remove(std::size_t at) {
    std::copy(entries_.begin() + at + 1, entries_.begin() + count_, entries_.begin() + at);
    if (--count_ == 0) touched_ = 0;
  }

  std::array<Entry, most_entries> entries_{};  // the oldest first
  std::size_t count_ = 0;
  std::size_t capacity_;
  std::uint64_t touched_ = 0;  // lines() of all entries, and of some that are gone
};

}  // namespace hardclock::ia64
