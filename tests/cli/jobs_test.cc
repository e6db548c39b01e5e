// hardclock sweep --jobs-dir: jobs on this host. tools/slurm-test has them on a cluster.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;
namespace fs = std::filesystem;

Words joined(Words first, const Words& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

class Jobs : public CommandTest {
 protected:
  static constexpr const char* four_sizes = "--cache=l1d=4k,16,1:8k,16,1:8k,16,2:16k,16,1";

  void SetUp() override { fs::copy_file(guest("walk"), path("walk")); }

  // A sweep of walk in the folder `jobs`.
  static Words sweep(const std::string& jobs, const Words& options,
                     const std::string& rounds = "10") {
    return joined(joined({"sweep", "--jobs-dir=" + jobs}, options), {"./walk", "12", rounds});
  }
  static Words four(const std::string& jobs, const std::string& rounds, const Words& options = {}) {
    return sweep(jobs, joined({"--machine=indigo2-r4400", four_sizes}, options), rounds);
  }
  Finished run(const Words& words) const { return hardclock(words); }
  Json json_of(const Words& words) const {
    const Finished finished =
        run(joined({words[0], "--format=json"}, {words.begin() + 1, words.end()}));
    EXPECT_EQ(finished.err, "");
    return Json::parse(finished.out);
  }
  Child start(const Words& words) const { return Child(joined({hardclock_path()}, words), here()); }
  bool has(const std::string& name) const { return fs::exists(path(name)); }
  std::uint64_t inode(const std::string& name) const {
    struct ::stat status = {};
    EXPECT_EQ(::stat(path(name).c_str(), &status), 0) << name;
    return status.st_ino;
  }
  static bool happens(const std::function<bool()>& condition) {
    for (int tries = 0; tries < 6000; ++tries) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
};

// The figures of hardclock run.
TEST_F(Jobs, AreRuns) {
  const Json table = json_of(four("d", "10"));
  EXPECT_EQ(table.at("format"), "hardclock-jobs");
  EXPECT_EQ(table.at("program"), "./walk");
  const char* const sizes[] = {"l1d=4k,16,1", "l1d=8k,16,1", "l1d=8k,16,2", "l1d=16k,16,1"};
  ASSERT_EQ(table.at("jobs").size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const Json& job = table.at("jobs")[i];
    hardclock({"run", "--cwd=ro", "--stats=s.json", "--machine=indigo2-r4400",
               std::string("--cache=") + sizes[i], "./walk", "12", "10"});
    const Json stats = Json::parse(read("s.json"));
    EXPECT_EQ(job.at("job"), i + 1);
    EXPECT_EQ(job.at("name"), std::string("indigo2-r4400 ") + sizes[i]);
    EXPECT_EQ(job.at("cache"), sizes[i]);
    EXPECT_EQ(job.at("machine"), "indigo2-r4400");
    EXPECT_EQ(job.at("status"), 0);
    EXPECT_EQ(job.at("error"), Json());
    for (const char* const same : {"cpu", "instructions", "cycles", "elapsed_cycles", "clock_hz"}) {
      EXPECT_EQ(job.at(same), stats.at(same)) << same;
    }
    for (const char* const cache : {"l1i", "l1d", "l2"}) {
      EXPECT_EQ(job.at(std::string(cache) + "_misses"), stats.at("memory").at(cache).at("misses"));
    }
    EXPECT_EQ(job.at("tlb_misses"), stats.at("memory").at("tlb_misses"));
    EXPECT_EQ(job.at("l3_misses"), Json());
    EXPECT_DOUBLE_EQ(job.at("seconds"), job.at("elapsed_cycles").get<double>() / 200e6);
    // Each is a command that a user can give.
    const Words words = job.at("words");
    EXPECT_EQ(run(words).out, read("d/job-" + std::to_string(i + 1) + "/out"));
  }
}

TEST_F(Jobs, AreTheProductOfTheLists) {
  const Json table =
      json_of(sweep("d", {"--machine=indigo2-r4400,octane", "--cache=l1d=8k,32,1:8k,32,2",
                          "--cache=l2=256k,128,1", "--cache=l2=512k,128,1"}));
  Words names;
  for (const Json& job : table.at("jobs")) names.push_back(job.at("name"));
  const Words expected = {
      "indigo2-r4400 l1d=8k,32,1 l2=256k,128,1", "indigo2-r4400 l1d=8k,32,1 l2=512k,128,1",
      "indigo2-r4400 l1d=8k,32,2 l2=256k,128,1", "indigo2-r4400 l1d=8k,32,2 l2=512k,128,1",
      "octane l1d=8k,32,1 l2=256k,128,1",        "octane l1d=8k,32,1 l2=512k,128,1",
      "octane l1d=8k,32,2 l2=256k,128,1",        "octane l1d=8k,32,2 l2=512k,128,1"};
  EXPECT_EQ(names, expected);
  const Json mixed = json_of(sweep("e", {"--cpu=r3000,r4400@100", "--machine=indigo"}));
  ASSERT_EQ(mixed.at("jobs").size(), 3U);
  EXPECT_EQ(mixed.at("jobs")[1].at("clock_hz"), 100'000'000);
  EXPECT_EQ(mixed.at("jobs")[1].at("l1d_misses"), Json());
  EXPECT_EQ(mixed.at("jobs")[2].at("machine"), "indigo");
  EXPECT_EQ(json_of(sweep("f", {})).at("jobs").size(), 1U);
}

TEST_F(Jobs, AreATableOfWhateverManyAtATime) {
  const Finished one = run(four("d", "10", {"--jobs=1"}));
  EXPECT_EQ(one.status, 0) << one.err;
  EXPECT_EQ(one.err, "");
  EXPECT_EQ(run(four("e", "10", {"--jobs=4"})).out, one.out);
  EXPECT_EQ(run(four("e", "10")).out, one.out) << "of what is there already";
  const Words lines = lines_of(one.out);
  ASSERT_EQ(lines.size(), 7U) << one.out;
  EXPECT_EQ(lines[0], "./walk on indigo2-r4400, 4 jobs; the columns of caches and tlb are misses");
  EXPECT_TRUE(contains(lines[2], "job  instructions  cycles     cpi   seconds  l1i   l1d"));
  EXPECT_TRUE(lines[6].ends_with("  l1d=16k,16,1"));
  for (const std::string& line : lines) EXPECT_LE(line.size(), 80U) << line;
}

TEST_F(Jobs, ThatAreKilledGoOn) {
  const std::string rounds = "20000";
  const std::string whole = run(four("whole", rounds)).out;
  {
    Child child = start(four("d", rounds, {"--jobs=1"}));
    ASSERT_TRUE(happens([&] { return has("d/job-2/lock"); }));
    ASSERT_TRUE(has("d/job-1/result.json"));
    child.send(SIGKILL);
    EXPECT_EQ(child.wait().status, 128 + SIGKILL);
  }
  ASSERT_FALSE(has("d/job-4/result.json")) << "it was to be killed in the midst";
  const std::uint64_t first = inode("d/job-1/result.json");
  // Its child ends with it, a moment later.
  ASSERT_TRUE(happens([&] {
    return other_program({"flock", "-n", path("d/job-2/lock"), "true"}).status == 0;
  }));
  const Finished rest = run(four("d", rounds));
  EXPECT_EQ(rest.status, 0) << rest.err;
  EXPECT_EQ(rest.out, whole);
  EXPECT_EQ(inode("d/job-1/result.json"), first) << "it is not done again";
}

TEST_F(Jobs, AreStoppedByASignal) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    SCOPED_TRACE(signal);
    const std::string jobs = "d" + std::to_string(signal);
    Child child = start(four(jobs, "4000000", {"--jobs=2"}));
    ASSERT_TRUE(happens([&] { return has(jobs + "/job-2/out"); }));
    child.send(signal);
    const Finished stopped = child.wait();
    expect_sound(stopped);
    EXPECT_EQ(stopped.status, 128 + signal);
    EXPECT_EQ(stopped.out, "");
    EXPECT_EQ(stopped.err,
              "hardclock: stopped with 0 of 4 jobs done; the same command goes on from there\n");
    for (const char* const job : {"/job-1", "/job-2"}) {
      EXPECT_FALSE(has(jobs + job + "/result.json"));
      EXPECT_EQ(other_program({"flock", "-n", path(jobs + job + "/lock"), "true"}).status, 0)
          << "no process is left";
    }
  }
}

