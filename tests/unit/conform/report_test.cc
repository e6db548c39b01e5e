// The forms of the answer, down to their escapes. Parsers that are not ours read them in
// tests/cli/conform_test.cc.
#include "syscalls/conform/report.h"

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "syscalls/conform/compare.h"
#include "syscalls/conform/outcome.h"

namespace hardclock::conform {
namespace {

// Sees what it is told to.
class Canned final : public Backend {
 public:
  Canned(std::string name, Observation seen) : name_(std::move(name)), seen_(std::move(seen)) {}
  std::string_view name() const override { return name_; }
  Observation run(const Case&) override {
    ++runs_;
    return seen_;
  }
  int runs() const { return runs_; }

 private:
  std::string name_;
  Observation seen_;
  int runs_ = 0;
};

Case sample(const std::string& id) {
  Case made;
  made.id = id;
  made.title = "a \"title\" <with> & # TODO \\ of \x01 everything";
  made.system = "irix";
  made.source = {"a <page>"};
  made.file = "f.json";
  made.line = 7;
  made.expect.profiling[1] = true;
  return made;
}

Observation profiling(bool is_on) {
  Observation seen;
  seen.calls.emplace_back();
  seen.processes[1].profiling = is_on;
  return seen;
}

class Report : public ::testing::Test {
 protected:
  Report() : good_("model", profiling(true)), bad_("guest", profiling(false)) {
    defective_.defect = "f.json:9: cases[1].system: unknown system 'vms'";
    const std::vector<const Case*> cases = {&plain_, &defective_};
    const std::vector<Backend*> backends = {&good_, &bad_};
    outcomes_ = perform(cases, backends);
  }

