// The tables of docs/timing.md that depend on isa/*/timing: that of grades has the rows'
// numbers, and tools/timing-witness finds that GCC 12's scheduling descriptions, written by others,
// agree with ours but for what the other table lists; so do the cycles that SGI's tools print,
// which are not part of the project (../shared/timing). Each kind of disagreement is shown with
// descriptions of a few lines in GCC's syntax ("Specifying processor pipeline description" in its
// internals manual).
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

constexpr const char* folders[] = {"isa/ia64/timing", "isa/mips/timing", "isa/pa_risc/timing"};
constexpr const char* gcc_archive = "/usr/src/gcc-12/gcc-12.2.0-dfsg.tar.xz";

std::string runfile(const std::string& path) {
  return std::filesystem::absolute(path).string();
}

// A tree with the tool, which finds the rest from where it is, and a folder `gcc`.
class TimingWitness : public CommandTest {
 protected:
  void SetUp() override {
    for (const char* sub : {"tools", "docs", "isa/mips/timing", "isa/pa_risc/timing", "gcc"}) {
      std::filesystem::create_directories(path(sub));
    }
    copy("tools/timing-witness");
    std::filesystem::permissions(path("tools/timing-witness"), std::filesystem::perms::owner_all);
    write("gcc/mips-cpus.def", "MIPS_CPU (\"r3000\", PROCESSOR_R3000, 1, 0)\n");
    write("gcc/mips.md", "(include \"3000.md\")\n(include \"generic.md\")\n");
    write("gcc/3000.md",
          "(define_insn_reservation \"r3k_load\" 2\n"
          "  (and (eq_attr \"cpu\" \"r3000,r3900\") (eq_attr \"type\" \"load,fpload\"))\n"
          "  \"alu\")\n");
    write("gcc/generic.md",
          "(define_insn_reservation \"generic_alu\" 1\n"
          "  (eq_attr \"type\" \"arith,shift,condmove\") \"alu\")\n"
          "(define_insn_reservation \"generic_load\" 3 (eq_attr \"type\" \"load\") \"alu\")\n");
  }
  void copy(const std::string& file) const { write(file, read_file(runfile(file))); }
  // An R3000 with rows of its own, and the rows of the table.
  Finished witness(const std::string& rows, const std::string& table) const {
    write("isa/mips/timing/r3000.timing", "cpu r3000\npipeline in-order\n" + rows);
    write("docs/timing.md",
          "| cpu | class | GCC | ours | reason |\n|---|---|---|---|---|\n" + table);
    return run({"--source", path("gcc")});
  }
  Finished run(const std::vector<std::string>& arguments) const {
    std::vector<std::string> command = {path("tools/timing-witness")};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return other_program(command);
  }
};

void expect_wrong(const Finished& run, const std::string& complaint) {
  EXPECT_EQ(run.status, 1) << run.out;
  EXPECT_EQ(run.err, "tools/timing-witness: " + complaint + "\n");
}

void expect_refused(const Finished& run, const std::vector<std::string>& words) {
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
  for (const std::string& word : words) EXPECT_TRUE(contains(run.err, word)) << run.err;
}

constexpr const char* alu_and_load =
    "class alu latency 1 published: x\nclass load latency 1 published: x\n";
constexpr const char* load_is_listed = "| r3000 | load | 2 | 1 | software fills the slot |\n";

// ---- How many rows of a grade.

// All statements of the file that can end with a grade, joined lines, without comments.
std::vector<std::string> rows_of_file(const std::string& file) {
  std::vector<std::string> rows;
  std::string row;
  for (const std::string& line : lines_of(read_file(file))) {
    row += line.substr(0, line.find('#'));
    if (row.ends_with('\\')) {
      row.back() = ' ';
      continue;
    }
    if (!row.starts_with("note ") && !row.starts_with("about ")) rows.push_back(row);
    row.clear();
  }
  return rows;
}

