// The commands that answer: report, disasm, cpus, syscalls, help.
#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/command_test.h"
#include "tests/cli/listings.h"
#include "tests/cli/profile_files.h"

namespace hardclock::cli_test {
namespace {

class Answers : public CommandTest {
 protected:
  std::string answer(const std::vector<std::string>& arguments) const {
    const Finished run = hardclock(arguments);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.err, "");
    return run.out;
  }
};

// Words of the report's row of a function; empty when there is none.
std::vector<std::string> row_of(const std::string& report, const std::string& function) {
  for (const std::string& line : lines_of(report)) {
    std::istringstream text(line);
    const std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
    if (!words.empty() && words.back() == function) return words;
  }
  return {};
}

// The rows' numbers are computed here from the files, with nm's symbols.
TEST_F(Answers, ReportOfTheGuestsOwnMonOut) {
  for (const std::string_view order : both_byte_orders) {
    const std::string program = guest("split75" + std::string(order));
    ASSERT_EQ(hardclock({"run", "--profile=p.json", program, "1000"}).status, 0);
    const std::string report = answer({"report", "--exact=p.json", "mon.out", program});
    auto symbols = parse_nm(other_program({"mips-linux-gnu-nm", program}).out);
    const Counts ticks = parse_mon_out(read("mon.out"), !order.empty()).by_address();
    const Counts cycles =
        counts_of(nlohmann::json::parse(read("p.json")).at("processes")[0], "cycles");
    const std::uint32_t hot = symbols["hot"], warm = symbols["warm"], end = symbols["end_of_warm"];
    for (const auto& [name, low, high] : {std::tuple{"hot", hot, warm}, {"warm", warm, end}}) {
      const auto row = row_of(report, name);
      ASSERT_GE(row.size(), 6U) << report;
      EXPECT_EQ(row[0], std::to_string(sum(ticks, low, high)));
      const double percent =
          100.0 * static_cast<double>(sum(ticks, low, high)) / static_cast<double>(sum(ticks));
      EXPECT_NEAR(std::stod(row[1]), percent, 0.0501);
      EXPECT_EQ(row[row.size() - 4], std::to_string(sum(cycles, low, high)));
      const double share =
          static_cast<double>(sum(cycles, low, high)) / static_cast<double>(sum(cycles));
      EXPECT_NEAR(std::stod(row[row.size() - 3]), 100 * share, 0.0501);
      const double difference =
          static_cast<double>(sum(ticks, low, high)) - share * static_cast<double>(sum(ticks));
      EXPECT_NEAR(std::stod(row[row.size() - 2]), difference, 0.0501);
    }
    const auto total = row_of(report, "total");
    ASSERT_FALSE(total.empty());
    EXPECT_EQ(total[0], std::to_string(sum(ticks)));
    // Without the exact cycles the same ticks.
    EXPECT_EQ(row_of(answer({"report", "mon.out", program}), "hot")[0], row_of(report, "hot")[0]);
  }
}

TEST_F(Answers, ExactNeedsCycles) {
  ASSERT_EQ(hardclock({"run", guest("split75"), "100"}).status, 0);
  expect_complaint(hardclock({"report", "--exact=mon.out", "mon.out", guest("split75")}),
                   {"mon.out", "exact cycles", "--profile"});
}

// An instruction of a listing of IA-64, without the template and the symbols of targets, which only
// objdump shows; empty if the line has none.
std::string ia64_instruction(const std::string& line) {
  const std::size_t digits = line.find('\t'), text = line.find('\t', digits + 1);
  if (digits == std::string::npos || text == std::string::npos) return "";
  static const std::regex surroundings(R"(^(\[[A-Z]*\])? *| +$)");
  static const std::regex target("([0-9a-f]+) <[^>]*>");
  const std::string instruction = std::regex_replace(line.substr(text + 1), surroundings, "");
  return std::regex_replace(instruction, target, "0x$1");
}

TEST_F(Answers, DisasmListsIa64AsObjdumpDoes) {
  write("a.s",
        ".text\n.global _start\n.proc _start\n_start:\n alloc r32=ar.pfs,0,4,2,0\n"
        " movl r14=0x123456789abcdef0 ;;\n ld8.s r15=[r14],8\n"
        " cmp.ltu.unc p6,p7=r15,r14 ;;\n(p6) br.call.sptk.many b0=_start\n"
        "(p7) fma.d.s1 f6=f7,f8,f9\n chk.s r15,_start\n br.ret.sptk.many b0\n.endp\n");
  if (other_program({"ia64-linux-gnu-as", "-o", "a.o", "a.s"}).status != 0) {
    GTEST_SKIP() << "ia64-linux-gnu-as is missing; Debian has it in binutils-ia64-linux-gnu";
  }
  ASSERT_EQ(other_program({"ia64-linux-gnu-ld", "-o", "a", "a.o"}).status, 0);
  const auto instructions = [](const std::string& listing) {
    std::vector<std::string> found;
    for (const std::string& line : lines_of(listing)) {
      if (const std::string text = ia64_instruction(line); !text.empty()) found.push_back(text);
    }
    return found;
  };
  const auto expected = instructions(other_program({"ia64-linux-gnu-objdump", "-d", "a"}).out);
  ASSERT_GT(expected.size(), 8U);
  EXPECT_EQ(instructions(answer({"disasm", "a"})), expected);
}

// The ELF header and read-only data lie in the executable segment, too (ld -N).
TEST_F(Answers, DisasmListsNoHeadersAndNoData) {
  write("a.s",
        ".section .rodata,\"a\"\n.globl before\n.type before,@function\nbefore: .word 1,2,3,4\n"
        ".text\n.globl __start\n.ent __start\n__start: jr $31\n nop\n.end __start\n");
  if (other_program({"mips-linux-gnu-as", "-o", "a.o", "a.s"}).status != 0) {
    GTEST_SKIP() << "mips-linux-gnu-as is missing";
  }
  ASSERT_EQ(other_program({"mips-linux-gnu-ld", "-o", "a", "a.o"}).status, 0);
  const auto expected = parse_listing(other_program({"mips-linux-gnu-objdump", "-dz", "a"}).out);
  ASSERT_GT(expected.size(), 1U);
  EXPECT_EQ(parse_listing(answer({"disasm", "a"})), expected);
}

// Addresses and words are those of GNU objdump.
TEST_F(Answers, DisasmListsWhatObjdumpLists) {
  for (const std::string_view order : both_byte_orders) {
    const std::string program = guest("split75" + std::string(order));
    const Finished listing = other_program({"mips-linux-gnu-objdump", "-dz", program});
    if (listing.status != 0) GTEST_SKIP() << "mips-linux-gnu-objdump is missing";
    const auto expected = parse_listing(listing.out);
    ASSERT_GT(expected.size(), 1000U);
    EXPECT_EQ(parse_listing(answer({"disasm", program})), expected);
  }
}

TEST_F(Answers, DisasmOfOneFunctionAndOfARange) {
  auto symbols = parse_nm(other_program({"mips-linux-gnu-nm", guest("split75")}).out);
  std::ostringstream start, stop;
  start << std::hex << symbols["hot"];
  stop << "0x" << std::hex << symbols["warm"];
  const std::string function = answer({"disasm", "--function=hot", guest("split75")});
  const std::string range =
      answer({"disasm", "--start=" + start.str(), "--stop=" + stop.str(), guest("split75")});
  EXPECT_EQ(function, range);
  EXPECT_TRUE(contains(function, "hot"));
  EXPECT_TRUE(contains(function, start.str()));
  EXPECT_FALSE(contains(function, "<warm>:"));
  expect_complaint(hardclock({"disasm", "--function=cold", guest("split75")}), {"'cold'"});
}

// The Indigo's R3000 ran at 33 MHz (SGI, "Indigo Hardware", R3000 models).
TEST_F(Answers, CpusNamesClockAndHonesty) {
  const std::string cpus = answer({"cpus"});
  EXPECT_TRUE(contains(cpus, "r3000")) << cpus;
  EXPECT_TRUE(contains(cpus, "33 MHz")) << cpus;
  const std::string page = answer({"cpus", "r3000"});
  for (const char* const part : {"published ", "unverified ", "r3k_imul", "load delay slot"}) {
    EXPECT_TRUE(contains(page, part)) << part << "\n" << page;
  }
}

// System V Release 4 <sys/syscall.h>: read 3, write 4, open 5, times 43, profil 44, ... and IRIX
// adds 1000 (<sys.s>).
TEST_F(Answers, SyscallsHaveTheirNumbers) {
  const std::string calls = answer({"syscalls"});
  for (const auto& [number, name] : {std::pair{"1001", "exit"},
                                     {"1002", "fork"},
                                     {"1003", "read"},
                                     {"1004", "write"},
                                     {"1005", "open"},
                                     {"1037", "kill"},
                                     {"1043", "times"},
                                     {"1044", "profil"},
                                     {"1059", "execve"}}) {
    const std::size_t row = calls.find(std::string("\n") + number + " ");
    ASSERT_NE(row, std::string::npos) << number;
    const std::string line = calls.substr(row + 1, calls.find('\n', row + 1) - row - 1);
    EXPECT_TRUE(contains(line, std::string(" ") + name + "(")) << line;
  }
  EXPECT_EQ(answer({"syscalls", "--os=irix"}), calls);
}

TEST_F(Answers, HelpIsEverywhere) {
  const std::string overview = answer({"help"});
  EXPECT_EQ(answer({"--help"}), overview);
  EXPECT_EQ(answer({"-h"}), overview);
  for (const std::string command : {"run", "report", "disasm", "cpus", "syscalls"}) {
    EXPECT_TRUE(contains(overview, "\n  " + command)) << overview;
    const std::string help = answer({"help", command});
    EXPECT_EQ(answer({command, "--help"}), help);
    EXPECT_TRUE(help.starts_with("usage: hardclock " + command)) << help;
    for (const std::string& line : lines_of(help)) EXPECT_LE(line.size(), 80U) << line;
  }
  EXPECT_TRUE(contains(answer({"--version"}), "hardclock "));
}

// An answer that cannot be written is an error.
TEST_F(Answers, FullDisk) {
  for (const char* command : {"help", "cpus", "syscalls"}) {
    const Finished run =
        other_program({"sh", "-c", "'" + hardclock_path() + "' " + command + " >/dev/full"});
    expect_complaint(run, {"standard output"});
  }
}

}  // namespace
}  // namespace hardclock::cli_test
