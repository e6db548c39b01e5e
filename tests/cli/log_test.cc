// --strace and --trace: what the guest asked for, and what it executed.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/cli/command_test.h"
#include "tests/cli/listings.h"
#include "tests/cli/scanner.h"

namespace hardclock::cli_test {
namespace {

class Strace : public CommandTest {
 protected:
  std::vector<std::string> calls_of(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"run", "--strace=strace.txt"});
    run_ = hardclock(arguments);
    return lines_of(read("strace.txt"));
  }
  Finished run_;
};

// The lines have strace(1)'s form behind a pid, as with its option -f. Arguments and results are
// those in badsys.c and files.c; 89 is ENOSYS and 2 ENOENT on System V.
TEST_F(Strace, ExactLines) {
  auto calls = calls_of({cli_guest("files"), "r", "nothing", "c", "7"});
  ASSERT_FALSE(calls.empty());
  // Without O_CREAT the mode is no argument of the call (open(2)), whatever it is taken for.
  EXPECT_TRUE(calls[0].starts_with("100 open(\"nothing\", 0x0")) << calls[0];
  EXPECT_TRUE(calls[0].ends_with(") = -1 ENOENT (2)")) << calls[0];
  calls.erase(calls.begin());
  EXPECT_EQ(calls, (std::vector<std::string>{
                       "100 write(1, \"r nothing: errno 2\\n\", 19) = 19",
                       "100 close(7) = -1 EBADF (9)",
                       "100 write(1, \"c 7: errno 9\\n\", 13) = 13",
                       "100 exit(0) = ?",
                   }));
  EXPECT_EQ(run_.out, "r nothing: errno 2\nc 7: errno 9\n");
}

TEST_F(Strace, LongTextIsCut) {
  const auto calls = calls_of({guest("badsys")});
  ASSERT_GE(calls.size(), 2U);
  EXPECT_EQ(calls[calls.size() - 2],
            "100 write(1, \"system call 1999 returned -1, er\"..., 39) = 39");
  EXPECT_EQ(calls.back(), "100 exit(0) = ?");
  // A number that is in no table, with its registers.
  EXPECT_EQ(calls[calls.size() - 3].substr(0, 31), "100 syscall_1999(0x1, 0x2, 0x3,");
  EXPECT_TRUE(calls[calls.size() - 3].ends_with(") = -1 ENOSYS (89)"));
}

// EINTR is 4 on System V. An alarm of one second is a second of the guest's time.
TEST_F(Strace, InterruptedCallsShow) {
  const auto calls = calls_of({"--stats=stats.json", cli_guest("files"), "p"});
  EXPECT_EQ(run_.out, "p : errno 4\n");
  EXPECT_EQ(std::count(calls.begin(), calls.end(), "100 pause() = -1 EINTR (4)"), 1);
  const auto stats = nlohmann::json::parse(read("stats.json"));
  EXPECT_NEAR(stats.at("elapsed_cycles").get<double>(), 33e6, 33e4);
  EXPECT_LE(stats.at("programs")[0].at("ticks").at("user"), 1) << "an idle machine charges nobody";
}

// The errors that calls.c provokes on purpose; every one has its check there.
TEST_F(Strace, NamesErrors) {
  for (const std::string_view order : both_byte_orders) {
    std::set<std::string> seen;
    for (const std::string& line : calls_of({guest("calls" + std::string(order))})) {
      Scanner scan(line);
      if (scan.skip_past(" = -1 ")) seen.insert(scan.word());
    }
    for (const char* name :
         {"ENOENT", "ESRCH", "EBADF", "ECHILD", "EACCES", "EFAULT", "EEXIST", "EISDIR", "EINVAL",
          "ESPIPE", "EPIPE", "ENOMEM", "ENOEXEC", "ENAMETOOLONG", "ENOSYS"}) {
      EXPECT_TRUE(seen.contains(name)) << name;
    }
  }
}

