// The parts of a sweep of jobs that need no process.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/jobs/job_list.h"
#include "cli/jobs/job_result.h"
#include "cli/jobs/job_table.h"
#include "cli/jobs/slurm.h"

namespace hardclock::jobs {
namespace {

// sbatch(1), --array: "Multiple values may be specified using a comma separated list and/or a
// range".
TEST(SlurmArray, HasRanges) {
  EXPECT_EQ(array_of({1}), "1");
  EXPECT_EQ(array_of({1, 2}), "1-2");
  EXPECT_EQ(array_of({1, 2, 3, 5, 7, 8, 1000}), "1-3,5,7-8,1000");
}

TEST(SlurmScript, QuotesPaths) {
  EXPECT_EQ(batch_script("/opt/h c", "/tmp/it's $HOME"),
            "#!/bin/sh\nexec '/opt/h c' sweep --job=\"$SLURM_ARRAY_TASK_ID\" "
            "--jobs-dir='/tmp/it'\\''s $HOME'\n");
}

JobList two_jobs() {
  return {.hardclock = "0123",
          .program = "prog",
          .program_file = "/w/prog",
          .program_hash = "4567",
          .directory = "/w",
          .own_folders = true,
          .descriptions = {{"./my.machine", "89ab"}},
          .jobs = {{"indigo", {"run", "--machine=indigo", "--", "prog", "\"x\""}},
                   {"octane", {"sweep", "--hz=60", "--", "prog", "\"x\""}}}};
}

TEST(JobListText, IsReadBack) {
  const auto read = parse_job_list(to_json(two_jobs()));
  ASSERT_TRUE(read.ok()) << read.error();
  EXPECT_EQ(*read, two_jobs());
  EXPECT_EQ(difference(*read, two_jobs()), "");
}

// A list is a file that anyone may have changed: a job of it is a run, never another command.
TEST(JobListText, OfAnythingElseIsRefused) {
  const std::string good = to_json(two_jobs());
  for (std::size_t size = 0; size + 1 < good.size(); size += 7) {
    EXPECT_FALSE(parse_job_list(good.substr(0, size)).ok()) << size;
  }
  std::string other = good;
  other.replace(other.find("\"run\""), 5, "\"help\"");
  EXPECT_FALSE(parse_job_list(other).ok());
  for (const char* const text : {"null", "[]", "{\"format\": 1}", "3"}) {
    EXPECT_FALSE(parse_job_list(text).ok()) << text;
  }
}

TEST(JobListDifference, IsNamed) {
  const auto differs = [](auto change) {
    JobList other = two_jobs();
    change(other);
    return difference(two_jobs(), other);
  };
  EXPECT_NE(differs([](JobList& l) { l.jobs.pop_back(); }).find("other jobs"), std::string::npos);
  EXPECT_NE(differs([](JobList& l) { l.directory = "/v"; }).find("/w"), std::string::npos);
  EXPECT_NE(differs([](JobList& l) { l.program_hash = "1"; }).find("changed"), std::string::npos);
  EXPECT_NE(differs([](JobList& l) { l.hardclock = "1"; }).find("build"), std::string::npos);
  EXPECT_NE(differs([](JobList& l) { l.descriptions.clear(); }).find("--machine"),
            std::string::npos);
}

constexpr const char* statistics =
    R"({"cpu": "r4400", "machine": "m", "cache": ["l1d=1k,16,1"], "clock_hz": 100, "instructions": 50,
        "cycles": 75, "elapsed_cycles": 200,
        "memory": {"l1i": {"accesses": 9, "misses": 1}, "l1d": {"accesses": 9, "misses": 2},
                   "l2": {"accesses": 0, "misses": 0}, "tlb_misses": 3}})";
constexpr const char* clocks =
    R"({"phases": 2, "cycles": 70, "programs": [1], "functions": [
        {"function": "f", "cycles": 70, "ticks": [1, 2, 3, 4]}],
        "clocks": [{"hz": 60, "phase": 0, "user": 1, "kernel": 0, "idle": 5},
                   {"hz": 60, "phase": 1, "user": 2, "kernel": 0, "idle": 5},
                   {"hz": 90, "phase": 0, "user": 3, "kernel": 0, "idle": 5},
                   {"hz": 90, "phase": 1, "user": 4, "kernel": 1, "idle": 5}]})";

TEST(JobResultText, IsWhatTheRunWrote) {
  const auto text = result_json(7, statistics, clocks);
  ASSERT_TRUE(text.ok());
  const auto result = parse_result(*text);
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->error, "");
  EXPECT_EQ(result->status, 7);
  EXPECT_EQ(result->cycles, Cycles(75));
  EXPECT_EQ(result->cpi(), 1.5);
  EXPECT_EQ(result->seconds(), 2.0);
  EXPECT_EQ(result->misses,
            (std::map<std::string, std::uint64_t>{{"l1d", 2}, {"l1i", 1}, {"tlb", 3}}));
  ASSERT_TRUE(result->clocks.has_value());
  EXPECT_EQ(result->clocks->sweep.rates, (std::vector<Hertz>{Hertz(60), Hertz(90)}));
  EXPECT_EQ(result->clocks->rows.at(0).ticks, (report::ClockTicks{1, 2, 3, 4}));
  EXPECT_TRUE(is_done(*text));
}

TEST(JobResultText, IsNotBelievedIfItIsDamaged) {
  const std::string good = *result_json(0, statistics, clocks);
  for (std::size_t size = 0; size + 1 < good.size(); size += 5) {
    EXPECT_FALSE(is_done(good.substr(0, size))) << size;
  }
  EXPECT_FALSE(result_json(0, "{", clocks).ok());
  EXPECT_FALSE(result_json(0, statistics, "{").ok());
  // Ticks of another number of clocks, no clock rate, a number that is none.
  EXPECT_FALSE(is_done(*result_json(0, statistics, R"({"phases": 3, "cycles": 1, "clocks": [],
      "functions": [{"function": "f", "cycles": 1, "ticks": [1]}]})")));
  std::string text(statistics);
  text.replace(text.find("100"), 3, "0");
  EXPECT_FALSE(is_done(*result_json(0, text, "")));
  text.replace(text.find("50"), 2, "[]");
  EXPECT_FALSE(is_done(*result_json(0, text, "")));
  EXPECT_FALSE(is_done(failure_json("no memory")));
  EXPECT_EQ(parse_result(failure_json("no memory"))->error, "no memory");
  EXPECT_FALSE(is_done(std::nullopt));
}

TEST(JobTable, OfFailuresAloneIsOne) {
  JobResult failed;
  failed.error = "no memory";
  const std::string text = table_text(two_jobs(), {failed, failed});
  EXPECT_EQ(text,
            "prog, 2 jobs; the columns of caches and tlb are misses\n\n"
            "job 1 failed, indigo: no memory\njob 2 failed, octane: no memory\n");
  EXPECT_NE(table_csv(two_jobs(), {failed, failed}).find("\n2,octane,no memory,,"),
            std::string::npos);
}

}  // namespace
}  // namespace hardclock::jobs
