// libFuzzer: MIPS ECOFF files, sound ones and what becomes of them, through load_image and
// read_source_lines; then the promises of image.h about what came out.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "sim/load/load.h"
#include "sim/load/source_lines.h"
#include "tests/fuzz/heap_bound.h"
#include "tests/unit/load/ecoff_builder.h"
#include "tests/unit/load/image_invariants.h"

namespace {

namespace ecoff = hardclock::testing::ecoff;
using hardclock::Endian;
using hardclock::testing::EcoffBytes;

// Sound programs with every part that the loader reads, so that mutations start behind the magic
// number.
std::vector<EcoffBytes> sound_programs() {
  std::vector<EcoffBytes> programs;
  for (const Endian order : {Endian::big, Endian::little}) {
    for (const std::uint16_t magic : {0407, 0410, 0413}) {
      programs.push_back(
          hardclock::testing::tiny_ecoff(order).put_half(ecoff::program_magic, magic));
    }
    programs.push_back(hardclock::testing::tiny_ecoff(order).add_libraries({"/lib/libc_s"}));
  }
  return programs;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  static const std::vector<EcoffBytes> programs = sound_programs();
  const std::vector<std::uint8_t>& program = programs[seed % programs.size()].bytes;
  if (!hardclock::load_image({data, size}).ok() && seed % 64 < programs.size() &&
      program.size() <= max_size) {
    std::ranges::copy(program, data);
    size = program.size();
  }
  return LLVMFuzzerMutate(data, size, max_size);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // The lines' table and its builder have their own limits (sim/load/line_table.h).
  const hardclock::fuzzing::HeapBound bound(16 * size + (std::size_t{4} << 20));
  const auto outcome = hardclock::load_image({data, size});
  hardclock::FileWindow file({data, size});
  (void)hardclock::read_source_lines(file);
  bound.check();
  const std::string broken = hardclock::testing::broken_promise(outcome, size);
  if (!broken.empty()) {
    std::fprintf(stderr, "broken promise: %s\n", broken.c_str());
    std::abort();
  }
  return 0;
}
