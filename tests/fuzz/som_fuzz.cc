// libFuzzer: SOM files, sound ones and what becomes of them, through load_image; then the promises
// of image.h about what came out.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "sim/load/load.h"
#include "tests/fuzz/heap_bound.h"
#include "tests/unit/load/image_invariants.h"
#include "tests/unit/load/som_builder.h"

namespace {

namespace som = hardclock::testing::som;
using hardclock::testing::SomBytes;

// Sound programs with every part that the loader reads, so that mutations start behind the magic
// number.
std::vector<SomBytes> sound_programs() {
  std::vector<SomBytes> programs;
  for (const std::uint16_t magic : {0x107, 0x108, 0x109, 0x10b}) {
    programs.push_back(hardclock::testing::tiny_som().put(som::magic, magic).seal());
  }
  programs.push_back(hardclock::testing::tiny_som().put_word(som::text_offset, 0).seal());
  programs.push_back(hardclock::testing::tiny_som().put_word(som::symbol_total, 0).seal());
  return programs;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  static const std::vector<SomBytes> programs = sound_programs();
  const std::vector<std::uint8_t>& program = programs[seed % programs.size()].bytes;
  if (!hardclock::load_image({data, size}).ok() && seed % 64 < programs.size() &&
      program.size() <= max_size) {
    std::memcpy(data, program.data(), program.size());
    size = program.size();
  }
  size = LLVMFuzzerMutate(data, size, max_size);
  // Without this nearly every mutation of the header would end at the checksum.
  if (size >= som::checksum + 4 && seed % 16 != 0) {
    SomBytes sealed{{data, data + size}};
    sealed.seal();
    std::ranges::copy(sealed.bytes, data);
  }
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const hardclock::fuzzing::HeapBound bound(4 * size + (std::size_t{1} << 20));
  const auto outcome = hardclock::load_image({data, size});
  bound.check();
  const std::string broken = hardclock::testing::broken_promise(outcome, size);
  if (!broken.empty()) {
    std::fprintf(stderr, "broken promise: %s\n", broken.c_str());
    std::abort();
  }
  return 0;
}
