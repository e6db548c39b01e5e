#include "sim/engine/processor_timing.h"

#include <vector>

#include "sim/base/check.h"
#include "sim/timing/in_order.h"

namespace hardclock {

ProcessorTiming processor_timing(const CpuDescription& description, bool functional,
                                 std::span<const char* const> classes) {
  if (functional || description.functional()) return {std::make_shared<FunctionalPipeline>(), {}};
  const std::vector<const char*> names(classes.begin(), classes.end());
  if (description.kind == PipelineKind::out_of_order) {
    auto core = make_out_of_order(description, names);
    CHECK(core.ok());
    return {std::make_shared<FunctionalPipeline>(), *core};
  }
  auto pipeline = make_in_order(description, names);
  CHECK(pipeline.ok());
  return {*pipeline, {}};
}

}  // namespace hardclock
