// What a JSON file may cost: one line that names the limit, and memory that stays in proportion.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

std::string repeated(std::string_view part, std::size_t count) {
  std::string text;
  text.reserve(part.size() * count);
  for (std::size_t i = 0; i < count; ++i) text += part;
  return text;
}

class JsonBounds : public CommandTest {
 protected:
  void expect_refused(const std::vector<std::string>& arguments,
                      const std::vector<std::string>& words) const {
    const Finished run = hardclock(arguments);
    expect_complaint(run, words);
    EXPECT_LT(run.peak_bytes, 512 * mebibyte);
  }
};

TEST_F(JsonBounds, CaseFiles) {
  write("values.json", "{\"cases\":[" + repeated("0,", 2'000'000) + "0]}");
  expect_refused({"conform", "values.json"}, {"values.json:1", "more than 1000000 values"});
  write("deep.json", repeated("[", 4 * mebibyte));
  expect_refused({"conform", "deep.json"}, {"deep.json:1", "deeper than 64 levels"});
  write("large.json", "{\"cases\":[" + repeated(" ", 4 * mebibyte) + "]}");
  expect_refused({"conform", "large.json"}, {"large.json", "larger than 4 MiB"});
}

TEST_F(JsonBounds, Profiles) {
  const std::string program = guest("compute");
  write("values.json", "{\"processes\":[" + repeated("0,", 32 * mebibyte) + "0]}");
  expect_refused({"report", "values.json", program}, {"values.json", "more than 8000000 values"});
  std::string members = "{";
  for (int i = 0; i < 1'100'000; ++i) members += "\"" + std::to_string(i) + "\":0,";
  write("members.json", members + "\"x\":0}");
  expect_refused({"report", "members.json", program},
                 {"members.json", "more than 1000000 members"});
  write("deep.json", "{\"processes\":" + repeated("[", 20 * mebibyte));
  expect_refused({"report", "deep.json", program}, {"deep.json", "deeper than 64 levels"});
  write("huge.json", "{\"");
  std::filesystem::resize_file(path("huge.json"), 1025 * mebibyte);
  expect_refused({"report", "huge.json", program}, {"huge.json", "larger than 1024 MiB"});
}

// docs/profiles.md has no limit on a program's size, so what a run wrote can be read.
TEST_F(JsonBounds, ProfilesOfMillionsOfInstructions) {
  constexpr int instructions = 3'000'000;
  std::string cycles;
  for (int i = 0; i < instructions; ++i) {
    char line[32];
    std::snprintf(line, sizeof line, "%s\"0x%08x\": 1", i == 0 ? "" : ",\n", 0x400000 + 4 * i);
    cycles += line;
  }
  write("large.json",
        R"({"format": "hardclock-profile", "version": 1, "command": "p", "byte_order": "big",
            "address_bits": 32, "cpu_hz": 1000000, "tick_hz": 100,
            "processes": [{"pid": 1, "program": "compute", "cycles": {)" +
            cycles + "}}]}");
  const Finished run = hardclock({"report", "large.json", guest("compute")});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(contains(run.out, std::to_string(instructions))) << run.out;
  EXPECT_LT(run.peak_bytes, 512 * mebibyte);
}

}  // namespace
}  // namespace hardclock::cli_test
