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

// The format wants commands in order of cycles, the records come in program order and overlap:
// commands wait here until no later record can come before them. Kept are those of the
// instructions that overlap the newest one, however long the stretch. The instruction in the left
// pane is its label, the notes appear under the mouse, an arrow leads from each producer that is
// in the stretch; an instruction that did not complete is flushed (R of type 1).
class KonataWriter {
 public:
  // Writes the header. `out` has to outlive this; its state says whether writing failed.
  explicit KonataWriter(std::ostream& out);

  // Records as PipelineRecord says; one without stages is retired in the newest one's first cycle.
  void add(const PipelineRecord& record);
  // Writes what is left; nothing may be added afterwards.
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
  std::uint64_t written_ = 0;  // the cycle that the file has come to
  bool started_ = false;       // the file says in which cycle it starts
  std::uint64_t retired_ = 0;
};

}  // namespace hardclock
