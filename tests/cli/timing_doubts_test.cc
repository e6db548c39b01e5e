// tools/timing-doubts: the loops that it finds tell readings of a manual apart, by as much as the
// readings themselves say; the same seed finds the same; what is in tests/timing/doubts.json is
// what hardclock makes now (timing_check_test has the cycles) and what readings.json asks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

Json reading(const std::string& name, const std::string& row) {
  return {{"name", name}, {"source", "a test"}, {"rows", {row}}};
}

// One multiplication after the other takes as long as one, so a loop of one takes 40 or 47 cycles.
Json multiplication() {
  return {{"id", "mult"},
          {"cpus", {"r4000", "r4400", "r4600"}},
          {"about", "How long is MULT?"},
          {"readings",
           {reading("40", "class mult latency 40 repeat 40 unit hilo reserve EX"),
            reading("47", "class mult latency 47 repeat 47 unit hilo reserve EX")}}};
}

Json with(Json question, const std::string& key, const Json& value) {
  question[key] = value;
  return question;
}

class TimingDoubts : public CommandTest {
 protected:
  void SetUp() override {
    const bool are_there =
        std::system("command -v mips-linux-gnu-as hppa-linux-gnu-as >/dev/null 2>&1") == 0;
    if (!are_there) GTEST_SKIP() << "no cross assemblers; tools/install-deps test brings them";
  }
  Finished search(const std::vector<Json>& questions,
                  const std::vector<std::string>& options = {}) const {
    write("questions.json", Json({{"questions", questions}}).dump());
    return run(options);
  }
  // With whatever is in questions.json.
  Finished run(const std::vector<std::string>& options = {}) const {
    std::vector<std::string> command = {fs::absolute("tools/timing-doubts").string(), "--hardclock",
                                        hardclock_path(), "--output", path("found.json")};
    command.insert(command.end(), options.begin(), options.end());
    command.push_back(path("questions.json"));
    return other_program(command);
  }
  Json found() const { return Json::parse(read("found.json"))["kernels"]; }
};

TEST_F(TimingDoubts, FindsALoopForAQuestion) {
  const Finished run = search({multiplication()});
  ASSERT_EQ(run.status, 0) << run.err;
  const Json kernels = found();
  ASSERT_EQ(kernels.size(), 3U) << run.out;
  EXPECT_EQ(kernels[0]["id"], "mult");
  EXPECT_EQ(kernels[0]["cpu"], "r4000");
  EXPECT_EQ(kernels[1]["id"], "mult.r4400");
  EXPECT_EQ(kernels[1]["asm"], kernels[0]["asm"]);
  EXPECT_TRUE(contains(kernels[0]["asm"].get<std::string>(), "mult"));
  const double shorter = kernels[0]["readings"]["40"].get<double>();
  EXPECT_EQ(kernels[0]["readings"]["47"].get<double>() - shorter, 7);
  EXPECT_GE(shorter, 40);
  EXPECT_LT(kernels[0]["cycles_per_iteration"].get<double>(), shorter);
  EXPECT_EQ(kernels[0]["today"], "none of these");
  EXPECT_TRUE(contains(read("found.md"), "| mult | How long is MULT? | 40: ")) << read("found.md");
}

TEST_F(TimingDoubts, NamesTheReadingThatHardclockHas) {
  Json question = multiplication();
  question["cpus"] = {"r4000"};
  question["readings"] = {reading("1", "redirect branch,jump taken 1"),
                          reading("2", "redirect branch,jump taken 2")};
  ASSERT_EQ(search({question}).status, 0);
  const Json kernels = found();
  ASSERT_EQ(kernels.size(), 1U);
  // MIPS R4000 User's Manual 3.2: a taken branch costs two cycles beyond its slot.
  EXPECT_EQ(kernels[0]["today"], "2");
  EXPECT_EQ(kernels[0]["readings"]["2"], kernels[0]["cycles_per_iteration"]);
  EXPECT_TRUE(contains(read("found.md"), "**2: ")) << read("found.md");
}

TEST_F(TimingDoubts, TheSameSeedFindsTheSame) {
  ASSERT_EQ(search({multiplication()}, {"--seed=5"}).status, 0);
  const std::string first = read("found.json");
  ASSERT_EQ(search({multiplication()}, {"--seed=5"}).status, 0);
  EXPECT_EQ(read("found.json"), first);
  EXPECT_TRUE(contains(first, "tools/timing-doubts --seed 5")) << first;
}

// Its own rows may be left out, too: two accesses in a cycle, by cpu(4), or none.
TEST_F(TimingDoubts, AReadingMayLeaveRowsOut) {
  const Json question = {{"id", "pairs"},
                         {"cpus", {"pa7100lc"}},
                         {"about", "Do two loads share a cycle?"},
                         {"instructions", {"load", "store"}},
                         {"readings",
                          {{{"name", "some"},
                            {"source", "a test"},
                            {"rows", {"pair_words load,store,load_fp_s,store_fp_s in doubleword"}},
                            {"without", {"pair_words"}}},
                           {{"name", "none"},
                            {"source", "a test"},
                            {"rows", Json::array()},
                            {"without", {"pair_words"}}}}}};
  const Finished run = search({question});
  ASSERT_EQ(run.status, 0) << run.err;
  const Json readings = found()[0]["readings"];
  EXPECT_LT(readings["some"].get<double>(), readings["none"].get<double>());
}

