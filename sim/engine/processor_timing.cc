#include "sim/engine/processor_timing.h"

#include "sim/base/check.h"
#include "sim/timing/bundle_pipeline.h"
#include "sim/timing/in_order.h"

namespace hardclock {

ProcessorTiming processor_timing(const CpuDescription& description, bool functional,
                                 std::span<const char* const> classes,
                                 std::span<const char* const> absent) {
  if (functional || description.functional()) return {std::make_shared<FunctionalPipeline>(), {}};
  if (description.kind == PipelineKind::out_of_order) {
    auto core = make_out_of_order(description, classes, absent);
    CHECK(core.ok());
    return {std::make_shared<FunctionalPipeline>(), *core};
  }
  auto pipeline = description.kind == PipelineKind::bundles
                      ? make_bundle_pipeline(description, classes, absent)
                      : make_in_order(description, classes, absent);
  CHECK(pipeline.ok());
  return {*pipeline, {}};
}

}  // namespace hardclock
