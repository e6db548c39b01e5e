// Where exec places a program, its dynamic linker and its stack. Expectations: the gABI, chapter 5
// (Program Loading, Program Interpreter), and the System V ABI's MIPS supplement, chapter 3
// (Process Stack); the auxiliary vector is what SGI's rld reads of it.
#include <elf.h>
#include <gtest/gtest.h>

#include "isa/mips/abi.h"
#include "isa/mips/cpu.h"
#include "sim/load/load.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/systems.h"
#include "tests/unit/load/elf_builder.h"

namespace hardclock::posix {
namespace {

using hardclock::testing::ElfBuilder;
using hardclock::testing::tiny_program;

// A shared object of one segment at `address`.
ElfBuilder shared_object(std::uint32_t address) {
  ElfBuilder builder = tiny_program(Endian::big);
  builder.header.e_type = ET_DYN;
  builder.header.e_entry = address + 0x100;
  builder.program_headers.clear();
  builder.add_program_header(PT_LOAD, PF_R | PF_X, 0, address, 0x300, 0x300);
  return builder;
}

std::shared_ptr<const Image> image_of(const ElfBuilder& builder) {
  auto image = load_image(builder.build().bytes);
  EXPECT_TRUE(image.ok()) << image.error().message;
  return image.ok() ? std::make_shared<const Image>(*std::move(image)) : nullptr;
}

Result<std::unique_ptr<Cpu>, std::string> make_mips2(const Program& program, const Port&,
                                                     AddressSpace& memory) {
  const auto mode = mips::mode_of_program(program.image->flags, program.image->address_bits);
  return std::unique_ptr<Cpu>(
      mips::make_cpu(*mips::default_cpu(EF_MIPS_ARCH_4), memory, mips::CpuOptions{.mode = mode}));
}

Result<ProcessImage, ExecFailure> start(std::shared_ptr<const Image> program,
                                        std::shared_ptr<const Image> linker = nullptr,
                                        const SimulationOptions& options = {},
                                        std::string_view system = "irix") {
  Simulation simulation(options);
  return make_process_image(
      *find_unix_system(system, Architecture::mips), simulation,
      Program{"/prog", std::move(program), {"prog", "x"}, {"A=b"}, std::move(linker)}, 100,
      make_mips2);
}

std::uint64_t pc_of(const ProcessImage& image) {
  return mips::registers_of(*image.cpu).pc;
}

TEST(ProcessImage, StartsAStaticProgramAtItsEntry) {
  const auto image = start(image_of(tiny_program(Endian::big)));
  ASSERT_TRUE(image.ok()) << image.error().message;
  EXPECT_EQ(pc_of(*image), 0x400100u);
}

TEST(ProcessImage, StartsTheLinkerWhereItIsLinked) {
  const auto image = start(image_of(tiny_program(Endian::big)), image_of(shared_object(0xfb00000)));
  ASSERT_TRUE(image.ok()) << image.error().message;
  EXPECT_EQ(pc_of(*image), 0xfb00100u);
  EXPECT_EQ(image->heap_start, GuestAddr(0x10001000));  // of the program
}

// IRIX's first place for mappings without an address is 0x04000000.
TEST(ProcessImage, MovesALinkerWhosePlaceIsTaken) {
  const auto image = start(image_of(tiny_program(Endian::big)), image_of(shared_object(0x400000)));
  ASSERT_TRUE(image.ok()) << image.error().message;
  EXPECT_EQ(pc_of(*image), 0x4000100u);
}

TEST(ProcessImage, PlacesAProgramThatHasNoPlace) {
  const auto image = start(image_of(shared_object(0)));
  ASSERT_TRUE(image.ok()) << image.error().message;
  EXPECT_EQ(pc_of(*image), 0x4000100u);
  EXPECT_EQ(image->image->entry, GuestAddr(0x4000100));
}

TEST(ProcessImage, AFixedLinkerOverTheProgramIsRefused) {
  const auto image =
      start(image_of(tiny_program(Endian::big)), image_of(tiny_program(Endian::big)));
  ASSERT_FALSE(image.ok());
  EXPECT_EQ(image.error().error, Errno::enomem);
}

// argc, argv, NULL, envp, NULL, auxv; AT_BASE (7) tells rld that the kernel mapped the program.
TEST(ProcessImage, TheStackTellsTheLinkerWhereThingsAre) {
  const auto image = start(image_of(tiny_program(Endian::big)), image_of(shared_object(0xfb00000)));
  ASSERT_TRUE(image.ok()) << image.error().message;
  const GuestAddr sp(mips::registers_of(*image->cpu).gpr[mips::sp]);
  EXPECT_EQ(sp.value() % 16, 0u);
  const auto word = [&](unsigned index) {
    return image->memory->read<std::uint32_t>(sp + 4 * index).value();
  };
  EXPECT_EQ(word(0), 2u);
  EXPECT_EQ(image->memory->read_string(GuestAddr(word(1)), 9).value(), "prog");
  EXPECT_EQ(image->memory->read_string(GuestAddr(word(2)), 9).value(), "x");
  EXPECT_EQ(word(3), 0u);
  EXPECT_EQ(image->memory->read_string(GuestAddr(word(4)), 9).value(), "A=b");
  EXPECT_EQ(word(5), 0u);
  std::map<std::uint32_t, std::uint32_t> auxiliary;
  for (unsigned i = 6; word(i) != AT_NULL; i += 2) auxiliary[word(i)] = word(i + 1);
  EXPECT_EQ(auxiliary[AT_BASE], 0xfb00000u);
  EXPECT_EQ(auxiliary[AT_ENTRY], 0x400100u);
  EXPECT_EQ(auxiliary[AT_PHDR], 0x400034u);
  EXPECT_EQ(auxiliary[AT_PAGESZ], 4096u);
  EXPECT_EQ(auxiliary.count(AT_EXECFD), 0u);
}

// As if there were further strings: those that there are stay, the words make room.
TEST(ProcessImage, AGapMovesTheStackPointer) {
  SimulationOptions options;
  options.stack_gap = 4000;
  const auto usual = start(image_of(tiny_program(Endian::big)));
  const auto moved = start(image_of(tiny_program(Endian::big)), nullptr, options);
  ASSERT_TRUE(usual.ok() && moved.ok());
  const auto sp_of = [](const ProcessImage& image) {
    return GuestAddr(mips::registers_of(*image.cpu).gpr[mips::sp]);
  };
  EXPECT_EQ(sp_of(*usual) - sp_of(*moved), 4000u);
  for (unsigned word = 0; word < 6; ++word) {
    EXPECT_EQ(moved->memory->read<std::uint32_t>(sp_of(*moved) + 4 * word).value(),
              usual->memory->read<std::uint32_t>(sp_of(*usual) + 4 * word).value());
  }
  const auto argument = moved->memory->read<std::uint32_t>(sp_of(*moved) + 8).value();
  EXPECT_EQ(moved->memory->read_string(GuestAddr(argument), 9).value(), "x");
}

// A program of 64 bits with one segment at `address`.
ElfBuilder wide_program(std::uint16_t type, std::uint64_t address) {
  ElfBuilder builder(Endian::big, ELFCLASS64);
  builder.header.e_type = type;
  builder.header.e_machine = EM_MIPS;
  builder.header.e_entry = address;
  builder.add_program_header(PT_LOAD, PF_R | PF_X, 0, address, 0x40, 0x40);
  return builder;
}

// Moved, the second segment would wrap around to a low address.
TEST(ProcessImage, AProgramWiderThanTheAddressSpaceIsRefused) {
  ElfBuilder builder = wide_program(ET_DYN, 0);
  builder.add_program_header(PT_LOAD, PF_R | PF_W, 0, 0xffffffffffff0000, 0x40, 0x40);
  for (const char* const system : {"irix", "linux"}) {
    const auto image = start(image_of(builder), nullptr, {}, system);
    ASSERT_FALSE(image.ok()) << system;
    EXPECT_EQ(image.error().message, "no room for /prog");
  }
}

// The vector of the stack in words of 64 bits.
TEST(ProcessImage, A64BitProgramHasAWideStack) {
  const auto image = start(image_of(wide_program(ET_EXEC, 0x10000000)));
  ASSERT_TRUE(image.ok()) << image.error().message;
  const GuestAddr sp(mips::registers_of(*image->cpu).gpr[mips::sp]);
  EXPECT_EQ(image->memory->read<std::uint64_t>(sp).value(), 2u);
  const GuestAddr first(image->memory->read<std::uint64_t>(sp + 8).value());
  EXPECT_EQ(image->memory->read_string(first, 9).value(), "prog");
}

}  // namespace
}  // namespace hardclock::posix
