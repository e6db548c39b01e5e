// Chooses which guest registers stay in host registers, from samples of the code that the guest
// runs. Guest cycles decide when a sample is taken, so the choice is the same in every run; results
// do not depend on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "sim/translator/block_source.h"

namespace hardclock {

class PinChoice {
 public:
  // Begins with mode.pinned. `random_seed`: 0, or, for tests, of a choice at random every few
  // times.
  PinChoice(const GuestMode& mode, std::uint32_t random_seed);

  const std::vector<Resource>& pinned() const { return pinned_; }

  // The time that code may run in one go is over. Whether the block that would have been next is
  // wanted as a sample.
  bool wants_sample();
  // One of the sample's instructions; `count` of them are in it.
  void add(const Recording& instruction, std::size_t count);
  // The sample is complete. Whether others are pinned from now on; then so many blocks have to be
  // translated anew.
  bool choose(std::size_t translated);

 private:
  bool choose_by_uses(std::size_t translated);
  bool choose_at_random();

  // Samples between two choices. The time between two samples doubles with each choice.
  static constexpr unsigned samples_per_choice = 32;

  RegisterPlace (*place_)(Resource);
  bool (*may_pin_)(Resource);
  std::size_t most_;  // host registers for them
  std::vector<Resource> pinned_;
  std::map<Resource, std::uint64_t> uses_;
  unsigned samples_ = 0;        // since the last choice
  std::uint64_t interval_ = 1;  // a sample is taken each time that this many are offered
  std::uint64_t until_sample_ = 1;
  std::uint64_t offered_ = 0;  // samples that were, until now
  std::optional<std::mt19937> random_;
};

}  // namespace hardclock
