#include "sim/engine/processor_timing.h"

#include "sim/base/check.h"
#include "sim/timing/bundle_pipeline.h"
#include "sim/timing/in_order.h"

namespace hardclock {
namespace {

struct CommonTiming {
  CpuDescription description;
  std::uint8_t variant = 0;
  ProcessorTiming timing;
};

}  // namespace

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

ProcessorTiming common_timing(CacheBudget& caches, const CpuDescription& description,
                              std::uint8_t variant, const std::function<ProcessorTiming()>& make) {
  const auto common = caches.common<CommonTiming>(
      [&](const CommonTiming& known) {
        return known.variant == variant && known.description == description;
      },
      [&] {
        return std::make_shared<CommonTiming>(CommonTiming{description, variant, make()});
      });
  // Whoever has a part of it keeps it.
  const ProcessorTiming& timing = common->timing;
  return {std::shared_ptr<const Pipeline>(common, timing.in_order.get()),
          std::shared_ptr<const OutOfOrderDescription>(common, timing.out_of_order.get())};
}

}  // namespace hardclock
