#include "sim/trace/pipeline_diagram.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "sim/base/check.h"

namespace hardclock {
namespace {

constexpr std::size_t shortest_name = 2;  // the header has two digits a cycle
constexpr std::size_t note_indent = 10;   // beneath the disassembly

std::string fitted(std::string text, std::size_t width) {
  constexpr std::string_view more = "..";
  if (text.size() > width && width >= more.size()) {
    text.resize(width - more.size());
    text += more;
  }
  text.resize(width, ' ');
  return text;
}

std::string without_blanks_at_end(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace

PipelineDiagram::PipelineDiagram(std::ostream& out, DiagramLayout layout)
    : out_(out), layout_(layout) {
  layout_.name_width = std::max(layout_.name_width, shortest_name);
  const std::size_t used = std::min(layout_.width, layout_.label_width + 2);
  // The last column needs no blank after it.
  cycles_ = std::max<std::uint64_t>(1, (layout_.width - used + 1) / (layout_.name_width + 1));
}

void PipelineDiagram::add(PipelineRecord record) {
  const std::uint64_t begin = record.first_cycle(newest_);
  CHECK(begin >= newest_);
  newest_ = begin;
  write_pages(begin);
  if (rows_.empty()) page_ = begin;
  const std::uint64_t end = record.end_cycle(begin);
  rows_.push_back({std::move(record), end});
}

void PipelineDiagram::finish() {
  write_pages(no_cycle);
}

// Writes all pages that no cycle from `horizon` on can belong to.
void PipelineDiagram::write_pages(std::uint64_t horizon) {
  while (!rows_.empty() && page_end() <= horizon) {
    write_page();
    const std::uint64_t next = page_end();
    std::erase_if(rows_, [&](const Row& row) { return row.end <= next; });
    page_ = next;
    if (rows_.empty()) return;
    const std::uint64_t move = std::min(next_move(next), horizon);
    if (move - next < cycles_) continue;
    out_ << fmt::format("\ncycles {} to {}: nothing moves\n", next, move - 1);
    page_ = move;
  }
}

void PipelineDiagram::write_page() {
  std::uint64_t end = page_ + 1;
  for (const Row& row : rows_) end = std::max(end, std::min(row.end, page_end()));
  if (std::exchange(started_, true)) out_ << "\n";
  out_ << heading(end);
  for (const Row& row : rows_) {
    std::string line = fitted(label_of(row.record), layout_.label_width);
    if (const std::string in_page = cells(row); !in_page.empty()) line += "  " + in_page;
    if (row.end <= page_end()) line = with_notes(std::move(line), row.record);
    out_ << without_blanks_at_end(std::move(line)) << "\n";
  }
}

std::string PipelineDiagram::heading(std::uint64_t end) const {
  std::string line(layout_.label_width + 2, ' ');
  for (std::uint64_t cycle = page_; cycle < end; ++cycle) {
    const std::string digits =
        cycle < 100 ? std::to_string(cycle) : fmt::format("{:02}", cycle % 100);
    line += fitted(digits, layout_.name_width + 1);
  }
  return fmt::format("cycles {} to {}\n{}\n", page_, end - 1,
                     without_blanks_at_end(std::move(line)));
}

std::string PipelineDiagram::cells(const Row& row) const {
  const std::size_t cell = layout_.name_width + 1;
  std::string line(cycles_ * cell, ' ');
  for (const PipelineRecord::Stage& stage : row.record.stages) {
    const std::uint64_t begin = std::max(stage.begin, page_);
    const std::uint64_t end = std::min(stage.end, page_end());
    const std::string name = one_line(stage.name).substr(0, layout_.name_width);
    for (std::uint64_t cycle = begin; cycle < end; ++cycle) {
      line.replace((cycle - page_) * cell, cell, fitted(cycle == begin ? name : "-", cell));
    }
  }
  return without_blanks_at_end(std::move(line));
}

std::string PipelineDiagram::with_notes(std::string line, const PipelineRecord& record) const {
  std::vector<std::string> notes;
  if (!record.completed) notes.emplace_back("flushed");
  for (const std::string& note : record.notes) notes.push_back(one_line(note));
  std::string lines;
  const char* separator = "  ";
  for (const std::string& note : notes) {
    if (line.size() + 2 + note.size() > layout_.width) {
      lines += without_blanks_at_end(std::exchange(line, std::string(note_indent, ' '))) + "\n";
      separator = "";
    }
    line += separator + note;
    separator = "; ";
  }
  return lines + line;
}

// The first cycle from `from` on in which an instruction enters a stage or is there for the last
// time.
std::uint64_t PipelineDiagram::next_move(std::uint64_t from) const {
  std::uint64_t next = no_cycle;
  const auto consider = [&](std::uint64_t cycle) {
    if (cycle >= from) next = std::min(next, cycle);
  };
  for (const Row& row : rows_) {
    for (const PipelineRecord::Stage& stage : row.record.stages) {
      consider(stage.begin);
      consider(std::max(stage.end, stage.begin + 1) - 1);
    }
  }
  return next;
}

}  // namespace hardclock
