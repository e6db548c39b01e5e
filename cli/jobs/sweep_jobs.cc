#include "cli/jobs/sweep_jobs.h"

#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "cli/answer.h"
#include "cli/answer_form.h"
#include "cli/jobs/job_folder.h"
#include "cli/jobs/job_list.h"
#include "cli/jobs/job_process.h"
#include "cli/jobs/job_result.h"
#include "cli/jobs/job_table.h"
#include "cli/jobs/slurm.h"
#include "cli/run_signals.h"
#include "cli/usage_error.h"
#include "cli/values.h"

namespace hardclock {
namespace {

using namespace jobs;
using std::chrono::milliseconds;

constexpr int exit_job_failed = 1;
constexpr milliseconds between_looks(250);

std::size_t cores() {
  ::cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
  return static_cast<std::size_t>(std::max(1, CPU_COUNT(&allowed)));
}

std::vector<std::size_t> waiting_jobs(const JobFolder& folder) {
  std::vector<std::size_t> waiting;
  for (std::size_t job = 1; job <= folder.size(); ++job) {
    if (!is_done(folder.read_result(job))) waiting.push_back(job);
  }
  return waiting;
}

// How far the sweep is, on a terminal.
class ProgressLine {
 public:
  ~ProgressLine() { clear(); }
  void show(std::size_t done, std::size_t all) {
    if (!terminal_ || (shown_ && done == last_)) return;
    write(fmt::format("\r{} of {} jobs done\033[K", done, all));
    shown_ = true;
    last_ = done;
  }
  void clear() {
    if (shown_) write("\r\033[K");
    shown_ = false;
  }

 private:
  static void write(const std::string& text) {
    [[maybe_unused]] const ::ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  }
  const bool terminal_ = ::isatty(STDERR_FILENO) == 1;
  bool shown_ = false;
  std::size_t last_ = 0;
};

int stopped(const JobFolder& folder) {
  complain(fmt::format("stopped with {} of {} jobs done; the same command goes on from there",
                       folder.size() - waiting_jobs(folder).size(), folder.size()));
  return status_of_signal(ending_signal());
}

// The jobs of this process, several at a time.
class LocalJobs {
 public:
  LocalJobs(const JobFolder& folder, std::size_t at_once) : folder_(folder), at_once_(at_once) {
    const std::vector<std::size_t> waiting = waiting_jobs(folder);
    waiting_.assign(waiting.begin(), waiting.end());
  }

  // Until all have ended or a signal came. Error: one line, about the folder.
  Result<Ok, std::string> run() {
    while (!running_.empty() || !waiting_.empty()) {
      if (ending_signal() != 0) return stop();
      if (auto started = start(); !started) return started;
      progress_.show(folder_.size() - waiting_.size() - running_.size(), folder_.size());
      wait_for_any(processes(), between_looks);
      if (auto finished = finish(); !finished) return finished;
    }
    return Ok{};
  }

 private:
  Result<Ok, std::string> start() {
    while (running_.size() < at_once_ && !waiting_.empty()) {
      const std::size_t job = waiting_.front();
      auto process = JobProcess::start(folder_, job);
      if (!process) return Failure{process.error()};
      if (!*process) {
        return Failure{
            fmt::format("job {} is being done by another process; wait for it, and "
                        "repeat the command",
                        job)};
      }
      waiting_.pop_front();
      running_.push_back(*std::move(*process));
    }
    return Ok{};
  }

  std::vector<const HostProcess*> processes() const {
    std::vector<const HostProcess*> all;
    for (const JobProcess& job : running_) all.push_back(&job.process());
    return all;
  }

  Result<Ok, std::string> finish() {
    for (auto job = running_.begin(); job != running_.end();) {
      if (!job->process().has_ended()) {
        ++job;
        continue;
      }
      const auto finished = job->finish(folder_);
      job = running_.erase(job);
      if (!finished) return Failure{finished.error()};
    }
    return Ok{};
  }

  // They end in order, and remove what the guests' runs leave.
  Result<Ok, std::string> stop() {
    constexpr milliseconds patience(5000);
    for (const JobProcess& job : running_) job.process().send(SIGTERM);
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!running_.empty() && std::chrono::steady_clock::now() < end) {
      wait_for_any(processes(), between_looks);
      if (auto finished = finish(); !finished) return finished;
    }
    running_.clear();
    return Ok{};
  }

  const JobFolder& folder_;
  std::size_t at_once_;
  std::deque<std::size_t> waiting_;
  std::vector<JobProcess> running_;
  ProgressLine progress_;
};

// The jobs of a cluster.
class ClusterJobs {
 public:
  ClusterJobs(const JobFolder& folder, std::optional<std::size_t> at_once)
      : folder_(folder), at_once_(at_once) {}

  Result<Ok, std::string> run() {
    auto array = find_or_submit();
    if (!array) return Failure{array.error()};
    if (array->empty()) return Ok{};
    return wait_for(*array);
  }

 private:
  // Empty: all jobs are done.
  Result<std::string, std::string> find_or_submit() {
    const std::vector<std::size_t> waiting = waiting_jobs(folder_);
    if (waiting.empty()) return std::string();
    if (const std::string old = submitted_array(folder_); !old.empty()) {
      const auto active = is_active(old, folder_);
      if (!active) return Failure{active.error()};
      if (*active) return old;
    }
    auto array = submit(folder_, waiting, at_once_);
    if (array) complain(fmt::format("Slurm has {} jobs as array {}", waiting.size(), *array));
    return array;
  }

