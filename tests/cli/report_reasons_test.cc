// Cycles by reason, end to end: in every format that has them they are the exact cycles.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "tests/cli/command_test.h"
#include "tests/cli/profile_files.h"

namespace hardclock::cli_test {
namespace {

using nlohmann::json;

// In the order of the files' columns; the kernel's come behind them.
constexpr std::array own_reasons = {
    "issue",     "operand",      "unit", "branch",      "instruction miss",
    "data miss", "second level", "tlb",  "write buffer"};

std::string column_of(std::string reason) {
  std::ranges::replace(reason, ' ', '_');
  return reason;
}

class ReasonsOfCycles : public CommandTest {
 protected:
  void SetUp() override {
    answer({"run", "--machine=indigo2-r4400", "--calls", "--reasons", "--profile=exact.json",
            guest("bench"), "2"});
    process_ = json::parse(read("exact.json")).at("processes").at(0);
    cycles_ = sum(counts_of(process_, "cycles"));
    for (const char* const reason : own_reasons) {
      if (process_.at("reasons").contains(reason)) reasons_[reason] = sum_of(reason);
    }
    kernel_ = sum_of("kernel");
  }

  std::string answer(const std::vector<std::string>& arguments) const {
    const Finished run = hardclock(arguments);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.err, "");
    return run.out;
  }
  std::string report(std::vector<std::string> options) const {
    options.insert(options.begin(), {"report", "exact.json", guest("bench")});
    return answer(options);
  }

  std::uint64_t sum_of(const std::string& reason) const {
    return sum(counts_of(process_.at("reasons"), reason.c_str()));
  }

  // That rows of a table add up to the JSON's sums.
  void expect_sums(const json& rows) const {
    std::map<std::string, std::uint64_t> sums;
    for (const json& row : rows) {
      std::uint64_t own = 0;
      for (const std::string reason : own_reasons) {
        const auto cycles = row.at(column_of(reason)).get<std::uint64_t>();
        if (cycles != 0) sums[reason] += cycles;
        own += cycles;
      }
      EXPECT_EQ(own, row.at("cycles")) << row;
      sums["kernel"] += row.at("kernel").get<std::uint64_t>();
    }
    EXPECT_EQ(sums["kernel"], kernel_);
    sums.erase("kernel");
    EXPECT_EQ(sums, reasons_);
  }

  json process_;
  std::uint64_t cycles_ = 0;
  std::uint64_t kernel_ = 0;
  std::map<std::string, std::uint64_t> reasons_;  // those that occur, without the kernel's
};

TEST_F(ReasonsOfCycles, AreTheCyclesOfEachPc) {
  EXPECT_GE(reasons_.size(), 6U) << "this program waits for many things";
  EXPECT_GT(kernel_, 0U);
  Counts own;
  for (const auto& [reason, cycles] : reasons_) {
    for (const auto& [pc, some] : counts_of(process_.at("reasons"), reason.c_str()))
      own[pc] += some;
  }
  EXPECT_EQ(own, counts_of(process_, "cycles"));
}

TEST_F(ReasonsOfCycles, TablesAddUp) {
  const json table = json::parse(report({"--reasons", "--format=json"}));
  EXPECT_EQ(table.at("table"), "reasons");
  expect_sums(table.at("rows"));
  const auto csv = lines_of(report({"--reasons", "--format=csv"}));
  EXPECT_EQ(csv.size(), table.at("rows").size() + 1);
  EXPECT_EQ(report({"--reasons", "--output=t.csv"}), "");
  EXPECT_EQ(lines_of(read("t.csv")), csv);
}

// The words and numbers of "data miss   54860   0.2  dmiss".
TEST_F(ReasonsOfCycles, TextHasTheSums) {
  const std::string text = report({"--reasons"});
  for (const auto& [reason, cycles] : reasons_) {
    bool is_there = false;
    for (const std::string& line : lines_of(text)) {
      if (!line.starts_with(reason + " ")) continue;
      std::uint64_t said = 0;
      std::istringstream(line.substr(reason.size())) >> said;
      is_there = is_there || said == cycles;
    }
    EXPECT_TRUE(is_there) << reason << " " << cycles << "\n" << text;
  }
  for (const std::string& line : lines_of(text)) EXPECT_LE(line.size(), 80U) << line;
}

TEST_F(ReasonsOfCycles, InstructionsAddUpToTheirFunction) {
  json rows = json::array();
  const json table = json::parse(report({"--reasons", "--format=json"}));
  for (const json& row : table.at("rows")) {
    const std::string function = row.at("function").get<std::string>();
    const json listing = json::parse(report({"--annotate=" + function, "--format=json"}));
    EXPECT_EQ(listing.at("table"), "instructions");
    std::uint64_t cycles = 0;
    for (const json& each : listing.at("rows")) {
      rows.push_back(each);
      cycles += each.at("cycles").get<std::uint64_t>();
    }
    EXPECT_EQ(cycles, row.at("cycles")) << function;
  }
  expect_sums(rows);
  const std::string text = report({"--annotate=multiply"});
  EXPECT_TRUE(contains(text, "\nreasons: operand (opnd) ")) << text;
  EXPECT_TRUE(contains(text, "   ticks  reasons, %\n")) << text;
}

// The events are Cycles, Ticks, the reasons in their order, and the kernel's.
TEST_F(ReasonsOfCycles, CallgrindsEventsAddUp) {
  const std::string file = report({"--format=callgrind"});
  const bool has_lines = contains(file, "\npositions: instr line\n");
  constexpr std::size_t events = 2 + own_reasons.size() + 1;
  std::array<std::uint64_t, events> sums{};
  for (const std::string& line : lines_of(file)) {
    std::istringstream numbers(line);
    std::string position, source;
    std::array<std::uint64_t, events> costs{};
    if (!line.starts_with("0x")) continue;
    numbers >> position;
    if (has_lines) numbers >> source;
    for (std::uint64_t& cost : costs) numbers >> cost;
    if (!numbers) continue;  // of a call: it has two events
    EXPECT_EQ(costs[0], std::accumulate(costs.begin() + 2, costs.end() - 1, std::uint64_t{0}))
        << line;
    for (std::size_t i = 0; i < events; ++i) sums[i] += costs[i];
  }
  EXPECT_EQ(sums[0], cycles_);
  EXPECT_EQ(sums[events - 1], kernel_);
  std::string summary = "summary:";
  for (const std::uint64_t each : sums) summary += " " + std::to_string(each);
  EXPECT_TRUE(contains(file, "\n" + summary + "\n")) << summary;
  for (std::size_t i = 0; i < own_reasons.size(); ++i) {
    const auto found = reasons_.find(own_reasons[i]);
    EXPECT_EQ(sums[i + 2], found == reasons_.end() ? 0 : found->second) << own_reasons[i];
  }
}

TEST_F(ReasonsOfCycles, PprofsValuesAddUp) {
  report({"--output=p.pb.gz"});
  const std::string messages = std::filesystem::absolute("tests/unit/report/viewers");
  const Finished decoded = other_program({"sh", "-c",
                                          "gzip -dc p.pb.gz | protoc --decode=pprof.Profile -I " +
                                              messages + " " + messages + "/pprof.proto"});
  ASSERT_EQ(decoded.status, 0) << decoded.err;
  std::map<std::size_t, std::uint64_t> sums;  // by index of the value in its sample
  std::size_t index = 0;
  for (const std::string& line : lines_of(decoded.out)) {
    if (line.starts_with("sample {")) index = 0;
    if (line.starts_with("  value: ")) sums[index++] += std::stoull(line.substr(9));
  }
  EXPECT_EQ(sums[0], cycles_);
  EXPECT_EQ(sums[2 + own_reasons.size()], kernel_);
  for (std::size_t i = 0; i < own_reasons.size(); ++i) {
    const auto found = reasons_.find(own_reasons[i]);
    EXPECT_EQ(sums[i + 2], found == reasons_.end() ? 0 : found->second) << own_reasons[i];
  }
}

// "<span>data miss</span>54 860<b>", with narrow spaces.
TEST_F(ReasonsOfCycles, ThePageHasThemAndIsTheSameEachTime) {
  const std::string page = report({"--format=html"});
  for (const auto& [reason, cycles] : reasons_) {
    std::string digits = std::to_string(cycles);
    for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, "\xe2\x80\xaf");
    EXPECT_TRUE(contains(page, "<span>" + reason + "</span>" + digits + "<b>")) << reason;
  }
  EXPECT_TRUE(page == report({"--format=html"}));
}

