// The instructions before and with the shown one, on their way through the pipeline.
#include <fmt/format.h>

#include <algorithm>

#include "sim/lab/panes.h"

namespace hardclock::lab {
namespace {

constexpr std::size_t stage_columns = 2;
constexpr std::size_t cycle_columns = stage_columns + 1;

struct Window {
  std::uint64_t begin = 0, end = 0;  // cycles
};

// Up to the cycle in which the last instruction leaves the pipeline.
Window window_of(const std::vector<const Frame*>& frames, std::size_t cycles) {
  Window window;
  for (const Frame* const frame : frames) {
    window.end = std::max(window.end, frame->record.end_cycle(window.end));
  }
  window.begin = window.end - std::min<std::uint64_t>(window.end, cycles);
  return window;
}

std::string label_of(const MachineFacts& facts, const Frame& frame, std::size_t columns) {
  std::string label = ascii(fmt::format("{} {}", address_text(facts, frame.pc), frame.text));
  if (!frame.record.completed) label = "(" + label + ")";
  label.resize(columns, ' ');
  return label;
}

std::string cells(const PipelineRecord& record, const Window& window) {
  std::string line((window.end - window.begin) * cycle_columns, ' ');
  for (const PipelineRecord::Stage& stage : record.stages) {
    std::string name = ascii(stage.name).substr(0, stage_columns);
    for (std::uint64_t cycle = std::max(stage.begin, window.begin);
         cycle < std::min(stage.end, window.end); ++cycle) {
      const std::size_t at = (cycle - window.begin) * cycle_columns;
      const std::string cell = cycle == stage.begin ? name : std::string("-");
      line.replace(at, cell.size(), cell);
    }
  }
  return line;
}

std::string heading(const Window& window, std::size_t label_columns) {
  constexpr std::uint64_t shown_digits = 100;
  std::string line = "pipeline";
  line.resize(label_columns + 1, ' ');
  for (std::uint64_t cycle = window.begin; cycle < window.end; ++cycle) {
    line += fmt::format("{:02} ", cycle % shown_digits);
  }
  return line;
}

std::size_t label_columns(std::size_t columns) {
  constexpr std::size_t widest = 32;
  return std::min(widest, columns * 2 / 5);
}

}  // namespace

Lines pipeline_pane(const Session& session, std::size_t columns, std::size_t rows) {
  constexpr std::size_t rows_beside = 2;  // the heading, and why the last one waited
  const Frame* const last = session.frame();
  if (last == nullptr || rows == 0) return {};
  const bool is_waiting = !last->record.notes.empty();
  const std::size_t wanted = rows - std::min(rows, is_waiting ? rows_beside : rows_beside - 1);
  std::vector<const Frame*> frames;
  for (std::size_t back = std::max<std::size_t>(wanted, 1); back-- > 0;) {
    if (const Frame* const frame = session.frame_before(back)) frames.push_back(frame);
  }
  const std::size_t labels = label_columns(columns);
  const std::size_t cycles = (columns - labels) / cycle_columns;
  const Window window = window_of(frames, cycles);
  const bool has_stages = !last->record.stages.empty();
  Lines lines;
  if (rows > 1) {
    lines.push_back(
        fitted({{has_stages ? heading(window, labels) : "instructions", Style::title}}, columns));
  }
  for (const Frame* const frame : frames) {
    const Style style = frame == last ? Style::changed : Style::plain;
    const std::size_t width = has_stages ? labels : columns;
    Line line = {{label_of(session.facts(), *frame, width), style}};
    if (has_stages) line.push_back({" " + cells(frame->record, window), style});
    lines.push_back(fitted(std::move(line), columns));
  }
  if (is_waiting && lines.size() < rows) {
    std::string waits;
    for (const std::string& note : last->record.notes) waits += (waits.empty() ? "" : "; ") + note;
    lines.push_back(fitted({{"  " + ascii(waits) + " (cycles)", Style::tick}}, columns));
  }
  return lines;
}

}  // namespace hardclock::lab
