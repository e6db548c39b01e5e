// What happens when a write of the host fails, wherever that is: hardclock says what is lost and
// leaves no half file, and a guest learns of its own. SQLite's own tests do the same
// (sqlite.org/testing.html, 3.2, "I/O Error Testing"). Of calls that are alike, the first and the
// last are tried, and not with every failure; FAILING_WRITES=all tries all.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <set>
#include <sstream>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

struct Command {
  std::string name;
  Words words;         // PROGRAM, FILES, PROFILE and CASES stand for files
  Words whole = {};    // files that it writes: whole or not at all
  Words growing = {};  // logs, which are read while they grow
};

std::ostream& operator<<(std::ostream& out, const Command& command) {
  return out << command.name;
}

const Command of_runs[] = {
    {"Stats", {"run", "--stats=s.json", "FILES", "a"}, {"s.json"}},
    {"StatsToStandardError", {"run", "--stats", "FILES", "a"}},
    {"StatsToStandardOutput", {"run", "--stats=-", "--cwd=none", "FILES", "a"}},
    {"Machine",
     {"run", "--machine=indigo2-r4400", "--stats=s.json", "--profile=p.json", "PROGRAM"},
     {"s.json", "p.json"}},
    {"OutOfOrder", {"run", "--machine=octane", "--stats=s.json", "FILES", "a"}, {"s.json"}},
    {"Json",
     {"run", "--reasons", "--calls", "--stats=s.json", "--profile=p.json", "FILES", "a"},
     {"s.json", "p.json"}},
    {"Page", {"run", "--profile=p.html", "--stats=s.json", "FILES", "a"}, {"s.json", "p.html"}},
    {"Callgrind",
     {"run", "--profile=callgrind.out", "--stats=s.json", "FILES", "a"},
     {"s.json", "callgrind.out"}},
    {"Pprof", {"run", "--profile=p.pb.gz", "--stats=s.json", "FILES", "a"}, {"s.json", "p.pb.gz"}},
    {"Gmon", {"run", "--profile=gmon.out", "--stats=s.json", "FILES", "a"}, {"s.json", "gmon.out"}},
    {"Logs",
     {"run", "--strace=a.log", "--explain=b.log", "--stats=s.json", "PROGRAM"},
     {"s.json"},
     {"a.log", "b.log"}},
    {"LogToStandardError", {"run", "--strace", "--stats=s.json", "FILES", "a"}, {"s.json"}},
    {"Digest",
     {"run", "--digest=d.log@20k", "--stats=s.json", "FILES", "a"},
     {"s.json"},
     {"d.log"}},
    {"Trace", {"run", "--trace=t.log", "--stats=s.json", "FILES", "a"}, {"s.json"}, {"t.log"}},
    {"Pipeline",
     {"run", "--pipeline=main+50,p.kanata", "--stats=s.json", "FILES", "a"},
     {"s.json"},
     {"p.kanata"}},
    {"Sweep", {"sweep", "--output=o.txt", "PROGRAM"}, {"o.txt"}},
    {"SweepToStandardError", {"sweep", "PROGRAM"}},
    {"SweepPicture", {"sweep", "--output=o.svg", "--stats=s.json", "PROGRAM"}, {"o.svg", "s.json"}},
    {"LabPage",
     {"lab", "--format=html", "--frames=10", "--output=o.html", "FILES", "a"},
     {"o.html"}},
    {"LabScreens", {"lab", "--keys=s s", "FILES", "a"}},
};

const Command of_others[] = {
    {"SweepOfJobs",
     {"sweep", "--jobs-dir=jobs", "--jobs=1", "--cpu=r3000,r4400", "--output=o.csv", "FILES", "a"},
     {"o.csv", "jobs/jobs.json"}},
    {"Report", {"report", "PROFILE", "PROGRAM"}},
    {"ReportPage", {"report", "--output=o.html", "PROFILE", "PROGRAM"}, {"o.html"}},
    {"ReportPprof", {"report", "--output=o.pb.gz", "PROFILE", "PROGRAM"}, {"o.pb.gz"}},
    {"Annotation", {"report", "--annotate", "--output=o.txt", "PROFILE", "PROGRAM"}, {"o.txt"}},
    {"Folded", {"report", "--format=folded", "PROFILE", "PROGRAM"}},
    {"Diff", {"diff", "PROFILE", "PROGRAM", "PROFILE"}},
    {"DiffFile", {"diff", "--output=o.csv", "PROFILE", "PROGRAM", "PROFILE"}, {"o.csv"}},
    {"Disasm", {"disasm", "PROGRAM"}},
    {"DisasmFile", {"disasm", "--output=o.txt", "PROGRAM"}, {"o.txt"}},
    {"Conform", {"conform", "CASES"}},
    {"ConformFile", {"conform", "--output=o.xml", "CASES"}, {"o.xml"}},
    {"EmitC", {"conform", "--emit-c", "--output=o.c", "CASES"}, {"o.c"}},
    {"Cpus", {"cpus", "r10000"}},
    {"CpuFile", {"cpus", "octane", "--output=my.machine"}, {"my.machine"}},
    {"Syscalls", {"syscalls", "--os=irix"}},
    {"Systems", {"systems"}},
    {"Doctor", {"doctor", "PROGRAM"}},
    {"Help", {"help"}},
    {"ManualPage", {"help", "--man"}},
};

