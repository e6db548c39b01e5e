// Whatever a program's header says, it runs or is refused in one line: by the command's own choice
// of processor, under every system, and started by the user or by another program.
#include "cli/processor_choice.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/load/load.h"
#include "sim/process/simulation.h"
#include "syscalls/host/guest_files.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/systems.h"
#include "tests/unit/load/elf_builder.h"

namespace hardclock {
namespace {

using testing::ElfBuilder;

// GNU binutils, include/elf/mips.h and include/elf/hppa.h, beside what <elf.h> has.
constexpr std::uint32_t n32 = 0x20, fp64 = 0x200, o32 = 0x1000;
constexpr std::array mips_abis = {0U, n32, fp64, n32 | fp64, o32, o32 | fp64};
constexpr std::array pa_risc_architectures = {0U, 0x20aU, 0x20bU, 0x210U, 0x211U, 0x214U, 0xffffU};

struct Header {
  std::uint16_t machine = EM_MIPS;
  unsigned elf_class = ELFCLASS32;
  std::uint32_t flags = 0;
};

std::vector<Header> every_header() {
  std::vector<Header> headers;
  for (const unsigned elf_class : {ELFCLASS32, ELFCLASS64}) {
    for (std::uint32_t arch = 0; arch < 16; ++arch) {
      for (const std::uint32_t abi : mips_abis)
        headers.push_back({EM_MIPS, elf_class, arch << 28 | abi});
    }
    for (const std::uint32_t arch : pa_risc_architectures) {
      headers.push_back({EM_PARISC, elf_class, arch});
    }
  }
  return headers;
}

// Null: it is refused when it is read.
std::shared_ptr<const Image> image_of(const Header& header) {
  constexpr std::uint64_t start = 0x400000, size = 0x200;
  ElfBuilder builder(Endian::big, header.elf_class);
  builder.header.e_machine = header.machine;
  builder.header.e_flags = header.flags;
  builder.header.e_entry = start + 0x100;
  builder.add_program_header(PT_LOAD, PF_R | PF_X, 0, start, size, size);
  builder.place(0x100, std::string(0x100, '\0'));
  auto image = load_image(builder.build().bytes);
  return image ? std::make_shared<const Image>(*std::move(image)) : nullptr;
}

bool is_line(const std::string& text) {
  return !text.empty() && text.find('\n') == std::string::npos;
}

Result<std::unique_ptr<Cpu>, std::string> make(const CpuSetup& setup, const posix::Program& program,
                                               const posix::Port& port, AddressSpace& memory) {
  const auto cpu = suitable_cpu(setup, program, port);
  if (!cpu) return Failure{cpu.error()};
  return make_cpu(setup, **cpu, program, port, memory);
}

// Whether it ran.
bool run(const posix::UnixSystem& system, const posix::Program& program, const CpuSetup& setup) {
  SimulationOptions options;
  options.max_instructions = Instructions(10);
  options.max_memory = std::uint64_t{4} << 20;
  Simulation simulation(options);
  auto files = host::GuestFiles::create({});
  EXPECT_TRUE(files.ok());
  posix::Options of_kernel;
  of_kernel.files = std::make_shared<host::GuestFiles>(*std::move(files));
  of_kernel.make_cpu = [&](const posix::Program& started, const posix::Port& port,
                           AddressSpace& memory) { return make(setup, started, port, memory); };
  of_kernel.notice = [](const std::string& line) { EXPECT_TRUE(is_line(line)) << line; };
  posix::Kernel kernel(system, of_kernel);
  const auto process = kernel.start(simulation, program, {});
  if (!process) {
    EXPECT_TRUE(is_line(process.error())) << process.error();
    return false;
  }
  simulation.run();
  return true;
}

TEST(ProcessorChoice, EveryHeaderRunsOrIsRefused) {
  unsigned ran = 0, refused = 0;
  for (const Header& header : every_header()) {
    const auto image = image_of(header);
    if (image == nullptr) continue;
    for (const posix::UnixSystem* const system : unix_systems(image->architecture)) {
      SCOPED_TRACE(::testing::Message()
                   << system->name << " machine " << header.machine << " class " << header.elf_class
                   << " flags " << std::hex << header.flags);
      posix::Program program;
      program.path = "/program";
      program.image = image;
      program.arguments = {"program"};
      (run(*system, program, {}) ? ran : refused) += 1;
    }
  }
  EXPECT_GT(ran, 500U);
  EXPECT_GT(refused, 500U);
}

// A library decides as the program does, and what it decides suits both.
TEST(ProcessorChoice, EveryPairOfHeadersRunsOrIsRefused) {
  std::vector<std::shared_ptr<const Image>> images;
  for (const Header& header : every_header()) {
    if (auto image = image_of(header)) images.push_back(std::move(image));
  }
  std::set<std::pair<const Image*, const CpuDescription*>> made;
  for (const auto& image : images) {
    for (const auto& library : images) {
      posix::Program program;
      program.path = "/program";
      program.image = image;
      program.libraries = {{"/library", library}};
      const auto cpu = suitable_cpu({}, program, {});
      EXPECT_TRUE(cpu.ok() || is_line(cpu.error()));
      if (!cpu || !made.insert({image.get(), *cpu}).second) continue;
      AddressSpace memory(std::make_shared<MemoryBudget>(1 << 20), image->endian,
                          GuestAddr(0x80000000));
      EXPECT_NE(make_cpu({}, **cpu, program, {}, memory), nullptr);
    }
  }
  EXPECT_GT(made.size(), images.size() / 4);
}

// o32 of MIPS I runs on 32 bits, and its library with registers of FR = 1 does not.
TEST(ProcessorChoice, SuitsTheRegistersOfLibraries) {
  posix::Program program;
  program.path = "/program";
  program.image = image_of({EM_MIPS, ELFCLASS32, o32});
  program.libraries = {{"/library", image_of({EM_MIPS, ELFCLASS32, o32 | fp64})}};
  ASSERT_NE(program.image, nullptr);
  const auto cpu = suitable_cpu({}, program, {});
  ASSERT_TRUE(cpu.ok()) << cpu.error();
  EXPECT_EQ((*cpu)->name, "r4400");
}

// Whatever the instruction set.
TEST(ProcessorChoice, TranslatesUnlessTold) {
  for (const Header& header :
       {Header{EM_MIPS, ELFCLASS32, o32}, Header{EM_PARISC, ELFCLASS32, EFA_PARISC_1_1}}) {
    posix::Program program;
    program.path = "/program";
    program.image = image_of(header);
    ASSERT_NE(program.image, nullptr);
    AddressSpace memory(std::make_shared<MemoryBudget>(1 << 20), program.image->endian,
                        GuestAddr(0x80000000));
    CpuSetup setup;
    setup.translation.is_on = false;
    const auto cpu = make(setup, program, {}, memory);
    ASSERT_TRUE(cpu.ok()) << cpu.error();
    EXPECT_FALSE((*cpu)->translates());
  }
}

}  // namespace
}  // namespace hardclock
