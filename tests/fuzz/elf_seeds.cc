#include "tests/fuzz/elf_seeds.h"

#include <string>

#include "tests/unit/load/elf_builder.h"

namespace hardclock::fuzzing {

// A segment of text, which holds the headers too, and one of data, with zeros behind it.
std::vector<std::uint8_t> make_elf(const ElfSeed& seed) {
  constexpr std::uint64_t name = 0x160, code = 0x180, data = 0x200, data_size = 0x40;
  testing::ElfBuilder elf(seed.order, seed.kind.elf_class);
  elf.header.e_type = seed.shared ? ET_DYN : ET_EXEC;
  elf.header.e_flags = seed.kind.flags;
  elf.header.e_entry = seed.base + code;
  if (!seed.interpreter.empty()) {
    const std::uint64_t size = seed.interpreter.size() + 1, table = elf.header.e_phoff;
    elf.add_program_header(PT_PHDR, PF_R, table, seed.base + table, name - table, name - table);
    elf.add_program_header(PT_INTERP, PF_R, name, seed.base + name, size, size);
  }
  elf.add_program_header(PT_LOAD, PF_R | PF_X, 0, seed.base, data, data);
  elf.add_program_header(PT_LOAD, PF_R | PF_W, data, seed.base + 0x10000 + data, data_size, 0x2000);
  elf.place(name, std::string(seed.interpreter) + '\0');
  // Each instruction traps: there is little code to prepare.
  constexpr std::uint32_t breakpoint = 0x0000000d;
  std::array<std::uint8_t, 4> instruction;
  store_bytes(instruction.data(), breakpoint, seed.order);
  std::string text;
  while (text.size() < data - code) text.append(instruction.begin(), instruction.end());
  elf.place(code, text);
  elf.place(data, std::string(data_size, 'd'));
  return elf.build().bytes;
}

}  // namespace hardclock::fuzzing
