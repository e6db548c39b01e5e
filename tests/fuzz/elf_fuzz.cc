// libFuzzer: any bytes through load_image; then the promises of image.h about what came out.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "sim/load/load.h"
#include "tests/fuzz/elf_seeds.h"
#include "tests/fuzz/heap_bound.h"
#include "tests/unit/load/elf_builder.h"
#include "tests/unit/load/image_invariants.h"

namespace {

using hardclock::Endian;
using hardclock::fuzzing::ElfKind;
using hardclock::fuzzing::make_elf;
using hardclock::testing::ElfBuilder;
using hardclock::testing::SymbolSpec;

// A sound program with every part that the loader reads, so that mutations start behind the magic
// number.
std::vector<std::uint8_t> sound_program(Endian order) {
  ElfBuilder builder = hardclock::testing::tiny_program(order);
  builder.place(0x180, std::string("/usr/lib/libc.so.1\0", 19));
  builder.add_program_header(PT_INTERP, PF_R, 0x180, 0x400180, 19, 19);
  builder.add_program_header(PT_PHDR, PF_R, 52, 0x400034, 4 * 32, 0);
  std::vector<SymbolSpec> symbols = hardclock::testing::tiny_symbols();
  symbols.push_back({"label", 0x400170, 0, STT_NOTYPE, STB_LOCAL});
  builder.add_symbols(SHT_SYMTAB, symbols);
  builder.add_symbols(SHT_DYNSYM, symbols);
  return builder.build().bytes;
}

std::vector<std::vector<std::uint8_t>> sound_programs() {
  std::vector<std::vector<std::uint8_t>> programs;
  for (const Endian order : {Endian::big, Endian::little}) {
    programs.push_back(sound_program(order));
    for (const ElfKind& kind : hardclock::fuzzing::elf_kinds) {
      programs.push_back(make_elf({order, kind, true, 0, "/lib/rld"}));
      programs.push_back(make_elf({order, kind, false, 0x10000000, "/lib32/rld"}));
    }
  }
  return programs;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  static const std::vector<std::vector<std::uint8_t>> programs = sound_programs();
  const std::vector<std::uint8_t>& program = programs[seed % programs.size()];
  if (!hardclock::load_image({data, size}).ok() && seed % 64 < programs.size() &&
      program.size() <= max_size) {
    std::memcpy(data, program.data(), program.size());
    size = program.size();
  }
  return LLVMFuzzerMutate(data, size, max_size);
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
  (void)hardclock::load_library({data, size});
  return 0;
}
