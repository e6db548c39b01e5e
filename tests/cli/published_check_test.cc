// tools/published-check: what it makes of figures that are made up, with a simulator that is; what
// it builds of sources that are; and this project's own loops, by the real one.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* head =
    "| program | machine | published | hardclock | difference | use | why |\n"
    "|---|---|---|---|---|---|---|\n";

Json row(const std::string& name, const std::string& unit, const Json& published) {
  return {
      {"name", name}, {"published", published}, {"unit", unit}, {"use", "judge"}, {"run", "it"}};
}

Json with(Json object, const std::string& key, const Json& value) {
  object[key] = value;
  return object;
}

Json without(Json object, const std::string& key) {
  object.erase(key);
  return object;
}

// A cipher that takes blocks of 8000 bytes.
Json cipher(double published) {
  return with(row("cipher", "kB/s", {published}), "bytes", 8000);
}

// A set of one row, on a machine of 25 MHz.
Json set_of(const Json& row) {
  return {{"name", "R3000"}, {"source", "a book"}, {"machine", "indigo"},
          {"mhz", 25},       {"program", "made"},  {"rows", Json::array({row})}};
}

Json file_of(const Json& set) {
  return {{"project", {{"name", "made"}, {"release", "made 1.0"}, {"package", "made 1.0-1"}}},
          {"sets", Json::array({set})}};
}

class PublishedCheck : public CommandTest {
 protected:
  // A simulator on which an operation of "program" takes 100 cycles, of "other" 125, and one with a
  // lower stack 50 more; a guest prints "rate 50.0 MB/s". It notes each run.
  void SetUp() override {
    write("runs", "");
    write("program", "1");
    write("other", "2");
    write("simulator", "#!/bin/sh\necho \"$@\" >>" + path("runs") +
                           "\nfor last; do :; done\nper=100\n"
                           "case \"$*\" in */other*) per=125;; esac\n"
                           "case \"$*\" in *LOWER=x*) per=$((per + 50));; esac\n"
                           "case \"$*\" in *--stats*) echo \"{\\\"cycles\\\": $((7000 + per * "
                           "last))}\" >stats.json;; *) echo 'rate 50.0 MB/s';; esac\n");
    fs::permissions(path("simulator"), fs::perms::owner_all);
  }

  Finished check_file(const Json& file, std::vector<std::string> options = {}) const {
    write("figures.json", file.dump());
    options.insert(options.begin(),
                   {fs::absolute("tools/published-check").string(), "figures.json"});
    return other_program(options);
  }
  Finished check(const Json& set, std::vector<std::string> options = {}) const {
    options.insert(options.end(), {"--hardclock", path("simulator")});
    return check_file(file_of(set), options);
  }
  // With the program in one link order.
  Finished check_one(const Json& set, std::vector<std::string> options = {}) const {
    options.insert(options.end(), {"--program", "made=program"});
    return check(set, options);
  }
};

void expect_refused(const Finished& run, const std::vector<std::string>& words) {
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_TRUE(run.err.starts_with("tools/published-check: ")) << run.err;
  EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
  for (const std::string& word : words) {
    EXPECT_TRUE(contains(run.err, word)) << word << "\n" << run.err;
  }
}

// 100 cycles at 25 MHz are 4 us: 8000 bytes in that time are 2 GB/s.
TEST_F(PublishedCheck, ARateIsBytesByTheDifferenceOfTwoRuns) {
  const Finished run = check_one(set_of(cipher(1900000)));
  EXPECT_EQ(run.out, head + std::string("| cipher | R3000 | 1900000 kB/s | 2000000 | +5.3 % | "
                                        "judge |  |\n"));
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.err,
            "1 rows, 1 within 10 %, 0 beyond it without a reason, 0 not run, 0 of them kept\n");
}

// Plus is too fast, for times and cycles as well.
TEST_F(PublishedCheck, ATimeIsTheDifferenceOfTwoRuns) {
  const Finished time = check_one(set_of(row("sum", "us", {4.2})));
  EXPECT_TRUE(contains(time.out, "| sum | R3000 | 4.2 us | 4 | +5.0 % |")) << time.out;
  const Json left_out = with(row("load", "ns", {4160}), "plus_cycles", 1);
  const Finished more = check_one(set_of(left_out));
  EXPECT_TRUE(contains(more.out, "| load | R3000 | 4200 ns | 4000 | +5.0 % |")) << more.out;
}

TEST_F(PublishedCheck, CyclesAreCountedByElements) {
  const Json each = with(row("sum", "cycles/limb", {26}), "per", 4);
  const Finished run = check_one(set_of(with(each, "use", "used")));
  EXPECT_TRUE(contains(run.out, "| sum | R3000 | 26 cycles/limb | 25 | +4.0 % | used |"))
      << run.out;
}

