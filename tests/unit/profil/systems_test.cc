// The registry: every system complete, and its rules comparable with the others'.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "syscalls/profil/system.h"

namespace hardclock::profil {
namespace {

// What --os takes: each finds its own system.
TEST(Systems, Names) {
  for (const SystemRules* system : systems_and_libraries()) {
    EXPECT_EQ(find_system(system->name), system) << system->name;
  }
  EXPECT_EQ(find_system("4.5bsd"), nullptr);
  EXPECT_EQ(find_system(""), nullptr);
  EXPECT_EQ(find_system("IRIX"), nullptr);
}

TEST(Systems, Complete) {
  for (const SystemRules* system : systems()) {
    SCOPED_TRACE(system->name);
    EXPECT_FALSE(system->title.empty());
    EXPECT_FALSE(system->description.empty());
    EXPECT_GT(system->tick_rate, Hertz(0));
    EXPECT_NE(system->profil, nullptr);
    EXPECT_NE(system->lookup, nullptr);
    EXPECT_NE(system->increment, nullptr);
    EXPECT_NE(system->after_fault, nullptr);
    EXPECT_NE(system->after_exec, nullptr);
    EXPECT_NE(system->after_fork, nullptr);
  }
}

// A table of differences has one line a topic.
TEST(Systems, RulesHaveTheSameTopics) {
  const std::vector<std::string_view> topics = {
      "call",    "counter", "arithmetic", "below offset", "range",       "overflow",
      "off",     "fault",   "alignment",  "tick",         "system time", "signals",
      "threads", "fork",    "vfork",      "exec"};
  for (const SystemRules* system : systems()) {
    SCOPED_TRACE(system->name);
    std::vector<std::string_view> found;
    for (const Rule& rule : system->rules) {
      found.push_back(rule.topic);
      EXPECT_FALSE(rule.rule.empty()) << rule.topic;
      EXPECT_FALSE(rule.source.empty()) << rule.topic;
    }
    EXPECT_EQ(found, topics);
  }
}

TEST(Systems, ContradictionsAreNamedOnce) {
  for (const SystemRules* system : systems()) {
    SCOPED_TRACE(system->name);
    EXPECT_FALSE(system->contradictions.empty());
    std::set<std::string_view> ids;
    for (const Contradiction& contradiction : system->contradictions) {
      EXPECT_TRUE(contradiction.id.starts_with("A-")) << contradiction.id;
      EXPECT_TRUE(ids.insert(contradiction.id).second) << contradiction.id;
      EXPECT_FALSE(contradiction.conflict.empty()) << contradiction.id;
      EXPECT_FALSE(contradiction.resolution.empty()) << contradiction.id;
    }
  }
}

// profil(2) of IRIX: 10 milliseconds; sprofil(2) of IRIX with PROF_FAST: 1 millisecond.
TEST(Systems, TickPeriod) {
  const Sprofil slow_only{};
  const Sprofil both{.region_count = nullptr, .start = nullptr, .flags = {}, .fast_flag = 4};
  const auto us = [](const Sprofil& of, std::uint32_t flags, std::uint64_t rate,
                     std::uint64_t fast_rate) {
    return tick_period(of, flags, Hertz(rate), Hertz(fast_rate)).count();
  };
  EXPECT_EQ(us(both, 1, 100, 1000), 10'000);
  EXPECT_EQ(us(both, 5, 100, 1000), 1'000);
  EXPECT_EQ(us(both, 5, 100, 0), 10'000);
  EXPECT_EQ(us(slow_only, 5, 64, 0), 15'625);
}

}  // namespace
}  // namespace hardclock::profil
