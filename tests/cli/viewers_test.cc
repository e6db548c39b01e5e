// Profiles for viewers, end to end: run --profile and report write the same, the tools of others
// read it, and all of them have the sums of the table by function.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <regex>

#include "tests/cli/command_test.h"
#include "tests/cli/profile_files.h"

namespace hardclock::cli_test {
namespace {

using nlohmann::json;

class Viewers : public CommandTest {
 protected:
  std::string answer(const std::vector<std::string>& arguments) const {
    const Finished run = hardclock(arguments);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.err, "");
    return run.out;
  }

  // What another's tool prints.
  std::string told(const std::vector<std::string>& command) const {
    const Finished run = other_program(command);
    EXPECT_EQ(run.status, 0) << run.err;
    return run.out;
  }

  // exact.json and its process.
  json profile_split75() const {
    answer({"run", "--profile=exact.json", guest("split75"), "1000"});
    return json::parse(read("exact.json"));
  }
};

std::uint64_t sum_of(const json& process, const char* key) {
  return sum(counts_of(process, key));
}

// "hot 42" and so on, the last number of each line.
std::uint64_t sum_of_lines(const std::string& text) {
  std::uint64_t all = 0;
  for (const std::string& line : lines_of(text)) {
    all += std::stoull(line.substr(line.find_last_of(' ') + 1));
  }
  return all;
}

constexpr const char* names[] = {
    "p.html",         "p.svg",    "callgrind.out.1", "p.pb.gz", "p.speedscope.json",
    "p.firefox.json", "p.folded", "p.ticks.folded",  "p.perf",  "p.csv",
    "p.table.json",   "p.txt",    "p.gmon",          "p.json"};

TEST_F(Viewers, RunAndReportWriteTheSame) {
  answer({"run", "--calls", "--profile=exact.json", guest("split75"), "1000"});
  std::filesystem::create_directory(path("again"));
  for (const std::string name : names) {
    answer({"run", "--calls", "--profile=" + name, guest("split75"), "1000"});
    EXPECT_EQ(answer({"report", "exact.json", guest("split75"), "--output=again/" + name}), "");
    EXPECT_NE(read(name), "") << name;
    EXPECT_TRUE(read(name) == read("again/" + name)) << name;
  }
}

// What shows calls asks for them; the JSON has them only if the user does.
TEST_F(Viewers, CallsAreFollowedWhereTheyAreShown) {
  answer({"run", "--profile=p.folded", guest("split75"), "1000"});
  EXPECT_TRUE(contains(read("p.folded"), ";main;hot ")) << read("p.folded");
  // split75's functions are called by names only: the tree's sums are those by pc.
  answer({"run", "--calls", "--profile=tree.json", guest("split75"), "1000"});
  const json process = json::parse(read("tree.json")).at("processes").at(0);
  const auto symbols = parse_nm(other_program({"mips-linux-gnu-nm", guest("split75")}).out);
  for (const auto& [function, end] : {std::pair("hot", "warm"), std::pair("warm", "end_of_warm")}) {
    std::uint64_t cycles = 0, ticks = 0;
    for (const json& node : process.at("call_tree")) {
      if (std::stoul(node.at(1).get<std::string>(), nullptr, 16) != symbols.at(function)) continue;
      cycles += node.at(3).get<std::uint64_t>();
      ticks += node.at(4).get<std::uint64_t>();
    }
    const std::uint64_t low = symbols.at(function), high = symbols.at(end);
    EXPECT_EQ(cycles, sum(counts_of(process, "cycles"), low, high)) << function;
    EXPECT_EQ(ticks, sum(counts_of(process, "samples"), low, high)) << function;
    EXPECT_GT(ticks, 0U);
  }
  EXPECT_FALSE(profile_split75().at("processes").at(0).contains("call_tree"));
  expect_complaint(hardclock({"run", "--calls", guest("split75")}), {"--calls", "--profile=FILE"});
}

TEST_F(Viewers, SumsAreTheTables) {
  const json exact = profile_split75();
  const json& process = exact.at("processes").at(0);
  const std::uint64_t cycles = sum_of(process, "cycles");
  const std::uint64_t ticks = sum_of(process, "samples");
  const auto report = [&](const std::string& format) {
    return answer({"report", "exact.json", guest("split75"), "--format=" + format});
  };
  EXPECT_EQ(sum_of_lines(report("folded")), cycles);
  EXPECT_EQ(sum_of_lines(report("folded-ticks")), ticks);
  const json speedscope = json::parse(report("speedscope"));
  EXPECT_EQ(speedscope.at("profiles").at(0).at("endValue"), cycles);
  EXPECT_EQ(speedscope.at("profiles").at(1).at("endValue"), ticks);
  const auto weights = [](const json& thread) {
    const json& all = thread.at("samples").at("weight");
    return std::accumulate(
        all.begin(), all.end(), std::uint64_t{0},
        [](std::uint64_t sum, const json& each) { return sum + each.get<std::uint64_t>(); });
  };
  const json firefox = json::parse(report("firefox"));
  EXPECT_EQ(weights(firefox.at("threads").at(0)), cycles);
  EXPECT_EQ(weights(firefox.at("threads").at(1)), ticks);
  std::uint64_t table_cycles = 0;
  const json table = json::parse(report("json"));
  for (const json& row : table.at("rows")) table_cycles += row.at("cycles").get<std::uint64_t>();
  EXPECT_EQ(table_cycles, cycles);
  const std::string summary =
      "\nsummary: " + std::to_string(cycles) + " " + std::to_string(ticks) + "\n";
  EXPECT_TRUE(contains(report("callgrind"), summary));
}

TEST_F(Viewers, OthersToolsReadThem) {
  const json exact = profile_split75();
  const std::uint64_t cycles = sum_of(exact.at("processes").at(0), "cycles");
  for (const std::string name : {"p.svg", "callgrind.out.1", "p.pb.gz", "p.gmon"}) {
    answer({"report", "exact.json", guest("split75"), "--output=" + name});
  }
  told({"xmllint", "--noout", path("p.svg")});
  told({"gzip", "-t", path("p.pb.gz")});
  std::string total = std::to_string(cycles);
  for (std::size_t at = total.size(); at > 3;) total.insert(at -= 3, ",");
  const std::string annotated =
      told({"callgrind_annotate", "--tree=both", path("callgrind.out.1")});
  EXPECT_TRUE(contains(annotated, total + " (100.0%)")) << annotated;
  EXPECT_TRUE(contains(annotated, "hot")) << annotated;
  const std::string top = told({"env", "HOME=" + folder(), "go", "tool", "pprof", "-top",
                                "-sample_index=cycles", path("p.pb.gz")});
  EXPECT_TRUE(contains(top, "Total samples = " + std::to_string(cycles))) << top;
  EXPECT_TRUE(std::regex_search(top, std::regex("7[45]\\.[0-9]+%  hot\n"))) << top;
  EXPECT_TRUE(
      contains(told({"mips-linux-gnu-gprof", "-b", guest("split75"), path("p.gmon")}), "hot"));
}

// main calls hot a thousand times and warm twice as often; gprof's graph, "calls/all calls" in the
// lines of the callers, knows it from the arcs that are written for it.
TEST_F(Viewers, GprofShowsTheExactCalls) {
  json exact = profile_split75();
  const auto symbols = parse_nm(told({"mips-linux-gnu-nm", guest("split75")}));
  const auto address = [&](const char* name, unsigned offset) {
    char text[11];
    std::snprintf(text, sizeof text, "0x%08x", symbols.at(name) + offset);
    return std::string(text);
  };
  json& process = exact["processes"][0];
  process["call_tree"] = {{-1, address("main", 0), 1, 60, 0},
                          {0, address("hot", 0), 1000, 30, 0},
                          {0, address("warm", 0), 2000, 10, 0}};
  process["call_arcs"] = {{address("main", 16), address("hot", 0), 1000, 30},
                          {address("main", 24), address("warm", 0), 1500, 8},
                          {address("main", 32), address("warm", 0), 500, 2}};
  exact["version"] = 2;
  write("calls.json", exact.dump());
  answer({"report", "calls.json", guest("split75"), "--output=p.gmon"});
  const std::string graph =
      told({"mips-linux-gnu-gprof", "-b", "-q", guest("split75"), path("p.gmon")});
  EXPECT_TRUE(std::regex_search(graph, std::regex(" 1000/1000 +main "))) << graph;
  EXPECT_TRUE(std::regex_search(graph, std::regex(" 2000/2000 +main "))) << graph;
  EXPECT_TRUE(std::regex_search(graph, std::regex(" 1000/1000 +hot "))) << graph;
}

TEST_F(Viewers, OutputsThatCannotBeWrittenAreSaid) {
  const std::string program = guest("split75");
  expect_complaint(hardclock({"disasm", program, "--output=/dev/full"}), {"/dev/full", "No space"});
  expect_complaint(hardclock({"disasm", program, "--output=nowhere/x"}), {"nowhere/x"});
  expect_complaint(hardclock({"cpus", "--format=csv", "--output=/dev/full"}), {"/dev/full"});
  expect_complaint(hardclock({"systems", "--compare", "--format=csv"}), {"'csv'", "text"});
  // A mistake leaves the file as it is.
  write("old", "old");
  profile_split75();
  expect_complaint(
      hardclock({"report", "exact.json", program, "--annotate=nobody", "--output=old"}),
      {"nobody"});
  EXPECT_EQ(read("old"), "old");
}

// A run without a tick, which mon.out has no place for: what the run saw is not lost.
TEST_F(Viewers, WhatAFormatCannotHoldIsKept) {
  const Finished run = hardclock({"run", "--profile=mon.out", guest("split75"), "1"});
  EXPECT_EQ(run.status, own_failure);
  EXPECT_TRUE(contains(run.err, "--profile: no tick was charged")) << run.err;
  EXPECT_TRUE(contains(run.err, "mon.out is hardclock's JSON instead")) << run.err;
  EXPECT_TRUE(contains(answer({"report", "mon.out", guest("split75")}), "hot"));
}

// docs/profile.schema.json, by Debian's validator; it refuses what report refuses.
TEST_F(Viewers, ProfilesKeepToTheSchema) {
  // The test runs in the tree of its files, hardclock and others in folder().
  const std::string schema = std::filesystem::absolute("docs/profile.schema.json");
  const std::string validate =
      "import json, sys, jsonschema; s = json.load(open(sys.argv[1])); "
      "jsonschema.Draft7Validator.check_schema(s); "
      "jsonschema.Draft7Validator(s).validate(json.load(open(sys.argv[2])))";
  const auto is_valid = [&](const std::string& name) {
    return other_program({"python3", "-c", validate, schema, path(name)}).status == 0;
  };
  json exact = profile_split75();
  EXPECT_TRUE(is_valid("exact.json"));
  answer({"run", "--profile=fork.json", guest("forkprof")});
  EXPECT_TRUE(is_valid("fork.json"));
  answer({"run", guest("split75"), "100"});
  answer({"report", "mon.out", guest("split75"), "--output=counters.json"});
  EXPECT_TRUE(is_valid("counters.json"));
  exact["processes"][0]["call_tree"] = {{-1, "0x004000b0", 1, 2, 3}};
  exact["processes"][0]["call_arcs"] = {{"0x004000b0", "0x004000b0", 1, 2}};
  exact["version"] = 2;
  write("calls.json", exact.dump());
  EXPECT_TRUE(is_valid("calls.json"));
  exact["version"] = 1;
  write("version.json", exact.dump());
  EXPECT_FALSE(is_valid("version.json"));
  exact["version"] = 2;
  exact["processes"][0]["call_tree"] = {{-1, "0x004000b0", 1, 2}};
  write("short.json", exact.dump());
  EXPECT_FALSE(is_valid("short.json"));
}

// The same options and rules in all commands.
TEST_F(Viewers, FormatAndOutputAreAlikeEverywhere) {
  profile_split75();
  const std::string program = guest("split75");
  const std::vector<std::pair<std::vector<std::string>, std::string>> tables = {
      {{"diff", "exact.json", program, "exact.json"}, "difference"},
      {{"syscalls", "--os=irix"}, "syscalls"},
      {{"cpus"}, "cpus"},
      {{"cpus", "r3000"}, "cpu"},
      {{"systems"}, "systems"},
      {{"systems", "v7"}, "rules"},
  };
  for (const auto& [command, name] : tables) {
    const auto with = [command = command](const std::vector<std::string>& options) {
      std::vector<std::string> all = command;
      all.insert(all.end(), options.begin(), options.end());
      return all;
    };
    const std::string text = answer(command);
    EXPECT_EQ(answer(with({"--format=text"})), text);
    EXPECT_EQ(answer(with({"--output=t.txt"})), "");
    EXPECT_EQ(read("t.txt"), text);
    const std::string data = answer(with({"--format=json"}));
    const json table = json::parse(data);
    EXPECT_EQ(table.at("table"), name);
    EXPECT_GT(table.at("rows").size(), 0U);
    answer(with({"--output=t.json"}));
    EXPECT_EQ(read("t.json"), data);
    answer(with({"--format=csv", "--output=t"}));
    EXPECT_EQ(lines_of(read("t")).size(), table.at("rows").size() + 1) << name;
    expect_complaint(hardclock(with({"--format=xml"})), {"--format", "'xml'", "text, json, csv"});
    expect_complaint(hardclock(with({"--output=t.pdf"})), {"t.pdf", ".csv", "--format"});
  }
  EXPECT_EQ(answer({"disasm", program, "--output=d.txt"}), "");
  EXPECT_EQ(read("d.txt"), answer({"disasm", program}));
  EXPECT_EQ(answer({"report", "exact.json", program, "--annotate=hot", "--output=a"}), "");
  EXPECT_EQ(read("a"), answer({"report", "exact.json", program, "--annotate=hot"}));
}

// Search, arrow keys and zoom of the flame graph.
TEST_F(Viewers, ThePageWorksInABrowser) {
  if (!has_browser()) GTEST_SKIP() << "no chromium";
  answer({"run", "--profile=p.html", guest("split75"), "1000"});
  const std::vector<std::string> seen = seen_in_browser(read("p.html"), R"(
const press = key => flame.dispatchEvent(new KeyboardEvent('keydown', { key }));
const shown = () => boxes.filter(visible).map(b => b.name.replace(/:.*/, '')).join(' ');
search.value = 'warm'; search.dispatchEvent(new Event('input'));
seen.push(says.textContent, boxes.filter(b => b.e.classList.contains('found')).length);
const hot = boxes.find(b => b.name.startsWith('hot:'));
hot.e.firstElementChild.dispatchEvent(new MouseEvent('click', { bubbles: true }));
seen.push(says.textContent, hot.e.getAttribute('width'), shown());
press('Escape'); seen.push(boxes.every(visible));
press('ArrowUp'); seen.push(says.textContent);
press('ArrowDown'); press('ArrowRight'); press('ArrowLeft'); seen.push(says.textContent);)");
  ASSERT_EQ(seen.size(), 8U);
  EXPECT_TRUE(seen[0].starts_with("1 of ")) << seen[0];
  EXPECT_EQ(seen[1], "1");
  EXPECT_TRUE(seen[2].starts_with("hot: ")) << seen[2];
  EXPECT_EQ(seen[3], "100%");
  EXPECT_TRUE(contains(seen[4], "main hot")) << seen[4];
  EXPECT_FALSE(contains(seen[4], "warm")) << seen[4];
  EXPECT_EQ(seen[5], "true");
  EXPECT_TRUE(seen[6].starts_with("main: ")) << seen[6];
  EXPECT_NE(seen[7], "");
}

// The text of --os=irix's call 1 in each form.
TEST_F(Viewers, TablesHaveTheSameContents) {
  const json table = json::parse(answer({"syscalls", "--os=irix", "--format=json"}));
  const json& first = table.at("rows").at(0);
  EXPECT_TRUE(
      contains(answer({"syscalls", "--os=irix"}), first.at("prototype").get<std::string>()));
  const json cpus = json::parse(answer({"cpus", "--format=json"}));
  const auto r3000 = std::find_if(cpus.at("rows").begin(), cpus.at("rows").end(),
                                  [](const json& row) { return row.at("name") == "r3000"; });
  ASSERT_NE(r3000, cpus.at("rows").end());
  EXPECT_EQ(r3000->at("hz"), 33'000'000);
  const json systems = json::parse(answer({"systems", "--format=json"}));
  EXPECT_TRUE(std::any_of(
      systems.at("rows").begin(), systems.at("rows").end(),
      [](const json& row) { return row.at("name") == "v7" && row.at("tick_hz") == 60; }));
}

}  // namespace
}  // namespace hardclock::cli_test