TEST_F(PublishedCheck, SeveralFiguresAreARange) {
  Json set = set_of(with(row("copy", "MB/s", {52, 40, 50}), "run", "rate"));
  set.erase("program");
  set["guest"] = "program";
  const Finished guests = check(set, {"--guests", folder()});
  EXPECT_EQ(guests.out,
            head + std::string("| copy | R3000 | 40 to 52 MB/s | 50 | +0.0 % | judge |  |\n"));
}

TEST_F(PublishedCheck, OtherPlacementsAreARange) {
  Json set = set_of(cipher(2000000));
  const Finished orders = check(set, {"--program", "made=program,other"});
  EXPECT_TRUE(contains(orders.out, "| 2000000 (1600000 to 2000000) | +0.0 % |")) << orders.out;
  set["stacks"] = {16};
  const Finished stacks = check_one(set);
  EXPECT_TRUE(contains(stacks.out, "| 2000000 (1333333 to 2000000) | +0.0 % |")) << stacks.out;
}

TEST_F(PublishedCheck, AProgramFindsItsEnvironment) {
  Json set = set_of(cipher(2000000));
  set["environment"] = {"A=1", "B=2"};
  check_one(set);
  EXPECT_TRUE(contains(read("runs"), "--machine=indigo --env=A=1 --env=B=2 ")) << read("runs");
}

TEST_F(PublishedCheck, WhatIsFarAwayNeedsAReason) {
  const Finished silent = check_one(set_of(cipher(1000000)));
  EXPECT_EQ(silent.status, 1);
  EXPECT_TRUE(contains(silent.err, "0 within 10 %, 1 beyond it without a reason")) << silent.err;
  const Finished explained = check_one(set_of(with(cipher(1000000), "why", "not explained")));
  EXPECT_EQ(explained.status, 0);
  EXPECT_TRUE(contains(explained.out, "| +100.0 % | judge | not explained |")) << explained.out;
}

TEST_F(PublishedCheck, RowsWithoutTheirProgramAreLeftOutAndNamed) {
  const Finished run = check(set_of(cipher(1)));
  EXPECT_EQ(run.out, head);
  EXPECT_EQ(run.status, 0);
  EXPECT_TRUE(contains(run.err, "1 rows not run: no --program made=FILE\n")) << run.err;
  EXPECT_TRUE(contains(run.err, "1 not run, 0 of them kept")) << run.err;
}

TEST_F(PublishedCheck, WhatWasMeasuredIsNotMeasuredAgain) {
  const Json set = set_of(cipher(2000000));
  const Finished first = check_one(set, {"--results", "results.json"});
  EXPECT_EQ(lines_of(read("runs")).size(), 2U);
  const Finished second = check_one(set, {"--results", "results.json"});
  EXPECT_EQ(second.out, first.out);
  EXPECT_EQ(lines_of(read("runs")).size(), 2U);
  write("program", "another one");
  check_one(set, {"--results", "results.json"});
  EXPECT_EQ(lines_of(read("runs")).size(), 4U);
}

constexpr const char* table_begin = "before\n<!-- published-check makes this table -->\n";
constexpr const char* table_end = "<!-- the end of published-check's table -->\nafter\n";

TEST_F(PublishedCheck, TheTableGoesBetweenItsLines) {
  const Json set = set_of(cipher(2000000));
  write("page.md", table_begin + std::string("old\n") + table_end);
  const Finished run = check_one(set, {"--into", "page.md"});
  EXPECT_EQ(read("page.md"), table_begin + run.out + table_end);
  write("page.md", "no lines\n");
  EXPECT_EQ(check_one(set, {"--into", "page.md"}).status, 2);
  EXPECT_EQ(read("page.md"), "no lines\n");
}

// With the published figure and the reason of today.
TEST_F(PublishedCheck, ARowThatCannotBeRunIsKeptFromTheTable) {
  write("page.md", table_begin +
                       std::string("| cipher | R3000 | 7 kB/s | 9 | +3.0 % | used | |\n"
                                   "| gone | R3000 | 7 kB/s | 9 | +3.0 % | used | |\n") +
                       table_end);
  const Json set = set_of(with(cipher(8), "why", "because"));
  const std::string kept =
      head + std::string("| cipher | R3000 | 8 kB/s | 9, kept | +3.0 % | judge | because |\n");
  for (int round = 0; round < 2; ++round) {
    const Finished run = check(set, {"--into", "page.md"});
    EXPECT_EQ(run.out, kept);
    EXPECT_EQ(run.status, 0);
    EXPECT_TRUE(contains(run.err, "1 not run, 1 of them kept")) << run.err;
    EXPECT_EQ(read("page.md"), table_begin + kept + table_end);
  }
}

