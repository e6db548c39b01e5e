// The timing of a processor's instructions, as an engine needs it.
#pragma once

#include <memory>
#include <span>

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

}  // namespace hardclock
