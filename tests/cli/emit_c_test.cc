// hardclock conform --emit-c: the program compiles as strict C89 for every system and passes on it;
// it fails when a case expects something else than the system's rules; its output is what perl's
// TAP::Parser reads. The cases' sources are in the case files.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "tests/cli/emitted_program.h"
#include "tests/guests/systems.h"

namespace hardclock::cli_test {
namespace {

using Names = std::set<std::string>;

// Names of a system in case files that are not the one of --os.
const std::map<std::string_view, Names> other_names = {
    {"v7", {"v7_pdp11"}},
    {"2.11bsd", {"bsd211_pdp11"}},
    {"4.1bsd", {"bsd41_vax"}},
    {"4.2bsd", {"bsd42_vax"}},
    {"4.3bsd", {"bsd43_vax"}},
    {"4.4bsd", {"bsd44", "bsd44_lp64"}},
    {"solaris2.5", {"solaris_pre26"}},
    {"hpux", {"hpux_pa", "hpux_pa_lp64", "hpux_ia64", "hpux_ia64_lp64"}},
};

// Cases of tests/conformance/manuals.json.
const std::map<std::string_view, Names> unperformable_cases = {
    {"v7", {"U-009", "U-012", "U-013"}},
    {"4.4bsd", {"B-012", "B-014"}},
    {"solaris2.5", {"L-014"}},
    {"solaris", {"L-012", "L-023", "L-024"}},
    {"irix", {"I-015"}},
    {"hpux", {"H-013", "H-014", "H-029", "H-042", "H-049", "H-054"}},
};

Names find_names(const std::map<std::string_view, Names>& all, std::string_view system) {
  const auto found = all.find(system);
  return found == all.end() ? Names{} : found->second;
}

struct TestSystem {
  std::string name;     // as --os spells it
  std::string script;   // the linker's; empty: they are SOM files
  Names variants;       // as case files spell it
  Names unperformable;  // of tests/conformance/manuals.json
};

const std::vector<TestSystem> systems = [] {
  std::vector<TestSystem> all;
  for (const guests::System& system : guests::systems) {
    const std::string name(system.name);
    Names variants = find_names(other_names, name);
    variants.insert(name);
    all.push_back({name, std::string(system.script), std::move(variants),
                   find_names(unperformable_cases, name)});
  }
  return all;
}();

const TestSystem& system_of(const std::string& name) {
  return *std::ranges::find(systems, name, &TestSystem::name);
}

class EmitC : public EmittedProgram {
 protected:
  void SetUp() override {
    for (const std::string processor : {"mips", "hppa"}) {
      if (other_program({processor + "-linux-gnu-gcc", "--version"}).status != 0) {
        GTEST_SKIP() << "gcc-" << processor << "-linux-gnu is missing";
      }
    }
  }

  // As the guests are compiled: //tests/guests:guest.bzl. `processor` is mips, mipsel or hppa.
  std::vector<std::string> compiler(const TestSystem& system, const std::string& processor) const {
    const std::string program = processor + "-linux-gnu-gcc";
    std::string include = other_program({program, "-print-file-name=include"}).out;
    include.pop_back();
    std::vector<std::string> command = {program};
    if (processor != "hppa") {
      for (const char* const option :
           {"-mabi=32", "-mno-abicalls", "-mfp32", "-G0", "-march=mips1"}) {
        command.emplace_back(option);
      }
    }
    for (const std::string& option :
         {std::string("-fno-pic"), std::string("-ffreestanding"),
          std::string("-fno-stack-protector"), std::string("-U__linux__"),
          std::string("-D__hardclock_guest__"), std::string("-include"),
          runtime_ + "/systems/" + system.name + ".h", std::string("-nostdinc"),
          "-I" + runtime_ + "/include", std::string("-isystem"), include}) {
      command.push_back(option);
    }
    return command;
  }

