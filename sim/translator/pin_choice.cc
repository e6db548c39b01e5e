#include "sim/translator/pin_choice.h"

#include <algorithm>
#include <utility>

#include "sim/translator/host_frame.h"
#include "sim/translator/host_registers.h"

namespace hardclock {
namespace {

// Weight of a use in a block of one instruction: samples count time, not executions of blocks.
constexpr std::uint64_t whole_use = 1 << 10;

// About: what it takes to translate a block anew (4 us with SGI's compiler) in cycles of a guest at
// full speed, and the part of the time that code gains when all its uses are in host registers.
constexpr std::uint64_t cycles_of_translation = 1 << 13;
constexpr std::uint64_t part_gained = 5;  // one in so many

}  // namespace

PinChoice::PinChoice(const GuestMode& mode, std::uint32_t random_seed)
    : place_(mode.place),
      may_pin_(mode.may_pin),
      most_(host::pins.size() - (mode.frame ? 1 : 0)),
      pinned_(mode.pinned.begin(), mode.pinned.end()) {
  if (random_seed != 0) random_.emplace(random_seed);
}

bool PinChoice::wants_sample() {
  if (may_pin_ == nullptr) return false;
  if (random_) return (*random_)() % 4 == 0;
  ++offered_;
  if (--until_sample_ != 0) return false;
  until_sample_ = interval_;
  return true;
}

void PinChoice::add(const Recording& instruction, std::size_t count) {
  for (const Step& step : instruction.steps) {
    const bool is_use =
        step.operation == Operation::read_register || step.operation == Operation::write_register;
    if (is_use && may_pin_(step.resource)) uses_[step.resource] += whole_use / count;
  }
}

bool PinChoice::choose(std::size_t translated) {
  if (random_) return choose_at_random();
  if (++samples_ < samples_per_choice) return false;
  const bool has_changed = choose_by_uses(translated);
  samples_ = 0;
  uses_.clear();
  interval_ *= 2;
  return has_changed;
}

// Others are worth new translations if the time until now would have been shorter by that much with
// them: nobody knows how long the program will run, and on average it has run for half of its time.
// A few uses more never are.
bool PinChoice::choose_by_uses(std::size_t translated) {
  std::vector<std::pair<std::uint64_t, Resource>> order;
  std::uint64_t all = 0;
  for (const auto& [resource, uses] : uses_) {
    order.emplace_back(uses, resource);
    all += uses;
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  order.resize(std::min(order.size(), most_));
  std::uint64_t before = 0, after = 0;
  for (const Resource resource : pinned_) before += uses_[resource];
  std::vector<Resource> chosen;
  for (const auto& [uses, resource] : order) {
    after += uses;
    chosen.push_back(resource);
  }
  if (after <= before + before / 16) return false;
  const double gained = static_cast<double>(after - before) / static_cast<double>(all);
  const double cycles = static_cast<double>(offered_ * RunBudget::most_cycles);
  if (gained * cycles / part_gained < static_cast<double>(translated * cycles_of_translation)) {
    return false;
  }
  pinned_ = std::move(chosen);
  return true;
}

bool PinChoice::choose_at_random() {
  std::vector<Resource> all;
  for (Resource resource = 0; resource < 128; ++resource) {
    if (may_pin_(resource) && place_(resource).is_known()) all.push_back(resource);
  }
  std::shuffle(all.begin(), all.end(), *random_);
  all.resize(std::min<std::size_t>(all.size(), (*random_)() % (most_ + 1)));
  pinned_ = std::move(all);
  return true;
}

}  // namespace hardclock
