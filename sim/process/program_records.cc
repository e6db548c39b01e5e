#include "sim/process/program_records.h"

namespace hardclock {
namespace {

// Of all records together; a program has a few.
constexpr std::size_t most_code_files = 100'000;

void add_profile(const ProfileRecord& from, ProfileRecord& to) {
  for (const auto& [pc, ticks] : from.tick_samples) to.tick_samples[pc] += ticks;
  to.cycles.add(from.cycles);
  to.calls.add(from.calls);
  to.sweep.add(from.sweep);
}

// What there is no room for is counted elsewhere.
void charge(SweepCounts& counts, const std::shared_ptr<MemoryBudget>& budget) {
  if (counts.charge_to(budget)) return;
  SweepCounts charged(counts.clocks(), budget);
  charged.add(counts);
  counts = std::move(charged);
}

void add_run(const ProgramRecord& from, ProgramRecord& to) {
  to.counts.instructions += from.counts.instructions;
  to.counts.cycles += from.counts.cycles;
  to.time += from.time;
  to.profiled_ticks += from.profiled_ticks;
  to.runs += from.runs;
  if (from.profile && to.profile) add_profile(*from.profile, *to.profile);
}

}  // namespace

// Profiles leave half of their memory to programs that run and to sums.
bool ProgramRecords::has_room_for(const ProgramRecord& record) const {
  if (records_.size() - sums_.size() >= singles_) return false;
  if (!record.profile) return true;
  return code_files_ + record.profile->code_files.size() <= most_code_files &&
         budget_->profile_bytes() + record.profile->cycles.bytes() + record.profile->calls.bytes() +
                 record.profile->sweep.bytes() <=
             budget_->most_profile_bytes() / 2;
}

void ProgramRecords::append(ProgramRecord record) {
  if (record.profile) {
    ReasonProfile charged(budget_);
    charged.add(std::move(record.profile->cycles));
    record.profile->cycles = std::move(charged);
    CallRecord calls(budget_, CallRecord::of_ended);
    calls.add(record.profile->calls);
    record.profile->calls = std::move(calls);
    charge(record.profile->sweep, budget_);
    code_files_ += record.profile->code_files.size();
  }
  records_.push_back(std::make_shared<ProgramRecord>(std::move(record)));
}

void ProgramRecords::add(ProgramRecord record) {
  if (has_room_for(record)) {
    append(std::move(record));
    return;
  }
  add_run(record, sum_for(record));
}

ProgramRecord& ProgramRecords::sum_for(const ProgramRecord& record) {
  std::pair name(record.program, record.profile ? record.profile->text_hash : std::string());
  const auto known = sums_.find(name);
  if (known != sums_.end()) return *known->second;
  if (sums_.size() >= most_sums) name = {others, {}};
  std::shared_ptr<ProgramRecord>& sum = sums_[name];
  if (sum != nullptr) return *sum;
  ProgramRecord first;
  first.pid = record.pid;
  first.parent = record.parent;
  first.program = name.first;
  first.exit_status = record.exit_status;
  first.runs = 0;
  if (record.profile) {
    first.profile.emplace();
    if (name.first != others) {
      first.profile->code_files = record.profile->code_files;
      first.profile->text_hash = record.profile->text_hash;
      first.profile->moved_by = record.profile->moved_by;
    }
  }
  append(std::move(first));
  sum = records_.back();
  return *sum;
}

}  // namespace hardclock
