// An in-order pipeline from the text of a processor's description.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>

#include "sim/timing/cpu_description.h"
#include "sim/timing/in_order.h"

namespace hardclock {

// `class_names` are the timing classes that the description may name. A description that cannot be
// read ends the test program.
inline std::shared_ptr<const Pipeline> made_in_order(const std::string& text,
                                                     std::span<const char* const> class_names) {
  const auto cpu = parse_cpu_description(text);
  EXPECT_TRUE(cpu.ok()) << cpu.error();
  const auto pipeline = make_in_order(*cpu, class_names);
  EXPECT_TRUE(pipeline.ok()) << pipeline.error();
  return *pipeline;
}

}  // namespace hardclock