TEST_F(Jobs, OfAnotherCommandAreRefused) {
  run(four("d", "10"));
  expect_complaint(run(four("d", "11")), {"d has other jobs", "./walk"});
  expect_complaint(run(four("d", "10", {"--hz=100"})), {"other jobs"});
  expect_complaint(run(four("d", "10", {"--max-cycles=1000"})), {"other jobs"});
  expect_complaint(run(sweep("d", {"--machine=octane"})), {"other jobs"});
  fs::create_directory(path("below"));
  Surroundings below = here();
  below.directory = path("below");
  expect_complaint(hardclock(joined({"sweep", "--jobs-dir=../d"},
                                    {"--machine=indigo2-r4400", four_sizes, "../walk", "12", "10"}),
                             below),
                   {"was begun in " + fs::canonical(folder()).string()});
  write("walk", read("walk") + " ");
  expect_complaint(run(four("d", "10")), {"jobs of another ./walk", "has changed"});
  expect_complaint(run({"sweep", "--jobs-dir=d", "--job=1"}), {"jobs of another ./walk"});
}

TEST_F(Jobs, OfAnotherDescriptionAreRefused) {
  run({"cpus", "indigo", "--output=my.machine"});
  EXPECT_EQ(run(sweep("d", {"--machine=./my.machine,indigo"})).status, 0);
  write("my.machine", replace(read("my.machine"), "ns 455", "ns 456"));
  expect_complaint(run(sweep("d", {"--machine=./my.machine,indigo"})),
                   {"d was begun", "--machine"});
}

