// Random cases on both backends: the model and the guest have their own memory, processes and
// ticks, and have to see the same. Events are on whole pages, which is all that the guest's machine
// has.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "syscalls/conform/backend.h"
#include "syscalls/conform/compare.h"
#include "syscalls/conform/guest_backend.h"
#include "syscalls/conform/model_backend.h"
#include "tests/unit/conform/case_maker.h"
#include "tests/unit/conform/random_case.h"

namespace hardclock::conform {
namespace {

// What the model saw, as what the guest has to see.
Case expecting(Case of, const Observation& seen) {
  const auto take = [&, next = std::size_t{0}](CallStep& step) mutable {
    const CallResult& result = seen.calls.at(next++);
    step.expect = {result.returns, result.ret, result.errno_name, result.tv};
  };
  auto take_next = take;
  take_next(of.first);
  for (Event& event : of.events) {
    if (auto* const step = std::get_if<CallStep>(&event.what)) take_next(*step);
  }
  for (const auto& [pid, process] : seen.processes) {
    of.expect.counters[pid] = process.counters;
    of.expect.profiling[pid] = process.profiling.value_or(false);
  }
  return of;
}

// The names of the objects that are mapped in a process.
std::set<std::string> mapped(const ProcessObservation& process) {
  std::set<std::string> names;
  for (const auto& [name, elements] : process.counters) names.insert(name);
  return names;
}

struct Tally {
  unsigned samples = 0, hits = 0;
  void count(bool hit) {
    ++samples;
    if (hit) ++hits;
  }
  double percent() const { return samples == 0 ? 0 : 100.0 * hits / samples; }
};

struct Tallies {
  Tally performed, counted, still_on, several, refused;
};

void count(const Observation& seen, Tallies& tallies) {
  tallies.performed.count(seen.error.empty());
  if (!seen.error.empty()) return;
  tallies.several.count(seen.processes.size() > 1);
  for (const auto& [pid, process] : seen.processes) {
    tallies.still_on.count(process.profiling.value_or(false));
    for (const auto& [name, elements] : process.counters) tallies.counted.count(!elements.empty());
  }
  for (const CallResult& call : seen.calls) tallies.refused.count(call.ret != 0);
}

void expect_agreement(const Case& of, Tallies& tallies) {
  const Observation by_model = ModelBackend().run(of);
  const Observation by_guest = GuestBackend(make_case_cpu).run(of);
  count(by_model, tallies);
  if (by_model.error.empty() != by_guest.error.empty()) {
    RC_FAIL("model: " + by_model.error + "\nguest: " + by_guest.error + "\n" + text_of(of));
  }
  if (!by_model.error.empty()) return;
  const auto differences = compare(expecting(of, by_model), by_guest);
  std::string text;
  for (const std::string& line : differences) text += "guest: " + line + "\n";
  for (const auto& [pid, process] : by_model.processes) {
    if (mapped(process) == mapped(by_guest.processes.at(pid))) continue;
    text += "guest: other objects are mapped in process " + std::to_string(pid) + "\n";
  }
  if (!text.empty()) RC_FAIL(text + text_of(of));
}

class BackendsAgree : public ::testing::TestWithParam<const char*> {};

TEST_P(BackendsAgree, OnRandomCases) {
  Tallies tallies;
  const Variant& variant = *find_variant(GetParam());
  EXPECT_TRUE(rc::check("both backends see the same",
                        [&] { expect_agreement(random_case(variant), tallies); }));
  EXPECT_GE(tallies.performed.percent(), 60);
  EXPECT_GT(tallies.counted.percent(), 25);
  EXPECT_GT(tallies.still_on.percent(), 10);
  EXPECT_LT(tallies.still_on.percent(), 95);
  EXPECT_GT(tallies.several.percent(), 15);
  if (variant.system->sprofil != nullptr) {
    EXPECT_GT(tallies.refused.percent(), 5);
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, BackendsAgree,
                         ::testing::Values("v7", "2.11bsd", "4.1bsd", "4.2bsd", "4.3bsd", "4.4bsd",
                                           "irix", "solaris2.5", "solaris", "aix", "hpux_pa",
                                           "hpux_ia64", "hpux_pa_lp64", "hpux_ia64_lp64",
                                           "bsd44_lp64"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

}  // namespace
}  // namespace hardclock::conform
