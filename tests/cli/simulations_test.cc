// Simulations as a library has them, without the command: several in one process, each in a thread
// of the host's, and each stopped wherever somebody likes. Lone runs in one go say what is right.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cli/lab_machine.h"
#include "cli/run_options.h"
#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

using Words = std::vector<std::string>;

struct Case {
  const char* name;
  const char* program;
  Words options;
};

std::ostream& operator<<(std::ostream& out, const Case& one) {
  return out << one.name;
}

const Case cases[] = {
    {"R4400", "compute", {"--cpu=r4400"}},
    {"R4400Interpreted", "compute", {"--cpu=r4400", "--engine=interpreter"}},
    {"R4400TranslatedAtOnce", "compute_little", {"--cpu=r4400", "--engine=translator,0"}},
    {"R10000", "compute", {"--cpu=r10000"}},
    {"Indigo2", "split75", {"--machine=indigo2-r4400"}},
    {"Octane", "forkprof", {"--machine=octane"}},
    {"PaRisc", "hppa/hpux/split75", {"--machine=c180"}},
    {"Ia64", "ia64/prebuilt/processes", {"--machine=rx2600-900"}},
};

// A run is over here, if the program has not ended before.
constexpr Cycles end(4'000'000);

// Of a run: what it came to.
struct Outcome {
  std::uint64_t instructions = 0;
  std::uint64_t cycles = 0;
  std::uint64_t state = 0;  // a digest
  std::string ending;
  friend bool operator==(const Outcome&, const Outcome&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Outcome& outcome) {
    return out << outcome.instructions << " instructions, " << outcome.cycles << " cycles, state "
               << outcome.state << ", " << outcome.ending;
  }
};

Outcome outcome_of(const lab::Machine& machine) {
  return {machine.instructions(), machine.now().value(), machine.state().whole, machine.ending()};
}

std::unique_ptr<lab::Machine> machine_of(const Case& one) {
  Words words = one.options;
  words.push_back(guest(one.program));
  const auto options = parse_lab_options(words);
  if (!options) {
    ADD_FAILURE() << options.error().message;
    return nullptr;
  }
  auto machine = make_lab_machine(*options);
  if (!machine) {
    ADD_FAILURE() << machine.error();
    return nullptr;
  }
  return *std::move(machine);
}

Outcome run(const Case& one) {
  const auto machine = machine_of(one);
  if (machine == nullptr) return {};
  machine->run_to_cycle(end);
  return outcome_of(*machine);
}

// Nothing of a simulation is the process's.
TEST(Simulations, EightInEightThreadsAreAsEachAlone) {
  std::vector<Outcome> alone, together(std::size(cases));
  for (const Case& one : cases) alone.push_back(run(one));
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    threads.emplace_back([&, i] { together[i] = run(cases[i]); });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    EXPECT_EQ(together[i], alone[i]) << cases[i];
    EXPECT_NE(alone[i].instructions, 0U) << cases[i];
  }
}

class ASimulation : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(All, ASimulation, testing::ValuesIn(cases),
                         [](const auto& one) { return one.param.name; });

// At random cycles, and after random numbers of instructions. SIMULATION_STOPS=1000 stops there so
// often.
int stops() {
  const char* const wanted = std::getenv("SIMULATION_STOPS");
  return wanted == nullptr ? 100 : std::max(2, std::atoi(wanted));
}

TEST_P(ASimulation, GoesOnAsIfNobodyHadStoppedIt) {
  const Outcome whole = run(GetParam());
  for (const bool by_cycles : {true, false}) {
    const auto machine = machine_of(GetParam());
    ASSERT_NE(machine, nullptr);
    std::mt19937_64 random(by_cycles ? 1 : 2);
    const std::uint64_t length =
        (by_cycles ? whole.cycles : whole.instructions) / static_cast<std::uint64_t>(stops() / 2);
    for (int stop = 0; stop < stops() && machine->ending().empty(); ++stop) {
      const std::uint64_t part = 1 + random() % (length + 1);
      if (by_cycles) {
        const Cycles time = std::min(machine->now() + Cycles(part), end);
        if (machine->run_to_cycle(time)) {
          EXPECT_GE(machine->now(), time);
        }
      } else {
        machine->run_to_instruction(std::min(machine->instructions() + part, whole.instructions));
      }
    }
    machine->run_to_cycle(end);
    EXPECT_EQ(outcome_of(*machine), whole) << (by_cycles ? "cycles" : "instructions");
  }
}

// SIMULATION_LOADS=1250 saves and loads so often.
int loads() {
  const char* const wanted = std::getenv("SIMULATION_LOADS");
  return wanted == nullptr ? 50 : std::max(2, std::atoi(wanted));
}

TEST_P(ASimulation, GoesOnFromAStateThatWasLoaded) {
  const Outcome whole = run(GetParam());
  const auto machine = machine_of(GetParam());
  ASSERT_NE(machine, nullptr);
  std::mt19937_64 random(3);
  const std::uint64_t length = whole.instructions / static_cast<std::uint64_t>(loads());
  int times = 0;
  while (machine->ending().empty() && machine->instructions() < whole.instructions) {
    const std::uint64_t next = machine->instructions() + 1 + random() % (2 * length + 1);
    machine->run_to_instruction(std::min(next, whole.instructions));
    if (!machine->ending().empty()) break;
    const Outcome before = outcome_of(*machine);
    const auto saved = machine->save();
    ASSERT_TRUE(saved) << saved.error();
    // To another state first, sometimes.
    if (random() % 4 == 0)
      machine->run_to_instruction(
          std::min(before.instructions + random() % 1000, whole.instructions));
    machine->load(*saved);
    ++times;
    ASSERT_EQ(outcome_of(*machine), before);
  }
  EXPECT_GE(times, loads() / 2);
  machine->run_to_cycle(end);
  EXPECT_EQ(outcome_of(*machine), whole);
}

}  // namespace
}  // namespace hardclock::cli_test