TEST_F(Jobs, ThatFailAreNamedAndTriedAgain) {
  const Words words = sweep("d", {"--machine=indigo,indigo2-r4400,i2000", "--cache=l2=64k,128,1"});
  const Finished first = run(words);
  EXPECT_EQ(first.status, 1);
  EXPECT_EQ(first.err, "hardclock: 2 of 3 jobs failed; the same command tries them again\n");
  EXPECT_TRUE(contains(first.out,
                       "job 1 failed, indigo l2=64k,128,1: --cache=l2=64k,128,1: the "
                       "machine has only l1i, l1d"))
      << first.out;
  EXPECT_TRUE(contains(first.out, "\njob 3 failed, i2000 l2=64k,128,1: ")) << first.out;
  EXPECT_TRUE(contains(first.out, "\n  2  ")) << first.out;
  const std::uint64_t failed = inode("d/job-1/result.json"), good = inode("d/job-2/result.json");
  // As long as it has a name, no other file gets its number.
  fs::create_hard_link(path("d/job-1/result.json"), path("first"));
  EXPECT_EQ(run(words).out, first.out);
  EXPECT_NE(inode("d/job-1/result.json"), failed);
  EXPECT_EQ(inode("d/job-2/result.json"), good);
  const Json table = Json::parse(
      run(joined(Words{"sweep", "--format=json"}, {words.begin() + 1, words.end()})).out);
  EXPECT_TRUE(table.at("jobs")[0].at("error").is_string());
  EXPECT_EQ(table.at("jobs")[0].at("cycles"), Json());
}

TEST_F(Jobs, AtALimitFail) {
  const Finished run_out = run(four("d", "10", {"--max-instructions=100"}));
  EXPECT_EQ(run_out.status, 1);
  EXPECT_TRUE(contains(run_out.out,
                       "job 4 failed, indigo2-r4400 l1d=16k,16,1: stopped at "
                       "--max-instructions"))
      << run_out.out;
}