std::string line_of_grades(const std::string& cpu, const std::vector<std::string>& rows) {
  const auto count = [&](const std::regex& what) {
    return std::ranges::count_if(rows, [&](const auto& row) { return regex_search(row, what); });
  };
  std::string line = "| " + cpu;
  for (const char* what :
       {"(exact|published|measured|vendor's table|derived|unverified): ", "published: ",
        "measured: ", "vendor's table: ", "derived: ", "unverified: "}) {
    line += " | " + std::to_string(count(std::regex(std::string("\\s") + what)));
  }
  std::smatch like;
  for (const std::string& row : rows) {
    if (std::regex_search(row, like, std::regex("^like (\\S+)"))) break;
  }
  return line + " | " + (like.empty() ? "" : like[1].str()) + " |";
}

TEST(TimingDoc, HasTheNumberOfRowsOfEachGrade) {
  const std::string page = read_file(runfile("docs/timing.md"));
  std::size_t processors = 0;
  for (const char* folder : folders) {
    for (const auto& file : std::filesystem::directory_iterator(runfile(folder))) {
      const std::vector<std::string> rows = rows_of_file(file.path().string());
      if (std::ranges::count(rows, "pipeline functional") != 0) continue;
      ++processors;
      const std::string line = line_of_grades(file.path().stem().string(), rows);
      EXPECT_TRUE(contains(page, "\n" + line + "\n")) << line;
    }
  }
  EXPECT_GE(processors, 15U);
}

// ---- GCC itself.

class WitnessOfGcc : public TimingWitness {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(gcc_archive)) {
      GTEST_SKIP() << "no " << gcc_archive << "; tools/install-deps test brings gcc-12-source";
    }
    TimingWitness::SetUp();
    copy("docs/timing.md");
    for (const std::string folder : folders) {
      for (const auto& file : std::filesystem::directory_iterator(runfile(folder))) {
        copy(folder + "/" + file.path().filename().string());
      }
    }
    // In a sandbox files can belong to nobody else.
    std::filesystem::create_directory(path("archive"));
    const Finished unpacked = other_program(
        {"tar", "--no-same-owner", "-xf", gcc_archive, "-C", path("archive"), "--wildcards",
         "*/gcc/config/mips/*.md", "*/mips/mips-cpus.def", "*/gcc/config/pa/pa.md"});
    ASSERT_EQ(unpacked.status, 0) << unpacked.err;
  }
  Finished compare(std::vector<std::string> cpus) const {
    cpus.insert(cpus.begin(), {"--source", path("archive")});
    return run(cpus);
  }
};

TEST_F(WitnessOfGcc, EveryDifferenceIsListedWithItsReason) {
  const Finished finished = compare({});
  EXPECT_EQ(finished.status, 0);
  EXPECT_EQ(finished.err, "");
  for (const char* cpu : {"r2000",    "r3000",  "r4000",  "r4400",  "r4600",  "r4700",    "r5000",
                          "r8000",    "r10000", "r12000", "pa7000", "pa7100", "pa7100lc", "pa7200",
                          "pa7300lc", "pa8000", "pa8200", "pa8500", "pa8600", "pa8700"}) {
    EXPECT_TRUE(contains("\n" + finished.out, "\n" + std::string(cpu) + " load ")) << cpu;
  }
}

// ../shared has what SGI's prof, pixstats and compiler print.
TEST_F(WitnessOfGcc, SoIsEveryDifferenceFromSgisTools) {
  const std::filesystem::path rows = std::filesystem::canonical("isa/mips/timing/r4000.timing");
  const auto file =
      (rows.parent_path() / "../../../../shared/timing/sgi-prof-tables.json").lexically_normal();
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no ../shared beside the source tree";
  const Finished finished = compare({"--vendor", file.string()});
  EXPECT_EQ(finished.status, 0);
  EXPECT_EQ(finished.err, "");
  EXPECT_TRUE(contains(finished.out, "\nr4000 load prof 3/1 3/1 same\n"));
  EXPECT_TRUE(contains(finished.out, "\nr8000 mult MIPSpro 4/5 4/4 differs\n"));
}

// 4000.md: r4k_idiv, 69 cycles.
TEST_F(WitnessOfGcc, AChangedRowIsFound) {
  const std::string file = "isa/mips/timing/r4400.timing";
  const std::string right = "class div               latency 69 ";
  const std::string wrong = "class div               latency 68 ";
  ASSERT_TRUE(contains(read(file), right));
  write(file, replace(read(file), right, wrong));
  const Finished finished = compare({"r4400"});
  expect_wrong(finished, "r4400 div: differs and is not in docs/timing.md");
  EXPECT_TRUE(contains(finished.out, "\nr4400 div 69 68 differs\n")) << finished.out;
}

