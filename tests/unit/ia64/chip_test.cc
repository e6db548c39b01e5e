// What the files of processors say beside the pipeline.
#include "isa/ia64/chip.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>

#include "isa/ia64/bundle.h"
#include "isa/ia64/cpu.h"
#include "isa/ia64/ia64_decode.h"
#include "tests/support/ia64_machine.h"

namespace hardclock::ia64 {
namespace {

using support::Ia64Machine;

constexpr GuestAddr code{0x40'0000}, data{0x1000'0000};
constexpr unsigned target = 14, base = 8;

CpuDescription with_row(const std::string& row) {
  const std::string grade = " unverified: for a test\n";
  const auto description = parse_cpu_description(
      "cpu some\nisa itanium2\npipeline functional\nabout for a test\nclock 100" + grade + row +
      grade);
  CHECK(description.ok());
  return *description;
}

// ld8.a r14=[r8]; chk.a.nc r14, two bundles further.
std::array<std::uint8_t, bundle_bytes> advanced_load_and_check() {
  constexpr unsigned mmi = 8;
  const std::uint64_t load = info(Opcode::ld8_a).match | target << 6 | std::uint64_t{base} << 20;
  const std::uint64_t check = info(Opcode::chk_a_nc).match | target << 6 | 2u << 13;
  return packed_bytes({mmi, {load & slot_mask, check & slot_mask, info(Opcode::nop_i).match}});
}

// Where control is after the two.
std::uint64_t pc_after_check(const CpuDescription& cpu) {
  Ia64Machine machine(cpu);
  machine.load(code, advanced_load_and_check());
  CHECK(machine.memory.map(data, page_size, {.read = true}, "data").ok());
  machine.registers().stack.write(base, data.value(), false);
  machine.run(Ia64Machine::far, Instructions(2));
  return machine.registers().pc;
}

TEST(Chip, WithoutAnAlatEveryCheckMisses) {
  EXPECT_EQ(pc_after_check(with_row("alat 32")), code.value() + 2);
  EXPECT_EQ(pc_after_check(with_row("alat 1")), code.value() + 2);
  EXPECT_EQ(pc_after_check(with_row("alat 0")), code.value() + 2 * bundle_bytes);
}

TEST(Chip, AnAlatHasANumberOfEntries) {
  EXPECT_EQ(mistake_in(with_row("alat 33")),
            "line 6: alat needs a number of entries, 0 to 32, not '33'");
  EXPECT_EQ(mistake_in(with_row("alat many")),
            "line 6: alat needs a number of entries, 0 to 32, not 'many'");
}

}  // namespace
}  // namespace hardclock::ia64