  // Writes system.c and compiles it to ./system. Empty: the processor of the system's guests.
  void build(const TestSystem& system, const std::string& cases, const std::string& wanted = "",
             const std::string& level = "-O2") const {
    const bool is_som = system.script.empty();
    const std::string processor = !wanted.empty() ? wanted : is_som ? "hppa" : "mips";
    const Finished emitted = hardclock({"conform", "--emit-c", "--os=" + system.name, cases});
    ASSERT_EQ(emitted.status, 0) << emitted.err;
    write("system.c", emitted.out);
    const std::string little = processor == "mipsel" ? "_little" : "";
    const std::string program = path(is_som ? "system.elf" : "system");
    std::vector<std::string> command = compiler(system, processor);
    for (const std::string& word :
         {std::string("-std=c89"), std::string("-pedantic"), std::string("-Wall"),
          std::string("-Wextra"), std::string("-Werror"), level, std::string("-static"),
          std::string("-nostdlib"), std::string("-nostartfiles"),
          std::string("-Wl,--build-id=none"), std::string("-Wl,-z,max-page-size=4096"),
          std::string("-Wl,--gc-sections"), "-Wl,-T," + linker_script(system), std::string("-o"),
          program, path("system.c"), runtime_ + "/lib" + system.name + little + ".a"}) {
      command.push_back(word);
    }
    if (is_som) command.emplace_back("-lgcc");
    const Finished compiled = other_program(command);
    ASSERT_EQ(compiled.status, 0) << compiled.err;
    if (!is_som) return;
    const Finished converted = other_program({elf2som_, program, path("system")});
    ASSERT_EQ(converted.status, 0) << converted.err;
    std::filesystem::permissions(path("system"), std::filesystem::perms::owner_all);
  }

  std::string linker_script(const TestSystem& system) const {
    if (!system.script.empty()) return guests_ + "/" + system.script;
    // Cases have offsets up to 256 KiB in front of the text.
    const std::string script = other_program({elf2som_, "--linker-script"}).out;
    write("som.ld", replace(script, ".text : {", ".text : { . += 0x400000;"));
    return path("som.ld");
  }

  // The clock is slow, so that a tick is fewer instructions. With large buffers it must not be:
  // ticks would find the program looking through them.
  Finished run(const TestSystem& system, const std::string& timing = "functional",
               const std::string& megahertz = "8") const {
    const std::string processor = system.script.empty() ? "pa7000" : "r3000";
    return hardclock({"run", "--cpu=" + processor + "@" + megahertz, "--timing=" + timing,
                      "--os=" + system.name, "./system"});
  }

  // Every case of the system is there, in the file's order; all pass, and only those are skipped.
  void expect_all(const TestSystem& system, const std::string& cases,
                  const std::set<std::string>& skipped) const {
    std::vector<Verdict> expected;
    const auto file = nlohmann::json::parse(read_file(cases));
    for (const auto& each : file["cases"]) {
      if (!system.variants.contains(each["system"].get<std::string>())) continue;
      const auto id = each["id"].get<std::string>();
      expected.push_back({true, id, skipped.contains(id)});
    }
    if (expected.empty()) return;
    build(system, cases);
    if (HasFatalFailure()) return;
    const Finished finished = run(system);
    EXPECT_EQ(finished.status, 0) << finished.out << finished.err;
    EXPECT_EQ(verdicts_of(finished.out), expected) << finished.out;
  }