  Case plain_ = sample("A");
  Case defective_ = sample("B");
  Canned good_, bad_;
  std::vector<CaseOutcome> outcomes_;
};

TEST_F(Report, EveryCaseByEveryBackendAndNoDefectiveOne) {
  ASSERT_EQ(outcomes_.size(), 4U);
  EXPECT_EQ(outcomes_[0].status, CaseOutcome::Status::passed);
  EXPECT_EQ(outcomes_[1].status, CaseOutcome::Status::failed);
  EXPECT_EQ(outcomes_[1].reasons, std::vector<std::string>{"process 1: profiling is off, not on"});
  EXPECT_EQ(outcomes_[2].status, CaseOutcome::Status::unperformed);
  EXPECT_EQ(outcomes_[3].status, CaseOutcome::Status::unperformed);
  EXPECT_EQ(outcomes_[3].reasons, std::vector<std::string>{defective_.defect});
  EXPECT_EQ(good_.runs(), 1);
  EXPECT_EQ(count(outcomes_).passed, 1U);
  EXPECT_EQ(count(outcomes_).failed, 1U);
  EXPECT_EQ(count(outcomes_).unperformed, 2U);
}

// A backend that has nothing for the case's system to run on neither passes nor fails.
TEST_F(Report, SkippedIsNoFailure) {
  Observation none;
  none.skipped = "no kernel";
  Canned backend("guest", none);
  const std::vector<const Case*> cases = {&plain_, &plain_};
  const std::vector<Backend*> backends = {&backend};
  const auto outcomes = perform(cases, backends);
  EXPECT_EQ(outcomes[0].status, CaseOutcome::Status::skipped);
  EXPECT_EQ(count(outcomes).skipped, 2U);
  EXPECT_TRUE(count(outcomes).is_good());
  const std::string text = to_text(outcomes);
  EXPECT_TRUE(text.starts_with("skip  guest  A  irix  ")) << text;
  EXPECT_EQ(text.find("no kernel"), text.rfind("no kernel"));  // said once
  EXPECT_NE(text.find("guest: 2 cases, 0 passed, 0 failed, 0 unperformed, 2 skipped\n"),
            std::string::npos);
  const std::string tap = to_tap(outcomes);
  EXPECT_NE(tap.find("\nok 1 - guest irix A: "), std::string::npos) << tap;
  EXPECT_NE(tap.find(" # SKIP no kernel\n"), std::string::npos) << tap;
  EXPECT_NE(to_junit(outcomes).find("<skipped message=\"no kernel\"/>"), std::string::npos);
}

TEST_F(Report, ABackendThatCannotDoesNotPass) {
  Observation none;
  none.error = "no memory at 0";
  Canned backend("guest", none);
  const std::vector<const Case*> cases = {&plain_};
  const std::vector<Backend*> backends = {&backend};
  const auto outcomes = perform(cases, backends);
  EXPECT_EQ(outcomes[0].status, CaseOutcome::Status::unperformed);
  EXPECT_EQ(outcomes[0].reasons, std::vector<std::string>{"no memory at 0"});
}

TEST_F(Report, Text) {
  const std::string title = "a \"title\" <with> & # TODO \\ of \\u0001 everything\n";
  EXPECT_EQ(to_text(outcomes_), "pass   model  A  irix  " + title + "FAIL   guest  A  irix  " +
                                    title +
                                    "      process 1: profiling is off, not on\n"
                                    "      case: f.json:7 (doc)\n"
                                    "      source: a <page>\n"
                                    "ERROR  model  B  irix  " +
                                    title +
                                    "      f.json:9: cases[1].system: unknown system 'vms'\n"
                                    "      case: f.json:7 (doc)\n"
                                    "      source: a <page>\n"
                                    "ERROR  guest  B  irix  " +
                                    title +
                                    "      f.json:9: cases[1].system: unknown system 'vms'\n"
                                    "      case: f.json:7 (doc)\n"
                                    "      source: a <page>\n"
                                    "\n"
                                    "model: 2 cases, 1 passed, 0 failed, 1 unperformed\n"
                                    "guest: 2 cases, 0 passed, 1 failed, 1 unperformed\n"
                                    "what the cases rest on: 2 doc\n");
}

// testanything.org, TAP 14 (which 13's readers follow): \# and \\ in descriptions.
TEST_F(Report, TapEscapesDirectives) {
  const std::string tap = to_tap(std::span(outcomes_).first(2));
  EXPECT_EQ(tap,
            "TAP version 13\n"
            "1..2\n"
            "ok 1 - model irix A: a \"title\" <with> & \\# TODO \\\\ of \\\\u0001 everything\n"
            "not ok 2 - guest irix A: a \"title\" <with> & \\# TODO \\\\ of \\\\u0001 everything\n"
            "  ---\n"
            "  status: failed\n"
            "  system: \"irix\"\n"
            "  case: \"f.json:7\"\n"
            "  certainty: doc\n"
            "  reasons: |\n"
            "    process 1: profiling is off, not on\n"
            "  source: |\n"
            "    a <page>\n"
            "  ...\n");
}

// XML 1.0, section 2.2: no control characters, no U+FFFE; section 2.4: & < > and quotes.
TEST_F(Report, JunitEscapesMarkup) {
  plain_.title += " \xef\xbf\xbe";
  const std::string junit = to_junit(std::span(outcomes_).first(2));
  EXPECT_NE(junit.find("name=\"A: a &quot;title&quot; &lt;with&gt; &amp; # TODO \\ of \\u0001 "
                       "everything \\ufffe\""),
            std::string::npos)
      << junit;
  EXPECT_NE(junit.find("<testsuites name=\"hardclock conform\" tests=\"2\" failures=\"1\" "
                       "errors=\"0\">"),
            std::string::npos);
}

TEST_F(Report, JsonHasEverything) {
  const auto json = nlohmann::json::parse(to_json(outcomes_));
  EXPECT_EQ(json["summary"]["model"]["passed"], 1);
  EXPECT_EQ(json["summary"]["guest"]["failed"], 1);
  EXPECT_EQ(json["summary"]["guest"]["unperformed"], 1);
  ASSERT_EQ(json["outcomes"].size(), 4U);
  EXPECT_EQ(json["outcomes"][1]["title"], plain_.title);
  EXPECT_EQ(json["outcomes"][1]["status"], "failed");
  EXPECT_EQ(json["outcomes"][1]["line"], 7);
  EXPECT_EQ(json["outcomes"][1]["reasons"][0], "process 1: profiling is off, not on");
}

// File names are the host's bytes.
TEST_F(Report, JsonOfANameThatIsNoUtf8) {
  plain_.file = "\xff.json";
  EXPECT_TRUE(nlohmann::json::accept(to_json(outcomes_)));
}

TEST(Compare, ManyDifferencesAreCounted) {
  Case of = sample("C");
  of.memory.push_back({.name = "BUF", .size = 100});
  of.expect.counters[1]["BUF"] = {};
  Observation seen = profiling(true);
  Elements& elements = seen.processes[1].counters["BUF"];
  for (std::uint64_t i = 0; i < most_differences + 3; ++i) elements[i] = 1;
  const auto lines = compare(of, seen);
  ASSERT_EQ(lines.size(), most_differences + 1);
  EXPECT_EQ(lines.front(), "process 1: BUF[0] is 1, not 0");
  EXPECT_EQ(lines.back(), "... and 3 more differences");
}

TEST(Compare, WhatCannotBeSeenIsADifference) {
  Case of = sample("D");
  of.memory.push_back({.name = "BUF", .size = 4});
  of.expect.counters[1]["BUF"] = {};
  Observation seen = profiling(true);
  seen.processes[1].profiling.reset();
  EXPECT_EQ(compare(of, seen),
            (std::vector<std::string>{"process 1: BUF is not mapped",
                                      "process 1: profiling cannot be seen, not on"}));
  seen.calls.clear();
  EXPECT_EQ(compare(of, seen).front(), "0 calls were made, not 1");
}

}  // namespace
}  // namespace hardclock::conform
