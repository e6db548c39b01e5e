// hardclock's commands from the words to the exit status and both outputs.
#include "cli/commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_table.h"
#include "cli/dispatch.h"
#include "cli/help_text.h"
#include "cli/version.h"
#include "tests/unit/cli/temporary_file.h"
#include "tests/unit/load/elf_builder.h"

namespace hardclock {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::TemporaryFile;
using Words = std::vector<std::string>;

Words last_run;  // what the stand-in for `run` was called with

int fake_run(const Words& args) {
  last_run = args;
  return 7;
}
int fake_list(const Words&) {
  return 0;
}

constexpr std::array commands = {
    CommandEntry{"run", fake_run},      CommandEntry{"report", report_command},
    CommandEntry{"diff", diff_command}, CommandEntry{"disasm", disasm_command},
    CommandEntry{"cpus", fake_list},    CommandEntry{"syscalls", fake_list},
    CommandEntry{"help", help_command},
};

struct Outcome {
  int status;
  std::string out;
  std::string err;
};

Outcome hardclock_says(const Words& args) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  const int status = dispatch(args, commands);
  return {status, ::testing::internal::GetCapturedStdout(),
          ::testing::internal::GetCapturedStderr()};
}

void expect_complaint(const Words& args, const std::string& line) {
  const Outcome outcome = hardclock_says(args);
  EXPECT_EQ(outcome.status, 125);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "hardclock: " + line + "\n");
}

void expect_answer(const Words& args, const std::string& text) {
  const Outcome outcome = hardclock_says(args);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, text);
  EXPECT_EQ(outcome.err, "");
}