TEST_F(PublishedCheck, NamesMistakes) {
  const Json set = set_of(cipher(2000000));
  expect_refused(check_one(set_of(row("sum", "furlongs", {1}))), {"furlongs", "cycles/limb"});
  expect_refused(check_one(set_of(with(cipher(1), "use", "fun"))), {"fun", "used, judge"});
  expect_refused(check_one(set_of(without(cipher(1), "published"))), {"row 1", "'published'"});
  expect_refused(check_one(without(set, "source")), {"set 1", "'source'"});
  expect_refused(check_one(with(set, "guest", "it")), {"2 of build, program"});
  expect_refused(check_one(set_of(without(cipher(1), "run"))), {"row 1", "'run'"});
  expect_refused(check_one(with(set, "rows", {cipher(1), cipher(2)})), {"two rows", "cipher"});
  expect_refused(check_file(Json::array({set})), {"'sets'"});
  expect_refused(check(set, {"--program", "made=absent"}), {"absent", "--program made"});
  expect_refused(check(set, {"--program", "made"}), {"NAME=PATH"});
  expect_refused(check(set, {"--source", "made=absent"}), {"absent", "--source made"});
  expect_refused(check_file(file_of(set), {"--hardclock", "absent"}), {"absent", "--hardclock"});
  expect_refused(check(set, {"--what"}), {"--what", "see --help"});
  write("simulator", "#!/bin/sh\necho 'hardclock: no memory' >&2; exit 125\n");
  expect_refused(check_one(set), {"hardclock: no memory"});
}

// A routine that the tool builds, by the real simulator.
class BuiltRoutine : public PublishedCheck {
 protected:
  // Three cycles a trip on an R3000: one instruction a cycle, and the branch costs nothing further.
  static constexpr const char* spin =
      "\t.set noreorder\n\t.globl spin\nspin:\n\taddiu $4,$4,-1\n\tbne $4,$0,spin\n\tnop\n"
      "\tjr $31\n\tnop\n";

  static Json routine(const Json& file) {
    return with(
        with(with(row("spin", "cycles", {3}), "files", Json::array({file})), "call", "spin(n)"),
        "counts", {100, 300});
  }
  static Json built(const Json& row) {
    Json set = without(without(set_of(row), "program"), "machine");
    set["cpu"] = "r3000";
    set["build"] = {{"compiler", "mips-linux-gnu-gcc"},
                    {"flags", {"-mips1", "-mabi=32", "-mfp32"}},
                    {"limb", "unsigned int"}};
    return set;
  }
  Finished check_built(const Json& set) const {
    return check_file(file_of(set),
                      {"--hardclock", hardclock_path(), "--source", "made=" + folder()});
  }
  void expect_three_cycles(const Json& set) const {
    const Finished run = check_built(set);
    EXPECT_EQ(run.out, head + std::string("| spin | R3000 | 3 cycles | 3 | +0.0 % | judge |  |\n"))
        << run.err;
  }
};

TEST_F(BuiltRoutine, OfAssembler) {
  write("spin.S", spin);
  expect_three_cycles(built(routine({{"file", "spin.S"}})));
}

TEST_F(BuiltRoutine, OfAScriptThatWritesToAFile) {
  write("spin.pl", "open OUT, '>', $ARGV[1]; print OUT $ARGV[0] eq 'o32' ? '" + std::string(spin) +
                       "' : 'nothing';\n");
  expect_three_cycles(
      built(routine({{"file", "spin.pl"}, {"arguments", Json::array({"o32"})}, {"as", "it.S"}})));
}

TEST_F(BuiltRoutine, OfAScriptThatPrints) {
  write("spin.pl", "print '" + std::string(spin) + "';\n");
  expect_three_cycles(built(routine({{"file", "spin.pl"}})));
}

// As GMP's files are.
TEST_F(BuiltRoutine, OfMacros) {
  fs::create_directories(path("mpn/mips32"));
  write("mpn/asm-defs.m4", "define(`include_mpn',`include(CONFIG_TOP_SRCDIR`/mpn/$1')')dnl\n");
  write("mpn/mips32/mips.m4", "define(`name',`spin')dnl\n");
  write("mpn/mips32/spin.asm",
        "include(`../config.m4')dnl\nifdef(`OPERATION_spin',`\n\t.set noreorder\n\t.globl name\n"
        "name:\n\taddiu $4,$4,-1\n\tbne $4,$0,name\n\tnop\n\tjr $31\n\tnop\n')\n");
  Json set = built(
      with(routine({{"file", "mpn/mips32/spin.asm"}}), "defines", Json::array({"OPERATION_spin"})));
  set["build"]["limb_bits"] = 32;
  set["build"]["definitions"] = "mips32/mips.m4";
  expect_three_cycles(set);
}

