// tools/timing-check: its verdicts, its exit statuses, what it says to mistakes, and that a kernel
// finds the surroundings that the format promises. Where the cycles of a kernel come from is in the
// kernel files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

using Json = nlohmann::json;

std::string runfile(const std::string& path) {
  return std::filesystem::absolute(path).string();
}

struct Row {
  std::string id;
  std::string cpu;
  double expected = 0;
  std::string got;
  std::string verdict;
};

// All lines but the summary.
std::vector<Row> rows_of(const std::string& output) {
  std::vector<Row> rows;
  for (const std::string& line : lines_of(output)) {
    std::istringstream words(line);
    Row row;
    if (!(words >> row.id >> row.cpu >> row.expected >> row.got >> std::ws)) continue;
    std::getline(words, row.verdict);
    rows.push_back(row);
  }
  return rows;
}

std::string last_line(const std::string& output) {
  const auto lines = lines_of(output);
  return lines.empty() ? "" : lines.back();
}

constexpr const char* for_r3000 =
    "mips-linux-gnu-as -EB -32 -march=r3000  (prepend .set noreorder/.set noat)";

// One instruction a cycle, one delay slot, and a branch costs nothing further (Hennessy and
// Patterson, the five-stage pipeline).
Json three_cycles() {
  return {{"id", "loop"},
          {"cpu", "r3000"},
          {"asm", "K:\taddiu $8,$8,-1\n\tbne $8,$0,K\n\tnop"},
          {"assemble", for_r3000},
          {"cycles_per_iteration", 3},
          {"init",
           {{"counter", "$8"},
            {"counter_step", 1},
            {"pointers", Json::array()},
            {"self_pointing", false}}}};
}

Json with(Json kernel, const std::string& key, const Json& value) {
  kernel[key] = value;
  return kernel;
}

Json with_init(Json kernel, const std::string& key, const Json& value) {
  kernel["init"][key] = value;
  return kernel;
}

Json without(Json kernel, const std::string& key) {
  kernel.erase(key);
  return kernel;
}

class TimingCheck : public CommandTest {
 protected:
  void SetUp() override {
    const std::string missing = support::missing_assembler();
    if (!missing.empty()) GTEST_SKIP() << "no " << missing << "; tools/install-deps test brings it";
  }
  // The tool with the real simulator, and with any.
  Finished check(const std::vector<std::string>& arguments) const {
    return check_with(hardclock_path(), arguments);
  }
  Finished check_with(const std::string& simulator,
                      const std::vector<std::string>& arguments) const {
    std::vector<std::string> command = {runfile("tools/timing-check"), "--hardclock", simulator};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return other_program(command);
  }
  Finished check_kernels(const Json& kernels, const std::vector<std::string>& options = {}) const {
    write("kernels.json", kernels.dump());
    std::vector<std::string> arguments = options;
    arguments.push_back("kernels.json");
    return check(arguments);
  }
  // A simulator that answers "PIPELINE" for every processor, and whose second run of two takes
  // `difference` cycles more than the first.
  std::string simulator(const std::string& pipeline, int difference) const {
    write("runs", "");
    write("simulator", "#!/bin/sh\nif [ $1 = cpus ]; then echo '  pipeline         " + pipeline +
                           "'; exit; fi\necho >>" + path("runs") +
                           "\necho '{\"cycles\": '$((1000 + " + std::to_string(difference) +
                           " * ($(wc -l <" + path("runs") + ") - 1)))'}' >stats.json\n");
    std::filesystem::permissions(path("simulator"), std::filesystem::perms::owner_all);
    return path("simulator");
  }
};

void expect_refused(const Finished& run, const std::vector<std::string>& words) {
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_TRUE(run.err.starts_with("tools/timing-check: ")) << run.err;
  EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
  for (const std::string& word : words) {
    EXPECT_TRUE(contains(run.err, word)) << word << "\n" << run.err;
  }
}

// A kernel without a figure: its row and why, and the others are checked all the same.
void expect_not_run(const Finished& run, const std::vector<std::string>& words) {
  EXPECT_EQ(run.status, 2);
  const auto rows = rows_of(run.out);
  ASSERT_EQ(rows.size(), 2U) << run.out << run.err;
  EXPECT_EQ(rows[0].verdict, "not run");
  EXPECT_EQ(rows[0].got, "-");
  EXPECT_EQ(rows[1].verdict, "agrees");
  EXPECT_TRUE(run.out.ends_with("\n1 not run\n1 agree, 0 differ\n")) << run.out;
  EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
  for (const std::string& word : words) {
    EXPECT_TRUE(contains(run.err, word)) << word << "\n" << run.err;
  }
}

