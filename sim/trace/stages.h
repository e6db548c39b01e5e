// The stages of an instruction in an in-order pipeline, for diagrams. The engine knows when an
// instruction issues and how long caches and units hold it: these are exact. The cycles between are
// drawn by the textbook's rule (Hennessy and Patterson, Computer Architecture, appendix C): an
// instruction enters a stage when it has spent a cycle in the previous stage and its predecessor
// has left; after its issue it advances by a stage a cycle. Older instructions are not drawn as
// held while a younger one's cache miss freezes the pipeline.
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

// Reads a row `stages IF,IS,RF,EX,DF,DS,TC,WB issue EX`. `memory` names the stage that waits for
// data; if empty, it is the one after the issue stage, or the issue stage if that is the last one.
// Error: "line N: what is wrong".
Result<StageNames, std::string> read_stage_names(const TimingRow& row,
                                                 std::string_view memory = {});

// The cycle in which an instruction's fetch begins if it issues in `cycle` and nothing holds it
// before; 0 if that would be before the first cycle.
std::uint64_t fetch_of_issue(const StageNames& stages, std::uint64_t cycle);

// Takes instructions in program order.
class InOrderStages {
 public:
  // In cycles.
  struct Moments {
    std::uint64_t issue = 0;  // when it issued; not before its predecessor
    // When its fetch could begin; nullopt: as soon as its predecessor left the first stage. Needed
    // after whatever delays the fetch: a taken branch, an exception, another process.
    std::optional<std::uint64_t> fetch = {};
    std::uint64_t fetch_stall = 0;   // holds it in the first stage
    std::uint64_t execution = 0;     // beyond the first; holds it in the issue stage
    std::uint64_t memory_stall = 0;  // holds it in the memory stage
  };

  explicit InOrderStages(StageNames stages);

  // The issue cycle has priority. If there is no time for all stages and the fetch stall, the fetch
  // is drawn earlier, as soon as the first stage is free, and the stall is cut to what fits. An
  // instruction that issues together with its predecessor is drawn beside it. Stages before cycle 0
  // are left out.
  std::vector<PipelineRecord::Stage> next(const Moments& moments);

 private:
  std::vector<std::int64_t> entries(const Moments& moments) const;

  StageNames stages_;
  std::vector<std::int64_t> ahead_;  // when its predecessor entered each stage
};

}  // namespace hardclock
