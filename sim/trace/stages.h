// The stages of an instruction in an in-order pipeline, for diagrams. The engine knows when an
// instruction issues and how long caches and units hold it: these are exact. Where it is in the
// cycles between is drawn by the textbook's rule (Hennessy and Patterson, Computer Architecture,
// appendix C): an instruction enters a stage when it has been a cycle in the one before and the
// instruction in front has left; after its issue it goes on by a stage a cycle. Older instructions
// are not drawn as held while a younger one's cache miss freezes the pipeline.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.h"
#include "sim/timing/cpu_description.h"
#include "sim/trace/pipeline_record.h"

namespace hardclock {

struct StageNames {
  std::vector<std::string> names;
  std::size_t issue = 0;   // the stage that an instruction enters when it issues
  std::size_t memory = 0;  // the stage in which it waits for its data; not before `issue`
};

// From a row `stages IF,IS,RF,EX,DF,DS,TC,WB issue EX`. `memory` names the stage that waits for
// data; empty: the one after the issue stage, or the issue stage if that is the last one.
// Error: "line N: what is wrong".
Result<StageNames, std::string> read_stage_names(const TimingRow& row,
                                                 std::string_view memory = {});

// The cycle in which the fetch of an instruction begins that nothing holds before it issues in
// `cycle`; 0 if that would be before the first cycle.
std::uint64_t fetch_of_issue(const StageNames& stages, std::uint64_t cycle);

// Instructions in program order, one after the other.
class InOrderStages {
 public:
  // In cycles.
  struct Moments {
    std::uint64_t issue = 0;  // when it issued; not before the instruction in front
    // When its fetch could begin. None: as soon as the instruction in front left the first stage.
    // Needed after what makes the fetch wait: a taken branch, an exception, another process.
    std::optional<std::uint64_t> fetch = {};
    std::uint64_t fetch_stall = 0;   // holds it in the first stage
    std::uint64_t execution = 0;     // beyond the first; holds it in the issue stage
    std::uint64_t memory_stall = 0;  // holds it in the memory stage
  };

  explicit InOrderStages(StageNames stages);

  // The issue goes before the rest: if there is no time for all stages and the fetch stall, the
  // fetch is drawn earlier, as soon as the first stage is free, and the stall as long as fits. An
  // instruction that issues together with the one in front is drawn beside it. What would be before
  // cycle 0 is left out.
  std::vector<PipelineRecord::Stage> next(const Moments& moments);

 private:
  std::vector<std::int64_t> entries(const Moments& moments) const;

  StageNames stages_;
  std::vector<std::int64_t> ahead_;  // when the instruction in front entered each stage
};

}  // namespace hardclock
