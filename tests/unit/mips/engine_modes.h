// Small programs on a bare machine, in both modes of the engine.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "tests/support/mips_machine.h"
#include "tests/support/mips_tools.h"

namespace hardclock {

inline constexpr std::uint64_t base = 0x40'0000;  // of the program

inline void expect_trap(const Stop& stop, TrapKind kind) {
  EXPECT_EQ(stop.reason, StopReason::trap);
  EXPECT_EQ(static_cast<int>(stop.trap.kind), static_cast<int>(kind));
}

class EngineInBothModes : public testing::TestWithParam<bool> {
 public:
  static std::string name_of_mode(const testing::TestParamInfo<bool>& tested) {
    return tested.param ? "Reference" : "Blocks";
  }

 protected:
  void SetUp() override {
    if (const std::string missing = support::missing_assembler(); !missing.empty()) {
      GTEST_SKIP() << missing << " is not installed (Debian package binutils-mips-linux-gnu)";
    }
  }

  // A machine with the program, R3000 timing and MIPS II instructions.
  std::unique_ptr<support::MipsMachine> load(
      const std::string& source, const CpuDescription& cpu = support::mips2_with_r3000_timing()) {
    auto machine = std::make_unique<support::MipsMachine>(Endian::big, cpu, options());
    const auto program = support::GuestProgram::assemble(source, Endian::big);
    EXPECT_TRUE(program.ok()) << program.error();
    if (program.ok()) machine->load(support::code_base, program->bytes());
    return machine;
  }
  mips::CpuOptions options() const { return {.reference = GetParam()}; }
};

}  // namespace hardclock
