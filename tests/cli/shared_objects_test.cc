// Profiles of programs with shared objects: position-independent Linux programs that Debian's cross
// compiler makes and the libc that comes with it.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "tests/cli/command_test.h"
#include "tests/cli/profile_files.h"

namespace hardclock::cli_test {
namespace {

// hot does three times the work of warm, and libc's qsort the rest.
constexpr char program_source[] = R"(
#include <stdlib.h>
volatile unsigned x;
__attribute__((noinline)) void hot(void) { for (int i = 0; i < 3000; i++) x += i; }
__attribute__((noinline)) void warm(void) { for (int i = 0; i < 1000; i++) x += i; }
static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }
int main(void) {
  static int numbers[4000];
  for (int i = 0; i < 1000; i++) { hot(); warm(); }
  for (int i = 0; i < 4000; i++) numbers[i] = i * 7919 % 4001;
  qsort(numbers, 4000, sizeof numbers[0], compare);
  return 0;
}
)";

class SharedObjects : public CommandTest {
 protected:
  static constexpr const char* root = "/usr/mips-linux-gnu";

  void SetUp() override {
    if (!std::filesystem::exists("/usr/bin/mips-linux-gnu-gcc") ||
        !std::filesystem::exists(std::string(root) + "/lib/libc.so.6")) {
      GTEST_SKIP() << "no mips-linux-gnu-gcc with its libc; install gcc-mips-linux-gnu";
    }
    write("prog.c", program_source);
    compile({"-pie"}, "prog");
  }

  void compile(const std::vector<std::string>& options, const std::string& program) const {
    std::vector<std::string> command = {"mips-linux-gnu-gcc", "-O1", "-g"};
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"-o", path(program), path("prog.c")});
    const Finished finished = other_program(command);
    ASSERT_EQ(finished.status, 0) << finished.err;
  }

  void run(const std::string& profile, const std::string& program = "prog") const {
    const Finished finished =
        hardclock({"run", "-L", root, "--cpu=mips32r2", "--profile=" + profile, program});
    ASSERT_EQ(finished.status, 0) << finished.err;
  }

  std::string report(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "report");
    const Finished finished = hardclock(arguments);
    EXPECT_EQ(finished.status, 0) << finished.err;
    return finished.out;
  }
};

// The words of the row whose name is `function`, without it; empty: there is none.
std::vector<std::string> row_of(const std::string& table, const std::string& function) {
  for (const std::string& line : lines_of(table)) {
    if (!line.ends_with("  " + function)) continue;
    std::istringstream words(line.substr(0, line.size() - function.size()));
    return {std::istream_iterator<std::string>(words), {}};
  }
  return {};
}

// Of "ticks seconds ticks% [bar] cycles cycles% diff".
std::uint64_t cycles_in(const std::string& table, const std::string& function) {
  const auto row = row_of(table, function);
  return row.size() < 3 ? 0 : std::stoull(row[row.size() - 3]);
}

// hot and warm have the same loop, 3000 and 1000 rounds of it.
void expect_three_quarters(double hot, double warm) {
  EXPECT_NEAR(hot / (hot + warm), 0.75, 0.01);
}

TEST_F(SharedObjects, APositionIndependentProgramIsNamed) {
  run("d.json");
  const std::string table = report({"d.json", "prog"});
  expect_three_quarters(static_cast<double>(cycles_in(table, "hot")),
                        static_cast<double>(cycles_in(table, "warm")));
  EXPECT_NE(cycles_in(table, "(libc.so.6: pass -L DIR)"), 0U) << table;
  const auto process = nlohmann::json::parse(read("d.json")).at("processes").at(0);
  EXPECT_EQ(process.at("text_hash").get<std::string>().size(), 16U);
  std::vector<std::string> files;
  for (const auto& mapping : process.at("mappings")) files.push_back(mapping.at("file"));
  EXPECT_EQ(files.size(), 3U) << "the program, libc, ld.so";
}

// The cycles of memcpy(), which qsort() calls, are those at the addresses that GNU nm has of it.
TEST_F(SharedObjects, FunctionsOfSharedObjectsAreNamed) {
  run("d.json");
  const std::string table = report({"d.json", "prog", "-L", root});
  EXPECT_FALSE(contains(table, "pass -L")) << table;
  const Finished nm =
      other_program({"mips-linux-gnu-nm", "-D", "-S", std::string(root) + "/lib/libc.so.6"});
  std::uint32_t begin = 0, size = 0;
  for (const std::string& line : lines_of(nm.out)) {
    if (!contains(line, " memcpy@")) continue;
    ASSERT_EQ(std::sscanf(line.c_str(), "%x %x", &begin, &size), 2) << line;
  }
  ASSERT_NE(size, 0U);
  const auto process = nlohmann::json::parse(read("d.json")).at("processes").at(0);
  std::uint32_t start = 0;
  for (const auto& mapping : process.at("mappings")) {
    if (!contains(mapping.at("file").get<std::string>(), "libc.so.6")) continue;
    EXPECT_EQ(mapping.at("offset"), 0);
    start =
        static_cast<std::uint32_t>(std::stoul(mapping.at("start").get<std::string>(), nullptr, 16));
  }
  const std::uint64_t cycles =
      sum(counts_of(process, "cycles"), start + begin, start + begin + size);
  EXPECT_GT(cycles, 1000U);
  EXPECT_EQ(cycles_in(table, "memcpy (libc.so.6)"), cycles) << table;
}

