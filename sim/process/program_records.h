// What the programs of a simulation did, for statistics and profiles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/engine/cpu.h"
#include "sim/memory/file_ranges.h"
#include "sim/memory/page.h"
#include "sim/process/clock_sweep.h"
#include "sim/process/process.h"

namespace hardclock {

// The part that only a profile needs.
struct ProfileRecord {
  std::map<GuestAddr, std::uint64_t> tick_samples;  // user ticks by charged pc
  ReasonProfile cycles;
  CallRecord calls;                   // empty: not requested
  std::vector<FileRange> code_files;  // where its code lay, and of which files
  std::string text_hash;              // of its own file, see text_hash()
  std::uint64_t moved_by = 0;         // see Image
  SweepCounts sweep;                  // empty: no clocks were asked for
};

// What one program did in one process. A process has one record for each program it ran.
struct ProgramRecord {
  int pid = 0;
  int parent = 0;
  std::string program;
  ExecutionCounts counts;
  CpuTime time;
  Ticks profiled_ticks;
  std::optional<ExitStatus> exit_status;  // nullopt: it ended in an exec, or was still running
  std::optional<ProfileRecord> profile;   // nullopt: not requested
  // If more than 1, the record is the sum of that many runs of one program; pid, parent and
  // exit_status are those of the first run.
  std::uint64_t runs = 1;
};

// Records of programs that ended. A guest may start any number of programs, but the records are
// limited: later runs of a program are summed up.
class ProgramRecords {
 public:
  // Records of single runs, and of sums.
  static constexpr std::size_t most_single = 10'000;
  static constexpr std::size_t most_sums = 1'000;
  // The name of the record for programs that have neither.
  static constexpr const char* others = "(others)";

  // `budget` is charged for profiles.
  explicit ProgramRecords(std::shared_ptr<MemoryBudget> budget, std::size_t singles = most_single)
      : budget_(std::move(budget)), singles_(singles) {}

  void add(ProgramRecord record);
  // In the order in which they ended; a sum stands where its first run ended.
  const std::vector<std::shared_ptr<ProgramRecord>>& all() const { return records_; }

 private:
  bool has_room_for(const ProgramRecord& record) const;
  void append(ProgramRecord record);
  ProgramRecord& sum_for(const ProgramRecord& record);

  std::shared_ptr<MemoryBudget> budget_;
  std::size_t singles_;
  std::vector<std::shared_ptr<ProgramRecord>> records_;
  std::size_t code_files_ = 0;  // in all records
  // By program and hash; also in records_.
  std::map<std::pair<std::string, std::string>, std::shared_ptr<ProgramRecord>> sums_;
};

}  // namespace hardclock