TEST_F(ReasonsOfCycles, RunWritesWhatReportDoes) {
  for (const std::string name : {"callgrind.out.1", "p.pb.gz", "p.html"}) {
    answer({"run", "--machine=indigo2-r4400", "--calls", "--reasons", "--profile=" + name,
            guest("bench"), "2"});
    EXPECT_EQ(report({"--output=r." + name + (name == "callgrind.out.1" ? ".callgrind" : "")}), "");
  }
  EXPECT_TRUE(read("callgrind.out.1") == read("r.callgrind.out.1.callgrind"));
  EXPECT_TRUE(read("p.pb.gz") == read("r.p.pb.gz"));
  EXPECT_TRUE(read("p.html") == read("r.p.html"));
}

TEST_F(ReasonsOfCycles, ProfilesKeepToTheSchema) {
  const std::string schema = std::filesystem::absolute("docs/profile.schema.json");
  const std::string validate =
      "import json, sys, jsonschema; s = json.load(open(sys.argv[1])); "
      "jsonschema.Draft7Validator(s).validate(json.load(open(sys.argv[2])))";
  const auto is_valid = [&](const json& profile) {
    write("checked.json", profile.dump());
    return other_program({"python3", "-c", validate, schema, path("checked.json")}).status == 0;
  };
  json profile = json::parse(read("exact.json"));
  EXPECT_EQ(profile.at("version"), 3);
  EXPECT_TRUE(is_valid(profile));
  profile["version"] = 2;
  EXPECT_FALSE(is_valid(profile));
  profile["version"] = 3;
  profile["processes"][0]["reasons"]["boredom"] = json::object();
  EXPECT_FALSE(is_valid(profile));
}

TEST_F(ReasonsOfCycles, WhatDoesNotFitIsSaid) {
  const std::string program = guest("bench");
  answer({"run", "--profile=plain.json", program, "1"});
  expect_complaint(hardclock({"report", "plain.json", program, "--reasons"}),
                   {"--reasons", "hardclock run --reasons --profile="});
  expect_complaint(hardclock({"report", "exact.json", program, "--reasons", "--format=html"}),
                   {"--reasons answers in text, csv and json", "--format=html"});
  expect_complaint(hardclock({"report", "exact.json", program, "--reasons", "--output=t.json"}),
                   {"--reasons answers in text, csv and json", ".table.json"});
  expect_complaint(hardclock({"report", "exact.json", program, "--reasons", "--annotate"}),
                   {"--reasons", "--annotate", "exclude"});
  // Ticks of counters, reasons of the exact run.
  answer({"report", "plain.json", program, "--output=mon.out"});
  EXPECT_EQ(answer({"report", "mon.out", program, "--exact", "exact.json", "--reasons"}),
            report({"--reasons"}));
}

}  // namespace
}  // namespace hardclock::cli_test