std::vector<Command> all_commands() {
  std::vector<Command> all(std::begin(of_others), std::end(of_others));
  for (const char* const engine : {"Interpreter", "Translator"}) {
    for (Command command : of_runs) {
      command.name += engine;
      const std::string name = engine[0] == 'I' ? "interpreter" : "translator";
      command.words.insert(command.words.begin() + 1, "--engine=" + name);
      all.push_back(command);
    }
  }
  return all;
}

// A call that writes, as failing_writes reports it.
struct Call {
  unsigned long number = 0;
  bool failed = false;
  std::string name;
  std::string descriptor;
  std::string file;

  bool is(std::initializer_list<std::string_view> names) const {
    return std::ranges::find(names, name) != names.end();
  }
  bool moves_bytes() const { return is({"write", "writev", "pwrite64", "pwritev"}); }
};

std::vector<Call> calls_in(const std::string& report) {
  std::vector<Call> calls;
  for (const std::string& line : lines_of(report)) {
    std::istringstream words(line);
    Call call;
    std::string outcome;
    words >> call.number >> outcome >> call.name >> call.descriptor >> std::ws;
    std::getline(words, call.file);
    call.failed = outcome == "failed";
    calls.push_back(call);
  }
  return calls;
}

// Without what the host's time changes.
std::string without_numbers(const std::string& text) {
  std::string rest;
  std::ranges::remove_copy_if(text, std::back_inserter(rest), [](char letter) {
    return ('0' <= letter && letter <= '9') || letter == ' ';
  });
  return rest;
}

// What a run has left.
struct Outcome {
  Finished finished;
  std::vector<Call> calls;
  std::map<std::string, std::string> files;
};

class FailingWrites : public CommandTest {
 protected:
  static constexpr const char* old_content = "old";
  static constexpr int cannot_trace = 126;
  static constexpr int job_failed = 1;  // and conform's, for a case that could not be performed

  void SetUp() override {
    fs::create_directory(path("tmp"));
    const Finished made = hardclock({"run", "--profile=" + path("profile.json"), guest("compute")});
    ASSERT_EQ(made.status, 0) << made.err;
  }

  // In a new working directory, which has old files of these names.
  Outcome run(const Words& words, unsigned long number, const std::string& failure,
              const Words& old_files) const {
    fs::remove_all(path("work"));
    fs::create_directory(path("work"));
    for (const std::string& file : old_files) {
      if (!contains(file, "/")) write("work/" + file, old_content);
    }
    Words command = {fs::absolute("tests/support/failing_writes").string(), path("calls"),
                     std::to_string(number), failure, hardclock_path()};
    for (const std::string& word : words) {
      command.push_back(word == "PROGRAM"   ? guest("compute")
                        : word == "FILES"   ? cli_guest("files")
                        : word == "PROFILE" ? path("profile.json")
                        : word == "CASES"   ? fs::absolute("tests/conformance/cases.json").string()
                                            : word);
    }
    Surroundings surroundings = here();
    surroundings.directory = path("work");
    surroundings.environment.push_back("TMPDIR=" + path("tmp"));
    Outcome outcome{Child(command, surroundings).wait(), calls_in(read("calls")), {}};
    for (const auto& file : fs::recursive_directory_iterator(path("work"))) {
      const std::string name = fs::relative(file.path(), path("work")).string();
      outcome.files[name] = fs::is_regular_file(file.symlink_status()) ? read("work/" + name) : "";
    }
    return outcome;
  }

