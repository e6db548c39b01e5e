// libFuzzer: programs with debug information, and what becomes of them, through read_source_lines;
// then the promises of line_table.h about what came out.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "sim/load/source_lines.h"
#include "tests/fuzz/heap_bound.h"
#include "tests/unit/load/debug_builder.h"

namespace {

using hardclock::LineRange;
using hardclock::LineTable;
using hardclock::SourceLines;

void check(bool promise, const char* what) {
  if (promise) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

void check(const SourceLines& lines) {
  check(lines.objection.find('\n') == std::string::npos, "an objection is one line");
  const LineRange* before = nullptr;
  for (const LineRange& range : lines.table.ranges()) {
    check(range.start < range.end, "a range has addresses");
    check(range.line != 0, "a line is from 1 on");
    check(range.file < lines.table.files().size(), "a line is of a file");
    check(before == nullptr || before->end <= range.start, "ranges ascend");
    check(lines.table.find(range.start) == &range, "a range is found");
    before = &range;
  }
}

SourceLines lines_of(const std::uint8_t* data, std::size_t size) {
  hardclock::FileWindow window({data, size});
  return hardclock::read_source_lines(window);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

// Most inputs that have lost all lines begin again from a sound program.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  static const std::vector<hardclock::testing::FileBytes> programs = {
      hardclock::testing::lined_program(), hardclock::testing::program_with_mdebug()};
  const std::vector<std::uint8_t>& program = programs[seed % programs.size()].bytes;
  if (seed % 4 != 0 && program.size() <= max_size && lines_of(data, size).table.empty()) {
    std::memcpy(data, program.data(), program.size());
    size = program.size();
  }
  return LLVMFuzzerMutate(data, size, max_size);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // A byte is at most a line; a path may be cut at 1 KiB and have a folder of as much before it.
  const hardclock::fuzzing::HeapBound bound(2048 * size + (std::size_t{1} << 20));
  const SourceLines lines = lines_of(data, size);
  bound.check();
  check(lines);
  return 0;
}
