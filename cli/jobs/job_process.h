// One job as a process of the host: an ordinary `hardclock run` or `hardclock sweep`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "cli/jobs/host_process.h"
#include "cli/jobs/job_folder.h"
#include "sim/base/result.h"

namespace hardclock::jobs {

class JobProcess {
 public:
  // Removes what an earlier process left of the job. nullopt: another process does this job. Error:
  // one line.
  static Result<std::optional<JobProcess>, std::string> start(const JobFolder& folder,
                                                              std::size_t job);

  std::size_t job() const { return job_; }
  const HostProcess& process() const { return process_; }
  // Waits for its end and writes the result, a failure too, unless the run was stopped by a signal
  // of its user's. Returns the failure, or empty. Error: one line, where the result cannot be
  // written.
  Result<std::string, std::string> finish(const JobFolder& folder);

 private:
  JobProcess(std::size_t job, Lock lock, HostProcess process)
      : job_(job), lock_(std::move(lock)), process_(std::move(process)) {}

  std::size_t job_;
  Lock lock_;
  HostProcess process_;
};

}  // namespace hardclock::jobs