// ---- Verdicts.

TEST_F(TimingCheck, KernelsWithPublishedLatenciesAgree) {
  const Finished run = check({runfile("tests/timing/r3000.json")});
  EXPECT_EQ(run.status, 0) << run.out;
  EXPECT_EQ(run.err, "");
  const auto rows = rows_of(run.out);
  const std::size_t kernels = Json::parse(read_file("tests/timing/r3000.json")).size();
  ASSERT_EQ(rows.size(), kernels);
  EXPECT_EQ(last_line(run.out), std::to_string(kernels) + " agree, 0 differ");
  const auto chase = std::ranges::find(rows, "pointer_chase", &Row::id);
  ASSERT_NE(chase, rows.end());
  EXPECT_EQ(chase->cpu, "r3000");
  EXPECT_EQ(chase->expected, 5);
  EXPECT_EQ(chase->got, "5.00");
  EXPECT_EQ(chase->verdict, "agrees");
}

// Each kernel names the source of its figure; and the surroundings: registers, numbers and buffers
// as the format promises, in each convention and byte order.
TEST_F(TimingCheck, EveryKernelOfEveryFileAgrees) {
  const auto has_tools = [](const std::string& target) {
    const std::string tools = target + "-as " + target + "-ld";
    return std::system(("command -v " + tools + " >/dev/null 2>&1").c_str()) == 0;
  };
  const bool has_pa_risc_tools = has_tools("hppa-linux-gnu");
  const bool has_ia64_tools = has_tools("ia64-linux-gnu");
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(runfile("tests/timing"))) {
    const std::string file = entry.path().string();
    const std::string text = read_file(file);
    if (!has_pa_risc_tools && contains(text, "hppa-linux-gnu-as")) continue;
    if (!has_ia64_tools && contains(text, "ia64-linux-gnu-as")) continue;
    SCOPED_TRACE(file);
    ++files;
    const Finished run = check({file});
    EXPECT_EQ(run.status, 0) << run.out << run.err;
    const Json entries = Json::parse(text);
    const std::size_t kernels = (entries.is_object() ? entries["kernels"] : entries).size();
    EXPECT_EQ(last_line(run.out), std::to_string(kernels) + " agree, 0 differ");
  }
  EXPECT_GE(files, (has_pa_risc_tools ? 6U : 2U) + (has_ia64_tools ? 1U : 0U));
  if (!has_pa_risc_tools) {
    GTEST_SKIP() << "PA-RISC's: no hppa-linux-gnu-as; tools/install-deps test brings it";
  }
  if (!has_ia64_tools) {
    GTEST_SKIP() << "IA-64's: no ia64-linux-gnu-as; tools/install-deps test brings it";
  }
}

TEST_F(TimingCheck, AWrongFigureDiffers) {
  const Json wrong = with(with(three_cycles(), "cycles_per_iteration", 4), "id", "wrong");
  const Finished run = check_kernels({three_cycles(), wrong});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.err, "");
  const auto rows = rows_of(run.out);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].verdict, "agrees");
  EXPECT_EQ(rows[1].id, "wrong");
  EXPECT_EQ(rows[1].expected, 4);
  EXPECT_EQ(rows[1].got, "3.00");
  EXPECT_EQ(rows[1].verdict, "differs");
  EXPECT_EQ(last_line(run.out), "1 agree, 1 differ");
}

TEST_F(TimingCheck, AnUnknownProcessorFailsUnlessLeftOut) {
  const Json other = with(with(three_cycles(), "cpu", "pdp11"), "assemble", "pdp11-aout-as");
  const Finished run = check_kernels({three_cycles(), other});
  EXPECT_EQ(run.status, 1);
  const auto rows = rows_of(run.out);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1].cpu, "pdp11");
  EXPECT_EQ(rows[1].got, "-");
  EXPECT_EQ(rows[1].verdict, "unknown cpu");
  EXPECT_TRUE(run.out.ends_with("\n1 of an unknown cpu\n1 agree, 0 differ\n")) << run.out;

  const Finished chosen = check_kernels({three_cycles(), other}, {"--cpu", "r3000"});
  EXPECT_EQ(chosen.status, 0);
  EXPECT_EQ(rows_of(chosen.out).size(), 1U);
  const Finished both = check_kernels({three_cycles(), other}, {"--cpu=pdp11,r3000"});
  EXPECT_EQ(both.status, 1);
  EXPECT_EQ(rows_of(both.out).size(), 2U);
}

