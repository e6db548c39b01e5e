#include "cli/jobs/job_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "cli/files.h"
#include "cli/output_file.h"

namespace hardclock::jobs {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_list = std::uint64_t{64} << 20;
constexpr std::uint64_t largest_result = std::uint64_t{256} << 20;

std::string failed(const std::string& path, const std::string& what) {
  return printable_path(path) + ": " + what + "; name another folder for --jobs-dir";
}

std::optional<std::string> text_of(const std::string& path, std::uint64_t most) {
  const auto bytes = read_file(path, most);
  if (!bytes) return std::nullopt;
  return std::string(bytes->begin(), bytes->end());
}

Result<std::string, std::string> real_path(const std::string& path) {
  std::array<char, PATH_MAX> real;
  if (::realpath(path.c_str(), real.data()) == nullptr) {
    return Failure{failed(path, std::strerror(errno))};
  }
  return std::string(real.data());
}

// Takes the name only when it is complete, as everything here does, and on the disk: jobs begin,
// and are taken for done, by these files.
Result<Ok, std::string> write_whole(const std::string& path, std::string_view text) {
  auto file = OutputFile::find(path);
  if (!file) return Failure{file.error()};
  return file->replace_for_good(text);
}

// An empty list is one that a power cut took: no job has begun.
bool has_list(const std::string& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  return !error && size != 0;
}

}  // namespace

Result<std::optional<Lock>, std::string> Lock::take(const std::string& path) {
  host::Descriptor file(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
  if (file.get() < 0) return Failure{failed(path, std::strerror(errno))};
  if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) return std::optional(Lock(std::move(file)));
  if (errno == EWOULDBLOCK) return std::optional<Lock>();
  return Failure{failed(path, std::strerror(errno))};
}

Result<JobFolder, std::string> JobFolder::begin(const std::string& path, const JobList& list) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return Failure{failed(path, error.message())};
  auto real = real_path(path);
  if (!real) return Failure{real.error()};
  JobFolder folder(*std::move(real));
  if (!has_list(folder.file("jobs.json"))) {
    if (!fs::is_empty(folder.path_, error)) {
      for (const fs::directory_entry& entry : fs::directory_iterator(folder.path_, error)) {
        // What a killed sweep leaves of the list that it was writing.
        const std::string name = entry.path().filename().string();
        if (name == "lock" || name == "jobs.json" || name.starts_with("hardclock-output-"))
          continue;
        return Failure{failed(path, "is not empty and has no list of jobs")};
      }
    }
    if (const auto written = write_whole(folder.file("jobs.json"), to_json(list)); !written) {
      return Failure{written.error()};
    }
  }
  if (const auto read = folder.read_list(); !read) return Failure{read.error()};
  if (const std::string differs = difference(folder.list_, list); !differs.empty()) {
    return Failure{printable_path(path) + " " + differs};
  }
  return folder;
}

Result<JobFolder, std::string> JobFolder::open(const std::string& path) {
  auto real = real_path(path);
  if (!real) return Failure{real.error()};
  JobFolder folder(*std::move(real));
  if (const auto read = folder.read_list(); !read) return Failure{read.error()};
  return folder;
}

Result<Ok, std::string> JobFolder::read_list() {
  const std::string path = file("jobs.json");
  const auto text = text_of(path, largest_list);
  if (!text) return Failure{failed(path, "cannot be read")};
  auto list = parse_job_list(*text);
  if (!list) return Failure{failed(path, list.error())};
  list_ = *std::move(list);
  return Ok{};
}

std::string JobFolder::job_path(std::size_t job) const {
  return path_ + "/job-" + std::to_string(job);
}

std::string JobFolder::job_file(std::size_t job, std::string_view name) const {
  return job_path(job) + "/" + std::string(name);
}

Result<Ok, std::string> JobFolder::prepare(std::size_t job) const {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(job_path(job), error)) {
    if (entry.path().filename() == "lock") continue;
    fs::remove_all(entry.path(), error);
    if (error) return Failure{failed(entry.path().string(), error.message())};
  }
  if (!error && list_.own_folders) fs::create_directory(job_file(job, "files"), error);
  if (error) return Failure{failed(job_path(job), error.message())};
  return Ok{};
}

std::optional<std::string> JobFolder::read_result(std::size_t job) const {
  return text_of(job_file(job, "result.json"), largest_result);
}

bool JobFolder::has_result(std::size_t job) const {
  std::error_code error;
  return fs::exists(job_file(job, "result.json"), error);
}

Result<Ok, std::string> JobFolder::write_result(std::size_t job, std::string_view text) const {
  return write_whole(job_file(job, "result.json"), text);
}

}  // namespace hardclock::jobs
