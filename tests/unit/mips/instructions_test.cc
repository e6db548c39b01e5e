// Instructions that QEMU cannot judge: results that the manuals leave undefined, and RDHWR on
// processors where a system emulates it.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "sim/base/endian.h"
#include "sim/recording/trap.h"
#include "tests/support/mips_machine.h"

namespace hardclock::mips {
namespace {

using support::MipsMachine;

// Runs one instruction, behind which is a BREAK, with $8 and $9 as given; returns how it ended.
TrapKind run(MipsMachine& machine, std::uint32_t word, std::uint64_t a = 0, std::uint64_t b = 0) {
  std::array<std::uint8_t, 8> code;
  store_bytes(code.data(), word, Endian::big);
  store_bytes(code.data() + 4, std::uint32_t{0x0000'000d}, Endian::big);
  machine.load(GuestAddr(0x40'0000), code);
  machine.registers().gpr[8] = a;
  machine.registers().gpr[9] = b;
  return machine.run().trap.kind;
}

// ares, ares/n64/cpu/interpreter-ipu.cpp, CPU::DDIV and CPU::DDIVU: what the VR4300 leaves.
TEST(Instructions, DoublewordDivisionByZeroAndOverflow) {
  constexpr std::uint32_t ddiv = 0x0109'001e, ddivu = 0x0109'001f;
  constexpr std::uint64_t lowest = std::uint64_t{1} << 63, minus_1 = ~std::uint64_t{0};
  const struct {
    std::uint32_t word;
    std::uint64_t a, b, lo, hi;
  } cases[] = {
      {ddiv, 7, 0, minus_1, 7},
      {ddiv, lowest, 0, 1, lowest},
      {ddiv, lowest, minus_1, lowest, 0},
      {ddivu, 7, 0, minus_1, 7},
      {ddivu, lowest, 0, minus_1, lowest},
  };
  for (const auto& [word, a, b, lo, hi] : cases) {
    MipsMachine machine(Endian::big, support::mips_cpu("mips3"), {.mode = {.operation_bits = 64}});
    EXPECT_EQ(run(machine, word, a, b), TrapKind::breakpoint);
    EXPECT_EQ(machine.registers().lo, lo) << std::hex << a << " by " << b;
    EXPECT_EQ(machine.registers().hi, hi) << std::hex << a << " by " << b;
  }
}

constexpr std::uint32_t rdhwr_user_local = 0x7c03'e83b;  // rdhwr v1,$29

// "MIPS32 Architecture For Programmers", volume II: RDHWR came with release 2. Below it Linux
// emulates it (arch/mips/kernel/traps.c, simulate_rdhwr).
TEST(Instructions, RdhwrBelowRelease2IsForTheSystemToEmulate) {
  for (const char* const name : {"r3000", "mips2", "mips3", "mips4", "mips32r2", "mips64r2"}) {
    for (const bool emulates : {false, true}) {
      MipsMachine machine(Endian::big, support::mips_cpu(name),
                          {.emulates_instructions = emulates});
      machine.registers().user_local = 0x7fff'7000;
      const bool works = emulates || std::string(name).ends_with("r2");
      EXPECT_EQ(run(machine, rdhwr_user_local),
                works ? TrapKind::breakpoint : TrapKind::illegal_instruction)
          << name;
      EXPECT_EQ(machine.registers().gpr[3], works ? 0x7fff'7000u : 0u) << name;
    }
  }
}

// The same, table of hardware registers: numbers that are not defined are reserved.
TEST(Instructions, UnknownHardwareRegistersAreReserved) {
  for (std::uint32_t number = 0; number < 32; ++number) {
    MipsMachine machine(Endian::big, support::mips_cpu("mips32r2"));
    const bool known = number <= 3 || number == 29;
    EXPECT_EQ(run(machine, 0x7c03'003b | number << 11),
              known ? TrapKind::breakpoint : TrapKind::illegal_instruction)
        << number;
  }
}

}  // namespace
}  // namespace hardclock::mips
