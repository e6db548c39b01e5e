// Host memory that a guest takes outside its pages, counted as pages.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "sim/memory/page.h"

namespace hardclock {

class PageCharge {
 public:
  // Returns nullptr if the budget has less than `bytes`, rounded up to pages.
  static std::unique_ptr<PageCharge> take(std::shared_ptr<MemoryBudget> budget,
                                          std::uint64_t bytes) {
    if (!budget->has_room(round_up_to_page(bytes))) return nullptr;
    const std::uint64_t pages = round_up_to_page(bytes) >> page_shift;
    for (std::uint64_t i = 0; i < pages; ++i) budget->take_page();
    return std::unique_ptr<PageCharge>(new PageCharge(std::move(budget), pages));
  }
  ~PageCharge() {
    for (; pages_ > 0; --pages_) budget_->return_page();
  }
  static std::shared_ptr<PageCharge> blank(Archive& from) {
    return std::shared_ptr<PageCharge>(
        new PageCharge(from.provided<std::shared_ptr<MemoryBudget>>(), 0));
  }
  void archive(Archive& to) {
    auto& [budget, pages] = *this;
    to.state(pages);
    to.wiring(budget);
  }
  PageCharge(const PageCharge&) = delete;
  PageCharge& operator=(const PageCharge&) = delete;

 private:
  PageCharge(std::shared_ptr<MemoryBudget> budget, std::uint64_t pages)
      : budget_(std::move(budget)), pages_(pages) {}

  std::shared_ptr<MemoryBudget> budget_;
  std::uint64_t pages_;
};

}  // namespace hardclock