// The program's own failure is its result.
TEST_F(Jobs, OfAProgramThatFailsSayIt) {
  const Finished ended = run({"sweep", "--jobs-dir=d", "--machine=indigo", "./walk", "999"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(contains(ended.out, "job 1: the program ended with status 2")) << ended.out;
}

// split75 writes mon.out.
TEST_F(Jobs, HaveFoldersOfTheirOwnIfTheyWant) {
  fs::copy_file(guest("split75"), path("split75"));
  const Words machines = {"--machine=indigo,indigo2-r4400", "split75", "100"};
  const Finished shared = run(joined({"sweep", "--jobs-dir=ro"}, machines));
  EXPECT_TRUE(contains(shared.out, "the program ended with status 1")) << shared.out;
  EXPECT_FALSE(has("mon.out"));
  const Finished own = run(joined({"sweep", "--jobs-dir=own", "--cwd=own"}, machines));
  EXPECT_EQ(own.status, 0) << own.err;
  EXPECT_FALSE(contains(own.out, "ended with")) << own.out;
  for (const char* const job : {"own/job-1/", "own/job-2/"}) {
    const Finished report = run({"report", std::string(job) + "files/mon.out", "split75"});
    EXPECT_TRUE(contains(report.out, "hot")) << report.err;
    EXPECT_TRUE(contains(read(std::string(job) + "out"), "after 100 rounds"));
  }
  expect_complaint(run(joined({"sweep", "--jobs-dir=rw", "--cwd=rw"}, machines)),
                   {"--cwd=rw", "own"});
}

// What the clocks of hardclock sweep see, and the run they watch.
TEST_F(Jobs, SayWhatClocksSaw) {
  fs::copy_file(guest("split75"), path("split75"));
  const Words clocks = {"--cwd=none", "--hz=90,1000", "--phase=2"};
  const Words words = joined(joined({"sweep", "--jobs-dir=d", "--machine=indigo,octane"}, clocks),
                             {"split75", "50"});
  const Json table = json_of(words);
  for (std::size_t i = 0; i < 2; ++i) {
    const Json& job = table.at("jobs")[i];
    hardclock(joined(joined({"sweep", i == 0 ? "--machine=indigo" : "--machine=octane",
                             "--format=json", "--output=one.json"},
                            clocks),
                     {"split75", "50"}));
    const Json one = Json::parse(read("one.json"));
    EXPECT_EQ(job.at("clocks"), one.at("clocks"));
    ASSERT_EQ(job.at("functions").size(), one.at("functions").size());
    for (std::size_t k = 0; k < one.at("functions").size(); ++k) {
      for (const char* const same : {"function", "cycles", "ticks"}) {
        EXPECT_EQ(job.at("functions")[k].at(same), one.at("functions")[k].at(same));
      }
    }
  }
  const Finished text = run(words);
  EXPECT_TRUE(contains(text.out, "\nhot\njob  exact%    hz")) << text.out;
  const Finished csv = run(joined({"sweep", "--format=csv"}, {words.begin() + 1, words.end()}));
  const Words lines = lines_of(csv.out);
  EXPECT_TRUE(
      lines[0].ends_with("tlb_misses,hz,phase,function,object,function_cycles,ticks,user_ticks"));
  const std::size_t functions =
      table.at("jobs")[0].at("functions").size() + table.at("jobs")[1].at("functions").size();
  EXPECT_EQ(lines.size(), 1 + 4 * functions);
}

TEST_F(Jobs, AnswerInFilesToo) {
  const Finished finished = run(four("d", "10", {"--output=t.csv"}));
  EXPECT_EQ(finished.out + finished.err, "");
  const Words lines = lines_of(read("t.csv"));
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0],
            "job,name,error,status,cpu,machine,cache,clock_hz,instructions,cycles,elapsed_cycles,"
            "cpi,seconds,l1i_misses,l1d_misses,l2_misses,l3_misses,tlb_misses");
  EXPECT_TRUE(
      lines[1].starts_with("1,\"indigo2-r4400 l1d=4k,16,1\",,0,r4400,indigo2-r4400,"
                           "\"l1d=4k,16,1\",200000000,"))
      << lines[1];
}

// What Slurm calls.
TEST_F(Jobs, AreDoneOneByOne) {
  const std::string expected = run(four("whole", "10")).out;
  EXPECT_EQ(run(four("d", "10", {"--jobs=1", "--format=csv", "--output=/dev/null"})).status, 0);
  fs::remove(path("d/job-2/result.json"));
  for (const char* const job : {"--job=2", "--job=3"}) {
    const Finished one = run({"sweep", job, "--jobs-dir=d"});
    EXPECT_EQ(one.status, 0);
    EXPECT_EQ(one.out + one.err, "");
  }
  EXPECT_TRUE(has("d/job-2/result.json"));
  EXPECT_EQ(run(four("d", "10")).out, expected);
  expect_complaint(run({"sweep", "--jobs-dir=d", "--job=5"}), {"--job", "from 1 to 4"});
  expect_complaint(run({"sweep", "--jobs-dir=d", "--job=1", "walk"}), {"leave out PROGRAM"});
  expect_complaint(run({"sweep", "--jobs-dir=none", "--job=1"}), {"none"});
}

TEST_F(Jobs, OfTwoSweepsAtOnceAreRefused) {
  Child first = start(four("d", "4000000"));
  ASSERT_TRUE(happens([&] { return has("d/job-1/out"); }));
  expect_complaint(run(four("d", "4000000")), {"another sweep is at work there"});
  expect_complaint(run({"sweep", "--jobs-dir=d", "--job=1"}), {"job 1 is being done"});
  first.send(SIGTERM);
  first.wait();
}

