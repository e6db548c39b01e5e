// The results of a sweep's jobs as one table.
#pragma once

#include <string>
#include <vector>

#include "cli/jobs/job_list.h"
#include "cli/jobs/job_result.h"
#include "sim/base/terminal.h"

namespace hardclock::jobs {

// `results` has one for each job. Equal results give equal bytes.
std::string table_text(const JobList& list, const std::vector<JobResult>& results,
                       const Terminal& terminal = {});
// A line a job; where clocks watched, one for each job, clock and function. docs/profiles.md has
// the columns, and the keys of the JSON.
std::string table_csv(const JobList& list, const std::vector<JobResult>& results);
std::string table_json(const JobList& list, const std::vector<JobResult>& results);

}  // namespace hardclock::jobs
