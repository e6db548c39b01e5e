// What `hardclock run --stats` says.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sim/base/units.h"
#include "sim/process/simulation.h"
#include "sim/timing/memory_system.h"

namespace hardclock {

struct RunSummary {
  std::string cpu;
  std::string machine;  // empty: none was chosen
  std::string timing;   // "cycle" or "functional"
  std::string os;
  Outcome outcome;
  // Calls answered with ENOSYS because hardclock lacks them, and how often.
  std::map<std::string, std::uint64_t> missing_calls;
  std::optional<MemorySystem::Statistics> memory;  // none: every access hits
};

// Only what the simulation determines: equal runs give equal bytes.
std::string statistics_json(const Simulation& simulation, const RunSummary& summary);

// The same for people, with the speed of the simulation: `host_seconds` of processor time.
std::string statistics_text(const Simulation& simulation, const RunSummary& summary,
                            double host_seconds);

}  // namespace hardclock
