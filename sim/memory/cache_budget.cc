#include "sim/memory/cache_budget.h"

namespace hardclock {

void CacheBudget::use(Keeper& keeper) {
  if (keeper.is_listed_) {
    keepers_.splice(keepers_.end(), keepers_, keeper.place_);
  } else {
    keeper.place_ = keepers_.insert(keepers_.end(), &keeper);
    keeper.is_listed_ = true;
  }
}

void CacheBudget::keep(Keeper& keeper, std::uint64_t bytes) {
  bytes_ += bytes - keeper.bytes_;
  keeper.bytes_ = bytes;
  if (bytes_ > limit_ && !makes_room_) make_room();
}

void CacheBudget::remove(Keeper& keeper) {
  bytes_ -= keeper.bytes_;
  if (keeper.is_listed_) keepers_.erase(keeper.place_);
}

// Goes down to half the limit, so that forgetting much does not soon recur.
void CacheBudget::make_room() {
  makes_room_ = true;
  for (auto at = keepers_.begin(); at != keepers_.end() && bytes_ > limit_ / 2; ++at) {
    (*at)->forget();
  }
  makes_room_ = false;
}

}  // namespace hardclock
