// The instructions before and with the shown one, on their way through the pipeline.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "sim/lab/panes.h"

namespace hardclock::lab {
namespace {

constexpr std::size_t stage_columns = 2;
constexpr std::size_t cycle_columns = stage_columns + 1;

// A cycle, or several in which nothing changes.
struct Column {
  std::uint64_t begin = 0, end = 0;  // cycles

  bool is_one() const { return end - begin == 1; }
};

std::set<std::uint64_t> changes_in(const std::vector<const Frame*>& frames) {
  std::set<std::uint64_t> changes;
  for (const Frame* const frame : frames) {
    for (const PipelineRecord::Stage& stage : frame->record.stages) {
      changes.insert(stage.begin);
      changes.insert(stage.end);
    }
  }
  return changes;
}

// Up to the cycle in which the last instruction leaves the pipeline. A long wait has three, so that
// what came before it stays in sight.
std::vector<Column> columns_of(const std::vector<const Frame*>& frames, std::size_t most) {
  constexpr std::uint64_t most_alike = 6;
  const std::set<std::uint64_t> changes = changes_in(frames);
  std::deque<Column> columns;
  for (auto end = changes.rbegin(); end != changes.rend() && columns.size() < most; ++end) {
    const auto begin = std::next(end);
    if (begin == changes.rend()) break;
    if (*end - *begin > most_alike) {
      columns.push_front({*end - 1, *end});
      columns.push_front({*begin + 1, *end - 1});
      columns.push_front({*begin, *begin + 1});
      continue;
    }
    for (std::uint64_t cycle = *end; cycle-- > *begin;) columns.push_front({cycle, cycle + 1});
  }
  while (columns.size() > most) columns.pop_front();
  while (!columns.empty() && columns.size() < most && columns.front().begin != 0)
    columns.push_front({columns.front().begin - 1, columns.front().begin});
  return {columns.begin(), columns.end()};
}

std::string label_of(const MachineFacts& facts, const Frame& frame, std::size_t columns) {
  std::string label = ascii(fmt::format("{} {}", address_text(facts, frame.pc), frame.text));
  if (!frame.record.completed) label = "(" + label + ")";
  label.resize(columns, ' ');
  return label;
}

std::string cell(const PipelineRecord& record, const Column& column) {
  std::string text;
  for (const PipelineRecord::Stage& stage : record.stages) {
    if (column.begin < stage.begin || column.begin >= stage.end) continue;
    text = column.begin == stage.begin ? ascii(stage.name).substr(0, stage_columns) : "-";
    if (!column.is_one()) text = "..";
  }
  text.resize(cycle_columns, ' ');
  return text;
}

std::string cells(const PipelineRecord& record, const std::vector<Column>& columns) {
  std::string line;
  for (const Column& column : columns) line += cell(record, column);
  return line;
}

std::string heading(const std::vector<Column>& columns, std::size_t label_columns) {
  constexpr std::uint64_t shown_digits = 100;
  std::string line = "pipeline";
  line.resize(label_columns + 1, ' ');
  for (const Column& column : columns)
    line += column.is_one() ? fmt::format("{:02} ", column.begin % shown_digits) : ".. ";
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
  const std::vector<Column> shown = columns_of(frames, cycles);
  const bool has_stages = !last->record.stages.empty();
  Lines lines;
  if (rows > 1) {
    lines.push_back(
        fitted({{has_stages ? heading(shown, labels) : "instructions", Style::title}}, columns));
  }
  for (const Frame* const frame : frames) {
    const Style style = frame == last ? Style::changed : Style::plain;
    const std::size_t width = has_stages ? labels : columns;
    Line line = {{label_of(session.facts(), *frame, width), style}};
    if (has_stages) line.push_back({" " + cells(frame->record, shown), style});
    lines.push_back(fitted(std::move(line), columns));
  }
  if (is_waiting && lines.size() < rows) {
    const std::string waits = ascii(joined(last->record.notes));
    lines.push_back(fitted({{"  " + waits + " (cycles)", Style::tick}}, columns));
  }
  return lines;
}

}  // namespace hardclock::lab
