#include "cli/jobs/slurm.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "cli/files.h"
#include "cli/jobs/host_process.h"
#include "cli/output_file.h"
#include "cli/usage_error.h"

namespace hardclock::jobs {
namespace {

constexpr std::uint64_t largest_answer = std::uint64_t{1} << 20;

struct Said {
  int status = 0;
  std::string out, err;
};

std::string text_of(const std::string& path) {
  const auto bytes = read_file(path, largest_answer);
  std::string text = bytes ? std::string(bytes->begin(), bytes->end()) : std::string();
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

Result<Said, std::string> ask(const JobFolder& folder, std::vector<std::string> words,
                              const std::string& in = "/dev/null") {
  ProcessStart start;
  start.executable = words.front();
  start.words = std::move(words);
  start.in = in;
  start.out = folder.file("slurm-answer");
  start.err = folder.file("slurm-error");
  auto process = HostProcess::start(start);
  if (!process) {
    return Failure{process.error() + "; --slurm needs Slurm's sbatch, squeue and scancel"};
  }
  const int status = process->wait();
  Said said{WIFEXITED(status) ? WEXITSTATUS(status) : 128, text_of(start.out), text_of(start.err)};
  for (const std::string& file : {start.out, start.err}) ::unlink(file.c_str());
  return said;
}

std::string last_line(const std::string& text) {
  return printable(text.substr(text.rfind('\n') + 1));
}

std::string shell_word(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string own_executable() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).string();
}

Result<Ok, std::string> write(const std::string& path, std::string_view text) {
  auto file = OutputFile::find(path);
  if (!file) return Failure{file.error()};
  return file->replace(text);
}

// In a pattern of file names "%%" is a "%" (sbatch(1), "filename pattern").
std::string without_patterns(const std::string& path) {
  std::string text;
  for (const char c : path) text += c == '%' ? std::string("%%") : std::string(1, c);
  return text;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

std::string array_of(const std::vector<std::size_t>& jobs) {
  std::string text;
  for (std::size_t i = 0; i < jobs.size();) {
    std::size_t end = i + 1;
    while (end < jobs.size() && jobs[end] == jobs[end - 1] + 1) ++end;
    text += (text.empty() ? "" : ",") + std::to_string(jobs[i]);
    if (end - i > 1) text += "-" + std::to_string(jobs[end - 1]);
    i = end;
  }
  return text;
}

std::string batch_script(const std::string& hardclock, const std::string& folder) {
  return "#!/bin/sh\nexec " + shell_word(hardclock) +
         " sweep --job=\"$SLURM_ARRAY_TASK_ID\" --jobs-dir=" + shell_word(folder) + "\n";
}

Result<std::string, std::string> submit(const JobFolder& folder,
                                        const std::vector<std::size_t>& jobs,
                                        std::optional<std::size_t> at_once) {
  const std::string script = folder.file("slurm-script");
  if (const auto written = write(script, batch_script(own_executable(), folder.path())); !written) {
    return Failure{written.error()};
  }
  std::string array = "--array=" + array_of(jobs);
  if (at_once) array += "%" + std::to_string(*at_once);
  const auto said = ask(
      folder,
      {"sbatch", "--parsable", array, "--job-name=hardclock", "--chdir=" + folder.list().directory,
       "--output=" + without_patterns(folder.file("slurm-")) + "%a.out"},
      script);
  if (!said) return Failure{said.error()};
  // "123" or "123;cluster"
  const std::string number = said->out.substr(0, said->out.find(';'));
  if (said->status != 0 || !is_number(number)) {
    return Failure{"--slurm: " + last_line(said->err.empty() ? said->out : said->err)};
  }
  if (const auto written = write(folder.file("slurm"), number + "\n"); !written) {
    cancel(number, folder);
    return Failure{written.error()};
  }
  return number;
}

std::string submitted_array(const JobFolder& folder) {
  std::string number = text_of(folder.file("slurm"));
  return is_number(number) ? number : "";
}

Result<bool, std::string> is_active(const std::string& array, const JobFolder& folder) {
  const auto said = ask(folder, {"squeue", "--noheader", "--format=%i", "--jobs=" + array});
  if (!said) return Failure{said.error()};
  if (said->status == 0) return !said->out.empty();
  // What it says of one that ended some minutes ago.
  if (said->err.find("Invalid job id") != std::string::npos) return false;
  return Failure{"--slurm: " + last_line(said->err)};
}

void cancel(const std::string& array, const JobFolder& folder) {
  // Whether it could be cancelled shows when it goes on.
  static_cast<void>(ask(folder, {"scancel", array}));
}

}  // namespace hardclock::jobs
