// The flat report against GNU gprof of the same target, for the same counters and program. Skipped
// where Debian's packages gcc-mips-linux-gnu and binutils-mips-linux-gnu are absent.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

#include "sim/report/flat.h"

namespace hardclock::report {
namespace {

constexpr const char* kCompiler = "/usr/bin/mips-linux-gnu-gcc";
constexpr const char* kNm = "/usr/bin/mips-linux-gnu-nm";
constexpr const char* kGprof = "/usr/bin/mips-linux-gnu-gprof";

// alpha has 40 bytes and 8 of padding, beta 64, gamma 16: with counters of 32 bytes every boundary
// falls into a counter. end lies behind the counters: gprof 2.40 credits a program's last function
// with nothing.
constexpr const char* kSource = R"(
  .text
  .set noreorder
  .macro function name, words
  .balign 16
  .globl \name
  .type \name, @function
  \name:
  .rept \words
  nop
  .endr
  .size \name, . - \name
  .endm
  function alpha, 10
  function beta, 16
  function gamma, 4
  function end, 4
)";

std::string output_of(const std::string& command) {
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  char block[4096];
  std::size_t size = 0;
  while ((size = fread(block, 1, sizeof block, pipe)) > 0) output.append(block, size);
  pclose(pipe);
  return output;
}

// GNU gmon.out as glibc's gmon/gmon_out.h lays it out: header, then one histogram record.
std::string gmon_out(const Histogram& histogram, std::uint32_t rate) {
  std::string bytes("gmon");
  const auto u32 = [&](std::uint64_t value) {
    char field[4];
    store_bytes(field, static_cast<std::uint32_t>(value), Endian::big);
    bytes.append(field, sizeof field);
  };
  u32(1);
  bytes.append(12, '\0');
  bytes.push_back('\0');
  u32(histogram.low.value());
  u32(histogram.high.value());
  u32(histogram.counts.size());
  u32(rate);
  std::string dimension("seconds");
  dimension.resize(15);
  bytes += dimension + 's';
  for (const std::uint64_t count : histogram.counts) {
    bytes.push_back(static_cast<char>(count >> 8));
    bytes.push_back(static_cast<char>(count));
  }
  return bytes;
}

SymbolTable symbols_from_nm(const std::string& listing) {
  std::vector<Symbol> symbols;
  std::istringstream lines(listing);
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

// Percent by function from gprof's table, whose lines end in the function's name.
std::map<std::string, double> percents_from_gprof(const std::string& listing) {
  std::map<std::string, double> percents;
  std::istringstream lines(listing);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    double percent = 0;
    double cumulative = 0;
    double self = 0;
    std::string name;
    if (fields >> percent >> cumulative >> self >> name) percents[name] = percent;
  }
  return percents;
}

TEST(Gprof, SamePercentages) {
  for (const char* tool : {kCompiler, kNm, kGprof}) {
    if (access(tool, X_OK) != 0) GTEST_SKIP() << tool << " is not installed";
  }
  const std::string folder =
      testing::TempDir() + "hardclock_gprof_test." + std::to_string(getpid());
  ASSERT_EQ(output_of("mkdir -p " + folder + " && echo made"), "made\n");
  const std::string program = folder + "/program";
  std::ofstream(program + ".s") << kSource;
  output_of(std::string(kCompiler) + " -nostdlib -static -Wl,-Ttext=0x401000 -Wl,-e,alpha -o " +
            program + " " + program + ".s 2>&1");

  const Histogram histogram{
      .low = GuestAddr(0x401000), .high = GuestAddr(0x401080), .counts = {11, 20, 40, 7}};
  std::ofstream(folder + "/gmon.out", std::ios::binary) << gmon_out(histogram, 100);
  const auto expected = percents_from_gprof(
      output_of(std::string(kGprof) + " -b -p " + program + " " + folder + "/gmon.out 2>&1"));
  const SymbolTable symbols = symbols_from_nm(output_of(std::string(kNm) + " -S " + program));
  output_of("rm -r " + folder);
  ASSERT_EQ(symbols.all().size(), 4U);
  ASSERT_EQ(expected.size(), 3U);

  Profile profile;
  profile.processes.emplace_back().histograms = {histogram};
  const FlatReport report = flat(profile, symbols);
  ASSERT_EQ(report.rows.size(), 3U);
  for (const FlatRow& row : report.rows) {
    ASSERT_TRUE(expected.contains(row.function)) << row.function;
    // gprof prints two decimals.
    EXPECT_NEAR(report.sampled_percent(row), expected.at(row.function), 0.005001) << row.function;
  }
}

}  // namespace
}  // namespace hardclock::report
