#include "cli/lab_counts.h"

#include <utility>
#include <variant>

#include "cli/lab_profile.h"

namespace hardclock {
namespace {

using profil::State;

// Whether the program has asked for another profile than that of `before`: its buffer, scale and
// so on, without what ticks change.
bool is_another(const State& before, const State& now) {
  if (before.kind != now.kind || before.regions.size() != now.regions.size()) return true;
  for (std::size_t i = 0; i < now.regions.size(); ++i) {
    profil::Region region = now.regions[i];
    region.faulted = before.regions[i].faulted;
    if (!(region == before.regions[i])) return true;
  }
  return false;
}

// Without touching the pages, which would be an event of the run.
bool can_update(const Process& process, GuestAddr address, unsigned bytes) {
  for (const std::uint64_t byte : {std::uint64_t{0}, std::uint64_t{bytes} - 1}) {
    const Region* const region = process.memory->region_at(address + byte);
    if (region == nullptr || !region->permissions.read || !region->permissions.write) return false;
  }
  return true;
}

}  // namespace

LabCounts::LabCounts(const RuleContext& context) : context_(context) {
  for (const BrokenRule& rule : broken_rules()) rules_.push_back({rule.name, rule.sentence});
}

LabCounts::OfProcess& LabCounts::of(int process) {
  const auto [at, is_new] = processes_.try_emplace(process);
  if (is_new) {
    for (const BrokenRule& rule : broken_rules()) at->second.broken.emplace_back(rule, context_);
  }
  return at->second;
}

void LabCounts::charge(const posix::ChargeSeen& seen, std::string place) {
  const Process& guest = seen.thread.process;
  OfProcess& process = of(guest.pid);
  if (is_another(process.state, seen.before)) {
    const bool is_on = seen.before.on();
    if (is_on) process.counters.clear();
    for (BrokenKernel& broken : process.broken) {
      if (is_on) {
        broken.begin(seen.before);
      } else {
        broken.end(seen.before);
      }
    }
  }
  process.state = seen.after;
  if (seen.ticks == Ticks(0)) return;
  lab::Charge charge;
  charge.pc = seen.pc;
  charge.place = place;
  charge.ticks = seen.ticks;
  charge.before = std::make_shared<KernelProfile>(seen.before, context_);
  const Looked looked{seen.before, seen.pc, seen.charge.lookup};
  charge.verdict = verdict_of(std::string(context_.system.name), looked, seen.charge, seen.ticks);
  if (charge.verdict.after) note(process, looked, place, true).count = *charge.verdict.after;
  for (std::size_t i = 0; i < process.broken.size(); ++i) {
    const BrokenKernel::Result result = process.broken[i].charge(
        seen.pc, seen.ticks,
        [&](GuestAddr address, unsigned bytes) { return can_update(guest, address, bytes); });
    if (result.increment) note(process, result.looked, place, false);
    charge.broken.push_back(verdict_of(broken_rules()[i], result, seen.ticks));
  }
  process.rows.reset();
  charges_.push_back(std::move(charge));
}

LabCounts::Counter& LabCounts::note(OfProcess& process, const Looked& looked,
                                    const std::string& place, bool is_true) {
  const auto& access = std::get<profil::Access>(looked.lookup);
  Counter& counter = process.counters[access.address];
  counter.element = access.byte_offset / access.width;
  if (is_true || !counter.is_true) counter.place = place;
  counter.is_true = counter.is_true || is_true;
  return counter;
}

std::shared_ptr<const std::vector<lab::CounterRow>> LabCounts::rows_of(int process) {
  OfProcess& own = of(process);
  if (own.rows == nullptr) own.rows = make_rows(own);
  return own.rows;
}

std::shared_ptr<const std::vector<lab::CounterRow>> LabCounts::make_rows(
    const OfProcess& process) const {
  auto rows = std::make_shared<std::vector<lab::CounterRow>>();
  for (const auto& [address, counter] : process.counters) {
    lab::CounterRow row;
    row.address = address;
    row.count = counter.count;
    row.place = counter.place;
    row.element = counter.element;
    for (const BrokenKernel& broken : process.broken) {
      const auto at = broken.counters().find(address);
      row.broken.push_back(at == broken.counters().end() ? 0 : at->second);
    }
    rows->push_back(std::move(row));
  }
  return rows;
}

}  // namespace hardclock
