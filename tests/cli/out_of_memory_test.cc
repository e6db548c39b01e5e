// What happens when an allocation fails, wherever that is: hardclock ends in order. SQLite's own
// tests do the same (sqlite.org/testing.html, 3.1, "Out-Of-Memory Testing"): the program fails at
// its first allocation, then at its second, and so on until it runs to its end. Here the distance
// from one to the next grows, from both ends; OUT_OF_MEMORY_STEP=1 tries all.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

using Words = std::vector<std::string>;

struct Command {
  std::string name;
  Words words;  // PROGRAM and PROFILE stand for files
};

std::ostream& operator<<(std::ostream& out, const Command& command) {
  return out << command.name;
}

const Command of_runs[] = {
    {"Run", {"run", "--stats=s.json", "PROGRAM"}},
    {"Machine", {"run", "--machine=indigo2-r4400", "--stats=s.json", "PROGRAM"}},
    {"OutOfOrder", {"run", "--machine=octane", "--stats=s.json", "PROGRAM"}},
    {"Json", {"run", "--reasons", "--calls", "--profile=p.json", "--stats=s.json", "PROGRAM"}},
    {"Page", {"run", "--profile=p.html", "--stats=s.json", "PROGRAM"}},
    {"Callgrind", {"run", "--profile=callgrind.out", "--stats=s.json", "PROGRAM"}},
    {"Pprof", {"run", "--profile=p.pb.gz", "--stats=s.json", "PROGRAM"}},
    {"Gmon", {"run", "--profile=gmon.out", "--stats=s.json", "PROGRAM"}},
    {"Digest", {"run", "--digest=d.log@50k", "--stats=s.json", "PROGRAM"}},
    {"Logs", {"run", "--strace=a.log", "--explain=b.log", "--stats=s.json", "PROGRAM"}},
    {"Sweep", {"sweep", "--output=o.txt", "PROGRAM"}},
    {"LabScreens", {"lab", "--keys=s s", "PROGRAM"}},
};

const Command of_others[] = {
    {"Report", {"report", "PROFILE", "PROGRAM"}},
    {"ReportPage", {"report", "--output=o.html", "PROFILE", "PROGRAM"}},
    {"Folded", {"report", "--format=folded", "PROFILE", "PROGRAM"}},
    {"Diff", {"diff", "PROFILE", "PROGRAM", "PROFILE"}},
    {"Disasm", {"disasm", "PROGRAM"}},
    {"Cpus", {"cpus", "r10000"}},
    {"Syscalls", {"syscalls", "--os=irix"}},
    {"Systems", {"systems"}},
    {"Doctor", {"doctor", "PROGRAM"}},
    {"Help", {"help"}},
};

// Those that run a program, with each engine.
std::vector<Command> all_commands() {
  std::vector<Command> all(std::begin(of_others), std::end(of_others));
  for (const std::string engine : {"Interpreter", "Translator"}) {
    for (Command command : of_runs) {
      command.name += engine;
      const std::string name = engine == "Interpreter" ? "interpreter" : "translator";
      command.words.insert(command.words.begin() + 1, "--engine=" + name);
      all.push_back(command);
    }
  }
  return all;
}

