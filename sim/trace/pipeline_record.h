// The data of a pipeline diagram: one record an instruction.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.h"

namespace hardclock {

// One instruction's way through the pipeline. Writers of diagrams take the records in program
// order; none begins before its predecessor.
struct PipelineRecord {
  // Cycles [begin, end). The names are those of the processor's `stages` row, "IF", "RF", "EX" and
  // so on; in an out-of-order processor fetch, decode, issue, complete, graduate.
  struct Stage {
    std::string name;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;

    bool operator==(const Stage&) const = default;
  };

  std::uint64_t number = 0;  // in program order; each is one more than the one before
  GuestAddr pc;
  std::string text;                      // disassembly
  std::vector<Stage> stages;             // in order of `begin`
  std::vector<std::string> notes;        // why it waited: "waits for $9", "l1d miss 13"
  std::vector<std::uint64_t> producers;  // numbers of the instructions whose results it waited for
  bool completed = true;                 // false: interrupted or nullified; shown as flushed

  // Its first cycle, and the one after its last; `newest` if the record has no stages.
  std::uint64_t first_cycle(std::uint64_t newest) const;
  std::uint64_t end_cycle(std::uint64_t newest) const;
};

// `text` with a blank for each control character: a tab would end a field, a newline a line.
std::string one_line(std::string_view text);

// "004001a0  addu $2,$3,$4".
std::string label_of(const PipelineRecord& record);

}  // namespace hardclock