TEST(Dispatch, PassesTheWordsOn) {
  const Outcome outcome = hardclock_says({"run", "-L", "/x", "ls", "--help"});
  EXPECT_EQ(outcome.status, 7);
  EXPECT_EQ(last_run, (Words{"-L", "/x", "ls", "--help"}));
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST(Dispatch, AnswersForItself) {
  expect_answer({"--help"}, overview_text());
  expect_answer({"-h"}, overview_text());
  expect_answer({"help"}, overview_text());
  expect_answer({"--version"}, "hardclock " + std::string(hardclock_version) + "\n");
  expect_answer({"help", "--man"}, man_page());
  for (const CommandSpec& command : command_table()) {
    const std::string name(command.name);
    expect_answer({name, "--help"}, command_help(command));
    expect_answer({name, "-h"}, command_help(command));
    expect_answer({"help", name}, command_help(command));
  }
}

TEST(Dispatch, UnknownCommands) {
  expect_complaint({}, "no command given; see 'hardclock help'");
  expect_complaint({""}, "no command given; see 'hardclock help'");
  expect_complaint({"./prog", "-l"},
                   "unknown command './prog'; to run a program: 'hardclock run ./prog'");
  expect_complaint({"ls"}, "unknown command 'ls'; to run a program: 'hardclock run ls'");
  expect_complaint({"rnu", "ls"}, "unknown command 'rnu'; did you mean 'hardclock run'?");
  expect_complaint({"repotr"}, "unknown command 'repotr'; did you mean 'hardclock report'?");
  expect_complaint({"syscall"}, "unknown command 'syscall'; did you mean 'hardclock syscalls'?");
  expect_complaint({"--stats", "run", "ls"},
                   "no command before --stats; options follow it: see 'hardclock help'");
  expect_complaint({"a\nb"},
                   "unknown command 'a\\x0ab'; to run a program: 'hardclock run a\\x0ab'");
}

TEST(HelpCommand, UnknownTopics) {
  expect_complaint({"help", "conquer"}, "no command 'conquer'; see 'hardclock help'");
  expect_complaint({"help", "run", "ls"},
                   "'hardclock help' has no use for 'ls'; see 'hardclock help --help'");
  expect_complaint({"help", "--men"}, "unknown option --men; did you mean --man?");
}

// tiny_program with `start` at 0x400100 and `work` at 0x400120.
std::string program_bytes(bool with_symbols) {
  auto elf = testing::tiny_program();
  elf.place(0x100, std::string_view("\x27\xbd\xff\xe8\xaf\xbf\x00\x14", 8));
  elf.place(0x120, std::string_view("\x03\xe0\x00\x08\x00\x44\x10\x21", 8));
  if (with_symbols) elf.add_symbols(SHT_SYMTAB, testing::tiny_symbols());
  const auto file = elf.build();
  return {file.bytes.begin(), file.bytes.end()};
}

// The instructions' texts are those of mips-linux-gnu-objdump -d for these words.
TEST(Disasm, ListsFunctions) {
  const TemporaryFile program(program_bytes(true));
  const Outcome all = hardclock_says({"disasm", program.path()});
  EXPECT_EQ(all.status, 0);
  EXPECT_EQ(all.err, "");
  EXPECT_THAT(all.out, HasSubstr("\n00400100 <start>:\n"
                                 "  400100:\t27bdffe8 \taddiu\tsp,sp,-24\n"
                                 "  400104:\tafbf0014 \tsw\tra,20(sp)\n"));
  EXPECT_THAT(all.out, HasSubstr("\n00400120 <work>:\n  400120:\t03e00008 \tjr\tra\n"));
  EXPECT_THAT(all.out, Not(HasSubstr("  4000fc:")));
  expect_answer(
      {"disasm", "--function=work", "--", program.path()},
      hardclock_says({"disasm", program.path(), "--start", "0x400120", "--stop=400160"}).out);
  expect_answer({"disasm", "--start=400120", "--stop=400128", program.path()},
                "\n00400120 <work>:\n"
                "  400120:\t03e00008 \tjr\tra\n"
                "  400124:\t00441021 \taddu\tv0,v0,a0\n");
}

TEST(Disasm, WithoutSymbolsListsAll) {
  const TemporaryFile program(program_bytes(false));
  const Outcome all = hardclock_says({"disasm", program.path()});
  EXPECT_EQ(all.status, 0);
  EXPECT_THAT(all.out, Not(HasSubstr("  400000:")));  // the ELF header is in the segment
  EXPECT_THAT(all.out, HasSubstr("  400100:\t27bdffe8 \taddiu\tsp,sp,-24\n"));
}

TEST(Disasm, Mistakes) {
  const TemporaryFile program(program_bytes(true));
  const std::string& path = program.path();
  expect_complaint({"disasm"}, "'hardclock disasm' needs PROGRAM; see 'hardclock disasm --help'");
  expect_complaint({"disasm", "/nonexistent"},
                   "/nonexistent: No such file or directory; check the name");
  expect_complaint({"disasm", "--function=wrok", path},
                   path + ": no function 'wrok'; did you mean work?");
  expect_complaint(
      {"disasm", "--function=conquer", path},
      path + ": no function 'conquer'; 'hardclock disasm " + path + "' lists them all");
  expect_complaint({"disasm", "--start=main", path},
                   "--start needs a hexadecimal address like 0x400120, not 'main'");
  expect_complaint({"disasm", "--start=2", "--stop=1", path},
                   "--stop is not after --start; nothing lies between them");
  expect_complaint({"disasm", "--function=work", "--stop=1", path},
                   "--function and --start or --stop exclude each other; give one");
  expect_complaint({"disasm", "--stop=1", path},
                   path + ": no instructions there; see 'hardclock disasm --help'");
  const TemporaryFile text("#!/bin/sh\n");
  const Outcome refused = hardclock_says({"disasm", text.path()});
  EXPECT_EQ(refused.status, 125);
  EXPECT_THAT(refused.err, ::testing::StartsWith("hardclock: " + text.path() + ": "));
}

// A profile in hardclock's own format (sim/report/json_format.cc).
std::string profile_json(std::string_view more) {
  return R"({"format": "hardclock-profile", "version": 1, "command": "prog", "byte_order": "big",
             "address_bits": 32, "cpu_hz": 33000000, "tick_hz": 100,
             "processes": [{"pid": 1, "program": "",
                            "samples": {"0x00400100": 1, "0x00400124": 3})" +
         std::string(more) + "}]}";
}

// 3 of 4 ticks are 75 percent.
TEST(Report, ChargesFunctions) {
  const TemporaryFile program(program_bytes(true));
  const TemporaryFile profile(profile_json(""));
  const Outcome outcome = hardclock_says({"report", profile.path(), program.path()});
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, ContainsRegex("75\\.0.*work"));
  EXPECT_THAT(outcome.out, ContainsRegex("25\\.0.*start"));
}

TEST(Report, ExactCyclesComeFromEitherFile) {
  constexpr std::string_view cycles = R"(, "cycles": {"0x00400100": 600, "0x00400124": 400})";
  const TemporaryFile program(program_bytes(true));
  const TemporaryFile plain(profile_json(""));
  const TemporaryFile exact(profile_json(cycles));
  const Outcome own = hardclock_says({"report", exact.path(), program.path()});
  EXPECT_EQ(own.status, 0);
  EXPECT_THAT(own.out, ContainsRegex("60\\.0.*start"));  // 600 of 1000 cycles
  expect_answer({"report", plain.path(), "--exact", exact.path(), program.path()}, own.out);
  expect_complaint({"report", "--exact", plain.path(), exact.path(), program.path()},
                   plain.path() +
                       ": no exact cycles in it; name a file that 'hardclock run "
                       "--profile=FILE.json' wrote");
}

// The instructions are objdump's, as above; 300 of 1000 cycles are 30 percent.
constexpr std::string_view costly = R"(, "cycles": {"0x00400100": 600, "0x00400104": 5,
                                                    "0x00400120": 95, "0x00400124": 300})";

