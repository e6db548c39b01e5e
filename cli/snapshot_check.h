// --check=snapshots: saves the state of the simulation and loads it, again and again while it runs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sim/process/simulation.h"

namespace hardclock {

class SnapshotCheck {
 public:
  // `tell` gets a sentence about a state that is not the one that was saved.
  explicit SnapshotCheck(std::function<void(const std::string&)> tell) : tell_(std::move(tell)) {}

  // As Simulation::run(), with stops at cycles that are the same in each run.
  SimulationEnd run(Simulation& simulation, Personality& os);
  // One line: how often, and what could not be saved.
  std::string result() const;

 private:
  Cycles next(const VirtualClock& clock);
  void save_and_load(Simulation& simulation, Personality& os);

  std::function<void(const std::string&)> tell_;
  std::uint64_t loads_ = 0, refusals_ = 0;
  std::string refused_;  // the first one
  std::uint64_t random_ = 1;
};

}  // namespace hardclock
