// Loops whose cycles per trip are published. The numbers are those of the project's reference
// kernels, which derive them from GCC 12's gcc/config/mips/3000.md and from Hennessy and Patterson
// (each kernel says which).
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "isa/mips/registers.h"
#include "tests/support/mips_machine.h"
#include "tests/support/mips_tools.h"

namespace hardclock {
namespace {

struct Kernel {
  const char* name;
  const char* text;
  std::uint64_t cycles_per_trip;
  const char* source;
};

constexpr Kernel kernels[] = {
    {"loop", "K: addiu $8,$8,-1\n bne $8,$0,K\n nop", 3,
     "five stages, one delay slot, no further penalty (Hennessy and Patterson; 3000.md)"},
    {"load_slot", "K: lw $9,0($4)\n nop\n addu $10,$10,$9\n addiu $8,$8,-1\n bne $8,$0,K\n nop", 6,
     "one load delay slot, no interlock in MIPS I (3000.md, r3k_load 2)"},
    {"mult_overlap",
     "K: mult $9,$10\n .rept 11\n nop\n .endr\n mflo $11\n addiu $8,$8,-1\n bne $8,$0,K\n nop", 16,
     "HI/LO interlock only, 11 independent instructions hide it (3000.md, r3k_imul 12)"},
    {"muld_chain", "K: mul.d $f4,$f4,$f6\n addiu $8,$8,-1\n bne $8,$0,K\n nop", 5,
     "3000.md, r3k_fmul_double 5"},
    {"divd_chain", "K: div.d $f4,$f4,$f6\n addiu $8,$8,-1\n bne $8,$0,K\n nop", 19,
     "3000.md, r3k_fdiv_double 19"},
    {"divs_chain", "K: div.s $f4,$f4,$f6\n addiu $8,$8,-1\n bne $8,$0,K\n nop", 12,
     "3000.md, r3k_fdiv_single 12"},
};

std::uint64_t cycles_of(const support::GuestProgram& program, std::uint64_t trips,
                        mips::CpuOptions options) {
  support::MipsMachine machine(program.endian(), support::mips_cpu("r3000"), options);
  machine.load(support::code_base, program.bytes());
  mips::Registers& registers = machine.registers();
  registers.gpr[8] = trips;
  registers.gpr[4] = support::code_base.value();
  for (const unsigned f : {4, 6}) registers.fpr[f + 1] = 0x3ff0'0000;  // 1.0
  const Stop stop = machine.run();
  EXPECT_EQ(stop.reason, StopReason::trap);
  EXPECT_EQ(stop.trap.kind, TrapKind::breakpoint);
  EXPECT_EQ(registers.gpr[8], 0u);
  EXPECT_EQ(machine.cpu->counts().cycles, machine.now);
  return machine.now.value();
}

TEST(R3000Kernels, TakeThePublishedCycles) {
  if (const std::string missing = support::missing_assembler(); !missing.empty()) {
    GTEST_SKIP() << missing << " is not installed (Debian package binutils-mips-linux-gnu)";
  }
  for (const Endian endian : {Endian::big, Endian::little}) {
    for (const Kernel& kernel : kernels) {
      SCOPED_TRACE(kernel.name);
      const auto program =
          support::GuestProgram::assemble(std::string(kernel.text) + "\n break", endian, "r3000");
      ASSERT_TRUE(program.ok()) << program.error();
      for (const bool reference : {true, false}) {
        const mips::CpuOptions options{.reference = reference};
        const std::uint64_t once = cycles_of(*program, 1000, options);
        const std::uint64_t twice = cycles_of(*program, 2000, options);
        EXPECT_EQ(twice - once, 1000 * kernel.cycles_per_trip) << kernel.source;
      }
    }
  }
}

}  // namespace
}  // namespace hardclock