TEST(Report, AnnotatesInstructions) {
  const TemporaryFile program(program_bytes(true));
  const TemporaryFile profile(profile_json(costly));
  const Outcome one = hardclock_says({"report", "--annotate=work", profile.path(), program.path()});
  EXPECT_EQ(one.err, "");
  EXPECT_EQ(one.status, 0);
  EXPECT_THAT(one.out,
              ::testing::StartsWith("work: 395 cycles, 39.5 %; 3 ticks, 75.0 %\n"
                                    "\n"
                                    "      cycles       %   ticks\n"
                                    "          95    9.50            400120:\tjr\tra\n"
                                    "         300   30.00       3    400124:\taddu\tv0,v0,a0\n"));
  const Outcome all = hardclock_says({"report", "--annotate", profile.path(), program.path()});
  EXPECT_THAT(all.out, ::testing::StartsWith("start: 605 cycles, 60.5 %; 1 tick, 25.0 %\n"));
  EXPECT_THAT(all.out, ::testing::EndsWith("\n" + one.out));
}

// 5000 instructions, a counter of eight bytes for two of them: the counters' ticks are all there,
// and each but once. The counters of instructions 4094 and 4095, and of 4096 and 4097, have 5 and
// 7: there the listing is made in two pieces.
TEST(Report, AnnotatesLargeFunctions) {
  constexpr std::uint32_t bytes = 20'000, address = 0x40'0100;
  auto elf = testing::tiny_program();
  elf.program_headers[0].p_filesz = elf.program_headers[0].p_memsz = 0x100 + bytes;
  elf.program_headers[1].p_offset = 0x100 + bytes;
  elf.place(0x100, std::string(bytes + 0x100, '\0'));
  elf.add_symbols(SHT_SYMTAB, {{.name = "large", .value = address, .size = bytes}});
  const auto file = elf.build();
  const TemporaryFile program(std::string(file.bytes.begin(), file.bytes.end()));
  std::string counts;
  for (int i = 0; i < 2500; ++i) {
    counts += i == 2047 ? "5" : i == 2048 ? "7" : "0";
    if (i != 2499) counts += ",";
  }
  const TemporaryFile profile(
      R"({"format": "hardclock-profile", "version": 1, "command": "p", "byte_order": "big",
          "address_bits": 32, "cpu_hz": 1, "tick_hz": 1, "processes": [{"pid": 1, "program": "", "histograms":
          [{"low": "0x00400100", "high": "0x00404f20", "counts": [)" +
      counts + "]}]}]}");
  const Outcome all = hardclock_says({"report", "--annotate", profile.path(), program.path()});
  EXPECT_EQ(all.err, "");
  EXPECT_EQ(std::count(all.out.begin(), all.out.end(), '\n'), 3 + 5000);
  EXPECT_THAT(all.out, HasSubstr("       5    4040f8:\tnop\n"
                                 "       \"    4040fc:\tnop\n"
                                 "       7    404100:\tnop\n"
                                 "       \"    404104:\tnop\n"));
}

TEST(Report, AnnotatesWithoutCycles) {
  const TemporaryFile program(program_bytes(true));
  const TemporaryFile profile(profile_json(""));
  const Outcome one = hardclock_says({"report", "--annotate=work", profile.path(), program.path()});
  EXPECT_THAT(one.out, ::testing::StartsWith("work: 3 ticks, 75.0 %\n"
                                             "\n"
                                             "   ticks\n"
                                             "            400120:\tjr\tra\n"
                                             "       3    400124:\taddu\tv0,v0,a0\n"));
}

// 100 of 300 are a third. The profiles' ticks are the same: 1 of `start`, 3 of `work`; the root of
// 6 is 2.4.
TEST(Diff, OfCyclesOrTicks) {
  const TemporaryFile program(program_bytes(true));
  const TemporaryFile a(profile_json(R"(, "cycles": {"0x00400124": 300})"));
  const TemporaryFile b(profile_json(R"(, "cycles": {"0x00400124": 200})"));
  const TemporaryFile ticks(profile_json(""));
  expect_answer({"diff", a.path(), program.path(), b.path()},
                "cycles before  cycles after  change      %  function\n"
                "          300           200    -100  -33.3  work\n"
                "          300           200    -100  -33.3  total\n");
  const std::string same = hardclock_says({"diff", a.path(), program.path(), ticks.path()}).out;
  EXPECT_THAT(same, HasSubstr("           3            3       0  2.4  0.0  work\n"));
  expect_answer({"diff", a.path(), program.path(), ticks.path(), program.path()}, same);
}

TEST(Diff, Mistakes) {
  const TemporaryFile program(program_bytes(true));
  const TemporaryFile a(profile_json(""));
  std::string faster = profile_json("");
  faster.replace(faster.find("100"), 3, "60");
  const TemporaryFile b(faster);
  expect_complaint({"diff", a.path(), program.path()},
                   "'hardclock diff' needs A PROGRAM B [PROGRAM]; see 'hardclock diff --help'");
  expect_complaint({"diff", a.path(), program.path(), b.path()},
                   "A has 100 and B 60 ticks a second, which cannot be compared; profile both at "
                   "one --hz");
  expect_complaint({"diff", a.path(), program.path(), "/nonexistent"},
                   "/nonexistent: No such file or directory; check the name");
}

TEST(Report, ConvertsForCallgrind) {
  const TemporaryFile program(program_bytes(true));
  const TemporaryFile profile(profile_json(""));
  const TemporaryFile exact(profile_json(R"(, "cycles": {"0x00400124": 9})"));
  const TemporaryFile file("");
  expect_answer({"report", profile.path(), program.path(), "--exact", exact.path(),
                 "--format=callgrind", "--output=" + file.path()},
                "");
  std::ostringstream written;
  written << std::ifstream(file.path()).rdbuf();
  EXPECT_THAT(written.str(), HasSubstr("events: Cycles Ticks\nsummary: 9 4\n"));
  EXPECT_THAT(written.str(), HasSubstr("fn=work\n0x400124 9 3\n"));
  expect_complaint({"report", profile.path(), "--format=callgrind"},
                   "'hardclock report' needs PROFILE PROGRAM, whose functions it names; see "
                   "'hardclock report --help'");
  expect_complaint(
      {"report", profile.path(), program.path(), "--exact", exact.path(), "--format=hardclock"},
      "--exact is for formats that show functions, and hardclock is one of profiles; "
      "leave it out");
}

TEST(Report, AnnotationMistakes) {
  const TemporaryFile program(program_bytes(true));
  const TemporaryFile profile(profile_json(""));
  const auto annotate = [&](const std::string& option) {
    return std::vector<std::string>{"report", option, profile.path(), program.path()};
  };
  expect_complaint(annotate("--annotate=wrok"),
                   "no function 'wrok' in the profile; did you mean work?");
  expect_complaint(annotate("--annotate=conquer"),
                   "no function 'conquer' in the profile; without --annotate 'hardclock report' "
                   "lists them all");
  const TemporaryFile none(R"({"format": "hardclock-profile", "version": 1, "command": "prog",
                               "byte_order": "big", "address_bits": 32, "cpu_hz": 1, "tick_hz": 1,
                               "processes": []})");
  expect_complaint({"report", "--annotate", none.path(), program.path()},
                   "there are no ticks and no cycles in the profile; nothing to list");
  expect_complaint({"report", "--annotate", "--format=html", profile.path(), program.path()},
                   "--annotate answers in text, csv and json; leave out --format=html");
}

TEST(Report, Mistakes) {
  const TemporaryFile program(program_bytes(true));
  const TemporaryFile profile(profile_json(""));
  expect_complaint({"report", profile.path()},
                   "'hardclock report' needs PROFILE PROGRAM, whose functions it names; see "
                   "'hardclock report --help'");
  expect_complaint({"report", "/nonexistent", program.path()},
                   "/nonexistent: No such file or directory; check the name");
  expect_complaint({"report", profile.path(), "/nonexistent"},
                   "/nonexistent: No such file or directory; check the name");
  expect_complaint({"report", profile.path(), "/"}, "/: is a directory; name a file");
  // The operands the wrong way round.
  const Outcome swapped = hardclock_says({"report", program.path(), profile.path()});
  EXPECT_EQ(swapped.status, 125);
  EXPECT_EQ(swapped.out, "");
  EXPECT_THAT(swapped.err, ::testing::StartsWith("hardclock: " + profile.path() + ": "));
  const TemporaryFile rubbish("rubbish");
  const Outcome unreadable = hardclock_says({"report", rubbish.path(), program.path()});
  EXPECT_EQ(unreadable.status, 125);
  EXPECT_THAT(unreadable.err, ::testing::StartsWith("hardclock: " + rubbish.path() + ": "));
}

}  // namespace
}  // namespace hardclock
