// The registry has an answer for every processor of an instruction set, and none for an
// architecture that is not simulated.
#include "isa/instruction_sets.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "isa/mips/abi.h"
#include "isa/pa_risc/abi.h"
#include "sim/base/endian.h"
#include "sim/base/units.h"
#include "sim/load/image.h"
#include "sim/memory/address_space.h"

namespace hardclock {
namespace {

constexpr std::uint32_t pa_risc_1_1 = 0x210;  // EFA_PARISC_1_1 of <elf.h>

Image image_for(Architecture architecture) {
  Image image;
  image.architecture = architecture;
  if (architecture == Architecture::pa_risc) image.flags = pa_risc_1_1;
  return image;
}

class InstructionSets : public ::testing::Test {
 protected:
  std::unique_ptr<Cpu> cpu_for(Architecture architecture) {
    return std::move(
        make_default_cpu(image_for(architecture), memory_, {.functional = true}).value());
  }

  AddressSpace memory_{std::make_shared<MemoryBudget>(std::uint64_t{1} << 20), Endian::big,
                       GuestAddr(0x80000000)};
};

TEST_F(InstructionSets, EveryProcessorIsFoundUnderItsName) {
  for (const InstructionSet* const set : instruction_sets()) {
    EXPECT_EQ(find_instruction_set(set->architecture), set);
    for (const CpuDescription& cpu : set->cpus()) {
      EXPECT_EQ(find_cpu(cpu.name), &cpu);
      for (const std::string& name : cpu.other_names) EXPECT_EQ(find_cpu(name), &cpu) << name;
      EXPECT_EQ(&instruction_set_of(cpu), set) << cpu.name;
    }
    for (const MachineDescription& architecture : set->machines()) {
      EXPECT_EQ(find_machine(architecture.name), &architecture);
      EXPECT_NE(find_cpu(architecture.processor), nullptr) << architecture.name;
    }
  }
  EXPECT_EQ(find_cpu("R4400"), find_cpu("r4400"));
  // GCC 12's manual, IA-64 options, -mtune.
  EXPECT_EQ(find_cpu("Itanium"), find_cpu("merced"));
  EXPECT_EQ(find_cpu("itanium1"), find_cpu("merced"));
  EXPECT_EQ(find_cpu("itanium2"), find_cpu("mckinley"));
  EXPECT_EQ(find_cpu("no such processor"), nullptr);
}

// The words of System V's MIPS supplement (.cpload), of the N32 handbook (.cpsetup) and of GCC 12,
// which has the last two in the other order; and what is not quite one.
TEST_F(InstructionSets, MipsFunctionsHaveAnEntryBehindTheirGpPrologue) {
  struct Case {
    std::array<std::uint32_t, 3> words;
    bool is_prologue;
  };
  constexpr std::uint32_t lui = 0x3c1c0fc0, addiu = 0x279c7794, daddiu = 0x679c7794;
  constexpr std::uint32_t addu = 0x0399e021, daddu = 0x0399e02d, move = 0x03e0e021;
  constexpr Case cases[] = {
      {{lui, addiu, addu}, true},
      {{lui, addiu, daddu}, true},
      {{lui, daddu, daddiu}, true},
      {{lui, addu, addiu}, true},
      {{lui, addiu, move}, false},
      {{addiu, lui, addu}, false},
      {{lui, addiu, addiu}, false},
      {{0x3c020fc0, addiu, addu}, false},
      // __record_needed_destruction of IDO 7.1's libCsup.so, of n32 and n64.
      {{0x03801825, 0x3c01001f, 0x2421e11c}, false},
      {{0x24010000, 0x03a1e82d, 0x03802825}, false},
  };
  const InstructionSet& mips = *find_instruction_set(Architecture::mips);
  for (const Endian order : {Endian::big, Endian::little}) {
    for (const Case& each : cases) {
      Image image = image_for(Architecture::mips);
      image.endian = order;
      Segment segment{GuestAddr(0x400000), 20, {.read = true, .execute = true}, {}, 0};
      segment.bytes.resize(20);
      for (std::size_t i = 0; i < each.words.size(); ++i)
        store_bytes(&segment.bytes[4 + 4 * i], each.words[i], order);
      image.segments.push_back(segment);
      const auto inner = mips.inner_entry(image, GuestAddr(0x400004));
      EXPECT_EQ(inner.has_value(), each.is_prologue) << std::hex << each.words[0] << each.words[1];
      EXPECT_EQ(inner.value_or(GuestAddr(0x400010)), GuestAddr(0x400010));
      // Files may say anything of where functions are.
      for (const std::uint64_t other : {0x3ffffcU, 0x40000cU, 0x400012U, 0x400014U})
        EXPECT_EQ(mips.inner_entry(image, GuestAddr(other)), std::nullopt) << std::hex << other;
    }
  }
  EXPECT_EQ(find_instruction_set(Architecture::pa_risc)->inner_entry, nullptr);
  EXPECT_EQ(find_instruction_set(Architecture::ia64)->inner_entry, nullptr);
}

TEST_F(InstructionSets, AnArchitectureWithoutAnInstructionSetIsAnError) {
  constexpr auto unknown = static_cast<Architecture>(99);
  EXPECT_EQ(find_instruction_set(unknown), nullptr);
  const auto cpu = make_default_cpu(image_for(unknown), memory_, {});
  ASSERT_FALSE(cpu.ok());
  EXPECT_EQ(cpu.error(), "not a program for MIPS, PA-RISC or IA-64");
  EXPECT_EQ(find_disassembler(image_for(unknown)), nullptr);
}

TEST_F(InstructionSets, RegistersAreThoseOfTheProcessorsOwnInstructionSet) {
  const std::unique_ptr<Cpu> mips_cpu = cpu_for(Architecture::mips);
  const std::unique_ptr<Cpu> pa_risc_cpu = cpu_for(Architecture::pa_risc);
  EXPECT_EQ(mips::registers_of(*mips_cpu).pc, 0U);
  EXPECT_EQ(pa_risc::registers_of(*pa_risc_cpu).pc, 0U);
  EXPECT_DEATH(mips::registers_of(*pa_risc_cpu), "internal error: .*abi.h");
  EXPECT_DEATH(pa_risc::registers_of(*mips_cpu), "internal error: .*abi.h");
}

// As GNU objdump writes them; the numbers are those of each instruction set's registers.h.
TEST_F(InstructionSets, RegistersOfPipelinesHaveNames) {
  const auto name = [&](Architecture architecture, Resource resource) {
    for (const InstructionSet* const set : instruction_sets()) {
      if (set->architecture == architecture) return set->register_name(resource);
    }
    return std::string();
  };
  EXPECT_EQ(name(Architecture::mips, 4), "a0");
  EXPECT_EQ(name(Architecture::mips, 32), "$f0");
  EXPECT_EQ(name(Architecture::mips, 64), "hi");
  EXPECT_EQ(name(Architecture::mips, 65), "lo");
  EXPECT_EQ(name(Architecture::mips, 67), "$fcc0");
  EXPECT_EQ(name(Architecture::mips, 75), "a register");
  EXPECT_EQ(name(Architecture::pa_risc, 28), "ret0");
  EXPECT_EQ(name(Architecture::pa_risc, 32 + 6), "fr6");
  EXPECT_EQ(name(Architecture::pa_risc, 64 + 6), "fr6R");
  EXPECT_EQ(name(Architecture::pa_risc, 112), "sar");
  EXPECT_EQ(name(Architecture::ia64, 32), "r32");
  EXPECT_EQ(name(Architecture::ia64, 128 + 32), "r32");
  EXPECT_EQ(name(Architecture::ia64, 256 + 6), "f6");
  EXPECT_EQ(name(Architecture::ia64, 512), "b0");
  EXPECT_EQ(name(Architecture::ia64, 576 + 7), "p7");
}

}  // namespace
}  // namespace hardclock
