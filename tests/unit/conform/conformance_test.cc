// Every case and every observation of the conformance files can fail: a changed expectation does,
// on the model. That they pass, in both backends, is //tests/cli:conform_test.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "syscalls/conform/backend.h"
#include "syscalls/conform/case_parser.h"
#include "syscalls/conform/compare.h"
#include "syscalls/conform/model_backend.h"
#include "tests/unit/conform/case_files.h"

namespace hardclock::conform {
namespace {

class Conformance : public ::testing::Test {
 protected:
  void load(const std::string& name) {
    auto cases = parse_cases(case_file(name), name);
    ASSERT_TRUE(cases.ok()) << cases.error();
    cases_ = *std::move(cases);
  }

  static std::vector<std::string> differences(const Case& of) {
    if (!of.defect.empty()) return {of.defect};
    const Observation seen = ModelBackend().run(of);
    return seen.error.empty() ? compare(of, seen) : std::vector<std::string>{seen.error};
  }

  std::vector<Case> cases_;
};

// Rounding is what tells V7 from 4.3BSD (docs/observed.md, section 2: truncating fails on some of
// V7's observations, rounding on some of 4.3BSD's).
TEST_F(Conformance, ObservationsTellRivalFormulasApart) {
  load("observed-pdp11-vax.json");
  const Variant* const truncating = find_variant("4.3bsd");
  const Variant* const rounding = find_variant("4.1bsd");
  std::map<std::string, unsigned> observed;
  int rounded = 0;
  for (Case& each : cases_) {
    ++observed[each.system];
    if (each.variant->system == truncating->system) {
      each.variant = rounding;
      rounded += differences(each).empty() ? 0 : 1;
    }
  }
  EXPECT_GT(rounded, 20);
  EXPECT_EQ(observed, (std::map<std::string, unsigned>{
                          {"v7_pdp11", 284}, {"bsd211_pdp11", 276}, {"bsd43_vax", 304}}));
}

TEST_F(Conformance, AnotherElementThanTheObservedOneFails) {
  load("observed-pdp11-vax.json");
  for (Case& each : cases_) {
    for (MemoryObject& object : each.memory) {
      if (object.name != "ELEMENT") continue;
      // Where the tick goes, there is no memory then.
      const bool at_start = object.address < GuestAddr(2);
      object.address = at_start ? object.address + 2 : object.address - 2;
      EXPECT_NE(differences(each), std::vector<std::string>{}) << each.id;
    }
  }
}

TEST_F(Conformance, EveryChangedCounterFails) {
  load("manuals.json");
  for (const Case& each : cases_) {
    for (const auto& [pid, buffers] : each.expect.counters) {
      for (const auto& [name, elements] : buffers) {
        for (const auto& [index, value] : elements) {
          Case changed = each;
          changed.expect.counters[pid][name][index] = value - 1;
          EXPECT_EQ(differences(changed).size(), 1U) << each.id;
          changed.expect.counters[pid][name].erase(index);
          EXPECT_EQ(differences(changed).size(), 1U) << each.id;
        }
        Case changed = each;
        std::uint64_t free = 0;
        while (elements.contains(free)) ++free;
        changed.expect.counters[pid][name][free] = 1;
        EXPECT_EQ(differences(changed).size(), 1U) << each.id;
      }
    }
  }
}

TEST_F(Conformance, EveryChangedProfilingFails) {
  load("manuals.json");
  for (const Case& each : cases_) {
    for (const auto& [pid, is_on] : each.expect.profiling) {
      Case changed = each;
      changed.expect.profiling[pid] = !is_on;
      EXPECT_EQ(differences(changed).size(), 1U) << each.id;
    }
  }
}

std::vector<CallExpectation*> answers_of(Case& of) {
  std::vector<CallExpectation*> answers = {&of.first.expect};
  for (Event& event : of.events) {
    if (auto* const step = std::get_if<CallStep>(&event.what)) answers.push_back(&step->expect);
  }
  return answers;
}

TEST_F(Conformance, EveryChangedAnswerFails) {
  load("manuals.json");
  for (const Case& each : cases_) {
    Case changed = each;
    for (CallExpectation* const answer : answers_of(changed)) {
      const CallExpectation right = *answer;
      answer->ret = right.ret + 1;
      EXPECT_EQ(differences(changed).size(), 1U) << each.id;
      *answer = right;
      answer->errno_name = right.errno_name == "EPERM" ? "" : "EPERM";
      EXPECT_EQ(differences(changed).size(), 1U) << each.id;
      *answer = right;
      answer->tv = right.tv.value_or(TimeValue{});
      ++answer->tv->microseconds;
      EXPECT_EQ(differences(changed).size(), 1U) << each.id;
      *answer = right;
    }
    EXPECT_EQ(differences(changed), std::vector<std::string>{}) << each.id;
  }
}

TEST_F(Conformance, AProcessThatIsNotThereFails) {
  load("manuals.json");
  for (const Case& each : cases_) {
    Case changed = each;
    changed.expect.profiling[99] = false;
    EXPECT_EQ(differences(changed), std::vector<std::string>{"process 99: not there"});
  }
}

}  // namespace
}  // namespace hardclock::conform