// Within 0.05 cycles, or 2 % where `hardclock cpus` says "out of order".
TEST_F(TimingCheck, TheToleranceIsThatOfThePipeline) {
  const struct {
    std::string pipeline;
    double expected;
    int difference;  // cycles for 100 trips
    std::string verdict;
  } cases[] = {
      {"in order", 8, 805, "agrees"},         {"in order", 8, 806, "differs"},
      {"in order", 8, 795, "agrees"},         {"in order", 8, 794, "differs"},
      {"in order", 1.15, 120, "agrees"},      {"none known", 100, 10006, "differs"},
      {"out of order", 100, 10200, "agrees"}, {"out of order", 100, 10201, "differs"},
      {"out of order", 100, 9800, "agrees"},  {"out of order", 100, 9799, "differs"},
      {"out of order", 2, 205, "differs"},
  };
  for (const auto& each : cases) {
    SCOPED_TRACE(each.pipeline + " " + std::to_string(each.difference));
    const Json kernel = with(three_cycles(), "cycles_per_iteration", each.expected);
    write("kernels.json", Json::array({kernel}).dump());
    const Finished run = check_with(simulator(each.pipeline, each.difference), {"kernels.json"});
    EXPECT_EQ(run.status, each.verdict == "agrees" ? 0 : 1) << run.err;
    const auto rows = rows_of(run.out);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].verdict, each.verdict);
  }
}

