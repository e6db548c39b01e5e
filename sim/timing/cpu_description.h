// A processor as its .timing file describes it, and a machine as its .machine file does. The file
// is the documentation too: every row names its source and how far it can be trusted. The format,
// one statement a line ('\' at the end of a line continues it, '#' starts a comment):
//   cpu NAME | called NAME,NAME... | isa LEVEL | pipeline functional|in-order|bundles|out-of-order
//   about TEXT | note TEXT
//   clock MHZ [also MHZ,MHZ...]         GRADE: SOURCE
//   like NAME [rows KEYWORD,KEYWORD...] GRADE: SOURCE
//   KEYWORD NAME [KEY VALUE]...         GRADE: SOURCE
// GRADE is exact, published, measured, vendor's table, derived or unverified. NAME and VALUE are
// single words; a list has commas in it. What the keywords mean is said where they are read:
// in_order.h, bundle_pipeline.h, out_of_order.h, memory_description.h, tick_source.h,
// isa/mips/chip.h, inherited_rows.h. A row that nobody reads is a mistake: a keyword that does not
// belong to the pipeline's kind, a word that its reader does not know, a second row in place of
// one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/result.h"
#include "sim/base/units.h"

namespace hardclock {

enum class PipelineKind : std::uint8_t {
  functional,  // no pipeline is known: one cycle an instruction
  in_order,
  bundles,  // in order, too
  out_of_order,
};

struct TimingRow {
  std::string keyword;
  std::string name;
  std::vector<std::pair<std::string, std::string>> values;  // by key, in the file's order
  std::string grade;
  std::string source;
  unsigned line = 0;
  std::string of = {};  // the processor in whose file it stands; empty: this one's

  bool operator==(const TimingRow&) const = default;
};

struct CpuDescription {
  std::string name;
  std::vector<std::string> other_names;  // that users may know it by
  std::string isa;
  std::string about;
  PipelineKind kind = PipelineKind::in_order;
  Hertz clock;
  std::vector<TimingRow> rows;
  std::vector<std::string> notes;

  bool functional() const { return kind == PipelineKind::functional; }
  bool operator==(const CpuDescription&) const = default;
};

// What is in the file, without the rows of processors that this one is like: see inherited_rows.h.
// Error: "line N: what is wrong".
Result<CpuDescription, std::string> parse_cpu_description(std::string_view text);

// A workstation: a processor at some clock, with the caches, memory and kernel around it. The same
// format, with `cpu` for the machine's name and a row in place of `isa`, `pipeline` and `clock`:
//   processor NAME mhz N     GRADE: SOURCE
// Its cache, tlb, write_buffer and memory rows take the place of the processor's own; kernel rows
// (sim/process/kernel_costs.h) are the machine's alone.
struct MachineDescription {
  std::string name;
  std::string about;
  std::string processor;
  Hertz clock;
  std::vector<TimingRow> rows;
  std::vector<std::string> notes;
};

Result<MachineDescription, std::string> parse_machine_description(std::string_view text);

bool is_row_keyword(std::string_view keyword);
// Whether a file has one row of this keyword at most, whatever its name.
bool stands_once(std::string_view keyword);
// How a file names its kind: "in-order".
std::string_view pipeline_word(const CpuDescription& cpu);
const std::string& worse_grade(const std::string& a, const std::string& b);

// The words of a value or a name that is a list: "a,b,c".
std::vector<std::string> words_of_list(std::string_view list);

class RowReader;

// The positions in `names` of the words of a list; a word that is not among them is the row's
// mistake.
std::vector<std::size_t> positions_in(RowReader& row, std::string_view list,
                                      const std::vector<std::string>& names);

// Takes one row apart. The first mistake is kept: read everything, then ask for error().
class RowReader {
 public:
  explicit RowReader(const TimingRow& row) : row_(row), used_(row.values.size()) {}

  const std::string& name() const { return row_.name; }
  bool has(std::string_view key) const;
  // The value of `key`, a whole number from `least` to `most` (hexadecimal after 0x; K and M after
  // it multiply by 1024 and 1024 * 1024), or `otherwise` if the row does not have the key.
  std::uint64_t number(std::string_view key, std::uint64_t otherwise, std::uint64_t least,
                       std::uint64_t most);
  std::string word(std::string_view key, std::string otherwise);
  // The position of the value in `choices`, of the first if the row does not have the key.
  std::size_t choice(std::string_view key, const std::vector<std::string_view>& choices);
  void require(std::string_view key);
  void fail(std::string what);
  // "line N: what is wrong", also for keys that nobody asked for; empty: nothing. The line is in
  // the file of the processor that is named before it, if one is.
  std::string error() const;

 private:
  const std::string* find(std::string_view key);

  const TimingRow& row_;
  std::vector<bool> used_;
  std::string error_;
};

// A readable page with the evidence of each row.
std::string to_text(const CpuDescription& description);
std::string to_text(const MachineDescription& description);

}  // namespace hardclock
