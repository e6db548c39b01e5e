#include "sim/engine/cycle_profile.h"

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
    auto known = pages_.find(number);
    if (known == pages_.end()) {
      if (budget_ != nullptr && !budget_->take_profile_bytes(page_bytes)) return nullptr;
      known = pages_.emplace(number, std::make_unique<Page>()).first;
    }
    last_number_ = number;
    last_ = known->second.get();
  }
  return &(*last_)[(pc.value() & page_mask) / granule];
}

void CycleProfile::add(const CycleProfile& other) {
  for (const auto& [number, page] : other.pages_) {
    for (std::size_t i = 0; i < page->size(); ++i) {
      if ((*page)[i] != 0) add(GuestAddr((number << page_shift) + granule * i), (*page)[i]);
    }
  }
  for (const auto& [pc, cycles] : other.unaligned_) add(pc, cycles);
  elsewhere_ += other.elsewhere_;
}

std::map<GuestAddr, std::uint64_t> CycleProfile::by_pc() const {
  std::map<GuestAddr, std::uint64_t> cycles = unaligned_;
  for (const auto& [number, page] : pages_) {
    for (std::size_t i = 0; i < page->size(); ++i) {
      if ((*page)[i] != 0) cycles[GuestAddr((number << page_shift) + granule * i)] = (*page)[i];
    }
  }
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
