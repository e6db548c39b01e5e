// Files that are almost programs and programs that mean harm: an error message or an ending, never
// a crash, and never more memory than allowed.
#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <utility>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

std::uint32_t swapped(std::uint32_t value) {
  return __builtin_bswap32(value);
}

class HostileProgram : public CommandTest {
 protected:
  void SetUp() override { program_ = read_file(guest("compute")); }

  // The big-endian word at a file offset.
  void put_word(std::size_t at, std::uint32_t value) {
    const std::uint32_t bytes = swapped(value);
    ASSERT_LE(at + sizeof bytes, program_.size());
    std::memcpy(program_.data() + at, &bytes, sizeof bytes);
  }
  std::uint32_t word(std::size_t at) const {
    std::uint32_t bytes = 0;
    std::memcpy(&bytes, program_.data() + at, sizeof bytes);
    return swapped(bytes);
  }
  // Offset of a field of the first program header of a type.
  std::size_t program_header(std::uint32_t type) const {
    std::size_t at = word(offsetof(Elf32_Ehdr, e_phoff));
    while (word(at) != type) at += sizeof(Elf32_Phdr);
    return at;
  }
  Finished run_it(std::vector<std::string> options = {}) const {
    write("program", program_);
    options.insert(options.begin(), "run");
    options.push_back("program");
    return hardclock(options);
  }

  std::string program_;
};

TEST_F(HostileProgram, TruncatedAnywhere) {
  const std::string whole = program_;
  // Every length of the headers would be thousands of runs; these cut each structure somewhere.
  for (std::size_t size : {1, 3, 4, 5, 15, 16, 17, 51, 52, 53, 84, 116, 147, 148, 200, 4096}) {
    SCOPED_TRACE(size);
    ASSERT_LT(size, whole.size());
    program_ = whole.substr(0, size);
    expect_complaint(run_it(), {"program"});
  }
  // Behind the segments are symbols and section headers, which a program does not need to run.
  for (std::size_t size = whole.size() * 3 / 4; size < whole.size(); size += 997) {
    SCOPED_TRACE(size);
    program_ = whole.substr(0, size);
    const Finished run = run_it();
    EXPECT_TRUE(run.status == 0 || run.status == own_failure) << run.status;
  }
}

// The ELF header (System V ABI, chapter 4) and e_flags (MIPS supplement and GNU <elf/mips.h>).
TEST_F(HostileProgram, OtherMachines) {
  const std::string good = program_;
  put_word(offsetof(Elf32_Ehdr, e_type), ET_EXEC << 16 | EM_PPC);
  expect_complaint(run_it(), {"machine 20"});
  program_ = good;
  program_[EI_CLASS] = ELFCLASS64;
  expect_complaint(run_it(), {"program: "});
  program_ = good;
  program_[EI_DATA] = ELFDATA2LSB;
  expect_complaint(run_it(), {"program: "});
  program_ = good;
  put_word(offsetof(Elf32_Ehdr, e_type), ET_REL << 16 | EM_MIPS);
  expect_complaint(run_it(), {"program: "});
}

// MIPS V and release 6 (GNU binutils, include/elf/mips.h).
TEST_F(HostileProgram, ProcessorsThatNobodyHas) {
  const std::pair<std::uint32_t, const char*> levels[] = {{EF_MIPS_ARCH_5, "MIPS V,"},
                                                          {0x90000000, "MIPS32 release 6,"},
                                                          {0xa0000000, "MIPS64 release 6,"},
                                                          {0xf0000000, "an unknown MIPS,"}};
  for (const auto& [level, name] : levels) {
    put_word(offsetof(Elf32_Ehdr, e_flags), level);
    expect_complaint(run_it(), {name, "-march=mips32r2"});
  }
}

// An n32 program on a processor of 32 bits.
TEST_F(HostileProgram, ProcessorsThatCannotRunIt) {
  put_word(offsetof(Elf32_Ehdr, e_flags), EF_MIPS_ARCH_3 | EF_MIPS_ABI2);
  expect_complaint(run_it({"--cpu=r3000"}), {"64-bit registers", "r3000", "--cpu"});
}

TEST_F(HostileProgram, DynamicProgramIsNamed) {
  // The segment of register usage becomes one that names an interpreter: the string behind it.
  const std::size_t header = program_header(PT_MIPS_REGINFO);
  const std::string name = "/usr/lib/libc.so.1";
  const std::size_t place = word(header + offsetof(Elf32_Phdr, p_offset));
  program_.replace(place, name.size() + 1, name.c_str(), name.size() + 1);
  put_word(header, PT_INTERP);
  put_word(header + offsetof(Elf32_Phdr, p_filesz), static_cast<std::uint32_t>(name.size() + 1));
  expect_complaint(run_it(), {"dynamic", name, "-L DIR", "Guest roots"});
}

