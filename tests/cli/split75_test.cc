// The demo measured three ways: the counters that the guest's own profil(2) buffer got, the samples
// that hardclock took from outside, and the exact cycles. split75.c says what must come out: hot
// takes three times the time of warm.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/cli/command_test.h"
#include "tests/cli/profile_files.h"

namespace hardclock::cli_test {
namespace {

struct Demo {
  std::string program;
  bool little_endian;
  const char* rounds;  // 11000 is what tools/demo runs, 1000 half a second of the guest's time
};

class Split75 : public CommandTest, public ::testing::WithParamInterface<Demo> {
 protected:
  void SetUp() override {
    const std::string program = guest(GetParam().program);
    run_ = hardclock({"run", "--stats=stats.json", "--profile=p.json", program, GetParam().rounds});
    ASSERT_EQ(run_.status, 0) << run_.err;
    stats_ = nlohmann::json::parse(read("stats.json"));
    const nlohmann::json profile = nlohmann::json::parse(read("p.json"));
    ASSERT_EQ(profile.at("processes").size(), 1U);
    samples_ = counts_of(profile.at("processes")[0], "samples");
    cycles_ = counts_of(profile.at("processes")[0], "cycles");
    mon_ = parse_mon_out(read("mon.out"), GetParam().little_endian);
    symbols_ = parse_nm(other_program({"mips-linux-gnu-nm", program}).out);
    ASSERT_EQ(symbols_.count("hot") + symbols_.count("warm") + symbols_.count("end_of_warm"), 3U);
  }

  const nlohmann::json& ticks() const { return stats_.at("programs")[0].at("ticks"); }

  Finished run_;
  nlohmann::json stats_;
  Counts samples_;
  Counts cycles_;
  MonOut mon_;
  std::map<std::string, std::uint32_t> symbols_;
};

// Sampling theory: n samples taken at equal distances count a part that takes the share s of the
// time s*n times, give or take one for each stretch of it that a distance straddles; split75's
// steps are chosen so that the errors do not add up (split75.c).
TEST_P(Split75, FunctionsGetTheTicksOfTheirTime) {
  const std::pair<std::uint32_t, std::uint32_t> functions[] = {
      {symbols_["hot"], symbols_["warm"]}, {symbols_["warm"], symbols_["end_of_warm"]}};
  for (const auto& [low, high] : functions) {
    const double share =
        static_cast<double>(sum(cycles_, low, high)) / static_cast<double>(sum(cycles_));
    const double due = share * static_cast<double>(sum(samples_));
    EXPECT_NEAR(static_cast<double>(sum(samples_, low, high)), due, 1.0);
  }
  const double hot = static_cast<double>(sum(cycles_, symbols_["hot"], symbols_["warm"]));
  const double warm = static_cast<double>(sum(cycles_, symbols_["warm"], symbols_["end_of_warm"]));
  EXPECT_NEAR(hot / (hot + warm), 0.75, 0.001);
}

// 33 MHz and 100 Hz are the R3000's clock in `hardclock cpus` and System V's CLK_TCK.
TEST_P(Split75, EveryTickIsCountedOnce) {
  EXPECT_EQ(stats_.at("clock_hz"), 33'000'000);
  EXPECT_EQ(stats_.at("tick_hz"), 100);
  const std::uint64_t cycles = stats_.at("elapsed_cycles");
  EXPECT_EQ(stats_.at("clock_ticks"), cycles / 330'000);
  EXPECT_EQ(ticks().at("user"), stats_.at("clock_ticks"));
  EXPECT_EQ(ticks().at("system"), 0);
  EXPECT_EQ(sum(samples_), ticks().at("user"));
  EXPECT_EQ(sum(cycles_), cycles);
}

// profil(2): the counters are the program's own memory; it wrote them to mon.out.
TEST_P(Split75, GuestCountersAreTheSamples) {
  EXPECT_EQ(mon_.low, symbols_["_ftext"]);
  EXPECT_EQ(mon_.counters.size(), (mon_.high - mon_.low) / 4);
  EXPECT_EQ(sum(mon_.by_address()), ticks().at("charged"));
  // Profiling is on all the time but for a few thousand instructions at both ends, less than a
  // tick.
  EXPECT_EQ(ticks().at("charged"), ticks().at("user"));
  EXPECT_EQ(mon_.by_address(), samples_);
}

TEST_P(Split75, GuestPrintsItsCounters) {
  const Counts counters = mon_.by_address();
  EXPECT_TRUE(contains(
      run_.out,
      "hot " + std::to_string(sum(counters, symbols_["hot"], symbols_["warm"])) + " ticks, warm "))
      << run_.out;
  EXPECT_EQ(run_.err, "");
}

INSTANTIATE_TEST_SUITE_P(Demos, Split75,
                         ::testing::Values(Demo{"prebuilt/split75", false, "11000"},
                                           Demo{"split75", false, "1000"},
                                           Demo{"split75_little", true, "1000"}),
                         [](const auto& demo) { return replace(demo.param.program, "/", "_"); });

}  // namespace
}  // namespace hardclock::cli_test