  // Of a descriptor of the guest's, which hardclock made of its own standard output.
  static bool is_guests_stream(const Call& call) {
    return call.moves_bytes() && call.file.ends_with("/out") && call.descriptor != "1";
  }
  static bool is_in_scratch(const Call& call) { return contains(call.file, "hardclock-scratch-"); }
  // Relative to the working directory, and without what differs from run to run.
  static std::string place_of(const Call& call) {
    if (is_in_scratch(call)) return "scratch";
    if (contains(call.file, "hardclock-output-")) return "output";
    if (contains(call.file, "/tmp/hardclock-")) return "temporary";
    return call.file;
  }

  // Whatever failed.
  void expect_order(const Outcome& outcome) const {
    expect_sound(outcome.finished);
    EXPECT_TRUE(fs::is_empty(path("tmp")));
    for (const auto& [file, content] : outcome.files) {
      EXPECT_FALSE(contains(file, "hardclock-output-")) << file;
    }
  }

  static bool tries_all() { return std::getenv("FAILING_WRITES") != nullptr; }

  // The calls to let fail: of those that are alike, the first and the last.
  // Not those that remove a name: where hardclock's own fail, files are left.
  static std::vector<Call> tried_of(std::vector<Call> calls) {
    std::erase_if(calls, [](const Call& call) { return call.is({"unlink", "unlinkat", "rmdir"}); });
    if (tries_all()) return calls;
    std::map<std::string, std::vector<Call>> alike;
    for (const Call& call : calls) {
      alike[call.name + " " + call.descriptor.substr(0, 1) + " " + place_of(call)].push_back(call);
    }
    std::vector<Call> tried;
    for (const auto& [key, some] : alike) {
      tried.push_back(some.front());
      if (some.size() > 1 && !is_in_scratch(some.back())) tried.push_back(some.back());
    }
    return tried;
  }

  // By the manual page of each call.
  static Words failures_of(const Call& call) {
    Words failures = {"full"};
    if (tries_all() || call.number % 2 == 0) failures.emplace_back("ENOSPC");
    if (tries_all() || call.number % 2 != 0) failures.emplace_back("EIO");
    if (call.moves_bytes()) failures.emplace_back("short");
    if (call.moves_bytes() || call.is({"close", "fsync"})) failures.emplace_back("EINTR");
    return failures;
  }
};

class OfCommand : public FailingWrites, public ::testing::WithParamInterface<Command> {
 protected:
  static bool runs_guest() {
    return GetParam().words[0] == "run" || GetParam().words[0] == "sweep";
  }

  // A guest without what hardclock makes for it starts in another state: a digest tells. Its times
  // are the same.
  static std::string comparable(const std::string& file, const std::string& content,
                                const Outcome& outcome) {
    const bool is_another =
        file == "d.log" && contains(outcome.finished.err, " of the guest in TMPDIR or /tmp; ");
    if (!is_another) return content;
    constexpr std::size_t columns_of_time = 33;
    std::string times;
    for (const std::string& line : lines_of(content)) {
      times += (times.empty() ? "" : "\n") + line.substr(0, columns_of_time);
    }
    return times;
  }

  // Each is the old one, or whole.
  void expect_whole_files(const Outcome& outcome, const Outcome& undisturbed, bool had_old,
                          bool guest_has_failed) const {
    for (const std::string& file : GetParam().whole) {
      const auto found = outcome.files.find(file);
      if (found == outcome.files.end()) {
        EXPECT_FALSE(had_old && !contains(file, "/")) << file << " is gone";
        continue;
      }
      if (had_old && found->second == old_content) continue;
      // A log that failed ended the run; a guest that learned of a failure did something else.
      const bool is_another_run = runs_guest() && file == "s.json";
      if (is_another_run) {
        EXPECT_TRUE(nlohmann::json::accept(found->second)) << found->second;
      } else if (!guest_has_failed && outcome.finished.status != job_failed) {
        EXPECT_EQ(found->second, undisturbed.files.at(file)) << file;
      }
    }
    for (const std::string& file : GetParam().growing) {
      if (const auto found = outcome.files.find(file); found != outcome.files.end()) {
        const std::string& all = undisturbed.files.at(file);
        const bool is_old = had_old && found->second == old_content;
        const bool is_begun =
            comparable(file, all, outcome).starts_with(comparable(file, found->second, outcome));
        EXPECT_TRUE(is_old || guest_has_failed || is_begun) << file << "\n" << found->second;
      }
    }
  }

