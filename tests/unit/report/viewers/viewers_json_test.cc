// speedscope's and Firefox Profiler's JSON: by the rules of their published formats, as nlohmann's
// parser sees it. Figures are sorting.h's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "sim/report/viewers/viewers.h"
#include "tests/unit/report/viewers/sorting.h"

namespace hardclock::report {
namespace {

using nlohmann::json;

std::uint64_t sum_of(const json& numbers) {
  return std::accumulate(
      numbers.begin(), numbers.end(), std::uint64_t{0},
      [](std::uint64_t sum, const json& each) { return sum + each.get<std::uint64_t>(); });
}

// speedscope.app/file-format-schema.json: FileFormat.File, Frame and SampledProfile, with all that
// they require and nothing that they do not have.
void expect_speedscope(const json& file) {
  EXPECT_EQ(file.at("$schema"), "https://www.speedscope.app/file-format-schema.json");
  for (const auto& [key, value] : file.items()) {
    EXPECT_TRUE((std::set<std::string>{"$schema", "shared", "profiles", "name",
                                       "activeProfileIndex", "exporter"}
                     .count(key)))
        << key;
  }
  const json& frames = file.at("shared").at("frames");
  for (const json& frame : frames) {
    EXPECT_TRUE(frame.at("name").is_string());
    for (const auto& [key, value] : frame.items()) EXPECT_TRUE(key == "name" || key == "file");
  }
  EXPECT_LT(file.at("activeProfileIndex"), file.at("profiles").size());
  for (const json& profile : file.at("profiles")) {
    EXPECT_EQ(profile.size(), 7U);
    EXPECT_EQ(profile.at("type"), "sampled");
    EXPECT_EQ(profile.at("unit"), "none");
    EXPECT_EQ(profile.at("startValue"), 0);
    EXPECT_EQ(profile.at("endValue"), sum_of(profile.at("weights")));
    ASSERT_EQ(profile.at("samples").size(), profile.at("weights").size());
    for (const json& sample : profile.at("samples")) {
      for (const json& frame : sample) EXPECT_LT(frame.get<std::size_t>(), frames.size());
    }
  }
}

TEST(Speedscope, CyclesAndTicks) {
  const json file = json::parse(*to_speedscope(graph_of_sorting()));
  expect_speedscope(file);
  EXPECT_EQ(file.at("name"), "s \"1\"");
  ASSERT_EQ(file.at("profiles").size(), 2U);
  EXPECT_EQ(file.at("profiles").at(0).at("name"), "cycles");
  EXPECT_EQ(file.at("profiles").at(0).at("weights"), json({10, 20, 30, 25, 15, 4}));
  EXPECT_EQ(file.at("profiles").at(1).at("weights"), json({1, 2, 3, 3, 1}));
  const json& frames = file.at("shared").at("frames");
  std::string path;
  for (const json& frame : file.at("profiles").at(0).at("samples").at(3)) {
    path += frames.at(frame.get<std::size_t>()).at("name").get<std::string>() + "/";
  }
  EXPECT_EQ(path, "main/sort<a;b>/sort<a;b>/less/");
}

TEST(Speedscope, WithoutCycles) {
  const Profile profile = flat_profile_of_sorting();
  const json file = json::parse(*to_speedscope(call_graph(profile, symbols_of_sorting(), nullptr)));
  expect_speedscope(file);
  ASSERT_EQ(file.at("profiles").size(), 1U);
  EXPECT_EQ(file.at("profiles").at(0).at("endValue"), 10);
}

// A table is an object of columns, each with `length` items.
void expect_table(const json& table, const std::set<std::string>& columns) {
  std::set<std::string> found;
  for (const auto& [key, value] : table.items()) {
    if (key == "length") continue;
    found.insert(key);
    EXPECT_EQ(value.size(), table.at("length")) << key;
  }
  EXPECT_EQ(found, columns);
}

// src/types/profile.ts as of version 60 of docs-developer/CHANGELOG-formats.md.
void expect_firefox(const json& file) {
  const json& shared = file.at("shared");
  EXPECT_EQ(file.at("meta").at("preprocessedProfileVersion"), 60);
  EXPECT_EQ(file.at("meta").at("categories").at(0).at("color"), "grey");
  expect_table(shared.at("stackTable"), {"frame", "prefix"});
  expect_table(shared.at("frameTable"),
               {"address", "inlineDepth", "category", "subcategory", "func", "nativeSymbol",
                "innerWindowID", "line", "column"});
  expect_table(shared.at("funcTable"), {"name", "isJS", "relevantForJS", "resource", "source",
                                        "lineNumber", "columnNumber"});
  expect_table(shared.at("resourceTable"), {"lib", "name", "host", "type"});
  expect_table(shared.at("nativeSymbols"), {"libIndex", "address", "name", "functionSize"});
  expect_table(shared.at("sources"), {"uuid", "filename"});
  const json& stacks = shared.at("stackTable");
  for (std::size_t i = 0; i < stacks.at("length"); ++i) {
    const json& prefix = stacks.at("prefix").at(i);
    EXPECT_TRUE(prefix.is_null() || prefix.get<std::size_t>() < i) << "parents come first";
    EXPECT_LT(stacks.at("frame").at(i), shared.at("frameTable").at("length"));
  }
  for (const json& name : shared.at("funcTable").at("name")) {
    EXPECT_LT(name, shared.at("stringArray").size());
  }
  for (const json& resource : shared.at("funcTable").at("resource")) {
    EXPECT_TRUE(resource == -1 || resource < shared.at("resourceTable").at("length"));
  }
  for (const json& thread : file.at("threads")) {
    EXPECT_TRUE(thread.at("pid").is_string());
    const json& samples = thread.at("samples");
    EXPECT_EQ(samples.at("weightType"), "samples");
    for (const char* const column : {"stack", "time", "weight"}) {
      EXPECT_EQ(samples.at(column).size(), samples.at("length"));
    }
    EXPECT_TRUE(std::is_sorted(samples.at("time").begin(), samples.at("time").end()));
  }
}

TEST(Firefox, CyclesAndTicks) {
  const json file = json::parse(*to_firefox(graph_of_sorting()));
  expect_firefox(file);
  ASSERT_EQ(file.at("threads").size(), 2U);
  EXPECT_EQ(file.at("threads").at(0).at("samples").at("weight"), json({10, 20, 30, 25, 15, 4}));
  EXPECT_EQ(file.at("threads").at(1).at("samples").at("weight"), json({1, 2, 3, 3, 1}));
  EXPECT_EQ(file.at("threads").at(1).at("samples").at("time"), json({0, 10, 30, 60, 90}));
  ASSERT_EQ(file.at("libs").size(), 2U);
  EXPECT_EQ(file.at("libs").at(1).at("path"), "/lib/l.so");
}

TEST(Firefox, WithoutCallsAndCycles) {
  const Profile profile = flat_profile_of_sorting();
  const json file = json::parse(*to_firefox(call_graph(profile, symbols_of_sorting(), nullptr)));
  expect_firefox(file);
  ASSERT_EQ(file.at("threads").size(), 1U);
  EXPECT_EQ(sum_of(file.at("threads").at(0).at("samples").at("weight")), 10U);
}

}  // namespace
}  // namespace hardclock::report
