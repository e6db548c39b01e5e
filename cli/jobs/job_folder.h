// The folder of --jobs-dir: the list of jobs, and for each job K a folder "job-K" with what the
// guest wrote and, once it is done, its result. A result takes over its name when it is complete.
//
//   jobs.json             the list
//   lock                  held by the sweep that is at work here
//   job-K/lock            held by the process that does the job
//   job-K/result.json     what came of it
//   job-K/out, job-K/err  what the guest, and hardclock, wrote to their standard streams
//   job-K/files/          the guest's working directory, with --cwd=own
//   slurm, slurm-K.out    the number of the array that was submitted, and what its jobs wrote
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "cli/jobs/job_list.h"
#include "sim/base/result.h"
#include "syscalls/host/descriptor.h"

namespace hardclock::jobs {

// A lock of a file, which ends with the process, however that ends.
class Lock {
 public:
  // nullopt: somebody else has it. Error: one line.
  static Result<std::optional<Lock>, std::string> take(const std::string& path);

 private:
  explicit Lock(host::Descriptor file) : file_(std::move(file)) {}
  host::Descriptor file_;
};

// Errors are one line for the user, with the folder's name.
class JobFolder {
 public:
  // Makes the folder with this list, or finds that it has the same one.
  static Result<JobFolder, std::string> begin(const std::string& path, const JobList& list);
  // One that has a list already.
  static Result<JobFolder, std::string> open(const std::string& path);

  // Absolute, without symbolic links.
  const std::string& path() const { return path_; }
  const JobList& list() const { return list_; }
  std::size_t size() const { return list_.jobs.size(); }
  std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }
  std::string job_path(std::size_t job) const;
  std::string job_file(std::size_t job, std::string_view name) const;

  // Empties the folder of a job, but for its lock, and makes what it needs.
  Result<Ok, std::string> prepare(std::size_t job) const;
  // A job's result as it is on disk; nullopt: there is none.
  std::optional<std::string> read_result(std::size_t job) const;
  bool has_result(std::size_t job) const;
  Result<Ok, std::string> write_result(std::size_t job, std::string_view text) const;

 private:
  explicit JobFolder(std::string path) : path_(std::move(path)) {}
  Result<Ok, std::string> read_list();

  std::string path_;
  JobList list_;
};

}  // namespace hardclock::jobs
