// The flat report, and the formats that it is made from, against GNU gprof of the same target, for
// the same counters and program. Skipped where the target's compiler or gprof is absent.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

#include "sim/report/flat.h"
#include "sim/report/profile.h"

namespace hardclock::report {
namespace {

// alpha has 40 bytes and 8 of padding, beta 64, gamma 16: with counters of 32 bytes every boundary
// falls into a counter. end lies behind the counters: gprof 2.40 credits a program's last function
// with nothing.
constexpr const char* source = R"(
  .text
  .macro function name, words
  .balign 16
  .globl \name
  .type \name, @function
  \name:
  .fill \words, 4, 0
  .size \name, . - \name
  .endm
  function alpha, 10
  function beta, 16
  function gamma, 4
  function end, 4
)";

struct Tool {
  const char* prefix;  // of the names of GNU's tools
  const char* machine;
  Endian byte_order;
  unsigned address_bits;
  const char* format;  // ours
  const char* form;    // gprof's --file-format
};

class Gprof : public testing::TestWithParam<Tool> {
 protected:
  void SetUp() override {
    for (const char* tool : {"gcc", "nm", "gprof"}) {
      if (access(path_of(tool).c_str(), X_OK) != 0) GTEST_SKIP() << path_of(tool) << " is absent";
    }
    if (output_of(path_of("gcc") + " -dumpmachine").find(GetParam().machine) != 0) {
      GTEST_SKIP() << path_of("gcc") << " is not for " << GetParam().machine;
    }
    folder_ = testing::TempDir() + "hardclock_gprof_test." + std::to_string(getpid());
    ASSERT_EQ(output_of("mkdir -p " + folder_ + " && echo made"), "made\n");
    std::ofstream(program() + ".s") << source;
    output_of(path_of("gcc") + " -nostdlib -static -no-pie -Wl,-Ttext=0x401000 -Wl,-e,alpha -o " +
              program() + " " + program() + ".s 2>&1");
  }
  void TearDown() override {
    if (!folder_.empty()) output_of("rm -r " + folder_);
  }

  std::string path_of(const std::string& tool) const {
    return std::string("/usr/bin/") + GetParam().prefix + tool;
  }
  std::string program() const { return folder_ + "/program"; }

  static std::string output_of(const std::string& command) {
    std::string output;
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return output;
    char block[4096];
    std::size_t size = 0;
    while ((size = fread(block, 1, sizeof block, pipe)) > 0) output.append(block, size);
    pclose(pipe);
    return output;
  }

  SymbolTable symbols_from_nm() const {
    std::vector<Symbol> symbols;
    std::istringstream lines(output_of(path_of("nm") + " -S " + program()));
    std::string line;
    while (std::getline(lines, line)) {
      std::istringstream fields(line);
      std::uint64_t address = 0;
      std::uint64_t size = 0;
      std::string type;
      std::string name;
      if (fields >> std::hex >> address >> size >> type >> name && type == "T") {
        symbols.push_back({.address = GuestAddr(address), .size = size, .name = name});
      }
    }
    return SymbolTable(symbols, GuestAddr(0x401090));
  }

  struct Row {
    double percent = 0;
    double seconds = 0;
    std::uint64_t calls = 0;
  };

  // gprof's table: percent, cumulative and self seconds, calls with two times a call when there are
  // calls, name.
  std::map<std::string, Row> rows_of_gprof(const std::string& profile) const {
    std::istringstream lines(output_of(path_of("gprof") +
                                       " -b -p --file-format=" + GetParam().form + " " + program() +
                                       " " + profile + " 2>&1"));
    std::map<std::string, Row> rows;
    std::string line;
    while (std::getline(lines, line)) {
      std::istringstream fields(line);
      Row row;
      double skipped = 0;
      std::string name;
      if (!(fields >> row.percent >> skipped >> row.seconds)) continue;
      if (!(fields >> row.calls >> skipped >> skipped)) fields.clear();
      if (fields >> name) rows[name] = row;
    }
    return rows;
  }

