// What IRIX's own cc -p and prof make of a program, and hardclock of theirs: with SGI's tools,
// which are not part of the project, from ../shared/irix.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <iterator>
#include <map>
#include <sstream>

#include "tests/cli/command_test.h"
#include "tests/cli/profile_files.h"

namespace hardclock::cli_test {
namespace {

// p.c of cc-p spends three quarters of its time in hot, one in warm, both static functions. A
// machine with a pipeline and an R4000's instructions, for SGI's libc asks for those of MIPS II.
class IrixProfile : public CommandTest {
 protected:
  void SetUp() override {
    std::error_code error;
    const auto own = std::filesystem::canonical("syscalls/irix/syscalls.master", error);
    irix_ = (own.parent_path() / "../../../shared/irix").lexically_normal();
    if (!std::filesystem::exists(irix_ + "/cc-p")) {
      GTEST_SKIP() << "no ../shared/irix/cc-p beside the source tree";
    }
    // What ido5.3 lacks, as a second guest root.
    std::filesystem::create_directories(path("root/usr/lib"));
    std::filesystem::create_directories(path("root/usr/bin"));
    for (const char* name : {"usr/lib/mcrt1.o", "usr/lib/libprof.a", "usr/bin/prof"}) {
      const std::filesystem::path to = path(std::string("root/") + name);
      std::filesystem::copy_file(irix_ + "/cc-p/" + to.filename().string(), to);
    }
    std::filesystem::copy_file(irix_ + "/cc-p/p.c", path("p.c"));
    irix({"/usr/bin/cc", "-O0", "-p", "-o", "pp", "p.c"});
  }

  std::string roots() const { return irix_ + "/ido5.3:" + path("root"); }

