// A processor as its .timing file describes it. The file is the documentation too: every row names
// its source and how far it can be trusted. The format:
//   cpu NAME | isa LEVEL | clock MHZ | pipeline in-order|functional | about TEXT
//   class NAME latency L [repeat R unit NAME] GRADE: SOURCE
//   note TEXT
// GRADE is exact, published, measured or unverified. '#' starts a comment.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/timing/pipeline.h"

namespace hardclock {

struct TimingRow {
  std::string timing_class;
  std::uint32_t latency = 1;
  std::uint32_t repeat = 1;
  std::string unit;  // empty: none of its own
  std::string grade;
  std::string source;
};

struct CpuDescription {
  std::string name;
  std::string isa;
  std::string about;
  Hertz clock;
  bool functional = false;  // no pipeline is known: one cycle an instruction
  std::vector<TimingRow> rows;
  std::vector<std::string> notes;
};

// Error: "line N: what is wrong".
Result<CpuDescription, std::string> parse_cpu_description(std::string_view text);

// The pipeline of the description; `class_names` are the ISA's timing classes in order. Error: a
// class without a row, or a row for an unknown class.
Result<std::shared_ptr<const Pipeline>, std::string> make_pipeline(
    const CpuDescription& description, std::span<const char* const> class_names);

// A readable page with the evidence of each row.
std::string to_text(const CpuDescription& description);

}  // namespace hardclock