// A call that waits shows once: forkprof's parent reads from the pipe before the child writes.
TEST_F(Strace, BothProcessesShow) {
  std::map<std::string, int> reads, forks;
  std::set<std::string> pids;
  for (const std::string& line : calls_of({guest("forkprof")})) {
    const std::string pid = line.substr(0, line.find(' '));
    pids.insert(pid);
    if (contains(line, " read(")) ++reads[pid];
    if (contains(line, " fork(")) ++forks[pid];
  }
  EXPECT_EQ(pids, (std::set<std::string>{"100", "101"}));
  EXPECT_EQ(reads, (std::map<std::string, int>{{"100", 1}}));
  EXPECT_EQ(forks["100"], 1);
}

TEST_F(Strace, GoesToStandardErrorWithoutAFile) {
  const Finished run = hardclock({"run", "--strace", cli_guest("copy")});
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err, "100 read(0, \"\", 1021) = 0\n100 exit(0) = ?\n");
}

class Trace : public CommandTest {
 protected:
  // The trace without its first column, the cycles, which never go back.
  std::string objdump_part() const {
    std::string text;
    std::uint64_t last = 0;
    for (const std::string& line : lines_of(read("t"))) {
      constexpr std::size_t column = 12;
      const std::uint64_t cycle = std::stoull(line.substr(0, column));
      EXPECT_GE(cycle, last) << line;
      last = cycle;
      text += line.substr(column + 2) + "\n";
    }
    return text;
  }
};

// The words and the mnemonics are the GNU disassembler's; the operands' spelling is each program's
// own.
TEST_F(Trace, IsWhatObjdumpShows) {
  for (const std::string_view order : both_byte_orders) {
    const std::string program = guest("compute" + std::string(order));
    const Finished listing = other_program({"mips-linux-gnu-objdump", "-dz", program});
    if (listing.status != 0) GTEST_SKIP() << "mips-linux-gnu-objdump is missing";
    std::map<std::uint32_t, ListedWord> words;
    for (const ListedWord& word : parse_listing(listing.out)) words[word.address] = word;
    const Finished run = hardclock({"run", "--trace=t", "--max-instructions=2000", program});
    EXPECT_EQ(run.status, own_failure);
    const auto trace = parse_listing(objdump_part());
    ASSERT_EQ(trace.size(), 2000U);
    for (const ListedWord& executed : trace) {
      ASSERT_TRUE(words.contains(executed.address)) << ::testing::PrintToString(executed);
      EXPECT_EQ(executed, words[executed.address]);
    }
  }
}

// A branch's slot comes before its target: the second instruction executed at a taken branch is the
// one behind it (MIPS RISC Architecture, branch delay).
TEST_F(Trace, StartsAtTheEntryAndFollowsBranches) {
  hardclock({"run", "--trace=t", "--max-instructions=50", guest("spin")});
  const auto trace = parse_listing(objdump_part());
  ASSERT_EQ(trace.size(), 50U);
  const Finished header = other_program({"mips-linux-gnu-readelf", "-h", guest("spin")});
  Scanner entry(header.out);
  std::uint32_t address = 0;
  ASSERT_TRUE(entry.skip_past("Entry point address:"));
  entry.skip_blanks();
  ASSERT_TRUE(entry.read_hex(address));
  EXPECT_EQ(trace[0].address, address);
  EXPECT_EQ(trace[46], trace[48]);
  EXPECT_EQ(trace[47], trace[49]);
  const auto [low, high] = std::minmax(trace[46].address, trace[47].address);
  EXPECT_EQ(high, low + 4);
}

TEST_F(Trace, CountsWhatStatsCount) {
  hardclock({"run", "--trace=t", "--stats=s", cli_guest("copy")});
  const auto stats = nlohmann::json::parse(read("s"));
  EXPECT_EQ(stats.at("instructions"), lines_of(read("t")).size());
}

}  // namespace
}  // namespace hardclock::cli_test