TEST_F(Jobs, MistakesAreNamedBeforeAnyRuns) {
  const auto refused = [&](const Words& options, const Words& words) {
    expect_complaint(run(sweep("d", options)), words);
    EXPECT_FALSE(has("d"));
  };
  refused({"--machine=indigo,octan"}, {"--machine: unknown 'octan'", "hardclock cpus"});
  refused({"--cpu=r3000,r9999@50"}, {"--cpu: unknown 'r9999@50'"});
  refused({"--machine=indigo,,octane"}, {"empty name"});
  refused({"--machine=indigo,indigo"}, {"twice"});
  refused({"--machine=indigo", "--cache=l1d=8k"}, {"--cache needs", "'l1d=8k'"});
  refused({"--machine=octane", "--cache=l1d=8k,32,1:8k"}, {"--cache needs"});
  refused({"--machine=octane", "--cache=l1d=8k,32,1:8192,32,1"}, {"twice"});
  refused({"--cache=l1d=8k,32,1"}, {"--machine"});
  refused({"--cpu=r3000", "--cache=l1d=8k,32,1"}, {"--cpu"});
  refused({"--machine=indigo", "--profile=p.json"}, {"--profile is for one run"});
  refused({"--machine=indigo", "--stats"}, {"--stats is for one run"});
  refused({"--machine=indigo", "--phase=4"}, {"--phase", "--hz"});
  refused({"--machine=indigo", "--hz=0"}, {"--hz needs rates"});
  refused({"--machine=indigo", "--max-cycles=x"}, {"--max-cycles needs"});
  refused({"--machine=indigo", "--jobs=0"}, {"--jobs needs a whole number from 1 to 1000"});
  refused({"--machine=indigo", "--format=svg"}, {"unknown format 'svg'"});
  refused({"--machine=indigo", "--output=t.pdf"}, {"t.pdf"});
  refused({"--machine=indigo", "--env=A=\xff"}, {"UTF-8"});
  std::string many = "--cache=l1d=";
  for (int ways = 0; ways < 11; ++ways)
    many += (ways == 0 ? "" : ":") + std::to_string(16 << ways) + ",16,1";
  std::string more = replace(many, "l1d", "l1i");
  refused({"--machine=indigo2-r4400,octane,indy-r4600,indy-r5000,o2,origin2000,indigo,c180,b132l",
           many, more},
          {"more than 1000 jobs"});
  expect_complaint(run({"sweep", "--jobs-dir=d", "--machine=indigo"}), {"needs PROGRAM"});
  expect_complaint(run({"sweep"}), {"needs PROGRAM"});
  expect_complaint(run({"sweep", "--machine=indigo,octane", "./walk"}), {"--jobs-dir"});
  expect_complaint(run({"sweep", "--jobs=2", "./walk"}), {"--jobs is", "--jobs-dir"});
  expect_complaint(run({"sweep", "--slurm", "./walk"}), {"--slurm is", "--jobs-dir"});
}

// ext4 and xfs may keep the name of a new file and lose its content.
TEST_F(Jobs, AListThatAPowerCutTookIsWrittenAgain) {
  ASSERT_EQ(run(four("whole", "10", {"--output=whole.csv"})).status, 0);
  fs::create_directory(path("cut"));
  write("cut/jobs.json", "");
  ASSERT_EQ(run(four("cut", "10", {"--output=cut.csv"})).status, 0);
  EXPECT_EQ(read("cut.csv"), read("whole.csv"));
}

TEST_F(Jobs, FoldersOfOthersAreRefused) {
  fs::create_directory(path("mine"));
  write("mine/letter", "dear");
  expect_complaint(run(four("mine", "10")), {"mine", "not empty"});
  EXPECT_EQ(read("mine/letter"), "dear");
  expect_complaint(run(four("walk", "10")), {"walk"});
  for (const char* const text : {"{}", "[1]", "{\"format\": \"hardclock-job-list\"}", "\xff"}) {
    write("mine/jobs.json", text);
    expect_complaint(run(four("mine", "10")), {"jobs.json", "list of jobs"});
    expect_complaint(run({"sweep", "--job=1", "--jobs-dir=mine"}), {"jobs.json", "list of jobs"});
  }
  // A result that is none is not believed.
  const std::string good = run(four("d", "10")).out;
  write("d/job-1/result.json", "{\"format\": \"hardclock-job\", \"version\": 1}");
  write("d/job-2/result.json", "");
  write("d/job-3/result.json", "{\"format\": \"hardclock-job\", \"version\": 1, \"error\": 3}");
  EXPECT_EQ(run(four("d", "10")).out, good);
}

// Where Slurm is not.
TEST_F(Jobs, WithoutSlurmSayWhatIsMissing) {
  Surroundings bare = here();
  bare.environment = {"PATH=/nowhere"};
  expect_complaint(hardclock(four("d", "10", {"--slurm"}), bare),
                   {"sbatch", "--slurm needs Slurm"});
}

}  // namespace
}  // namespace hardclock::cli_test