// HP's assembler has labels without colons, and sections of its own. A PA-7000 takes both in a
// cycle each: the branch is backward and taken.
TEST_F(BuiltRoutine, InHpsSyntax) {
  write("spin.S",
        "\t.SPACE\t$TEXT$\n\t.SUBSPA\t$CODE$,QUAD=0,ALIGN=8,ACCESS=0x2C,CODE_ONLY\n"
        "\t.EXPORT\tspin,ENTRY\nspin\n\taddib,<> -1,%r26,spin\n\tnop\n\tbv %r0(%r2)\n\tnop\n");
  Json set = built(with(routine({{"file", "spin.S"}}), "published", {2}));
  set["cpu"] = "pa7000";
  set["build"] = {{"compiler", "hppa-linux-gnu-gcc"},
                  {"flags", Json::array()},
                  {"limb", "unsigned int"},
                  {"syntax", "hp"}};
  const Finished run = check_built(set);
  EXPECT_TRUE(contains(run.out, "| spin | R3000 | 2 cycles | 2 | +0.0 %")) << run.out << run.err;
}

TEST_F(BuiltRoutine, ItsSetupRunsBeforeTheFirstCall) {
  write("spin.S", spin);
  const Json set =
      built(with(with(routine({{"file", "spin.S"}}), "setup", "k = 2 * n"), "call", "spin(k)"));
  const Finished run = check_built(set);
  EXPECT_TRUE(contains(run.out, "| spin | R3000 | 3 cycles | 6 | -50.0 %")) << run.out << run.err;
}

TEST_F(BuiltRoutine, SaysWhatIsMissing) {
  write("spin.S", spin);
  Json set = built(routine({{"file", "spin.S"}}));
  const Finished no_source = check_file(file_of(set), {"--hardclock", hardclock_path()});
  EXPECT_TRUE(contains(no_source.err, "no --source made=DIR: made 1.0; made 1.0-1\n"))
      << no_source.err;
  set["build"]["compiler"] = "mips-of-tomorrow-gcc";
  const Finished no_compiler = check_built(set);
  EXPECT_TRUE(contains(no_compiler.err, "no mips-of-tomorrow-gcc on PATH\n")) << no_compiler.err;
}

TEST_F(BuiltRoutine, NamesWhatCannotBeBuilt) {
  expect_refused(check_built(built(routine({{"file", "absent.S"}}))), {"spin", "absent.S"});
  expect_refused(check_built(built(routine({{"name", "spin.S"}}))), {"row 1", "'file'"});
  expect_refused(check_built(built(without(routine({{"file", "spin.S"}}), "call"))), {"'call'"});
  write("spin.S", "\tno instruction\n");
  expect_refused(check_built(built(routine({{"file", "spin.S"}}))),
                 {"spin", "mips-linux-gnu-gcc", "Error:"});
  write("spin.S", "\n");
  expect_refused(check_built(built(routine({{"file", "spin.S"}}))),
                 {"undefined reference", "spin"});
}

// Those that need no other project; IA-64 has no compiler here.
TEST_F(PublishedCheck, OwnLoopsAgreeOrSayWhyNot) {
  const fs::path folder = fs::absolute("tests/timing/published");
  const Finished run =
      other_program({fs::absolute("tools/published-check").string(), "--hardclock",
                     hardclock_path(), folder / "linux.json", folder / "memory.json"});
  EXPECT_EQ(run.status, 0) << run.out;
  EXPECT_TRUE(contains(run.err, "\n5 rows, ")) << run.err;
  const std::string table = read_file("docs/timing.md");
  for (const std::string& each : lines_of(run.out)) {
    EXPECT_TRUE(contains(table, each + "\n")) << "not in docs/timing.md, section 9: " << each;
  }
}

// Every row of the project's own files, in shape.
TEST_F(PublishedCheck, OwnRowsGiveReasonsThatFitIntoATable) {
  for (const auto& file : fs::directory_iterator("tests/timing/published")) {
    if (file.path().extension() != ".json") continue;
    for (const Json& set : Json::parse(read_file(file.path()))["sets"]) {
      for (const Json& each : set["rows"]) {
        const std::string why = each.value("why", "");
        EXPECT_FALSE(contains(why, "|") || contains(why, "\n")) << why;
      }
    }
  }
}

}  // namespace
}  // namespace hardclock::cli_test
