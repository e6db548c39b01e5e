// The jobs of `hardclock sweep --jobs-dir`: one run for each processor or machine and each
// combination of cache sizes. The list is a file, so that another process can do a job of it, and a
// later one go on where an earlier one was killed.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "cli/usage_error.h"
#include "sim/base/result.h"

namespace hardclock::jobs {

struct Job {
  std::string name;                // what it has that others have not: "indy-r4600 l1d=8k,32,1"
  std::vector<std::string> words;  // its command: "run" or "sweep", options, "--", the guest's

  bool operator==(const Job&) const = default;
};

struct JobList {
  static constexpr std::size_t most_jobs = 1000;  // what Slurm takes in one array, unless told

  std::string hardclock;     // the hash of the executable that made it, see hash_of_file()
  std::string program;       // as the user wrote it
  std::string program_file;  // of the host, absolute; empty: none of that name was found
  std::string program_hash;  // its hash
  std::string directory;     // in which the user gave the command, absolute
  bool own_folders = false;  // whether each job works in an empty folder of its own
  std::map<std::string, std::string> descriptions;  // hashes of the user's, by path
  std::vector<Job> jobs;                            // job K is jobs[K - 1]

  bool operator==(const JobList&) const = default;
};

// From the words of `hardclock sweep`, of which every option of every job is valid, and whose
// processors and machines exist. Reads the program and the user's own descriptions.
Result<JobList, UsageError> make_job_list(const Arguments& arguments);

// As JSON, and back. The text is a user's file: the error says what is wrong with it.
std::string to_json(const JobList& list);
Result<JobList, std::string> parse_job_list(std::string_view text);

// What has changed since the list was made, of what its jobs run: one line that follows the
// folder's name; empty: nothing.
std::string change_since(const JobList& list);

// How the list of a folder differs from the one that the user wants now, in a line like that.
std::string difference(const JobList& old, const JobList& wanted);

// 16 hexadecimal digits, the 64-bit FNV-1a hash of its bytes (draft-eastlake-fnv, section 2); empty
// if it cannot be read.
std::string hash_of_file(const std::string& path);
// The running executable's.
std::string hash_of_hardclock();

}  // namespace hardclock::jobs