// Also of a row that a processor takes over from the one that it is like: the R12000 has no such
// row of its own.
TEST_F(TimingDoubts, AReadingMayChangeAWordOfARow) {
  const auto forward = [](const std::string& cycles) {
    return Json{{"name", cycles},
                {"source", "a test"},
                {"edits", Json::array({"queue address: forward " + cycles})}};
  };
  const Json question = {{"id", "forward"},
                         {"cpus", {"r10000", "r12000"}},
                         {"about", "How soon has a load a store's data?"},
                         {"instructions", {"load", "store"}},
                         {"readings", {forward("9"), forward("20")}}};
  const Finished run = search({question});
  ASSERT_EQ(run.status, 0) << run.err;
  const Json kernels = found();
  ASSERT_EQ(kernels.size(), 2U);
  for (const Json& kernel : kernels) {
    EXPECT_EQ(kernel["today"], "none of these");
    EXPECT_NEAR(kernel["readings"]["20"].get<double>() - kernel["readings"]["9"].get<double>(), 11,
                0.5);
  }
}

TEST_F(TimingDoubts, SaysWhichQuestionsHaveNoLoop) {
  Json same = with(multiplication(), "id", "same");
  same["readings"][1]["rows"] = same["readings"][0]["rows"];
  const Json wrong = with(multiplication(), "readings",
                          {reading("a", "class mult latency many"), reading("b", "wonders x")});
  const Finished run = search({same, with(wrong, "id", "wrong"), multiplication()}, {"--rounds=1"});
  EXPECT_EQ(run.status, 1);
  const auto lines = lines_of(run.err);
  ASSERT_EQ(lines.size(), 2U) << run.err;
  EXPECT_TRUE(contains(lines[0], "question same: no loop")) << lines[0];
  EXPECT_TRUE(contains(lines[1], "question wrong: ")) << lines[1];
  EXPECT_EQ(found()[0]["id"], "mult");
}

TEST_F(TimingDoubts, OtherQuestionsKeepTheirLoops) {
  const std::vector<Json> two = {multiplication(), with(multiplication(), "id", "again")};
  ASSERT_EQ(search(two).status, 0);
  const Json all = found();
  ASSERT_EQ(search(two, {"--question=again", "--seed=2"}).status, 0);
  EXPECT_EQ(found()[0], all[0]);
  EXPECT_EQ(found().size(), all.size());
}

TEST_F(TimingDoubts, RefusesWhatItCannotRead) {
  const auto refused = [&](const std::string& questions, const std::vector<std::string>& options,
                           const std::string& reason) {
    write("questions.json", questions);
    const Finished finished = run(options);
    EXPECT_EQ(finished.status, 2);
    EXPECT_EQ(lines_of(finished.err).size(), 1U) << finished.err;
    EXPECT_TRUE(contains(finished.err, reason)) << finished.err;
    EXPECT_FALSE(fs::exists(path("found.json")));
  };
  const auto file_of = [](const Json& question) {
    return Json({{"questions", std::vector<Json>{question}}}).dump();
  };
  refused("no JSON", {}, "--help");
  refused("[]", {}, "--help");
  Json single = multiplication();
  single["readings"].erase(1);
  refused(file_of(single), {}, "two readings");
  Json unfounded = multiplication();
  unfounded["readings"][0]["source"] = "";
  refused(file_of(unfounded), {}, "a source");
  refused(file_of(with(multiplication(), "cpus", {"pdp11"})), {}, "no processor pdp11");
  refused(file_of(multiplication()), {"--question=other"}, "no question other");
  refused(file_of(multiplication()), {"--rounds=many"}, "--help");
}

// ---- The project's own.

Json own_file(const std::string& name) {
  return Json::parse(read_file(fs::absolute("tests/timing/" + name).string()));
}

TEST(Doubts, AnswerTheQuestions) {
  std::map<std::string, std::set<std::string>> names;
  std::set<std::string> processors;
  const Json asked = own_file("readings.json"), found = own_file("doubts.json");
  for (const Json& question : asked["questions"]) {
    for (const Json& reading : question["readings"]) {
      EXPECT_FALSE(reading["source"].get<std::string>().empty()) << question["id"];
      names[question["id"]].insert(reading["name"].get<std::string>());
    }
  }
  EXPECT_GE(names.size(), 20U);
  std::set<std::string> answered;
  for (const Json& kernel : found["kernels"]) {
    const auto id = kernel["id"].get<std::string>();
    SCOPED_TRACE(id);
    const std::string question = id.substr(0, id.find('.'));
    ASSERT_TRUE(names.contains(question));
    answered.insert(question);
    processors.insert(kernel["cpu"].get<std::string>());
    std::set<std::string> readings;
    std::set<double> cycles;
    for (const auto& [name, value] : kernel["readings"].items()) {
      readings.insert(name);
      cycles.insert(value.get<double>());
    }
    EXPECT_EQ(readings, names[question]);
    EXPECT_GT(cycles.size(), 1U);
    const auto today = kernel["today"].get<std::string>();
    if (today == "none of these") continue;
    EXPECT_EQ(kernel["readings"][today], kernel["cycles_per_iteration"]);
  }
  EXPECT_GE(answered.size(), 20U);
  EXPECT_GE(processors.size(), 18U);  // nearly all that have a pipeline
}

}  // namespace
}  // namespace hardclock::cli_test