  // hardclock's lines besides those of the undisturbed run.
  static std::vector<std::string> complaints_in(const Outcome& outcome,
                                                const Outcome& undisturbed) {
    std::vector<std::string> complaints;
    std::string said = outcome.finished.err;
    for (const auto& [file, content] : outcome.files) {
      if (file.ends_with("/err")) said += content;  // a job's
    }
    for (const std::string& line : lines_of(said)) {
      if (line.starts_with("hardclock: ") && !contains(undisturbed.finished.err, line)) {
        complaints.push_back(line);
      }
    }
    return complaints;
  }

  // What was promised for standard error. What else hardclock has to say there may be lost with it.
  static std::string results_in(const std::string& err) {
    std::string results;
    for (const std::string& line : lines_of(err)) {
      if (!line.starts_with("hardclock: ")) results += line + "\n";
    }
    return results;
  }

  // A success is one: nothing is missing.
  void expect_same(const Outcome& outcome, const Outcome& undisturbed) const {
    EXPECT_EQ(outcome.finished.out, undisturbed.finished.out);
    for (const auto& [file, content] : undisturbed.files) {
      ASSERT_TRUE(outcome.files.contains(file)) << file;
      if (file.ends_with("/err") || file.ends_with("result.json")) continue;
      EXPECT_EQ(comparable(file, outcome.files.at(file), outcome),
                comparable(file, content, outcome))
          << file;
    }
    EXPECT_EQ(without_numbers(results_in(outcome.finished.err)),
              without_numbers(results_in(undisturbed.finished.err)));
  }

  // What hardclock wants, but does not need, or has already removed.
  bool is_harmless(const Call& failed) const {
    // It looks for a library first, with files that it then makes again.
    if (GetParam().words[0] == "doctor" && is_in_scratch(failed)) return true;
    if (failed.is({"close"})) {
      return contains(failed.file, " (deleted)") || failed.file.ends_with("/lock") ||
             failed.file.ends_with("/out") || failed.file.ends_with("/err");
    }
    return failed.is({"renameat"}) && std::ranges::all_of(failed.file, [](char letter) {
             return '0' <= letter && letter <= '9';
           });
  }

  void expect_said(const Outcome& outcome, const Outcome& undisturbed, const Call& failed) const {
    if (failed.descriptor == "2" || (failed.moves_bytes() && failed.file.ends_with("/err"))) return;
    const auto complaints = complaints_in(outcome, undisturbed);
    ASSERT_FALSE(complaints.empty()) << outcome.finished.err;
    EXPECT_TRUE(contains(complaints.back(), "; ")) << complaints.back();
    EXPECT_FALSE(contains(complaints.back(), "/proc/self")) << complaints.back();
  }

  // The answer says it.
  void expect_case_failed(const Outcome& outcome) const {
    std::string answer = outcome.finished.out;
    for (const auto& [file, content] : outcome.files) answer += content;
    EXPECT_TRUE(contains(answer, "cannot write to " + path("tmp") + "; ")) << answer;
  }

  void try_one(const Outcome& undisturbed, const Call& call, const std::string& failure) const {
    const bool had_old = failure == "ENOSPC" || failure == "EINTR";
    Words old_files = GetParam().whole;
    old_files.insert(old_files.end(), GetParam().growing.begin(), GetParam().growing.end());
    const Outcome outcome =
        run(GetParam().words, call.number, failure, had_old ? old_files : Words());
    const auto failed = std::ranges::find_if(outcome.calls, &Call::failed);
    ASSERT_NE(failed, outcome.calls.end()) << "the run makes other calls";
    SCOPED_TRACE(failure + " of call " + std::to_string(call.number) + ", " + failed->name + " " +
                 failed->descriptor + " " + failed->file + "\nstatus " +
                 std::to_string(outcome.finished.status) + "\n" + outcome.finished.err);
    const bool guest_has_failed =
        runs_guest() && std::ranges::any_of(outcome.calls, [](const Call& each) {
          return each.failed && is_guests_stream(each);
        });
    expect_order(outcome);
    expect_whole_files(outcome, undisturbed, had_old, guest_has_failed);
    if (failure == "short" || failure == "EINTR") {
      EXPECT_EQ(outcome.finished.status, undisturbed.finished.status);
      expect_same(outcome, undisturbed);
      return;
    }
    if (guest_has_failed) return;
    if (outcome.finished.status == undisturbed.finished.status) {
      expect_same(outcome, undisturbed);
      if (!is_harmless(*failed)) expect_said(outcome, undisturbed, *failed);
      return;
    }
    if (GetParam().words[0] == "conform" && outcome.finished.status == job_failed) {
      return expect_case_failed(outcome);
    }
    EXPECT_TRUE(outcome.finished.status == own_failure ||
                (GetParam().words[0] == "sweep" && outcome.finished.status == job_failed));
    expect_said(outcome, undisturbed, *failed);
  }
};

