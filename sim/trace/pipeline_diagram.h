// Text diagrams of the pipeline, like the figures of Hennessy and Patterson, Computer Architecture,
// appendix C: a row an instruction, a column a cycle.
//
//   cycles 1 to 11
//                             1   2   3   4   5   6   7   8   9   10  11
//   00400100  lw $2,0($4)     IF  IS  RF  EX  DF  DS  TC  WB
//   00400104  addu $3,$2,$2       IF  IS  RF  -   -   EX  DF  DS  TC  WB  waits for $2
//
// A stage's name stands in its first cycle, "-" in the others, whether the stage takes that long or
// is held. The columns show the last two digits of the cycle. Where a row would be too wide, the
// diagram continues on a further page of later cycles with the instructions then under way; there
// the first column repeats the stage's name. A page or more of cycles in which nothing moves is
// replaced by one line. Notes follow the row's last cycle, on lines of their own where there is no
// room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "sim/trace/pipeline_record.h"

namespace hardclock {

// In characters.
struct DiagramLayout {
  std::size_t width = 120;       // of a line; a page still has at least one cycle
  std::size_t label_width = 38;  // for address and disassembly; longer text is cut and ends in ".."
  std::size_t name_width = 3;    // for a stage's name, at least 2; longer names are cut
};

// Keeps the instructions of one page of cycles and those that overlap it, so a stretch without end
// takes bounded space. The caller limits how long a diagram becomes.
class PipelineDiagram {
 public:
  // `out` must outlive this object; its state says whether writing failed.
  explicit PipelineDiagram(std::ostream& out, DiagramLayout layout = {});

  // Takes records as PipelineRecord says.
  void add(PipelineRecord record);
  // Writes the rest; nothing may be added afterwards.
  void finish();

 private:
  struct Row {
    PipelineRecord record;
    std::uint64_t end;
  };
  static constexpr std::uint64_t no_cycle = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t page_end() const { return page_ + cycles_; }
  void write_pages(std::uint64_t horizon);
  void write_page();
  std::string heading(std::uint64_t end) const;
  std::string cells(const Row& row) const;
  std::string with_notes(std::string line, const PipelineRecord& record) const;
  std::uint64_t next_move(std::uint64_t from) const;

  std::ostream& out_;
  DiagramLayout layout_;
  std::uint64_t cycles_;  // of a page
  std::vector<Row> rows_;
  std::uint64_t page_ = 0;  // its first cycle
  std::uint64_t newest_ = 0;
  bool started_ = false;
};

}  // namespace hardclock
