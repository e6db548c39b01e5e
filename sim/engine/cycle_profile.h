// Cycles by the pc that a clock tick in them would be charged to.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/memory/page.h"

namespace hardclock {

// An array for each page of code that has run: a program has few of them, and a guest that always
// runs new ones must not fill the host's memory.
class CycleProfile {
 public:
  // Bytes of code for each place of an array; divides the alignment of every instruction set.
  static constexpr std::uint64_t granule = 4;
  // Of host memory, that an array takes.
  static constexpr std::uint64_t page_bytes = page_size / granule * sizeof(std::uint64_t);

  CycleProfile() = default;
  // `budget` is charged for the arrays.
  explicit CycleProfile(std::shared_ptr<MemoryBudget> budget) : budget_(std::move(budget)) {}
  ~CycleProfile() { give_back(); }
  // A copy is charged to no budget.
  CycleProfile(const CycleProfile& other) { add(other); }
  CycleProfile& operator=(const CycleProfile& other);
  CycleProfile(CycleProfile&& other) noexcept = default;
  CycleProfile& operator=(CycleProfile&& other) noexcept;

  void add(GuestAddr pc, std::uint64_t cycles) {
    if (std::uint64_t* const count = find(pc)) [[likely]]
      *count += cycles;
    else
      elsewhere_ += cycles;
  }
  void add(const CycleProfile& other);
  // Page by page: there is no second copy of all. The other is empty afterwards.
  void add(CycleProfile&& other);

  // Only pcs with cycles, ascending: visit(pc, cycles).
  template <class Visit>
  void for_each_pc(const Visit& visit) const;
  std::map<GuestAddr, std::uint64_t> by_pc() const;
  // Whether no pc has cycles.
  bool is_empty() const { return pages_.empty() && unaligned_.empty(); }
  // The cycles of pcs for which there was no room.
  std::uint64_t elsewhere() const { return elsewhere_; }
  std::uint64_t total() const;
  // The host memory of all arrays.
  std::uint64_t bytes() const { return pages_.size() * page_bytes; }

  friend bool operator==(const CycleProfile& a, const CycleProfile& b) {
    return a.elsewhere_ == b.elsewhere_ && a.by_pc() == b.by_pc();
  }

 private:
  using Page = std::array<std::uint64_t, page_size / granule>;
  using Pages = std::unordered_map<std::uint64_t, std::unique_ptr<Page>>;  // by page number

  std::uint64_t* find(GuestAddr pc);
  Page* page_of(std::uint64_t number);
  bool take_page_bytes();
  void add_page(std::uint64_t number, const Page& page);
  void take_over(Pages::node_type page);
  // Of pages_, which has it no more.
  Pages::node_type hand_over_page();
  std::vector<std::uint64_t> page_numbers() const;  // ascending
  void give_back();

  std::shared_ptr<MemoryBudget> budget_;  // nullptr: charged to none
  Pages pages_;
  std::uint64_t last_number_ = ~std::uint64_t{0};
  Page* last_ = nullptr;  // of last_number_; nullptr: none
  // For programs that jump to an unaligned pc.
  std::map<GuestAddr, std::uint64_t> unaligned_;
  std::uint64_t elsewhere_ = 0;
};

template <class Visit>
void CycleProfile::for_each_pc(const Visit& visit) const {
  auto unaligned = unaligned_.begin();
  const auto visit_unaligned_before = [&](GuestAddr pc) {
    for (; unaligned != unaligned_.end() && unaligned->first < pc; ++unaligned)
      visit(unaligned->first, unaligned->second);
  };
  for (const std::uint64_t number : page_numbers()) {
    const Page& page = *pages_.at(number);
    for (std::size_t i = 0; i < page.size(); ++i) {
      if (page[i] == 0) continue;
      const GuestAddr pc((number << page_shift) + granule * i);
      visit_unaligned_before(pc);
      visit(pc, page[i]);
    }
  }
  for (; unaligned != unaligned_.end(); ++unaligned) visit(unaligned->first, unaligned->second);
}

}  // namespace hardclock
