// Konata's log format, version 4 ("Kanata 0004"): a trace of the pipeline that the viewer Konata
// opens. Source: github.com/shioyadan/Konata, docs/kanata-log-format.md. The viewer numbers the
// cycles from the file's first one: it passes over the C= command (src/core/onikiri_parser.ts).
#pragma once

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <utility>

#include "sim/trace/pipeline_record.h"

namespace hardclock {

// The format requires commands in order of cycles, but the records come in program order and
// overlap. So commands wait here until no later record can precede them; the commands kept are
// those of instructions that overlap the newest one, however long the stretch. The left pane shows
// the instruction as its label, the notes appear under the mouse, and an arrow leads from each
// producer in the stretch; an instruction that did not complete is flushed (R of type 1).
class KonataWriter {
 public:
  // Writes the header. `out` must outlive this object; its state says whether writing failed.
  explicit KonataWriter(std::ostream& out);

  // Takes records as PipelineRecord says; one without stages retires in the newest one's first
  // cycle.
  void add(const PipelineRecord& record);
  // Writes the rest; nothing may be added afterwards.
  void finish();

 private:
  enum class End : std::uint8_t { none, retired, flushed };
  // What one instruction does in one cycle. The retirement's number is known when it is written.
  struct Commands {
    std::string text;
    End end = End::none;
  };

  std::string introduction(const PipelineRecord& record, std::uint64_t id) const;
  void write_before(std::uint64_t cycle);
  void write_next();

  std::ostream& out_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Commands> waiting_;  // by cycle and id
  std::uint64_t first_number_ = 0;
  std::uint64_t added_ = 0;  // the next instruction's id in the file
  std::uint64_t newest_ = 0;
  std::uint64_t written_ = 0;  // the file's current cycle
  bool started_ = false;       // the file says in which cycle it starts
  std::uint64_t retired_ = 0;
};

}  // namespace hardclock