// ../shared has the file of published latencies as others wrote it: with GCC's names of the
// Itaniums.
TEST_F(TimingCheck, SoDoItaniumsByTheirOtherNames) {
  const std::filesystem::path here = std::filesystem::canonical("tests/timing/latencies.json");
  const auto file = (here.parent_path() / "../../../shared/timing/kernels.json").lexically_normal();
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no ../shared beside the source tree";
  if (std::system("command -v ia64-linux-gnu-as ia64-linux-gnu-ld >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "no ia64-linux-gnu-as; tools/install-deps test brings it";
  }
  const Finished run = check({"--cpu=itanium,itanium2", file.string()});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_EQ(rows_of(run.out).size(), 6U);
  EXPECT_EQ(last_line(run.out), "6 agree, 0 differ");
}

TEST_F(TimingCheck, KeepsTheGuests) {
  std::filesystem::create_directory(path("guests"));
  EXPECT_EQ(check_kernels(Json::array({three_cycles()}), {"--keep", "guests"}).status, 0);
  EXPECT_TRUE(contains(read("guests/loop.s"), "bne $8,$0,K"));
  EXPECT_EQ(hardclock({"run", "--os=irix", "guests/loop.elf"}).status, 0);
}

// ---- Kernels that cannot be run.

TEST_F(TimingCheck, SaysWhyAKernelIsNotRun) {
  const Json good = three_cycles();
  const auto not_run = [&](const Json& kernel, const std::vector<std::string>& words) {
    SCOPED_TRACE(kernel.dump());
    expect_not_run(check_kernels({kernel, good}), words);
  };
  not_run(with(good, "asm", "K:\taddiu $8,$8,-1\n\tfrobnicate $9\n\tbne $8,$0,K\n\tnop"),
          {"'loop'", "mips-linux-gnu-as", "asm:2", "frobnicate"});
  not_run(with(good, "asm", "L:\tbne $8,$0,K\n\taddiu $8,$8,-1"),
          {"'loop'", "mips-linux-gnu-ld", "`K'"});
  not_run(with(good, "asm", "K:\t.rept 1000000000\n\tnop\n\t.endr"), {"out of memory"});
  not_run(with(good, "asm", "K:\t.fill 2000000000"),
          {"mips-linux-gnu-as: ended by signal: File size"});
  not_run(with(good, "asm", "K:\tb K\n\tnop"), {"'loop'", "does not end", "$8"});
  not_run(with(good, "asm", "K:\tlw $9,0($0)\n\tnop"), {"'loop'", "SIGSEGV"});
  not_run(with(good, "assemble", "vax-netbsdelf-as"), {"'loop'", "mips*-as", "hppa*-as"});
}

// ---- Mistakes.

TEST_F(TimingCheck, RefusesAMalformedFile) {
  write("nothing", "");
  write("text", "loop: 3 cycles");
  write("binary", "\xff\xfe");
  write("deep", std::string(100000, '['));
  write("nan", R"([{"cycles_per_iteration": NaN}])");
  write("large", R"([{"cycles_per_iteration": 1e99999999999999999999}])");
  write("object", "{}");
  write("list", "[]");
  for (const char* name : {"nothing", "text", "binary", "deep", "nan", "large"}) {
    SCOPED_TRACE(name);
    expect_refused(check({name}), {std::string(name) + ": not JSON", "--help"});
  }
  for (const char* name : {"object", "list"}) {
    expect_refused(check({name}), {std::string(name) + ": not a list of kernels", "--help"});
  }
  expect_refused(check({"absent.json"}), {"absent.json", "No such file"});
  expect_refused(check({folder()}), {folder(), "directory"});
}

TEST_F(TimingCheck, RefusesAKernelThatLacksAKey) {
  const Json good = three_cycles();
  for (const char* key : {"id", "cpu", "asm", "assemble", "cycles_per_iteration", "init"}) {
    expect_refused(check_kernels({good, without(good, key)}),
                   {"kernels.json", "kernel 2", "has no '" + std::string(key) + "'", "--help"});
  }
  expect_refused(check_kernels(Json::array({with(good, "init", Json::object())})),
                 {"has no 'counter'"});
  expect_refused(check_kernels(Json::array({3})), {"kernel 1", "not an object"});
}

TEST_F(TimingCheck, RefusesAKernelWithAWrongValue) {
  const Json good = three_cycles();
  const std::pair<Json, std::string> cases[] = {
      {with(good, "id", "two words"), "'id'"},
      {with(good, "id", 3), "'id' is not a string"},
      {with(good, "cpu", "--help"), "'cpu'"},
      {with(good, "asm", Json::array()), "'asm' is not a string"},
      {with(good, "assemble", "rm -rf"), "'assemble'"},
      {with(good, "assemble", "mips-linux-gnu-as -o /dev/null"), "'assemble'"},
      {with(good, "assemble", "/bin/mips-linux-gnu-as"), "'assemble'"},
      {with(good, "cycles_per_iteration", "3"), "'cycles_per_iteration' is not a number"},
      {with(good, "cycles_per_iteration", true), "'cycles_per_iteration' is not a number"},
      {with(good, "cycles_per_iteration", 0), "'cycles_per_iteration'"},
      {with(good, "cycles_per_iteration", -3), "'cycles_per_iteration'"},
      {with(good, "cycles_per_iteration", 1e300), "'cycles_per_iteration'"},
      {with(good, "init", 3), "'init' is not an object"},
      {with_init(good, "counter", "8\n"), "'counter' is not a register"},
      {with_init(good, "counter_step", 0), "'counter_step'"},
      {with_init(good, "counter_step", 1.5), "'counter_step'"},
      {with_init(good, "pointers", "$4"), "'pointers'"},
      {with_init(good, "pointers", {"$4", 5}), "'pointers'"},
      {with_init(good, "pointers", {"$4", "$4"}), "'pointers' names a register twice"},
      {with_init(good, "self_pointing", 1), "'self_pointing' is not true or false"},
  };
  for (const auto& [kernel, words] : cases) {
    expect_refused(check_kernels(Json::array({kernel})), {"kernel 1", words, "--help"});
  }
}

TEST_F(TimingCheck, RefusesAWrongCommandLine) {
  write("kernels.json", Json::array({three_cycles()}).dump());
  expect_refused(check({}), {"no FILE.json", "--help"});
  expect_refused(check({"--frobnicate", "kernels.json"}), {"--frobnicate", "--help"});
  expect_refused(check({"kernels.json", "more.json"}), {"more.json", "--help"});
  expect_refused(check({"kernels.json", "--cpu"}), {"--cpu", "--help"});
  expect_refused(check({"kernels.json", "--cpu=r3000,r8000"}), {"'r8000'", "r3000"});
  expect_refused(check({"kernels.json", "--keep=absent"}), {"absent"});
  expect_refused(check_with("absent", {"kernels.json"}), {"absent", "bazel build //:hardclock"});
  expect_refused(check_with("/bin/true", {"kernels.json"}), {"/bin/true", "--hardclock FILE"});
}

TEST_F(TimingCheck, NamesThePackageOfAMissingAssembler) {
  const Json elsewhere = with(three_cycles(), "assemble", "mips-nowhere-gnu-as -EB");
  expect_refused(check_kernels({three_cycles(), elsewhere}),
                 {"no mips-nowhere-gnu-as", "'loop'", "binutils-mips-nowhere-gnu"});
}

TEST_F(TimingCheck, Help) {
  const Finished run = check({"--help"});
  EXPECT_EQ(run.status, 0);
  EXPECT_TRUE(run.out.starts_with("Usage: tools/timing-check [OPTION...] FILE.json\n"));
  for (const char* option : {"--cpu", "--hardclock", "--keep"}) {
    EXPECT_TRUE(contains(run.out, std::string("\n  ") + option)) << option;
  }
}

}  // namespace
}  // namespace hardclock::cli_test