// pa.md: X0 and its bypass to stores, 1 cycle.
TEST_F(WitnessOfGcc, AChangedBypassIsFound) {
  const std::string file = "isa/pa_risc/timing/pa7100.timing";
  const std::string right = "to store_fp_d latency 1 ";
  ASSERT_TRUE(contains(read(file), right));
  write(file, replace(read(file), right, "to store_fp_d latency 2 "));
  const Finished finished = compare({"pa7100"});
  EXPECT_EQ(finished.status, 1);
  EXPECT_TRUE(
      contains(finished.err, "pa7100 fp_add_d>store_fp_d: differs and is not in docs/timing.md"))
      << finished.err;
  EXPECT_TRUE(contains(finished.out, "\npa7100 fp_add_d>store_fp_d 1 2 differs\n")) << finished.out;
}

// ---- Its verdicts.

TEST_F(TimingWitness, AListedDifferenceIsNoMistake) {
  const Finished run = witness(alu_and_load, load_is_listed);
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.out, "r3000 alu 1 1 same\nr3000 load 2 1 differs\n1 same, 1 differ\n");
  EXPECT_EQ(run.err, "");
}

TEST_F(TimingWitness, TheTableHasToSayWhatDiffersAndWhy) {
  expect_wrong(witness(alu_and_load, ""), "r3000 load: differs and is not in docs/timing.md");
  expect_wrong(witness(alu_and_load, "| r3000 | load | 3 | 1 | software fills the slot |\n"),
               "r3000 load: docs/timing.md has other latencies");
  expect_wrong(witness(alu_and_load, "| r3000 | load | 2 | 1 | |\n"),
               "r3000 load: docs/timing.md has no reason");
  expect_wrong(witness("class load latency 2 published: x\n", load_is_listed),
               "r3000 load: is in docs/timing.md and does not differ");
}

TEST_F(TimingWitness, ReadsListsContinuedLinesAndComments) {
  const Finished run = witness(
      "class alu,shift latency 1 published: x  # latency 7\n"
      "class load \\\n    latency 1 \\\n    published: x\n",
      load_is_listed);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out,
            "r3000 alu 1 1 same\nr3000 shift 1 1 same\nr3000 load 2 1 differs\n2 same, 1 differ\n");
}

TEST_F(TimingWitness, PassesOverWhatTheProcessorOrGccLacks) {
  const Finished run = witness(
      "class store latency 5 published: no row in the descriptions here\n"
      "class alu latency 1 published: x\n",
      "");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out, "r3000 alu 1 1 same\n1 same, 0 differ\n");
}

TEST_F(TimingWitness, TakesRowsFromTheProcessorThatOneIsLike) {
  write(
      "gcc/mips-cpus.def",
      "MIPS_CPU (\"r3000\", PROCESSOR_R3000, 1, 0)\nMIPS_CPU (\"r2000\", PROCESSOR_R3000, 1, 0)\n");
  write("isa/mips/timing/r2000.timing",
        "cpu r2000\nlike r3000  published: x\nclass load latency 2 published: x\n");
  const Finished run = witness(alu_and_load, load_is_listed);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out,
            "r2000 alu 1 1 same\nr2000 load 2 2 same\nr3000 alu 1 1 same\nr3000 load 2 1 differs\n"
            "3 same, 1 differ\n");
}

// ---- A vendor's tools.

constexpr const char* with_multiplier =
    "class alu latency 1 published: x\n"
    "class shift_v latency 2 reserve EX*2 published: x\n"
    "class mult latency 12 repeat 10 unit hilo published: x\n";
constexpr const char* shift_is_listed = "| r3000 | shift_v | 1 | 2 | it slips |\n";
constexpr const char* vendor_file = R"json([
 {"cpu": "r3000", "class": "shift_v", "latency": 2, "repeat": 2, "how": "pixstats -r2010: sllv"},
 {"cpu": "r3000", "class": "mult", "latency": 11, "repeat": 10, "how": "prof -pixie: mult"},
 {"cpu": "r3000", "class": "mult", "latency": 12, "repeat": null, "how": "notes of MIPSpro: mult"},
 {"cpu": "r3000", "class": "mult", "latency": 12, "repeat": 2, "how": "another: mult"},
 {"cpu": "r3000", "class": "cvt.s.l (no class)", "latency": 7, "repeat": 6, "how": "prof: cvt"},
 {"cpu": "r6000", "class": "mult", "latency": 17, "repeat": 17, "how": "pixstats: mult"}
])json";