// The run names functions as report does, from inside its sandbox, for each format. Only report
// adds source lines, to those that have them.
TEST_F(SharedObjects, TheRunsOwnTableHasTheSameNames) {
  for (const std::string name : {"d.csv", "d.folded", "d.speedscope.json"}) {
    for (const std::string& profile : {name, std::string("d.json")}) {
      const Finished finished =
          hardclock({"run", "-L", root, "--calls", "--profile=" + profile, "prog"});
      EXPECT_EQ(finished.status, 0) << finished.err;
    }
    report({"d.json", "prog", "-L", root, "--output=again." + name});
    EXPECT_TRUE(read(name) == read("again." + name)) << name;
  }
  EXPECT_TRUE(contains(read("d.csv"), "memcpy (libc.so.6),"));
}

// GNU gprof knows the program's own addresses alone.
constexpr std::string_view driver_source = R"(
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (fork() == 0) execv(argv[1], argv + 1);
  wait(0);
  return argc != 2;
}
)";

// As a compiler's driver runs its passes.
TEST_F(SharedObjects, ProgramsOfADriverAreNamed) {
  compile({"-no-pie"}, "pass");
  write("prog.c", driver_source);
  compile({}, "driver");
  const Finished finished =
      hardclock({"run", "-L", root, "--profile=d.json", "driver", path("pass")});
  ASSERT_EQ(finished.status, 0) << finished.err;
  const std::string without = report({"d.json", "driver"});
  EXPECT_NE(cycles_in(without, "(other program pass)"), 0U) << without;
  const std::string table = report({"d.json", "driver", "-L", root});
  EXPECT_FALSE(contains(table, "other program")) << table;
  expect_three_quarters(static_cast<double>(cycles_in(table, "hot (pass)")),
                        static_cast<double>(cycles_in(table, "warm (pass)")));
  EXPECT_TRUE(contains(report({"d.json", "driver", "-L", root, "--annotate=hot"}), "hot (pass): "));

  compile({"-O2"}, "pass");
  const std::string changed = report({"d.json", "driver", "-L", root});
  EXPECT_NE(cycles_in(changed, "(other program pass)"), 0U) << "its code is another one now";
}

TEST_F(SharedObjects, GprofReadsThePositionIndependentProgramsTicks) {
  run("gmon.out");
  const Finished gprof =
      other_program({"mips-linux-gnu-gprof", "-b", "-p", path("prog"), path("gmon.out")});
  ASSERT_EQ(gprof.status, 0) << gprof.err;
  double hot = 0, warm = 0;
  for (const std::string& line : lines_of(gprof.out)) {
    double percent, cumulative, self;
    char name[20];
    if (std::sscanf(line.c_str(), "%lf %lf %lf %19s", &percent, &cumulative, &self, name) != 4) {
      continue;
    }
    if (name == std::string_view("hot")) hot = self;
    if (name == std::string_view("warm")) warm = self;
  }
  EXPECT_GT(warm, 0);
  EXPECT_NEAR(hot / (hot + warm), 0.75, 0.06) << gprof.out;
}

// At the addresses at which the program lies, not at those of its file.
TEST_F(SharedObjects, FunctionsOfAMovedProgramAreReached) {
  const auto reached = [&](const std::string& name) {
    return hardclock(
               {"run", "-L", root, "--cpu=24kf", "--pipeline=" + name + "@9999,p.txt", "prog"})
        .err;
  };
  EXPECT_TRUE(contains(reached("hot"), "'hot' 1000 times")) << reached("hot");
  EXPECT_TRUE(contains(reached("main"), "'main' 1 time,")) << reached("main");
}

TEST_F(SharedObjects, AnotherProgramsProfileIsRefused) {
  run("d.json");
  run("gmon.out");
  std::filesystem::copy_file(path("prog"), path("renamed"));
  EXPECT_EQ(report({"d.json", "renamed"}), replace(report({"d.json", "prog"}), "prog", "renamed"));
  // The name's length moves the bars only if the row with it is the widest.
  const Finished strip = other_program({"mips-linux-gnu-strip", "-o", path("s"), path("prog")});
  ASSERT_EQ(strip.status, 0) << strip.err;
  EXPECT_NE(report({"d.json", "s"}), "");
  compile({"-pie", "-O2"}, "prog");
  expect_complaint(hardclock({"report", "d.json", "prog"}), {"d.json", "prog was another one"});
  expect_complaint(hardclock({"report", "d.json", "prog", "--format=gnu", "--output=x"}),
                   {"d.json", "prog"});
  write("prog.c", "int main(void) { return 0; }\n");
  compile({"-no-pie", "-static"}, "other");
  expect_complaint(hardclock({"report", "d.json", "other"}), {"d.json", "of prog", "other"});
  expect_complaint(hardclock({"report", "gmon.out", "other"}), {"gmon.out", "text of other"});
}

}  // namespace
}  // namespace hardclock::cli_test
