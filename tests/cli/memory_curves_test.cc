// What memory does on each machine (tests/timing/memory.json): a load takes what its level takes,
// by the size of the array; and no loop moves more bytes a second than the machine's bus or memory
// was published to.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr double megabyte = 1.048576;  // of 2^20 bytes, as bw_mem prints it, in 10^6 bytes

Json machines() {
  return Json::parse(read_file("tests/timing/memory.json")).at("machines");
}

class MemoryCurves : public CommandTest {
 protected:
  // The figures of lat_mem_rd or bw_mem on a machine, by name.
  std::map<std::string, double> measure(const Json& machine, const std::string& test,
                                        const std::vector<std::string>& arguments) {
    std::string program = machine.at("programs");
    program.replace(program.find("%s"), 2, test);
    std::vector<std::string> command = {
        "run", "--machine=" + machine.at("machine").get<std::string>(), guest(program)};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const Finished finished = hardclock(command);
    EXPECT_EQ(finished.status, 0) << finished.err;
    std::map<std::string, double> figures;
    std::istringstream words(finished.out);
    std::string name, unit;
    for (double value = 0; words >> name >> value >> unit;) figures[name] = value;
    return figures;
  }

  void expect_within_peaks(const Json& machine, const std::vector<std::string>& arguments) {
    const auto figures = measure(machine, "bw_mem", arguments);
    const double read = figures.at("read") * megabyte;
    const double moved =
        std::max({read, figures.at("write") * megabyte * machine.at("write").get<double>(),
                  figures.at("copy") * megabyte * machine.at("copy").get<double>()});
    for (const Json& peak : machine.at("peaks")) {
      if (peak.at("mb_per_s").is_null()) continue;
      EXPECT_LE(peak.at("of") == "read" ? read : moved, peak.at("mb_per_s").get<double>())
          << peak.at("of") << ": " << peak.at("source");
    }
  }
};

// Where loads are answered, in the order in which arrays outgrow it.
int rank(const std::string& level) {
  const std::vector<std::string> levels = {"l1", "l2", "l3", "memory"};
  const std::string name = level.substr(0, level.find(' '));
  return static_cast<int>(std::find(levels.begin(), levels.end(), name) - levels.begin());
}

// A level takes more than the one before it by so much that the figures' tolerance cannot hide it.
void expect_steps_upwards(const Json& curve) {
  for (std::size_t i = 1; i < curve.size(); ++i) {
    const Json& before = curve[i - 1];
    const Json& step = curve[i];
    const int up = rank(step.at("level")) - rank(before.at("level"));
    EXPECT_GE(up, 0) << step;
    EXPECT_GT(step.at("from_kb"), before.at("to_kb")) << step;
    EXPECT_GT(step.at("ns"), before.at("ns").get<double>() * (up > 0 ? 1.1 : 0.98)) << step;
  }
}

TEST_F(MemoryCurves, EveryMachineHasItsOwn) {
  std::vector<std::string> known, described;
  bool is_machine = false;
  for (const std::string& line : lines_of(hardclock({"cpus"}).out)) {
    if (is_machine && !line.empty()) known.push_back(line.substr(0, line.find(' ')));
    is_machine = is_machine || line.starts_with("machines");
  }
  for (const Json& machine : machines()) described.push_back(machine.at("machine"));
  EXPECT_EQ(described, known);
}

// Those that are not published are what the rows make.
TEST_F(MemoryCurves, FollowFromTheRows) {
  const std::string committed = read_file("tests/timing/memory.json");
  write("memory.json", committed);
  const Finished tool = other_program({fs::absolute("tools/memory-curves").string(), "--hardclock",
                                       hardclock_path(), path("memory.json")});
  EXPECT_EQ(tool.status, 0);
  EXPECT_EQ(tool.err, "");
  EXPECT_EQ(read("memory.json"), committed);
}

TEST_F(MemoryCurves, LoadsTakeWhatTheirLevelTakes) {
  for (const Json& machine : machines()) {
    SCOPED_TRACE(machine.at("machine"));
    std::vector<std::string> arguments = {"8192"};
    for (const auto& [stride, curve] : machine.at("curves").items()) arguments.push_back(stride);
    const auto figures = measure(machine, "lat_mem_rd", arguments);
    for (const auto& [stride, curve] : machine.at("curves").items()) {
      expect_steps_upwards(curve);
      for (const Json& step : curve) {
        const double ns = step.at("ns");
        for (int kb = step.at("from_kb"); kb <= step.at("to_kb"); kb *= 2) {
          const std::string name = "load." + stride + "." + std::to_string(kb * 1024);
          ASSERT_TRUE(figures.contains(name)) << name;
          EXPECT_NEAR(figures.at(name), ns, std::max(0.02 * ns, 0.2)) << name << ": " << step;
        }
      }
    }
  }
}

TEST_F(MemoryCurves, NothingIsFasterThanItsBusOrMemory) {
  for (const Json& machine : machines()) {
    SCOPED_TRACE(machine.at("machine"));
    expect_within_peaks(machine, {"8"});
    const Json& line = machine.at("line");
    if (!line.is_null()) expect_within_peaks(machine, {"8", std::to_string(line.get<int>())});
  }
}

}  // namespace
}  // namespace hardclock::cli_test