class OutOfMemory : public CommandTest, public ::testing::WithParamInterface<Command> {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(path("tmp"));
    const Finished made = hardclock({"run", "--profile=" + path("profile.json"), guest("compute")});
    ASSERT_EQ(made.status, 0) << made.err;
  }

  void expect_order(const Finished& finished) const {
    expect_sound(finished);
    if (finished.status != 0) {
      EXPECT_EQ(finished.status, own_failure);
      EXPECT_TRUE(contains(finished.err, "memory")) << finished.err;
    }
    EXPECT_TRUE(std::filesystem::is_empty(path("tmp")));
    if (std::filesystem::exists(path("s.json"))) {
      EXPECT_TRUE(nlohmann::json::accept(read("s.json")));
    }
    for (const auto& file : std::filesystem::directory_iterator(folder())) {
      EXPECT_FALSE(file.path().filename().string().starts_with("hardclock-output-"));
    }
  }

  Finished run(const std::string& failing) const {
    Words command = {std::filesystem::absolute("tests/cli/hardclock_failing_new").string()};
    for (const std::string& word : GetParam().words) {
      command.push_back(word == "PROGRAM"   ? guest("compute")
                        : word == "PROFILE" ? path("profile.json")
                                            : word);
    }
    Surroundings surroundings = here();
    surroundings.environment.push_back("TMPDIR=" + path("tmp"));
    surroundings.environment.push_back("FAILING_NEW=" + failing);
    return Child(command, surroundings).wait();
  }
};

std::string name_of(const ::testing::TestParamInfo<Command>& info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(Commands, OutOfMemory, ::testing::ValuesIn(all_commands()), name_of);

// The beginning and the end try the most: there a command makes its files, and writes its results.
std::set<unsigned long> tried_of(unsigned long allocations) {
  std::set<unsigned long> numbers;
  const char* const step = std::getenv("OUT_OF_MEMORY_STEP");
  if (step != nullptr) {
    for (unsigned long n = 1; n <= allocations; n += std::stoul(step)) numbers.insert(n);
    return numbers;
  }
  for (unsigned long n = 1; n <= allocations; n += n / 2 + 1) {
    numbers.insert(n);
    numbers.insert(allocations + 1 - n);
  }
  return numbers;
}

// Of a run, the first failure makes use of what is kept back for it, the second one throws, and
// further ones meet whoever handles that.
TEST_P(OutOfMemory, EndsInOrder) {
  const Finished counted = run("count");
  ASSERT_EQ(counted.status, 0) << counted.err;
  const unsigned long allocations = std::stoul(lines_of(counted.err).back());
  const auto tried = tried_of(allocations);
  RecordProperty("allocations", std::to_string(allocations));
  RecordProperty("tries", std::to_string(3 * tried.size()));
  for (const unsigned long n : tried) {
    for (const char* const times : {" 1", " 2", " 3"}) {
      std::filesystem::remove(path("s.json"));
      const std::string failing = std::to_string(n) + times;
      SCOPED_TRACE(failing + " of " + std::to_string(allocations));
      expect_order(run(failing));
    }
  }
}

// Between a directory's making and its being known to who removes it are few allocations, if any.
class Closely : public OutOfMemory {};

INSTANTIATE_TEST_SUITE_P(Commands, Closely,
                         ::testing::Values(Command{"Doctor", {"doctor", "PROGRAM"}}), name_of);

TEST_P(Closely, EndsInOrder) {
  constexpr unsigned long has_made_its_directories = 1000;
  for (unsigned long n = 1; n <= has_made_its_directories; n += 3) {
    const std::string failing = std::to_string(n) + " 1";
    SCOPED_TRACE(failing);
    expect_order(run(failing));
  }
}

// When a program ends, its threads and memory go one after the other, and then they are counted.
class AtTheEnd : public OutOfMemory {};

INSTANTIATE_TEST_SUITE_P(Commands, AtTheEnd,
                         ::testing::Values(Command{
                             "Run", {"run", "--engine=interpreter", "--stats=s.json", "PROGRAM"}}),
                         name_of);

TEST_P(AtTheEnd, EndsInOrder) {
  const Finished counted = run("count");
  ASSERT_EQ(counted.status, 0) << counted.err;
  const unsigned long allocations = std::stoul(lines_of(counted.err).back());
  constexpr unsigned long since_the_program_ended = 250;
  for (unsigned long n = allocations - since_the_program_ended; n <= allocations; ++n) {
    const std::string failing = std::to_string(n) + " 2";
    SCOPED_TRACE(failing);
    expect_order(run(failing));
  }
}

}  // namespace
}  // namespace hardclock::cli_test
