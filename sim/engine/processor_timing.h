// The timing of a processor's instructions, as an engine needs it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "sim/memory/cache_budget.h"
#include "sim/timing/cpu_description.h"
#include "sim/timing/out_of_order.h"
#include "sim/timing/pipeline.h"

namespace hardclock {

struct ProcessorTiming {
  std::shared_ptr<const Pipeline> in_order;
  std::shared_ptr<const OutOfOrderDescription>
      out_of_order;  // if not nullptr, `in_order` is unused
};

// By the description's rows, in which there are no mistakes: tests read them first. `classes` are
// the names of the ISA's timing classes, `absent` those of which the processor has no instruction.
// Functional: one cycle an instruction.
ProcessorTiming processor_timing(const CpuDescription& description, bool functional,
                                 std::span<const char* const> classes,
                                 std::span<const char* const> absent);

// The same for all of a simulation's processors of one kind, as long as there is one: what has been
// made once, or what make() makes of the description. `variant` is a number for whatever else that
// depends on.
ProcessorTiming common_timing(CacheBudget& caches, const CpuDescription& description,
                              std::uint8_t variant, const std::function<ProcessorTiming()>& make);

}  // namespace hardclock
