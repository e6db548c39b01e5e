#include "sim/trace/konata.h"

#include <fmt/format.h>

#include "sim/base/check.h"

namespace hardclock {

KonataWriter::KonataWriter(std::ostream& out) : out_(out) {
  out_ << "Kanata\t0004\n";
}

void KonataWriter::add(const PipelineRecord& record) {
  if (added_ == 0) first_number_ = record.number;
  CHECK(record.number == first_number_ + added_);
  const std::uint64_t begin = record.first_cycle(newest_);
  CHECK(begin >= newest_);
  write_before(begin);
  newest_ = begin;
  const std::uint64_t id = added_++;
  waiting_[{begin, id}].text = introduction(record, id);
  for (const PipelineRecord::Stage& stage : record.stages) {
    const std::string name = one_line(stage.name);
    waiting_[{stage.begin, id}].text += fmt::format("S\t{}\t0\t{}\n", id, name);
    waiting_[{stage.end, id}].text += fmt::format("E\t{}\t0\t{}\n", id, name);
  }
  waiting_[{record.end_cycle(newest_), id}].end = record.completed ? End::retired : End::flushed;
}

void KonataWriter::finish() {
  while (!waiting_.empty()) write_next();
}

std::string KonataWriter::introduction(const PipelineRecord& record, std::uint64_t id) const {
  std::string text =
      fmt::format("I\t{}\t{}\t0\nL\t{}\t0\t{}\n", id, record.number, id, label_of(record));
  std::string notes;
  // Konata makes line breaks of "\n" (its onikiri_parser.js).
  for (const std::string& note : record.notes) {
    notes += (notes.empty() ? "" : "\\n") + one_line(note);
  }
  if (!notes.empty()) text += fmt::format("L\t{}\t1\t{}\n", id, notes);
  for (const std::uint64_t producer : record.producers) {
    CHECK(producer < record.number);
    if (producer < first_number_) continue;
    text += fmt::format("W\t{}\t{}\t0\n", id, producer - first_number_);
  }
  return text;
}

void KonataWriter::write_before(std::uint64_t cycle) {
  while (!waiting_.empty() && waiting_.begin()->first.first < cycle) write_next();
}

void KonataWriter::write_next() {
  const auto first = waiting_.begin();
  const auto [cycle, id] = first->first;
  const Commands& commands = first->second;
  if (!started_)
    out_ << fmt::format("C=\t{}\n", cycle);
  else if (cycle != written_)
    out_ << fmt::format("C\t{}\n", cycle - written_);
  started_ = true;
  written_ = cycle;
  out_ << commands.text;
  if (commands.end != End::none) {
    const bool flushed = commands.end == End::flushed;
    out_ << fmt::format("R\t{}\t{}\t{}\n", id, retired_, flushed ? 1 : 0);
    if (!flushed) ++retired_;
  }
  waiting_.erase(first);
}

}  // namespace hardclock