std::string name_of(const ::testing::TestParamInfo<Command>& info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(Commands, OfCommand, ::testing::ValuesIn(all_commands()), name_of);

TEST_P(OfCommand, EndsInOrder) {
  const Outcome undisturbed = run(GetParam().words, 0, "short", {});
  if (undisturbed.finished.status == cannot_trace) GTEST_SKIP() << undisturbed.finished.err;
  expect_sound(undisturbed.finished);
  ASSERT_EQ(undisturbed.finished.status, 0) << undisturbed.finished.err;
  for (const std::string& file : GetParam().whole) ASSERT_TRUE(undisturbed.files.contains(file));
  std::size_t tries = 0;
  for (const Call& call : tried_of(undisturbed.calls)) {
    for (const std::string& failure : failures_of(call)) {
      try_one(undisturbed, call, failure);
      ++tries;
    }
  }
  RecordProperty("calls", std::to_string(undisturbed.calls.size()));
  RecordProperty("tries", std::to_string(tries));
}

class OfGuest : public FailingWrites, public ::testing::WithParamInterface<const char*> {};

INSTANTIATE_TEST_SUITE_P(Systems, OfGuest, ::testing::Values("o32", "hppa"));

// Linux, asm-generic/errno-base.h.
const std::map<std::string, std::string> error_numbers = {{"EIO", "5"}, {"ENOSPC", "28"}};

// The calls that follow may fail because of that one: then the difference is in the first line.
TEST_P(OfGuest, LearnsOfItsOwn) {
  const Words command = {"run", "--stats=s.json", cli_guest(std::string("writes_") + GetParam())};
  const Outcome undisturbed = run(command, 0, "short", {});
  if (undisturbed.finished.status == cannot_trace) GTEST_SKIP() << undisturbed.finished.err;
  ASSERT_EQ(undisturbed.finished.status, 0) << undisturbed.finished.err;
  const std::vector<std::string> lines = lines_of(undisturbed.finished.out);
  ASSERT_EQ(lines.size(), 20U) << undisturbed.finished.out;
  std::set<std::string> learned;
  std::set<unsigned long> lost;
  for (const Call& call : undisturbed.calls) {
    if (!fs::path(call.file).filename().string().starts_with("guest")) continue;
    for (const auto& [failure, number] : error_numbers) {
      const Outcome outcome = run(command, call.number, failure, {});
      SCOPED_TRACE(failure + " of " + call.name + " " + call.file + "\n" + outcome.finished.out);
      expect_order(outcome);
      EXPECT_EQ(outcome.finished.status, 0) << outcome.finished.err;
      EXPECT_EQ(nlohmann::json::parse(outcome.files.at("s.json")).at("outcome"), "exited");
      const std::vector<std::string> seen = lines_of(outcome.finished.out);
      ASSERT_EQ(seen.size(), lines.size());
      // Linux's dup2(2): "any errors that would have been reported by close(2) are lost".
      if (call.is({"close"}) && seen == lines) {
        lost.insert(call.number);
        continue;
      }
      const auto [first, all] = std::ranges::mismatch(seen, lines);
      ASSERT_NE(first, seen.end());
      EXPECT_EQ(*first, *all + ": errno " + number);
      learned.insert(*all);
    }
    if (!call.moves_bytes()) continue;
    for (const char* const failure : {"short", "EINTR"}) {
      const Outcome outcome = run(command, call.number, failure, {});
      SCOPED_TRACE(std::string(failure) + " of " + call.name);
      EXPECT_EQ(outcome.finished.out, undisturbed.finished.out);
      EXPECT_EQ(outcome.files, undisturbed.files);
    }
  }
  EXPECT_EQ(lost.size(), 1U) << "dup2(2)";
  EXPECT_EQ(learned.size(), lines.size() - 3) << "each call that wants something of the host";
}

}  // namespace
}  // namespace hardclock::cli_test
