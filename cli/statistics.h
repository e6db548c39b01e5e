// The answers of `hardclock run --stats`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/terminal.h"
#include "sim/base/units.h"
#include "sim/process/simulation.h"
#include "sim/timing/cache_change.h"
#include "sim/timing/memory_system.h"
#include "syscalls/host/sandbox.h"

namespace hardclock {

struct RunSummary {
  std::string cpu;
  std::string machine;   // empty: none was chosen
  std::string hardware;  // both and the changes, for people
  std::vector<CacheChange> cache_changes;
  std::optional<std::uint32_t> placement;
  // With --isa=any: instructions in the program's files that the processor never had.
  std::optional<std::uint64_t> foreign_instructions;
  std::string timing;  // "cycle" or "functional"
  std::string engine;  // "translator" or "interpreter"
  std::string os;
  std::string ending;  // see RunEnding
  // Calls answered with ENOSYS because hardclock lacks them, and how often.
  std::map<std::string, std::uint64_t> missing_calls;
  std::optional<MemorySystem::Statistics> memory;  // nullopt: every access hits
  host::Sandbox sandbox;
  bool reaches_internet = false;  // the guests do: the run cannot be repeated
};

// Only what the simulation determines: equal runs give equal bytes.
std::string statistics_json(const Simulation& simulation, const RunSummary& summary);

// The same for people, with the host's part in it: the speed of the simulation, from `host_seconds`
// of processor time, and how hardclock was confined.
std::string statistics_text(const Simulation& simulation, const RunSummary& summary,
                            double host_seconds, const Terminal& terminal = {});

}  // namespace hardclock