  std::string folder_;
};

// What the simulator counted, where no mcount() did: without cycles, which gprof has no place for.
TEST_P(Gprof, ExactCallsAreArcs) {
  const SymbolTable symbols = symbols_from_nm();
  const auto address_of = [&](const char* name) { return symbols.find(name)->address; };
  Profile profile;
  profile.byte_order = GetParam().byte_order;
  profile.address_bits = GetParam().address_bits;
  profile.tick_rate = Hertz(100);
  ProcessProfile& process = profile.processes.emplace_back();
  process.histograms = {
      {.low = GuestAddr(0x401000), .high = GuestAddr(0x401080), .counts = {11, 20, 40, 7}}};
  // A count of more than 32 bits takes a second record.
  const std::uint64_t many = GetParam().form == std::string_view("magic") ? 5'000'000'000 : 5;
  process.call_arcs = {{address_of("alpha") + 4, address_of("beta"), many, 90},
                       {address_of("beta") + 4, address_of("gamma"), 2, 30},
                       {address_of("beta") + 8, address_of("gamma"), 1, 10}};
  const auto bytes = write_profile_as(profile, GetParam().format);
  ASSERT_TRUE(bytes) << bytes.error();
  std::ofstream(folder_ + "/gmon.out", std::ios::binary) << *bytes;
  const auto rows = rows_of_gprof(folder_ + "/gmon.out");
  EXPECT_EQ(rows.at("beta").calls, many);
  EXPECT_EQ(rows.at("gamma").calls, 3U);
}

TEST_P(Gprof, SameNumbers) {
  const SymbolTable symbols = symbols_from_nm();
  ASSERT_EQ(symbols.all().size(), 4U);
  const auto address_of = [&](const char* name) { return symbols.find(name)->address; };

  Profile profile;
  profile.byte_order = GetParam().byte_order;
  profile.address_bits = GetParam().address_bits;
  profile.tick_rate = Hertz(100);
  ProcessProfile& process = profile.processes.emplace_back();
  // A counter of more than 16 bits takes a second record, which GNU's format alone has.
  const std::uint64_t most = GetParam().form == std::string_view("magic") ? 70007 : 7;
  process.histograms = {
      {.low = GuestAddr(0x401000), .high = GuestAddr(0x401080), .counts = {11, 20, 40, most}}};
  process.arcs = {{address_of("alpha") + 8, address_of("beta"), 5},
                  {address_of("beta") + 8, address_of("gamma"), 3}};

  const auto bytes = write_profile_as(profile, GetParam().format);
  ASSERT_TRUE(bytes) << bytes.error();
  std::ofstream(folder_ + "/gmon.out", std::ios::binary) << *bytes;
  const auto expected = rows_of_gprof(folder_ + "/gmon.out");
  ASSERT_EQ(expected.size(), 3U);
  EXPECT_EQ(expected.at("beta").calls, 5U);
  EXPECT_EQ(expected.at("gamma").calls, 3U);

  const FlatReport report = flat(profile, symbols);
  ASSERT_EQ(report.rows.size(), 3U);
  for (const FlatRow& row : report.rows) {
    ASSERT_TRUE(expected.contains(row.function)) << row.function;
    // gprof prints two decimals.
    EXPECT_NEAR(report.sampled_percent(row), expected.at(row.function).percent, 0.005001);
    EXPECT_NEAR(row.ticks / 100, expected.at(row.function).seconds, 0.005001) << row.function;
  }
}

constexpr Endian big_endian = Endian::big;
constexpr Endian little_endian = Endian::little;
INSTANTIATE_TEST_SUITE_P(
    Targets, Gprof,
    testing::Values(Tool{"mips-linux-gnu-", "mips-", big_endian, 32, "gnu", "magic"},
                    Tool{"mips-linux-gnu-", "mips-", big_endian, 32, "bsd44", "4.4bsd"},
                    Tool{"mips-linux-gnu-", "mips-", big_endian, 32, "bsd43", "bsd"},
                    Tool{"mipsel-linux-gnu-", "mipsel-", little_endian, 32, "gnu", "magic"},
                    Tool{"mipsel-linux-gnu-", "mipsel-", little_endian, 32, "bsd44", "4.4bsd"},
                    Tool{"mipsel-linux-gnu-", "mipsel-", little_endian, 32, "bsd43", "bsd"},
                    Tool{"", "x86_64-", little_endian, 64, "gnu", "magic"},
                    Tool{"", "x86_64-", little_endian, 64, "bsd44", "4.4bsd"}),
    [](const auto& tool) {
      const std::string machine = tool.param.machine;
      return machine.substr(0, machine.size() - 1) + "_" + tool.param.format;
    });

}  // namespace
}  // namespace hardclock::report
