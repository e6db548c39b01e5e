#include "cli/snapshot_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/state/digest.h"

namespace hardclock {

SimulationEnd SnapshotCheck::run(Simulation& simulation, Personality& os) {
  for (;;) {
    auto outcome = simulation.run_until(next(simulation.clock()));
    if (outcome) return *std::move(outcome);
    save_and_load(simulation, os);
  }
}

// At first each 50,000 cycles or so, then seldom enough for long runs. The generator is Knuth's
// (The Art of Computer Programming 2, 3.3.4, table 1, line 26).
Cycles SnapshotCheck::next(const VirtualClock& clock) {
  const std::uint64_t farthest = std::max<std::uint64_t>(100'000, clock.now().value() / 500);
  random_ = random_ * 6364136223846793005 + 1;
  return clock.now() + Cycles(1 + (random_ >> 11) % farthest);
}

void SnapshotCheck::save_and_load(Simulation& simulation, Personality& os) {
  const auto saved = simulation.save();
  if (!saved) {
    ++refusals_;
    if (refused_.empty()) refused_ = saved.error();
    return;
  }
  const StateDigest before = digest_of(simulation);
  simulation.load(*saved, os);
  ++loads_;
  if (digest_of(simulation) == before) return;
  tell_(fmt::format("at cycle {} a state was loaded that is not the one that was saved",
                    simulation.clock().now().value()));
}

std::string SnapshotCheck::result() const {
  std::string text = fmt::format("--check: the state was saved and loaded {} times", loads_);
  if (refusals_ != 0)
    text += fmt::format("; {} times it could not be saved: {}", refusals_, refused_);
  return text;
}

}  // namespace hardclock
