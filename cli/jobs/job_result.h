// What came of a job: the figures of its run, or why there are none.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.h"
#include "sim/report/sweep.h"

namespace hardclock::jobs {

// What the clocks of --hz saw; the table's functions are named, and nothing else.
struct SeenClocks {
  report::Sweep sweep;  // its rates and phases
  std::vector<report::SweepRow> rows;
  Cycles cycles;
  report::ClockTicks user, kernel, idle;

  // Refers to this.
  report::SweepTable table() const;
};

struct JobResult {
  std::string error;  // one line; empty: the program ran to its end, and the rest is valid
  int status = 0;     // the guest's exit status, or 128+N for its signal N
  std::string cpu;
  std::string machine;             // empty: none
  std::vector<std::string> cache;  // the changes: "l1d=16k,32,2"
  Hertz clock;
  Instructions instructions;
  Cycles cycles;                                // of all programs
  Cycles elapsed;                               // with the kernel's and idle ones
  std::map<std::string, std::uint64_t> misses;  // "l1i", "l1d", "l2", "l3", "tlb": of a machine
  std::optional<SeenClocks> clocks;

  double seconds() const;
  double cpi() const;  // 0 without instructions
};

// A job that failed.
std::string failure_json(const std::string& error);
// A job that ended with `status`, from the files that --stats and, empty if there is none, sweep
// --format=json wrote. Error: one line.
Result<std::string, std::string> result_json(int status, std::string_view statistics,
                                             std::string_view sweep);
// nullopt: the text is no result.
std::optional<JobResult> parse_result(std::string_view text);

// Whether the text is of a job that need not run again.
bool is_done(const std::optional<std::string>& text);

}  // namespace hardclock::jobs