 private:
  const std::string guests_ = std::filesystem::absolute("tests/guests").string();
  const std::string runtime_ = std::filesystem::absolute("guest/runtime").string();
  const std::string elf2som_ = std::filesystem::absolute("tools/elf2som").string();
};

class EmitCSystem : public EmitC, public ::testing::WithParamInterface<TestSystem> {};

TEST_P(EmitCSystem, TheCasesOfTheManualsPass) {
  expect_all(GetParam(), std::filesystem::absolute("tests/conformance/manuals.json"),
             GetParam().unperformable);
}

INSTANTIATE_TEST_SUITE_P(Systems, EmitCSystem, ::testing::ValuesIn(systems), [](const auto& info) {
  std::string name = info.param.name;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

// Of profil(2), IRIX 6.5: "0x8000 ... For 16-bit counters this means a 1-1 mapping of instructions
// to counters"; "Profiling is turned off by giving a scale of 0 or 1"; it "remains on in both child
// and parent processes after a fork(2)"; "is turned off when an exec(2) is executed"; "is turned
// off if a buff update would cause a memory fault".
constexpr std::string_view manual = R"({
 "format": "hardclock profil conformance cases, v1",
 "cases": [
  {"id": "PLACE", "title": "1-1", "system": "irix", "call": "profil",
   "args": {"buff": "BUF", "bufsiz": 64, "offset": "0x400000", "scale": 32768},
   "initial": {"mem": [{"name": "BUF", "addr": "0x10010000", "size": 64, "width": 2}]},
   "events": [{"tick": {"pc": "0x400004", "n": 3}}, {"tick": {"pc": "0x40007c", "n": 1}},
              {"tick": {"pc": "0x400080", "n": 1}}, {"tick": {"pc": "0x3ffffc", "n": 1}}],
   "expect": {"ret": 0, "errno": null, "counters": {"1": {"BUF": {"1": 3, "31": 1}}}},
   "source": ["profil"], "certainty": "doc"
},
  {"id": "OFF", "title": "scale 0", "system": "irix", "call": "profil",
   "args": {"buff": "BUF", "bufsiz": 64, "offset": "0x400000", "scale": 32768},
   "initial": {"mem": [{"name": "BUF", "addr": "0x10010000", "size": 64, "width": 2}]},
   "events": [{"tick": {"pc": "0x400000", "n": 1}},
              {"call": {"name": "profil", "args": {"buff": "0x0", "bufsiz": 0, "offset": "0x0",
               "scale": 0}, "expect": {"ret": 0, "errno": null}}},
              {"tick": {"pc": "0x400000", "n": 2}}],
   "expect": {"ret": 0, "errno": null, "counters": {"1": {"BUF": {"0": 1}}}},
   "source": ["profil"], "certainty": "doc"},
  {"id": "FORK", "title": "on in both", "system": "irix", "call": "profil",
   "args": {"buff": "BUF", "bufsiz": 64, "offset": "0x400000", "scale": 32768},
   "initial": {"mem": [{"name": "BUF", "addr": "0x10010000", "size": 64, "width": 2}]},
   "events": [{"fork": {"child": 2}}, {"tick": {"pc": "0x400000", "n": 2, "pid": 2}},
              {"tick": {"pc": "0x400000", "n": 1}}],
   "expect": {"ret": 0, "errno": null,
              "counters": {"1": {"BUF": {"0": 1}}, "2": {"BUF": {"0": 2}}},
              "profiling": {"1": "on", "2": "on"}},
   "source": ["profil"], "certainty": "doc"},
  {"id": "EXEC", "title": "off", "system": "irix", "call": "profil",
   "args": {"buff": "BUF", "bufsiz": 64, "offset": "0x400000", "scale": 32768},
   "initial": {"mem": [{"name": "BUF", "addr": "0x10010000", "size": 64, "width": 2}]},
   "events": [{"tick": {"pc": "0x400000", "n": 1}}, {"exec": {"ok": true}},
              {"mmap": {"addr": "0x10010000", "size": 64}}, {"tick": {"pc": "0x400000", "n": 2}}],
   "expect": {"ret": 0, "errno": null, "counters": {"1": {"BUF": {}}}, "profiling": {"1": "off"}},
   "source": ["profil"], "certainty": "doc"},
  {"id": "FAULT", "title": "off", "system": "irix", "call": "profil",
   "args": {"buff": "BUF", "bufsiz": 64, "offset": "0x400000", "scale": 32768},
   "initial": {"mem": [{"name": "BUF", "addr": "0x10010000", "size": 64, "width": 2}]},
   "events": [{"munmap": {"addr": "0x10010000", "size": 64}}, {"tick": {"pc": "0x400000", "n": 1}},
              {"mmap": {"addr": "0x10010000", "size": 64}}, {"tick": {"pc": "0x400000", "n": 2}}],
   "expect": {"ret": 0, "errno": null, "counters": {"1": {"BUF": {}}}, "profiling": {"1": "off"}},
   "source": ["profil"], "certainty": "doc"}
 ]
})";

// At every level of optimization the loop is another one, and in both byte orders.
TEST_F(EmitC, EveryLoopWillDo) {
  write("manual.json", manual);
  const std::vector<Verdict> expected = {{true, "PLACE", false},
                                         {true, "OFF", false},
                                         {true, "FORK", false},
                                         {true, "EXEC", false},
                                         {true, "FAULT", false}};
  for (const char* const level : {"-O0", "-O1", "-Os", "-O3"}) {
    build(system_of("irix"), "manual.json", "mips", level);
    for (const char* const timing : {"functional", "cycle"}) {
      const Finished finished = run(system_of("irix"), timing);
      EXPECT_EQ(verdicts_of(finished.out), expected) << level << finished.out;
    }
  }
  build(system_of("irix"), "manual.json", "mipsel");
  const Finished finished = run(system_of("irix"));
  EXPECT_EQ(verdicts_of(finished.out), expected) << finished.out;
}

// An expectation that the manual contradicts is a failure of its case and of no other one.
TEST_F(EmitC, WrongExpectationsFail) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> changes = {
      {"PLACE", {R"({"1": 3, "31": 1})", R"({"1": 2, "31": 1})"}},
      {"PLACE", {R"({"1": 3, "31": 1})", R"({"2": 3, "31": 1})"}},
      {"PLACE", {R"({"1": 3, "31": 1})", R"({"1": 3, "31": 2})"}},
      {"OFF", {R"({"1": {"BUF": {"0": 1}}}},)", R"({"1": {"BUF": {"0": 3}}}},)"}},
      {"FORK", {R"("2": {"BUF": {"0": 2}})", R"("2": {"BUF": {}})"}},
      {"FORK", {R"({"1": {"BUF": {"0": 1}}, "2")", R"({"1": {"BUF": {"0": 3}}, "2")"}},
      {"FORK", {R"({"1": "on", "2": "on"})", R"({"1": "on", "2": "off"})"}},
      {"EXEC", {R"({"1": {"BUF": {}}}, "profiling": {"1": "off"})", R"({"1": {"BUF": {"0": 2}}})"}},
  };
  for (const auto& [id, change] : changes) {
    // Only the first place: that is the case's own, see the order of the file.
    std::string text(manual);
    const std::size_t at = text.find(change[0]);
    ASSERT_NE(at, std::string::npos) << change[0];
    write("manual.json", text.replace(at, change[0].size(), change[1]));
    build(system_of("irix"), "manual.json");
    const Finished finished = run(system_of("irix"));
    EXPECT_EQ(finished.status, 1);
    for (const Verdict& verdict : verdicts_of(finished.out)) {
      EXPECT_EQ(verdict.passed, verdict.id != id) << change[1] << finished.out;
    }
  }
}

// What was wrong before an exec is still wrong in the program's new image.
TEST_F(EmitC, FailuresOutliveAnExec) {
  for (const char* const value : {"1", "3"}) {
    write("exec.json", replace(R"({
 "format": "hardclock profil conformance cases, v1",
 "cases": [
  {"id": "BOTH", "title": "fork, then exec", "system": "irix", "call": "profil",
   "args": {"buff": "BUF", "bufsiz": 64, "offset": "0x400000", "scale": 32768},
   "initial": {"mem": [{"name": "BUF", "addr": "0x10010000", "size": 64, "width": 2}]},
   "events": [{"fork": {"child": 2}}, {"tick": {"pc": "0x400000", "n": 1, "pid": 2}},
              {"exec": {"ok": true}}, {"mmap": {"addr": "0x10010000", "size": 64}},
              {"tick": {"pc": "0x400000", "n": 1}}],
   "expect": {"ret": 0, "errno": null,
              "counters": {"1": {"BUF": {}}, "2": {"BUF": {"0": VALUE}}}},
   "source": ["profil"], "certainty": "doc"}]})",
                               "VALUE", value));
    build(system_of("irix"), "exec.json");
    EXPECT_EQ(run(system_of("irix")).status, std::string(value) == "1" ? 0 : 1);
  }
}

