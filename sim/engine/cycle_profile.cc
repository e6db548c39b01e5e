#include "sim/engine/cycle_profile.h"

#include <algorithm>
#include <utility>

namespace hardclock {
namespace {

// Every one of them is a jump to an address where no instruction can be.
constexpr std::size_t most_unaligned = 1024;

}  // namespace

CycleProfile& CycleProfile::operator=(const CycleProfile& other) {
  if (this != &other) *this = CycleProfile(other);
  return *this;
}

CycleProfile& CycleProfile::operator=(CycleProfile&& other) noexcept {
  std::swap(budget_, other.budget_);
  std::swap(pages_, other.pages_);
  std::swap(last_number_, other.last_number_);
  std::swap(last_, other.last_);
  std::swap(unaligned_, other.unaligned_);
  std::swap(elsewhere_, other.elsewhere_);
  return *this;
}

void CycleProfile::give_back() {
  if (budget_ != nullptr) budget_->return_profile_bytes(bytes());
}

std::uint64_t* CycleProfile::find(GuestAddr pc) {
  if (pc.value() % granule != 0) {
    const auto known = unaligned_.find(pc);
    if (known != unaligned_.end()) return &known->second;
    return unaligned_.size() < most_unaligned ? &unaligned_[pc] : nullptr;
  }
  const std::uint64_t number = pc.value() >> page_shift;
  if (last_ == nullptr || number != last_number_) {
    Page* const page = page_of(number);
    if (page == nullptr) return nullptr;
    last_number_ = number;
    last_ = page;
  }
  return &(*last_)[(pc.value() & page_mask) / granule];
}

// Null: there is no room.
auto CycleProfile::page_of(std::uint64_t number) -> Page* {
  const auto known = pages_.find(number);
  if (known != pages_.end()) return known->second.get();
  if (!take_page_bytes()) return nullptr;
  return pages_.emplace(number, std::make_unique<Page>()).first->second.get();
}

bool CycleProfile::take_page_bytes() {
  return budget_ == nullptr || budget_->take_profile_bytes(page_bytes);
}

void CycleProfile::add(const CycleProfile& other) {
  for (const auto& [number, page] : other.pages_) add_page(number, *page);
  for (const auto& [pc, cycles] : other.unaligned_) add(pc, cycles);
  elsewhere_ += other.elsewhere_;
}

void CycleProfile::add_page(std::uint64_t number, const Page& page) {
  Page* const sums = page_of(number);
  for (std::size_t i = 0; i < page.size(); ++i) {
    (sums != nullptr ? (*sums)[i] : elsewhere_) += page[i];
  }
}

void CycleProfile::add(CycleProfile&& other) {
  while (!other.pages_.empty()) take_over(other.hand_over_page());
  for (const auto& [pc, cycles] : std::exchange(other.unaligned_, {})) add(pc, cycles);
  elsewhere_ += std::exchange(other.elsewhere_, 0);
}

void CycleProfile::take_over(Pages::node_type page) {
  if (!pages_.contains(page.key()) && take_page_bytes())
    pages_.insert(std::move(page));
  else
    add_page(page.key(), *page.mapped());
}

auto CycleProfile::hand_over_page() -> Pages::node_type {
  last_ = nullptr;
  if (budget_ != nullptr) budget_->return_profile_bytes(page_bytes);
  return pages_.extract(pages_.begin());
}

std::vector<std::uint64_t> CycleProfile::page_numbers() const {
  std::vector<std::uint64_t> numbers;
  for (const auto& [number, page] : pages_) numbers.push_back(number);
  std::ranges::sort(numbers);
  return numbers;
}

std::map<GuestAddr, std::uint64_t> CycleProfile::by_pc() const {
  std::map<GuestAddr, std::uint64_t> cycles;
  for_each_pc(
      [&](GuestAddr pc, std::uint64_t count) { cycles.emplace_hint(cycles.end(), pc, count); });
  return cycles;
}

std::uint64_t CycleProfile::total() const {
  std::uint64_t sum = elsewhere_;
  for (const auto& [number, page] : pages_) {
    for (const std::uint64_t cycles : *page) sum += cycles;
  }
  for (const auto& [pc, cycles] : unaligned_) sum += cycles;
  return sum;
}

}  // namespace hardclock
