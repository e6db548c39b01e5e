#include "sim/trace/stages.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "sim/base/check.h"

namespace hardclock {
namespace {

// names.size() if there is none.
std::size_t position_of(const std::vector<std::string>& names, std::string_view name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

Result<StageNames, std::string> read_stage_names(const TimingRow& row, std::string_view memory) {
  RowReader reader(row);
  StageNames stages;
  stages.names = words_of_list(reader.name());
  const std::set<std::string> distinct(stages.names.begin(), stages.names.end());
  if (distinct.contains("")) reader.fail("a stage without a name in '" + reader.name() + "'");
  if (distinct.size() != stages.names.size())
    reader.fail("a stage appears twice in '" + reader.name() + "'");
  reader.require("issue");
  const std::string issue = reader.word("issue", "");
  stages.issue = position_of(stages.names, issue);
  if (stages.issue == stages.names.size()) reader.fail("no stage '" + issue + "' to issue in");
  stages.memory = memory.empty() ? std::min(stages.issue + 1, stages.names.size() - 1)
                                 : position_of(stages.names, memory);
  if (stages.memory == stages.names.size() || stages.memory < stages.issue)
    reader.fail("no stage '" + std::string(memory) + "' from the issue stage on");
  if (const std::string error = reader.error(); !error.empty()) return Failure{error};
  return stages;
}

std::uint64_t fetch_of_issue(const StageNames& stages, std::uint64_t cycle) {
  return cycle - std::min<std::uint64_t>(cycle, stages.issue);
}

InOrderStages::InOrderStages(StageNames stages) : stages_(std::move(stages)) {
  CHECK(stages_.issue <= stages_.memory && stages_.memory < stages_.names.size());
}

std::vector<PipelineRecord::Stage> InOrderStages::next(const Moments& moments) {
  std::vector<std::int64_t> entered = entries(moments);
  std::vector<PipelineRecord::Stage> drawn;
  for (std::size_t i = 0; i < stages_.names.size(); ++i) {
    if (entered[i + 1] <= 0) continue;
    const auto begin = static_cast<std::uint64_t>(std::max<std::int64_t>(entered[i], 0));
    drawn.push_back({stages_.names[i], begin, static_cast<std::uint64_t>(entered[i + 1])});
  }
  ahead_ = std::move(entered);
  return drawn;
}

// The last element is when the instruction leaves the last stage.
std::vector<std::int64_t> InOrderStages::entries(const Moments& moments) const {
  constexpr std::int64_t never = std::numeric_limits<std::int64_t>::min();
  const auto issue_stage = static_cast<std::int64_t>(stages_.issue);
  const auto issue = static_cast<std::int64_t>(moments.issue);
  const auto fetch_stall = static_cast<std::int64_t>(moments.fetch_stall);
  const bool first = ahead_.empty();
  CHECK(first || ahead_[stages_.issue] <= issue);
  const bool pairs = !first && ahead_[stages_.issue] == issue;
  // The first cycle in which stage `i` is free for this instruction.
  const auto free_from = [&](std::size_t i) { return first ? never : ahead_[pairs ? i : i + 1]; };

  std::vector<std::int64_t> entered(stages_.names.size() + 1);
  const std::int64_t latest = issue - issue_stage - fetch_stall;
  std::int64_t fetch = first ? latest : free_from(0);
  if (moments.fetch) fetch = static_cast<std::int64_t>(*moments.fetch);
  entered[0] = std::max(std::min(fetch, latest), free_from(0));
  for (std::size_t i = 1; i < stages_.issue; ++i) {
    const std::int64_t ready = entered[i - 1] + 1 + (i == 1 ? fetch_stall : 0);
    const std::int64_t last = issue - issue_stage + static_cast<std::int64_t>(i);
    entered[i] = std::min(std::max(ready, free_from(i)), last);
  }
  entered[stages_.issue] = issue;
  for (std::size_t i = stages_.issue; i < stages_.names.size(); ++i) {
    entered[i + 1] = entered[i] + 1;
    if (i == stages_.issue) entered[i + 1] += static_cast<std::int64_t>(moments.execution);
    if (i == stages_.memory) entered[i + 1] += static_cast<std::int64_t>(moments.memory_stall);
  }
  return entered;
}

}  // namespace hardclock