// What a program cannot be sure of is no failure of the machine that it runs on: a child that gives
// up, an offset that would wrap when the text is moved, and one memory that two processes change in
// turns. The first two expect what IRIX does; the third is a model's order.
TEST_F(EmitC, WhatCannotBePerformedIsSkipped) {
  constexpr std::string_view hard = R"({
 "format": "hardclock profil conformance cases, v1",
 "cases": [
  {"id": "CHILD", "title": "a child that gives up", "system": "irix", "call": "profil",
   "args": {"buff": "BUF", "bufsiz": 64, "offset": "0x400000", "scale": 32768},
   "initial": {"mem": [{"name": "BUF", "addr": "0x10010000", "size": 64, "width": 2}]},
   "events": [{"fork": {"child": 2}}, {"run": {"pc": "0x400000", "ms": 50, "pid": 2}}],
   "expect": {"ret": 0, "errno": null,
              "counters": {"1": {"BUF": {}}, "2": {"BUF": {"0": 5}}}},
   "source": ["profil"], "certainty": "doc"},
  {"id": "TOP", "title": "the difference wraps", "system": "irix", "call": "profil",
   "args": {"buff": "BUF", "bufsiz": 64, "offset": "0xfffffff0", "scale": 32768},
   "initial": {"mem": [{"name": "BUF", "addr": "0x10010000", "size": 64, "width": 2}]},
   "events": [{"tick": {"pc": "0x8", "n": 1}}],
   "expect": {"ret": 0, "errno": null, "counters": {"1": {"BUF": {"6": 1}}},
              "profiling": {"1": "on"}},
   "source": ["profil"], "certainty": "doc"},
  {"id": "TURNS", "title": "unmapped by the child, mapped by the parent", "system": "irix",
   "call": "profil",
   "args": {"buff": "BUF", "bufsiz": 64, "offset": "0x400000", "scale": 32768},
   "initial": {"mem": [{"name": "BUF", "addr": "0x10010000", "size": 64, "width": 2}]},
   "events": [{"sproc": {"child": 2, "share": "PR_SADDR"}},
              {"munmap": {"addr": "BUF", "size": 64, "pid": 2}},
              {"tick": {"pc": "0x400000", "n": 1}}, {"mmap": {"addr": "0x10010000", "size": 64}},
              {"tick": {"pc": "0x400000", "n": 2, "pid": 2}}],
   "expect": {"ret": 0, "errno": null, "counters": {"1": {"BUF": {"0": 2}}},
              "profiling": {"1": "off", "2": "on"}},
   "source": ["profil"], "certainty": "inferred"}]})";
  write("hard.json", hard);
  const Finished model = hardclock({"conform", "hard.json"});
  EXPECT_EQ(model.status, 0) << model.out;
  build(system_of("irix"), "hard.json");
  const Finished finished = run(system_of("irix"));
  EXPECT_EQ(finished.status, 0) << finished.out;
  EXPECT_EQ(
      verdicts_of(finished.out),
      (std::vector<Verdict>{{true, "CHILD", true}, {true, "TOP", true}, {true, "TURNS", true}}))
      << finished.out;
}