  Result<Ok, std::string> wait_for(const std::string& array) {
    constexpr milliseconds first(500), longest(10'000);
    bool has_complained = false;
    for (milliseconds pause = first;; pause = std::min(longest, pause + pause / 4)) {
      if (ending_signal() != 0) {
        // One who logs out wants them to go on.
        if (ending_signal() != SIGHUP) cancel(array, folder_);
        return Ok{};
      }
      progress_.show(folder_.size() - missing_results(), folder_.size());
      const auto active = is_active(array, folder_);
      if (active && !*active) break;
      // A controller may be away for a while.
      if (!active && !has_complained) {
        progress_.clear();
        complain(active.error());
        has_complained = true;
      }
      sleep(pause);
    }
    wait_for_files();
    return Ok{};
  }

  // What the nodes wrote may show here some seconds later, on a file system that they share.
  void wait_for_files() const {
    constexpr int looks = 20;
    for (int i = 0; i < looks && missing_results() != 0 && ending_signal() == 0; ++i) {
      sleep(between_looks);
    }
  }

  std::size_t missing_results() const {
    std::size_t missing = 0;
    for (std::size_t job = 1; job <= folder_.size(); ++job)
      missing += folder_.has_result(job) ? 0 : 1;
    return missing;
  }

  // A signal ends it.
  static void sleep(milliseconds time) { ::poll(nullptr, 0, static_cast<int>(time.count())); }

  const JobFolder& folder_;
  std::optional<std::size_t> at_once_;
  ProgressLine progress_;
};

std::vector<JobResult> gather(const JobFolder& folder) {
  std::vector<JobResult> results;
  for (std::size_t job = 1; job <= folder.size(); ++job) {
    const auto text = folder.read_result(job);
    auto result = text ? parse_result(*text) : std::nullopt;
    if (!result) {
      result.emplace();
      result->error = "it ended without a result; see " +
                      printable_path(folder.file(fmt::format("slurm-{}.out", job)));
    }
    results.push_back(*std::move(result));
  }
  return results;
}

int answer_with(const Arguments& arguments, std::string_view format, const JobFolder& folder) {
  const std::vector<JobResult> results = gather(folder);
  std::string text;
  if (format == "csv") {
    text = table_csv(folder.list(), results);
  } else {
    text = format == "json" ? table_json(folder.list(), results)
                            : table_text(folder.list(), results, answer_terminal(arguments));
  }
  const int status = deliver(arguments, text);
  if (status != exit_ok) return status;
  const auto failed =
      std::ranges::count_if(results, [](const JobResult& result) { return !result.error.empty(); });
  if (failed == 0) return exit_ok;
  complain(fmt::format("{} of {} jobs failed; the same command tries them again", failed,
                       results.size()));
  return exit_job_failed;
}

// What --jobs says.
Result<std::optional<std::size_t>, UsageError> read_at_once(const Arguments& arguments) {
  const auto text = arguments.value("jobs");
  if (!text) return std::optional<std::size_t>();
  const auto number = parse_whole_number(*text, 1, JobList::most_jobs);
  if (number) return std::optional<std::size_t>(*number);
  return Failure{UsageError{fmt::format("--jobs needs a whole number from 1 to {}, not '{}'",
                                        JobList::most_jobs, printable(*text))}};
}

int run_all(const Arguments& arguments) {
  const auto format = read_answer_format(arguments, table_formats);
  if (!format) return complain(format.error().message);
  const auto at_once = read_at_once(arguments);
  if (!at_once) return complain(at_once.error().message);
  const auto list = make_job_list(arguments);
  if (!list) return complain(list.error().message);
  const auto folder = JobFolder::begin(*arguments.value("jobs-dir"), *list);
  if (!folder) return complain(folder.error());
  const auto lock = Lock::take(folder->file("lock"));
  if (!lock) return complain(lock.error());
  if (!*lock) {
    return complain(printable_path(folder->path()) +
                    ": another sweep is at work there; wait for its end");
  }
  const auto done = arguments.has("slurm") ? ClusterJobs(*folder, *at_once).run()
                                           : LocalJobs(*folder, at_once->value_or(cores())).run();
  if (!done) return complain(done.error());
  if (ending_signal() != 0) return stopped(*folder);
  return answer_with(arguments, *format, *folder);
}

// One job, for Slurm.
int run_one(const Arguments& arguments) {
  if (!arguments.operands().empty()) {
    return complain("--job is of the list in --jobs-dir, which has a program; leave out PROGRAM");
  }
  const auto folder = JobFolder::open(*arguments.value("jobs-dir"));
  if (!folder) return complain(folder.error());
  const std::string text = arguments.value("job").value_or("");
  const auto job = parse_whole_number(text, 1, folder->size());
  if (!job) {
    return complain(fmt::format("--job needs a whole number from 1 to {}, not '{}'", folder->size(),
                                printable(text)));
  }
  if (const std::string change = change_since(folder->list()); !change.empty()) {
    return complain(printable_path(folder->path()) + " " + change);
  }
  if (is_done(folder->read_result(*job))) return exit_ok;
  auto process = JobProcess::start(*folder, *job);
  if (!process) return complain(process.error());
  if (!*process) return complain(fmt::format("job {} is being done by another process", *job));
  while (!(*process)->process().has_ended() && ending_signal() == 0) {
    wait_for_any({&(*process)->process()}, between_looks);
  }
  if (ending_signal() != 0) (*process)->process().send(SIGTERM);
  const auto finished = (*process)->finish(*folder);
  if (!finished) return complain(finished.error());
  if (ending_signal() != 0) return status_of_signal(ending_signal());
  if (finished->empty()) return exit_ok;
  complain(fmt::format("job {}: {}", *job, *finished));
  return exit_job_failed;
}

}  // namespace

bool asks_for_jobs(const Arguments& arguments) {
  return arguments.has("jobs-dir");
}

int sweep_jobs(const Arguments& arguments) {
  return arguments.has("job") ? run_one(arguments) : run_all(arguments);
}

}  // namespace hardclock