class WitnessOfVendor : public TimingWitness {
 protected:
  void SetUp() override {
    TimingWitness::SetUp();
    write("gcc/generic.md",
          "(define_insn_reservation \"generic_alu\" 1\n"
          "  (eq_attr \"type\" \"arith,shift\") \"alu\")\n");
    write("vendor.json", vendor_file);
  }
  Finished compare(const std::string& table) const {
    EXPECT_EQ(witness(with_multiplier, shift_is_listed + table).status, 0) << "GCC alone";
    return run({"--source", path("gcc"), "--vendor", path("vendor.json")});
  }
};

TEST_F(WitnessOfVendor, AListedDifferenceIsNoMistake) {
  const Finished run =
      compare("| r3000 | mult | prof 11/10, another 12/2 | 12/10 | counts otherwise |\n");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(run.out,
            "r3000 alu 1 1 same\nr3000 shift_v 1 2 differs\n"
            "r3000 shift_v pixstats 2/2 2/2 same\nr3000 mult prof 11/10 12/10 differs\n"
            "r3000 mult MIPSpro 12 12 same\nr3000 mult another 12/2 12/10 differs\n"
            "3 same, 2 differ\n");
}

TEST_F(WitnessOfVendor, TheTableHasToSayWhatDiffersAndWhy) {
  expect_wrong(compare(""), "r3000 mult: differs and is not in docs/timing.md");
  expect_wrong(compare("| r3000 | mult | prof 11/10 | 12/10 | counts otherwise |\n"),
               "r3000 mult: docs/timing.md has other latencies");
  expect_wrong(compare("| r3000 | mult | prof 11/10, another 12/2 | 12/11 | x |\n"),
               "r3000 mult: docs/timing.md has other latencies");
  expect_wrong(compare("| r3000 | mult | prof 11/10, another 12/2 | 12/10 | |\n"),
               "r3000 mult: docs/timing.md has no reason");
  expect_wrong(compare("| r3000 | mult | prof 11/10, another 12/2 | 12/10 | x |\n"
                       "| r3000 | shift_v | prof 1/1 | 2/2 | x |\n"),
               "r3000 shift_v: is in docs/timing.md and does not differ");
}

TEST_F(WitnessOfVendor, IsNotAskedWithoutItsFile) {
  std::filesystem::remove(path("vendor.json"));
  const Finished run = compare("");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.out, "r3000 alu 1 1 same\nr3000 shift_v 1 2 differs\n1 same, 1 differ\n");
  EXPECT_EQ(run.err,
            "tools/timing-witness: no " + path("vendor.json") + ": compared with GCC alone\n");
}

TEST_F(WitnessOfVendor, HasToBeAList) {
  for (const char* text : {"", "{}", "[1]", "[{\"cpu\": \"r3000\"}]",
                           R"([{"cpu": "r3000", "class": "alu", "latency": "x", "repeat": 1,
                               "how": "prof"}])"}) {
    write("vendor.json", text);
    const Finished run = compare("");
    expect_refused(run, {"vendor.json is no list of cycles"});
  }
}

// ---- Mistakes.

TEST_F(TimingWitness, SaysWhatIsMissing) {
  EXPECT_EQ(witness(alu_and_load, load_is_listed).status, 0);
  expect_refused(run({"--source", path("docs")}), {"mips-cpus.def", path("docs")});
  expect_refused(run({"--source", path("gcc"), "r9000"}), {"r9000", "r3000"});
  std::filesystem::remove(path("docs/timing.md"));
  const Finished without_table = run({"--source", path("gcc")});
  EXPECT_EQ(without_table.status, 2);
  EXPECT_TRUE(contains(without_table.err, "docs/timing.md")) << without_table.err;
  write("gcc/generic.md", "");
  write("gcc/3000.md", "");
  expect_refused(run({"--source", path("gcc")}), {"no define_insn_reservation"});
}

}  // namespace
}  // namespace hardclock::cli_test
