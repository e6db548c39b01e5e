#include "cli/digest_log.h"

#include <fmt/format.h>

#include "sim/state/digest.h"

namespace hardclock {

SimulationEnd DigestLog::run(Simulation& simulation) {
  out_ << fmt::format("{:>16} {:>16}  {:16} {:16} {:16} {:16} {:16}\n", "# cycle", "instructions",
                      "state", "kernel", "processors", "memory", "caches");
  for (;;) {
    write(simulation);
    auto outcome = simulation.run_until(next(simulation.clock()));
    if (!outcome) continue;
    write(simulation);
    return *std::move(outcome);
  }
}

Cycles DigestLog::next(const VirtualClock& clock) const {
  if (!every_) return clock.when_ticks_are(clock.ticks() + Ticks(1));
  return Cycles((clock.now().value() / every_->value() + 1) * every_->value());
}

void DigestLog::write(const Simulation& simulation) {
  const StateDigest value = digest_of(simulation);
  out_ << fmt::format("{:16} {:16}  {:016x}", simulation.clock().now().value(),
                      simulation.instructions().value(), value.whole);
  for (const std::uint64_t part : value.parts) out_ << fmt::format(" {:016x}", part);
  out_ << '\n';
}

}  // namespace hardclock
