// run --digest: engines that agree, and only those, have the same lines.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

using Words = std::vector<std::string>;

struct Case {
  const char* name;
  const char* program;
  const char* processor;
  std::uint64_t every = 50'000;
};

const Case cases[] = {
    {"Plain", "compute", "--cpu=mips2"},
    {"R4400", "floats", "--cpu=r4400"},
    {"Indigo", "forkprof", "--machine=indigo"},
    {"Indigo2", "split75", "--machine=indigo2-r4400"},
    {"Indy", "compute_little", "--machine=indy-r4600"},
    {"O2", "sigprof", "--machine=o2"},
    {"Octane", "processes", "--machine=octane", 20'000},
    {"Pa712", "hppa/hpux/signals", "--machine=712-80", 1000},
    {"C180", "hppa/hpux/split75", "--machine=c180", 200'000},
    {"Rx2600", "ia64/prebuilt/split75_32", "--machine=rx2600-900", 200'000},
    {"I2000", "ia64/prebuilt/processes", "--machine=i2000", 500},
};

class DigestTest : public CommandTest {
 protected:
  // The lines of numbers. A run is over after four million cycles, if not before.
  std::vector<std::string> lines(const Case& one, const Words& more = {},
                                 const std::string& every = "") {
    Words words = {"run", "--max-cycles=4M", one.processor,
                   "--digest=log@" + (every.empty() ? std::to_string(one.every) : every)};
    words.insert(words.end(), more.begin(), more.end());
    words.push_back(guest(one.program));
    EXPECT_FALSE(hardclock(words).crashed);
    std::vector<std::string> found;
    std::istringstream text(read("log"));
    for (std::string line; std::getline(text, line);) {
      if (line.find('#') == std::string::npos) found.push_back(line);
    }
    return found;
  }
};

class Engines : public DigestTest, public testing::WithParamInterface<Case> {};

INSTANTIATE_TEST_SUITE_P(All, Engines, testing::ValuesIn(cases),
                         [](const auto& one) { return one.param.name; });

TEST_P(Engines, AreInTheSameState) {
  const auto expected = lines(GetParam(), {"--engine=interpreter"});
  EXPECT_GT(expected.size(), 15U);
  EXPECT_EQ(lines(GetParam(), {"--engine=translator"}), expected);
  EXPECT_EQ(lines(GetParam(), {"--engine=translator,0"}), expected);
}

// Where both stop they are in the same state; the limit alone is no neutral stop.
TEST_P(Engines, AreInTheSameStateHoweverOftenTheyStop) {
  std::map<std::string, std::string> states;  // by cycle
  const auto add = [&](const std::vector<std::string>& all) {
    std::size_t known = 0;
    for (std::size_t i = 0; i + 2 < all.size(); ++i) {
      const std::string cycle = all[i].substr(0, 16);
      const auto [at, is_new] = states.emplace(cycle, all[i]);
      EXPECT_EQ(at->second, all[i]);
      known += is_new ? 0 : 1;
    }
    return known;
  };
  add(lines(GetParam()));
  const std::string twice = std::to_string(GetParam().every / 2);
  EXPECT_GT(add(lines(GetParam(), {}, twice)), 10U);
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream text(line);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

// A program that is given other arguments is in another state from the start: its stack differs.
TEST_F(DigestTest, OtherRunsAreInOtherStates) {
  hardclock({"run", "--machine=indigo", "--max-cycles=1k", "--digest=one", guest("compute")});
  hardclock({"run", "--machine=indigo", "--max-cycles=1k", "--digest=other", guest("compute"),
             "an argument"});
  const auto first_of = [&](const std::string& file) {
    std::istringstream text(read(file));
    std::string line;
    std::getline(text, line);
    std::getline(text, line);
    return words_of(line);
  };
  const auto one = first_of("one"), other = first_of("other");
  ASSERT_EQ(one.size(), 7U);
  ASSERT_EQ(other.size(), 7U);
  EXPECT_EQ(one[1], "0");
  EXPECT_NE(one[2], other[2]);
  EXPECT_NE(one[5], other[5]) << "memory";
}

TEST_F(DigestTest, TicksAreItsPlacesUnlessItIsToldOthers) {
  hardclock({"run", "--cpu=r3000", "--max-cycles=2M", "--digest=log", guest("split75")});
  std::istringstream text(read("log"));
  std::string line;
  std::getline(text, line);
  EXPECT_NE(line.find("# cycle"), std::string::npos);
  for (std::uint64_t tick = 0; tick < 6; ++tick) {
    ASSERT_TRUE(std::getline(text, line));
    const std::uint64_t cycle = std::stoull(words_of(line).front());
    EXPECT_GE(cycle, tick * 330'000);  // 33 MHz, 100 ticks a second
    EXPECT_LT(cycle, tick * 330'000 + 100);
  }
}

TEST_F(DigestTest, RefusesWhatItCannotDo) {
  for (const char* const wrong : {"@5", "log@", "log@0", "log@often"}) {
    expect_complaint(hardclock({"run", std::string("--digest=") + wrong, guest("compute")}),
                     {"--digest needs FILE[@EVERY]"});
  }
  expect_complaint(hardclock({"run", "--digest=none/log", guest("compute")}), {"none/log"});
  expect_complaint(hardclock({"run", "--digest=same", "--stats=same", guest("compute")}),
                   {"--stats and --digest both write 'same'"});
}

}  // namespace
}  // namespace hardclock::cli_test