// A system whose rule is another one fails the case: what wraps on IRIX saturates on HP-UX.
TEST_F(EmitC, AnotherSystemsRuleFails) {
  for (const auto& [system, value] : {std::pair("irix", "2"), std::pair("hpux", "65535"),
                                      std::pair("irix", "65535"), std::pair("hpux", "2")}) {
    const std::string cases = replace(replace(R"({
 "format": "hardclock profil conformance cases, v1",
 "cases": [
  {"id": "FULL", "title": "3 ticks more", "system": "SYSTEM", "call": "profil",
   "args": {"buff": "BUF", "bufsiz": 64, "offset": "0x400000", "scale": 32768},
   "initial": {"mem": [{"name": "BUF", "addr": "0x10010000", "size": 64, "width": 2,
                        "set": {"2": {"0": 65535}}}]},
   "events": [{"tick": {"pc": "0x400000", "n": 3}}],
   "expect": {"ret": 0, "errno": null, "counters": {"1": {"BUF": {"0": VALUE}}}},
   "source": ["profil"], "certainty": "doc"
  }]
})",
                                              "SYSTEM", system),
                                      "VALUE", value);
    write("full.json", cases);
    build(system_of(system), "full.json");
    const bool is_right = (std::string(system) == "irix") == (std::string(value) == "2");
    EXPECT_EQ(run(system_of(system)).status, is_right ? 0 : 1) << system << value;
  }
}

// tests/conformance/cases.json: rules that the manuals' cases leave out.
TEST_F(EmitC, OwnCasesPass) {
  const std::string cases = std::filesystem::absolute("tests/conformance/cases.json");
  const auto file = nlohmann::json::parse(read_file(cases));
  for (const TestSystem& system : systems) {
    std::vector<std::string> ids;
    for (const auto& each : file["cases"]) {
      if (system.variants.contains(each["system"].get<std::string>())) ids.push_back(each["id"]);
    }
    if (ids.empty()) continue;
    build(system, cases);
    const Finished finished = run(system);
    EXPECT_EQ(finished.status, 0) << system.name << finished.out << finished.err;
    std::vector<std::string> seen;
    for (const Verdict& verdict : verdicts_of(finished.out)) seen.push_back(verdict.id);
    EXPECT_EQ(seen, ids);
  }
}

std::string conformance_file(const std::string& name) {
  return std::filesystem::absolute("tests/conformance/" + name);
}

// A right kernel is never "not ok". Whether a case is skipped may be up to the program's place.
void expect_none_failed(const std::vector<Verdict>& verdicts, std::size_t cases,
                        const std::string& output) {
  EXPECT_EQ(verdicts.size(), cases);
  for (const Verdict& verdict : verdicts) EXPECT_TRUE(verdict.passed) << verdict.id << output;
}