  // What a program prints.
  std::string irix(std::vector<std::string> words) const {
    std::vector<std::string> arguments = {"run",           "-L",         roots(), "--env",
                                          "PATH=/usr/bin", "--cpu=r4400"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    return answer(arguments);
  }
  std::string report(std::vector<std::string> words) const {
    words.insert(words.begin(), "report");
    return answer(words);
  }

 private:
  std::string answer(const std::vector<std::string>& arguments) const {
    const Finished finished = hardclock(arguments);
    EXPECT_EQ(finished.status, 0) << finished.err;
    return finished.out;
  }

  std::string irix_;
};

using Ticks = std::map<std::string, double>;  // by function

// "    107   1.1s( 74.3)  1.1s( 74.3)            hot (/tmp/pp:p.c)" of SGI's prof.
Ticks ticks_of_prof(const std::string& listing) {
  Ticks ticks;
  for (const std::string& line : lines_of(listing)) {
    double samples, seconds, percent;
    if (std::sscanf(line.c_str(), "%lf %lfs( %lf)", &samples, &seconds, &percent) != 3) continue;
    if (contains(line, "TOTAL")) ticks["total"] = samples;
    const std::size_t end = line.rfind(" (");
    if (end == std::string::npos) continue;
    ticks[line.substr(line.rfind(' ', end - 1) + 1, end - line.rfind(' ', end - 1) - 1)] = samples;
  }
  return ticks;
}

// "  107    1.070    74.3  ####  hot" of hardclock report, with or without cycles.
Ticks ticks_of_report(const std::string& table) {
  Ticks ticks;
  for (const std::string& line : lines_of(table)) {
    if (!std::isdigit(static_cast<unsigned char>(line[line.find_first_not_of(' ')]))) continue;
    ticks[line.substr(line.rfind("  ") + 2)] = std::stod(line);
  }
  return ticks;
}

void expect_three_quarters(const Ticks& ticks) {
  ASSERT_TRUE(ticks.contains("hot") && ticks.contains("warm"));
  const double hot = ticks.at("hot"), warm = ticks.at("warm");
  EXPECT_NEAR(hot / (hot + warm), 0.75, 0.03);
}

// libprof's file: prof and report show the same counts.
TEST_F(IrixProfile, LibprofsFileIsRead) {
  irix({"./pp"});
  const Ticks theirs = ticks_of_prof(irix({"/usr/bin/prof", "pp", "mon.out"}));
  expect_three_quarters(theirs);
  EXPECT_EQ(ticks_of_report(report({"mon.out", "pp", "-L", roots()})), theirs);
}

// SGI's ld has program headers and the rest of a page in the executable segment; GNU's tools write
// these anew.
TEST_F(IrixProfile, AStrippedProgramsProfileIsOfTheOneWithSymbols) {
  for (const char* tool : {"mips-linux-gnu-strip", "mips-linux-gnu-objcopy"}) {
    const Finished stripped = contains(tool, "strip")
                                  ? other_program({tool, "-o", path("stripped"), path("pp")})
                                  : other_program({tool, "-S", path("pp"), path("stripped")});
    ASSERT_EQ(stripped.status, 0) << stripped.err;
    irix({"--profile=stripped.json", "./stripped"});
    expect_three_quarters(ticks_of_report(report({"stripped.json", "pp", "-L", roots()})));
  }
}

// PROF_COUNTSIZE=2 has counters of 16 bits, PCS_GRAIN coarser ones.
TEST_F(IrixProfile, LibprofsOtherCountersAreRead) {
  for (const char* variable : {"PROF_COUNTSIZE=2", "PCS_GRAIN=2", "PCS_GRAIN=4"}) {
    irix({"--env", variable, "./pp"});
    const Ticks theirs = ticks_of_prof(irix({"/usr/bin/prof", "pp", "mon.out"}));
    const Ticks ours = ticks_of_report(report({"mon.out", "pp", "-L", roots()}));
    EXPECT_EQ(ours.at("total"), theirs.at("total")) << variable;
    // A counter of several instructions may belong to two functions, which prof does not divide.
    EXPECT_NEAR(ours.at("hot"), theirs.at("hot"), 0.01 * theirs.at("total")) << variable;
  }
}

// Our file: counts, seconds and procedures are those of the profile that it was made of.
TEST_F(IrixProfile, ProfReadsOurs) {
  irix({"--profile=pp.json", "./pp"});
  const Ticks exact = ticks_of_report(report({"pp.json", "pp", "-L", roots()}));
  expect_three_quarters(exact);
  Ticks shown;
  for (const auto& [function, ticks] : exact) {
    if (ticks != 0) shown[function] = ticks;
  }
  for (const char* format : {"irix53", "irix53-16"}) {
    report({"pp.json", "pp", std::string("--format=") + format, "--output=pp.mon"});
    const std::string listing = irix({"/usr/bin/prof", "pp", "pp.mon"});
    EXPECT_EQ(ticks_of_prof(listing), shown) << listing;
    EXPECT_TRUE(contains(listing, "10.0ms")) << listing;
    // 100 ticks a second, of which prof prints two figures.
    char seconds[20];
    std::snprintf(seconds, sizeof seconds, "%.2gs", shown.at("total") / 100);
    EXPECT_TRUE(contains(listing, seconds)) << listing;
    EXPECT_EQ(ticks_of_report(report({"pp.mon", "pp", "-L", roots()})), shown);
  }
  irix({"--profile=direct.irix53", "./pp"});
  report({"pp.json", "pp", "--output=converted.irix53"});
  EXPECT_EQ(read("direct.irix53"), read("converted.irix53"));
}

// What fell into libc.so.1 is named, as prof names it.
TEST_F(IrixProfile, SharedObjects) {
  write("q.c",
        "char *strcpy(char *, const char *);\n"
        "char from[1000], to[1000];\n"
        "int main() { int i; for (i = 0; i < 999; i++) from[i] = 'a';\n"
        "  for (i = 0; i < 20000; i++) strcpy(to, from); return 0; }\n");
  irix({"/usr/bin/cc", "-O0", "-p", "-o", "q", "q.c"});
  irix({"--profile=q.irix53", "./q"});
  const Ticks theirs = ticks_of_prof(irix({"/usr/bin/prof", "q", "q.irix53"}));
  ASSERT_TRUE(theirs.contains("strcpy"));
  EXPECT_GT(theirs.at("strcpy"), 10);
  const Ticks ours = ticks_of_report(report({"q.irix53", "q", "-L", roots()}));
  ASSERT_TRUE(ours.contains("strcpy (libc.so.1)"));
  EXPECT_EQ(ours.at("strcpy (libc.so.1)"), theirs.at("strcpy"));
  EXPECT_TRUE(contains(report({"q.irix53", "q"}), "(libc.so.1: pass -L DIR)"));
  expect_complaint(hardclock({"report", "q.irix53", "pp"}), {"q.irix53", "of q", "pp"});
}

}  // namespace
}  // namespace hardclock::cli_test
