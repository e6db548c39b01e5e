#include "sim/timing/cpu_library.h"

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <string>

namespace hardclock {
namespace {

std::string error_of(std::span<const DescriptionFile> files) {
  const auto cpu = parse_cpu_file(files, 0);
  return cpu.ok() ? std::string() : cpu.error();
}

std::string error_of(const char* text) {
  const DescriptionFile file{"r1.timing", text};
  return error_of(std::span(&file, 1));
}

TEST(CpuFile, MistakesAreNamedByFileAndLine) {
  EXPECT_EQ(error_of("cpu r1\nclock 1 exact: x\n"), "");
  EXPECT_EQ(error_of("cpu r1\nclock x exact: x\n"),
            "r1.timing: line 2: clock needs a number of MHz, not 'x'");
  EXPECT_EQ(error_of("cpu r2\nclock 1 exact: x\n"),
            "r1.timing: describes r2; name the file after it");
  EXPECT_EQ(error_of("cpu r1\nclock 1 exact: x\nlike r0 exact: x\n"),
            "r1.timing: line 3: there is no cpu r0 to be like; name one with a .timing file here");
}

TEST(CpuFile, MistakesOfWhatItIsLikeAreNamed) {
  constexpr std::array<DescriptionFile, 2> files = {{
      {"r1.timing", "cpu r1\nclock 1 exact: x\nlike r0 exact: x\n"},
      {"r0.timing", "cpu r0\nclock x exact: x\n"},
  }};
  EXPECT_EQ(error_of(files), "r0.timing: line 2: clock needs a number of MHz, not 'x'");
}

TEST(CpuFile, HasTheRowsOfAllThatItIsLike) {
  constexpr std::array<DescriptionFile, 3> files = {{
      {"c.timing", "cpu c\nclock 1 exact: x\nlike b exact: x\n"},
      {"a.timing", "cpu a\nclock 1 exact: x\nissue 1 exact: one\n"},
      {"b.timing", "cpu b\nclock 1 exact: x\nlike a exact: x\nlike a rows class exact: x\n"},
  }};
  const auto cpu = parse_cpu_file(files, 0);
  ASSERT_TRUE(cpu.ok()) << cpu.error();
  ASSERT_EQ(cpu->rows.size(), 3U);
  EXPECT_EQ(cpu->rows[2].keyword, "issue");
  EXPECT_EQ(cpu->rows[2].of, "a");
}

constexpr std::array<DescriptionFile, 3> three = {{
    {"r1.timing", "cpu r1\ncalled one,first # not r9\nclock 1 exact: x\n"},
    {"r10.timing", "cpu r10\nclock 10 exact: x\nlike r1 exact: x\nnote is called r11\n"},
    {"bad.timing", "cpu bad\ncalled  worse\nclock x exact: x\n"},
}};

TEST(CpuLibrary, FindsByEachName) {
  CpuLibrary library(three);
  ASSERT_NE(library.find("r1"), nullptr);
  EXPECT_EQ(library.find("r1")->name, "r1");
  EXPECT_EQ(library.find("one"), library.find("r1"));
  EXPECT_EQ(library.find("first"), library.find("r1"));
  ASSERT_NE(library.find("r10"), nullptr);
  EXPECT_EQ(library.find("r10")->clock, Hertz(10'000'000));
  for (const char* const name : {"", "r", "r9", "r11", "one,first", "#", "timing", "r1.timing"}) {
    EXPECT_EQ(library.find(name), nullptr) << name;
  }
}

TEST(CpuLibrary, KeepsPlaces) {
  const std::span<const DescriptionFile> both(three.data(), 2);
  CpuLibrary library(both);
  const CpuDescription* const early = library.find("r10");
  EXPECT_EQ(&library.all()[1], early);
  EXPECT_EQ(library.find("r10"), early);
  EXPECT_EQ(library.all()[0].name, "r1");
}

TEST(CpuLibrary, AFileIsReadWhenItIsAskedFor) {
  CpuLibrary library(three);
  EXPECT_NE(library.find("r1"), nullptr);
  EXPECT_DEATH(library.find("worse"), "bad.timing: line 3: clock needs a number of MHz");
  EXPECT_DEATH(library.all(), "bad.timing: line 3: clock needs a number of MHz");
}

}  // namespace
}  // namespace hardclock