// By reason, without those that were found out while running.
std::map<std::string, int> skipped_cases(const std::string& tap) {
  std::map<std::string, int> reasons;
  for (const std::string& line : lines_of(tap)) {
    const std::size_t at = line.find(" # SKIP ");
    if (at != std::string::npos) ++reasons[line.substr(at + 8)];
  }
  reasons.erase("see above");
  return reasons;
}

// What routines of IRIX 6.2's kernel were observed to do. docs/conformance.md has the numbers.
TEST_F(EmitC, TheObservationsOfIrixCanBeMadeOnIrix) {
  const TestSystem& irix = system_of("irix");
  build(irix, conformance_file("observed-irix.json"));
  const Finished finished = run(irix, "functional", "33");
  expect_none_failed(verdicts_of(finished.out), 496, finished.out);
  EXPECT_EQ(finished.status, 0) << finished.err;
  const std::map<std::string, int> expected = {
      {"no program can spend kernel time of so many ticks in front of one instruction", 32},
      {"ticks are owed by chance only", 4},
      {"counters of all other text would lie in the program's own memory", 5},
      {"a buffer is larger than its memory, and what is behind must not be mapped", 2},
      {"a call that moves the text would undo a fault", 4},
      {"it has too many regions", 2},
      {"one buffer has two kinds of counters", 1}};
  EXPECT_EQ(skipped_cases(finished.out), expected);
}

// Cases whose fast ticks wait when the next call comes were "not ok" on a right kernel.
TEST_F(EmitC, NoCaseOfIrixAccusesARightKernel) {
  const TestSystem& irix = system_of("irix");
  build(irix, conformance_file("irix.json"));
  const Finished finished = run(irix);
  expect_none_failed(verdicts_of(finished.out), 55, finished.out);
  EXPECT_TRUE(contains(finished.out,
                       "kernel-fast-dropped a new call drops the fast ticks that wait # SKIP no "
                       "program can have fast ticks wait at this moment"))
      << finished.out;
}

TEST_F(EmitC, TheObservationsOf44BsdCanBeMadeOnIt) {
  const TestSystem& bsd = system_of("4.4bsd");
  build(bsd, conformance_file("observed-bsd44.json"));
  const Finished finished = run(bsd, "functional", "33");
  expect_none_failed(verdicts_of(finished.out), 816, finished.out);
}

// The cases of all files, in the 64 KiB of a PDP-11.
TEST_F(EmitC, AllCasesOfAPdp11FitIntoOneProgram) {
  auto all = nlohmann::json::parse(read_file(conformance_file("manuals.json")));
  const auto own = nlohmann::json::parse(read_file(conformance_file("cases.json")));
  for (const auto& each : own["cases"]) all["cases"].push_back(each);
  write("all.json", all.dump());
  for (const char* const name : {"v7", "2.11bsd"}) {
    for (const char* const level : {"-O0", "-O2"}) {
      build(system_of(name), "all.json", "", level);
      if (HasFatalFailure()) return;
      const Finished finished = run(system_of(name));
      EXPECT_EQ(finished.status, 0) << name << level << finished.out << finished.err;
    }
  }
}

// One file for all systems: the compiler's macros choose.
TEST_F(EmitC, OneSourceForAllSystems) {
  write("manual.json", manual);
  const Finished all = hardclock({"conform", "--emit-c", "manual.json"});
  const Finished again = hardclock({"conform", "--emit-c", "manual.json"});
  const Finished irix = hardclock({"conform", "--emit-c", "--os=irix", "manual.json"});
  EXPECT_EQ(all.status, 0);
  EXPECT_EQ(all.out, again.out);
  EXPECT_EQ(all.out, irix.out);
  expect_complaint(hardclock({"conform", "--emit-c", "--os=v7", "manual.json"}), {"no case of v7"});
  write("system.c", all.out);
  std::vector<std::string> command = compiler(system_of("hpux"), "hppa");
  for (const std::string& word : {std::string("-fsyntax-only"), path("system.c")}) {
    command.push_back(word);
  }
  const Finished none = other_program(command);
  EXPECT_NE(none.status, 0);
  EXPECT_TRUE(contains(none.err, "there are no cases of this system")) << none.err;
}

}  // namespace
}  // namespace hardclock::cli_test
