// The processors of isa/mips/timing: every file is complete and says where its numbers come from.
#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "isa/mips/cpu.h"
#include "isa/mips/mips_decode.h"
#include "sim/timing/cpu_description.h"
#include "tests/support/mips_machine.h"

namespace hardclock::mips {
namespace {

std::vector<const char*> class_names() {
  std::vector<const char*> names;
  for (std::size_t i = 0; i < timing_class_count; ++i) {
    names.push_back(timing_class_name(static_cast<TimingClass>(i)));
  }
  return names;
}

TEST(Cpus, AreInAlphabeticalOrderAndHaveOneName) {
  std::vector<std::string> names;
  for (const CpuDescription& cpu : cpus()) names.push_back(cpu.name);
  ASSERT_FALSE(names.empty());
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(Cpus, DescribeThemselves) {
  for (const CpuDescription& cpu : cpus()) {
    SCOPED_TRACE(cpu.name);
    EXPECT_FALSE(cpu.about.empty());
    EXPECT_GE(cpu.clock, Hertz(1'000'000));
    EXPECT_GE(level_of(cpu), 1u);
    EXPECT_FALSE(to_text(cpu).empty());
  }
}

TEST(Cpus, NameEveryTimingClassWithItsEvidence) {
  for (const CpuDescription& cpu : cpus()) {
    SCOPED_TRACE(cpu.name);
    const auto pipeline = make_pipeline(cpu, class_names());
    EXPECT_TRUE(pipeline.ok()) << pipeline.error();
    for (const TimingRow& row : cpu.rows) {
      EXPECT_FALSE(row.grade.empty()) << row.timing_class;
      EXPECT_FALSE(row.source.empty()) << row.timing_class;
    }
    EXPECT_EQ(cpu.rows.size(), cpu.functional ? 0 : timing_class_count);
  }
}

TEST(Cpus, CanBeMade) {
  for (const CpuDescription& cpu : cpus()) {
    for (const bool functional : {false, true}) {
      const support::MipsMachine machine(Endian::big, cpu, {.functional = functional});
      EXPECT_EQ(machine.cpu->counts().cycles, Cycles(0));
    }
  }
}

// The flags as the host's <elf.h> defines them.
TEST(ElfFlags, NameTheLevel) {
  EXPECT_EQ(level_of_elf_flags(EF_MIPS_ARCH_1), 1u);
  EXPECT_EQ(level_of_elf_flags(EF_MIPS_ARCH_1 | EF_MIPS_NOREORDER | EF_MIPS_PIC), 1u);
  EXPECT_EQ(level_of_elf_flags(EF_MIPS_ARCH_2 | EF_MIPS_CPIC), 2u);
  for (const std::uint32_t arch : std::initializer_list<std::uint32_t>{
           EF_MIPS_ARCH_3, EF_MIPS_ARCH_4, EF_MIPS_ARCH_5, EF_MIPS_ARCH_32, EF_MIPS_ARCH_64,
           EF_MIPS_ARCH_32R2, EF_MIPS_ARCH_64R2}) {
    EXPECT_EQ(level_of_elf_flags(arch), 0u) << std::hex << arch;
  }
  EXPECT_EQ(level_of_elf_flags(0xf000'0000), 0u);
}

}  // namespace
}  // namespace hardclock::mips
