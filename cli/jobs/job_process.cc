#include "cli/jobs/job_process.h"

#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "cli/files.h"
#include "cli/jobs/job_result.h"
#include "cli/run_signals.h"
#include "cli/usage_error.h"

namespace hardclock::jobs {
namespace {

constexpr const char* next_step = "; put that right, and repeat the command";
constexpr std::uint64_t largest_output = std::uint64_t{1} << 30;

std::string text_of(const std::string& path) {
  const auto bytes = read_file(path, largest_output);
  return bytes ? std::string(bytes->begin(), bytes->end()) : std::string();
}

// The last bytes of a file.
std::string tail_of(const std::string& path) {
  constexpr std::streamoff most = 65536;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file.tellg();
  if (size <= 0) return "";
  file.seekg(size > most ? size - most : 0);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The last line that hardclock itself said; empty: none.
std::string complaint_in(const std::string& path) {
  constexpr std::string_view prefix = "hardclock: ";
  const std::string text = tail_of(path);
  std::string complaint;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    if (line.starts_with(prefix)) complaint = printable(line.substr(prefix.size()));
    at = end + 1;
  }
  return complaint;
}

// How the run ended: "exited", "cycle limit". Empty: it did not come to that.
std::string outcome_in(const std::string& statistics) {
  const auto json = nlohmann::json::parse(statistics, nullptr, false);
  if (!json.is_object() || !json.contains("outcome")) return "";
  return json.at("outcome").is_string() ? json.at("outcome").get<std::string>() : "";
}

ProcessStart start_of(const JobFolder& folder, std::size_t job) {
  const Job& what = folder.list().jobs[job - 1];
  ProcessStart start;
  start.executable = "/proc/self/exe";
  start.directory =
      folder.list().own_folders ? folder.job_file(job, "files") : folder.list().directory;
  start.out = folder.job_file(job, "out");
  start.err = folder.job_file(job, "err");
  start.words = {"hardclock", what.words.front(), "--stats=" + folder.job_file(job, "stats.json")};
  if (what.words.front() == "sweep") {
    start.words.emplace_back("--format=json");
    start.words.push_back("--output=" + folder.job_file(job, "sweep.json"));
  }
  start.words.insert(start.words.end(), what.words.begin() + 1, what.words.end());
  return start;
}

// Why a run that did not come to its end has none.
std::string reason_of(int status, const std::string& err) {
  if (WIFSIGNALED(status)) {
    return "the host ended it by signal " + std::to_string(WTERMSIG(status)) +
           (WTERMSIG(status) == SIGKILL ? ", perhaps for want of memory" : "");
  }
  const std::string complaint = complaint_in(err);
  if (!complaint.empty()) return complaint;
  return "ended with status " + std::to_string(WEXITSTATUS(status)) + "; see " +
         printable_path(err);
}

}  // namespace

Result<std::optional<JobProcess>, std::string> JobProcess::start(const JobFolder& folder,
                                                                 std::size_t job) {
  std::error_code error;
  std::filesystem::create_directory(folder.job_path(job), error);
  if (error) {
    return Failure{printable_path(folder.job_path(job)) + ": " + error.message() + next_step};
  }
  auto lock = Lock::take(folder.job_file(job, "lock"));
  if (!lock) return Failure{lock.error()};
  if (!*lock) return std::optional<JobProcess>();
  if (const auto prepared = folder.prepare(job); !prepared) return Failure{prepared.error()};
  auto process = HostProcess::start(start_of(folder, job));
  if (!process) return Failure{process.error() + next_step};
  return std::optional(JobProcess(job, *std::move(*lock), *std::move(process)));
}

Result<std::string, std::string> JobProcess::finish(const JobFolder& folder) {
  const int status = process_.wait();
  const std::string statistics = text_of(folder.job_file(job_, "stats.json"));
  const std::string outcome = outcome_in(statistics);
  const bool was_stopped = outcome == "interrupted" || (outcome != "exited" && is_to_end());
  if (was_stopped) return std::string("was stopped");
  const bool has_clocks = folder.list().jobs[job_ - 1].words.front() == "sweep";
  const std::string sweep = has_clocks ? text_of(folder.job_file(job_, "sweep.json")) : "";
  const bool is_complete =
      outcome == "exited" && !WIFSIGNALED(status) && has_clocks != sweep.empty();
  std::string failure, result;
  if (is_complete) {
    const auto made = result_json(WEXITSTATUS(status), statistics, sweep);
    if (made) {
      result = *made;
    } else {
      failure = made.error();
    }
  } else {
    failure = reason_of(status, folder.job_file(job_, "err"));
  }
  if (!failure.empty()) result = failure_json(failure);
  if (const auto written = folder.write_result(job_, result); !written) {
    return Failure{written.error()};
  }
  return failure;
}

}  // namespace hardclock::jobs
