// What a program file costs: the bytes that its segments bring, once they are known to fit the
// guest's memory. The files here have holes of hundreds of megabytes that promise to be segments.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/command_test.h"
#include "tests/unit/load/debug_builder.h"
#include "tests/unit/load/elf_builder.h"
#include "tests/unit/load/som_builder.h"

namespace hardclock::cli_test {
namespace {

namespace fs = std::filesystem;
namespace som = hardclock::testing::som;
using hardclock::testing::advance_and_copy;
using hardclock::testing::ElfBuilder;
using hardclock::testing::end_sequence;
using hardclock::testing::line_unit;
using hardclock::testing::LineUnitSpec;
using hardclock::testing::program_with;
using hardclock::testing::set_address;
using hardclock::testing::SymbolSpec;
using hardclock::testing::tiny_program;
using hardclock::testing::tiny_som;
using hardclock::testing::unit_abbreviations;
using hardclock::testing::unit_of;

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
// hardclock itself takes some 10 MiB.
constexpr std::uint64_t little = 64 * mebibyte;
constexpr std::uint32_t hole = 240 << 20;

ElfBuilder with_hole(GElf_Half type) {
  ElfBuilder builder = tiny_program();
  builder.header.e_type = type;
  builder.program_headers[1].p_filesz = builder.program_headers[1].p_memsz = hole;
  return builder;
}

class LoadingBounds : public CommandTest {
 protected:
  // Followed by zeros, which take no room on the disk.
  void write_program(const std::string& name, const std::vector<std::uint8_t>& bytes,
                     std::uint64_t size) const {
    write(name, std::string(bytes.begin(), bytes.end()));
    fs::resize_file(path(name), size);
    fs::permissions(path(name), fs::perms::owner_all);
  }
  void write_hole(const std::string& name) const {
    write_program(name, with_hole(ET_EXEC).build().bytes, 255 * mebibyte);
  }
  void expect_refused(const std::vector<std::string>& arguments,
                      const std::vector<std::string>& words) const {
    const Finished run = hardclock(arguments);
    expect_complaint(run, words);
    EXPECT_LT(run.peak_bytes, little);
  }
};

TEST_F(LoadingBounds, SegmentsLargerThanMemory) {
  write_hole("elf");
  write_program("object", with_hole(ET_DYN).build().bytes, 255 * mebibyte);
  auto bytes = tiny_som();
  bytes.put_word(som::data_size, hole).seal();
  write_program("som", bytes.bytes, 255 * mebibyte);
  for (const char* const name : {"elf", "object", "som"}) {
    expect_refused({"run", "--max-memory=1M", name}, {name, "--max-memory"});
  }
}

TEST_F(LoadingBounds, DynamicLinkersLargerThanMemory) {
  write_hole("linker");
  ElfBuilder program = tiny_program();
  const std::string name = path("linker");
  program.place(0x800, name + std::string(1, '\0'));
  program.add_program_header(PT_INTERP, PF_R, 0x800, 0, name.size() + 1, name.size() + 1);
  write_program("program", program.build().bytes, 0x1000);
  expect_refused({"run", "--max-memory=1M", "program"}, {"dynamic linker", "--max-memory"});
}

TEST_F(LoadingBounds, InterpretersOfScriptsLargerThanMemory) {
  write_hole("shell");
  write("script", "#! shell\n");
  fs::permissions(path("script"), fs::perms::owner_all);
  expect_refused({"run", "--max-memory=1M", "script"}, {"shell", "--max-memory"});
  fs::resize_file(path("script"), 200 * mebibyte);
  expect_refused({"run", "--max-memory=1M", "script"}, {"shell", "--max-memory"});
}

TEST_F(LoadingBounds, FilesLargerThanAnyProgram) {
  write_program("huge", tiny_program().build().bytes, 2048 * mebibyte);
  expect_refused({"run", "huge"}, {"huge", "larger than 256 MiB"});
  expect_refused({"disasm", "huge"}, {"huge", "larger than 256 MiB"});
  write("profile", "x");
  expect_refused({"report", "profile", "huge"}, {"huge", "larger than 256 MiB"});
}

// Nothing of a file is read that does not matter.
TEST_F(LoadingBounds, TheRestOfAFile) {
  const std::string program = read_file(guest("compute"));
  write_program("compute", {program.begin(), program.end()}, 255 * mebibyte);
  const Finished run = hardclock({"run", "compute"});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.out, expected_output("compute.txt"));
  EXPECT_LT(run.peak_bytes, little);
}

// exec in a guest: ENOMEM, which the program passes on as 3.
TEST_F(LoadingBounds, ProgramsThatAGuestStarts) {
  write_hole("elf");
  const Finished run =
      hardclock({"run", "--max-memory=16M", guest("bounds/fork_exec"), "20", "elf"});
  EXPECT_EQ(run.status, 3) << run.err;
  EXPECT_LT(run.peak_bytes, little);
}

// What hardclock keeps of a program that runs counts against the guest's memory: here the names of
// 100 000 functions, which a run with a limit wants to know.
TEST_F(LoadingBounds, SymbolsOfProgramsThatAGuestStarts) {
  constexpr std::uint32_t functions = 100'000, text_start = 0x400000, text_bytes = 4 * functions;
  ElfBuilder builder = tiny_program();
  builder.program_headers[0].p_filesz = builder.program_headers[0].p_memsz = text_bytes;
  builder.place(text_bytes, "end");
  std::vector<SymbolSpec> symbols;
  for (std::uint32_t i = 0; i < functions; ++i) {
    symbols.push_back({std::string(64, 'f'), text_start + 4 * i, 4});
  }
  builder.add_symbols(SHT_SYMTAB, symbols);
  const std::vector<std::uint8_t> bytes = builder.build().bytes;
  write_program("program", bytes, bytes.size());
  const auto run = [&](std::vector<std::string> options) {
    options.insert(options.begin(), "run");
    options.insert(options.end(), {guest("bounds/fork_exec"), "3", "program"});
    return hardclock(options);
  };
  const std::string limit = "--max-instructions=1000000000";
  EXPECT_EQ(run({"--max-memory=8M", limit}).status, 3);
  EXPECT_EQ(run({"--max-memory=64M", limit}).status, 0);
  // Else they are read for the message in which the first instruction ends the program.
  const Finished unasked = run({"--max-memory=8M"});
  EXPECT_EQ(unasked.status, 0);
  EXPECT_TRUE(contains(unasked.err, "ends with SIGILL")) << unasked.err;
  EXPECT_TRUE(contains(unasked.err, ", pc " + std::string(64, 'f'))) << unasked.err;
}

// What libdw makes of a byte of debug information: a path of 2 KiB for one of a header, or of a
// program that defines files, and a line for each other one. Three units of the largest size that
// is read, so that what is kept of one does not add to that of the next.
TEST_F(LoadingBounds, SourceLinesOfHostilePrograms) {
  write("p.json",
        R"({"format": "hardclock-profile", "version": 1, "command": "p",
            "byte_order": "big", "address_bits": 32, "cpu_hz": 0, "tick_hz": 100,
            "processes": [{"pid": 100, "program": "p", "samples": {"0x00400100": 1}}]})");
  const std::string start = set_address(0x400100) + advance_and_copy(0, 0);
  const std::string end = std::string("\x02\x01", 2) + end_sequence();  // advance_pc 1
  const std::string folder(1000, 'd');
  const std::string definition("\0\6\3a\0\1\0\0", 8);  // DW_LNE_define_file in folder 1
  std::string definitions, lines;
  for (int i = 0; i < 300'000; ++i) definitions += definition;
  for (int i = 0; i < 2'400'000; ++i) lines += advance_and_copy(1, i % 2);
  for (const LineUnitSpec& spec :
       {LineUnitSpec{.directories = {folder},
       .files = std::vector<std::string>(95'000, "a"),
       .program = start + end},
        LineUnitSpec{.directories = {folder}, .program = start + definitions + end},
        LineUnitSpec{.program = start + lines + end}}) {
    const std::string unit = line_unit(spec);
    std::string units, info;
    for (int i = 0; i < 3; ++i) {
      info += unit_of(static_cast<std::uint32_t>(units.size()), '/' + folder);
      units += unit;
    }
    const std::vector<std::uint8_t> bytes = program_with({{".debug_abbrev", unit_abbreviations()},
                                                          {".debug_info", info},
                                                          {".debug_line", units}})
                                                .bytes;
    write_program("p", bytes, bytes.size());
    const Finished run = hardclock({"report", "p.json", "p", "--lines"});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.out, "  a.c:1\n") || contains(run.out, "  a:1\n")) << run.out;
    EXPECT_LT(run.peak_bytes, 1024 * mebibyte);
  }
}

}  // namespace
}  // namespace hardclock::cli_test
