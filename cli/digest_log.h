// --digest: the state of a simulation as a number, again and again while it runs.
#pragma once

#include <optional>
#include <ostream>

#include "sim/base/units.h"
#include "sim/process/simulation.h"

namespace hardclock {

class DigestLog {
 public:
  // A line at the start, after each `every` cycles, and at the end. nullopt: after each clock tick.
  DigestLog(std::ostream& out, std::optional<Cycles> every) : out_(out), every_(every) {}

  // As Simulation::run(). The stops change nothing.
  SimulationEnd run(Simulation& simulation);

 private:
  Cycles next(const VirtualClock& clock) const;
  void write(const Simulation& simulation);

  std::ostream& out_;
  std::optional<Cycles> every_;
};

}  // namespace hardclock
