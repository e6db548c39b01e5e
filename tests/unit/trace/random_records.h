// Random stretches of code: program order, overlapping lifetimes, long waits, large first cycles.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/trace/pipeline_record.h"

namespace hardclock {

inline PipelineRecord random_record(std::uint64_t number, std::uint64_t begin) {
  PipelineRecord record;
  record.number = number;
  record.pc = GuestAddr(0x400000 + 4 * number);
  record.text = "instruction " + std::to_string(number);
  record.completed = *rc::gen::inRange(0, 5) != 0;
  const std::uint64_t stages = *rc::gen::inRange(0, 6);
  for (std::uint64_t stage = 0; stage < stages; ++stage) {
    const std::uint64_t longest = *rc::gen::inRange(0, 8) == 0 ? 200 : 3;
    const std::uint64_t end = begin + *rc::gen::inRange<std::uint64_t>(0, longest);
    record.stages.push_back({"S" + std::to_string(stage), begin, end});
    begin = end + *rc::gen::inRange<std::uint64_t>(0, 2);
  }
  for (int note = *rc::gen::inRange(0, 3); note > 0; --note) {
    record.notes.push_back("note " + std::to_string(note));
  }
  return record;
}

inline std::vector<PipelineRecord> random_records() {
  constexpr std::uint64_t late = 1'000'000'000'000;
  std::vector<PipelineRecord> records;
  std::uint64_t begin = *rc::gen::element<std::uint64_t>(0, 1, late);
  const std::uint64_t first = *rc::gen::inRange(0, 3);
  const std::uint64_t count = *rc::gen::inRange(0, 20);
  for (std::uint64_t i = 0; i < count; ++i) {
    PipelineRecord record = random_record(first + i, begin);
    if (i > 0 && *rc::gen::arbitrary<bool>()) {
      record.producers.push_back(*rc::gen::inRange<std::uint64_t>(0, first + i));
    }
    if (!record.stages.empty()) begin += *rc::gen::inRange<std::uint64_t>(0, 3);
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace hardclock