// What GNU ld makes of a program with a shared library, at a fixed address and at none.
TEST_F(HostileProgram, RealDynamicPrograms) {
  write("library.c", "int f(void) { return 0; }\n");
  write("program.c", "int f(void);\nint __start(void) { return f(); }\n");
  const std::vector<std::string> compiler = {"mips-linux-gnu-gcc", "-mabi=32", "-march=mips2",
                                             "-nostdlib", "-nostartfiles"};
  const auto build = [&](std::vector<std::string> rest) {
    rest.insert(rest.begin(), compiler.begin(), compiler.end());
    const Finished built = other_program(rest);
    EXPECT_EQ(built.status, 0) << built.err;
  };
  build({"-shared", "-fPIC", "-o", "library.so", "library.c"});
  build({"-no-pie", "-Wl,-dynamic-linker,/lib/rld", "-o", "dynamic", "program.c", "./library.so"});
  build(
      {"-pie", "-fPIE", "-Wl,-dynamic-linker,/lib/rld", "-o", "pie", "program.c", "./library.so"});
  expect_complaint(hardclock({"run", "dynamic"}), {"dynamic", "/lib/rld", "-L DIR"});
  expect_complaint(hardclock({"run", "pie"}), {"pie", "/lib/rld", "-L DIR"});
  // GNU ld gives a library its text's start as its entry: it begins to run, as under any kernel,
  // and has nowhere to return to.
  EXPECT_GT(hardclock({"run", "library.so"}).status, 128);
}

TEST_F(HostileProgram, SegmentsBeyondMemory) {
  const std::string good = program_;
  const std::size_t data = program_header(PT_LOAD) + sizeof(Elf32_Phdr);
  ASSERT_EQ(word(data), std::uint32_t{PT_LOAD});
  for (const std::uint32_t size : {0x01000000U, 0x6ffff000U, 0x7fffffffU, 0xffffffffU}) {
    SCOPED_TRACE(size);
    program_ = good;
    put_word(data + offsetof(Elf32_Phdr, p_memsz), size);
    const Finished run = run_it({"--max-memory=16M"});
    // Memory that is never touched may cost nothing.
    if (run.status == 0) continue;
    expect_complaint(run, {"program"});
  }
  program_ = good;
  put_word(data + offsetof(Elf32_Phdr, p_vaddr), 0xfffff000U);
  expect_complaint(run_it(), {"program"});
}

// Any bit of code, data and headers may be wrong.
TEST_F(HostileProgram, RandomDamage) {
  std::mt19937 random(20240101);
  const std::string good = program_;
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    program_ = good;
    const std::size_t reach = i % 3 == 0 ? 200 : program_.size();
    for (int j = 0; j < 1 + i; ++j) {
      program_[random() % reach] = static_cast<char>(random());
    }
    const Finished run = run_it({"--max-cycles=3000000", "--max-memory=32M", "--explain=e",
                                 "--strace=s", "--stats=j.json"});
    // A program that was not started has said why in one line.
    if (run.status == own_failure) {
      EXPECT_NE(run.err, "");
    }
  }
}

TEST_F(HostileProgram, RandomCode) {
  std::mt19937 random(7);
  const std::string good = program_;
  const std::size_t code = word(program_header(PT_LOAD) + offsetof(Elf32_Phdr, p_offset)) + 200;
  for (int i = 0; i < 20; ++i) {
    SCOPED_TRACE(i);
    program_ = good;
    for (std::size_t at = code; at < code + 4000; ++at) program_[at] = static_cast<char>(random());
    run_it({"--max-cycles=1000000", "--max-memory=32M", "--trace=t", "--profile=p.json"});
  }
}

class HostileCalls : public CommandTest, public ::testing::WithParamInterface<int> {};

TEST_P(HostileCalls, Survived) {
  for (const std::string_view order : both_byte_orders) {
    // Its standard input is an empty file; what it says and how it ends is its own affair.
    hardclock({"run", "--max-cycles=20000000", "--max-memory=64M", "--syscall-cycles=100",
               "--strace=s", "--explain=e", "--stats=j.json",
               cli_guest("random_calls" + std::string(order)), std::to_string(GetParam()), "20"});
    EXPECT_NE(read("j.json"), "");
  }
}

// What is said once for each name must not become a name for each of 2^32 numbers.
TEST_F(HostileProgram, UnknownCallsWithoutEndAreNamedOnce) {
  const Finished run = hardclock({"run", "--stats=j.json", cli_guest("unknown_calls")});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
  EXPECT_TRUE(contains(read("j.json"), ": 1000")) << "all of them are counted";
}

INSTANTIATE_TEST_SUITE_P(Seeds, HostileCalls, ::testing::Range(1, 21));

}  // namespace
}  // namespace hardclock::cli_test
