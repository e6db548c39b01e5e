// Slurm, as far as a sweep needs it: an array of jobs (sbatch(1), "--array"), whether it is still
// there, and its end. Its own settings, such as the partition, come from the environment
// (SBATCH_PARTITION and so on).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/jobs/job_folder.h"
#include "sim/base/result.h"

namespace hardclock::jobs {

// "1-3,5" of ascending numbers.
std::string array_of(const std::vector<std::size_t>& jobs);
// What the batch script says: it does the job whose number Slurm gives it.
std::string batch_script(const std::string& hardclock, const std::string& folder);

// Errors are one line, in Slurm's words.
// Submits the jobs, of which `at_once` run together at most; nullopt: as many as Slurm likes.
// Returns the array's number, and writes it to the folder.
Result<std::string, std::string> submit(const JobFolder& folder,
                                        const std::vector<std::size_t>& jobs,
                                        std::optional<std::size_t> at_once);
// The array that an earlier process submitted for the folder; empty: none.
std::string submitted_array(const JobFolder& folder);
// Whether a job of the array waits or runs.
Result<bool, std::string> is_active(const std::string& array, const JobFolder& folder);
void cancel(const std::string& array, const JobFolder& folder);

}  // namespace hardclock::jobs
