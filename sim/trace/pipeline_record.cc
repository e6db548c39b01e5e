#include "sim/trace/pipeline_record.h"

#include <fmt/format.h>

#include <algorithm>

namespace hardclock {

std::uint64_t PipelineRecord::first_cycle(std::uint64_t newest) const {
  return stages.empty() ? newest : stages.front().begin;
}

std::uint64_t PipelineRecord::end_cycle(std::uint64_t newest) const {
  std::uint64_t end = first_cycle(newest);
  for (const Stage& stage : stages) end = std::max({end, stage.begin, stage.end});
  return end;
}

std::string one_line(std::string_view text) {
  std::string line(text);
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
  std::replace_if(line.begin(), line.end(), is_control, ' ');
  return line;
}

std::string label_of(const PipelineRecord& record) {
  return fmt::format("{:08x}  {}", record.pc.value(), one_line(record.text));
}

}  // namespace hardclock
