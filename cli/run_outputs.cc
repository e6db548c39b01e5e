#include "cli/run_outputs.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "cli/fitting_stream.h"
#include "cli/terminal.h"
#include "cli/usage_error.h"

namespace hardclock {
namespace {

using NamedOutput = RunOutputs::NamedOutput;

std::optional<std::string> conflict_of(const NamedOutput& a, const NamedOutput& b) {
  if (!a.file->is_same(*b.file)) return std::nullopt;
  return a.option + " and " + b.option + " both write '" + printable_path(b.file->path()) +
         "'; give each its own file";
}

std::optional<std::string> conflict_of(const NamedOutput& output, const FileInUse& file) {
  if (!output.file->is_file(file.identity.device, file.identity.inode)) return std::nullopt;
  return output.option + " would write over '" + printable_path(output.file->path()) +
         "', which is " + file.role + "; name another file";
}

std::optional<std::string> find_conflict(std::span<const NamedOutput> outputs,
                                         std::span<const FileInUse> in_use) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (std::size_t j = i + 1; j < outputs.size(); ++j) {
      if (auto conflict = conflict_of(outputs[i], outputs[j])) return conflict;
    }
    for (const FileInUse& file : in_use) {
      if (auto conflict = conflict_of(outputs[i], file)) return conflict;
    }
  }
  return std::nullopt;
}

std::string standard_error_failed(int error, const char* option) {
  return std::string("standard error: writing failed: ") + std::strerror(error) +
         "; name a file: " + option + "=FILE";
}

}  // namespace

std::vector<FileInUse> files_in_use(const RunOptions& options, const GuestProgram& guest) {
  std::vector<FileInUse> files;
  const auto add = [&](const std::string& role, const struct ::stat& status) {
    if (S_ISREG(status.st_mode)) files.push_back({role, host::identity_of(status)});
  };
  const auto add_guest_file = [&](const std::string& role, const std::string& name) {
    const auto path = host::GuestPath::parse(guest.files->initial_directory(), name);
    if (!path) return;
    const auto file = guest.files->open(*path, host::OpenOptions{.read = true});
    const auto* const of_host = file ? std::get_if<host::HostFile>(&*file) : nullptr;
    if (of_host != nullptr) files.push_back({role, of_host->identity()});
  };
  struct ::stat status;
  constexpr const char* streams[] = {"standard input", "standard output", "standard error"};
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fstat(stream, &status) == 0) add(streams[stream], status);
  }
  for (const Bind& bind : options.binds) {
    if (::stat(bind.host.c_str(), &status) == 0) add("bound by --bind", status);
  }
  const posix::Program& program = guest.program;
  add_guest_file("the program", options.program);
  add_guest_file("the program", program.path);
  if (program.image->interpreter) add_guest_file("its dynamic linker", *program.image->interpreter);
  for (const posix::LibraryFile& library : program.libraries) {
    add_guest_file("one of its libraries", library.path);
  }
  return files;
}

RunOutputs::RunOutputs() : standard_error_(std::make_unique<OutputStream>(STDERR_FILENO, false)) {
  *standard_error_ << std::unitbuf;
}

std::ostream* RunOutputs::Log::stream() const {
  if (to_terminal != nullptr) return to_terminal.get();
  return to_standard_error != nullptr ? to_standard_error : to_file.get();
}

Result<Ok, std::string> RunOutputs::open(const RunOptions& options,
                                         std::span<const FileInUse> in_use) {
  auto outputs = find(options);
  if (!outputs) return Failure{outputs.error()};
  if (auto conflict = find_conflict(*outputs, in_use)) return Failure{*conflict};
  for (std::optional<OutputFile>* const file : {&statistics_, &profile_, &sweep_}) {
    if (!*file) continue;
    if (auto prepared = (*file)->prepare(); !prepared) return prepared;
  }
  for (Log& log : logs_) {
    if (!log.file) continue;
    auto stream = log.file->begin();
    if (!stream) return Failure{stream.error()};
    log.to_file = *std::move(stream);
  }
  return Ok{};
}

Result<std::vector<RunOutputs::NamedOutput>, std::string> RunOutputs::find(
    const RunOptions& options) {
  std::optional<LogTarget> pipeline, digest, profile, sweep;
  if (options.pipeline) pipeline = options.pipeline->target;
  if (options.digest) digest = options.digest->target;
  if (options.sweep) sweep = options.sweep->output;
  if (options.profile) profile = LogTarget{*options.profile};
  struct Wanted {
    const char* option;
    const std::optional<LogTarget>& target;
    std::optional<OutputFile>& file;
    Log* log;
  };
  const Wanted wanted[] = {{"--stats", options.stats, statistics_, nullptr},
                           {"--explain", options.explain, logs_[0].file, &logs_[0]},
                           {"--strace", options.strace, logs_[1].file, &logs_[1]},
                           {"--trace", options.trace, logs_[2].file, &logs_[2]},
                           {"--profile", profile, profile_, nullptr},
                           {"--output", sweep, sweep_, nullptr},
                           {"--pipeline", pipeline, logs_[3].file, &logs_[3]},
                           {"--digest", digest, logs_[4].file, &logs_[4]}};
  std::vector<NamedOutput> outputs;
  for (const Wanted& each : wanted) {
    if (!each.target) continue;
    if (each.target->file.empty()) {
      if (each.log != nullptr) {
        each.log->to_standard_error = standard_error_.get();
        each.log->option = each.option;
      }
      continue;
    }
    auto file = OutputFile::find(each.target->file);
    if (!file) return Failure{file.error()};
    each.file = *std::move(file);
    outputs.push_back({each.option, &*each.file});
  }
  fit_terminal();
  return outputs;
}

// The diagrams of --pipeline fit by themselves.
void RunOutputs::fit_terminal() {
  const Terminal terminal = terminal_of(STDERR_FILENO);
  if (terminal.columns == Terminal::no_limit) return;
  for (Log& log : std::span(logs_).first<3>()) {
    if (log.to_standard_error != nullptr) {
      log.to_terminal = std::make_unique<FittingStream>(*standard_error_, terminal);
    }
  }
}

bool RunOutputs::use_standard_error() const {
  return std::ranges::any_of(logs_,
                             [](const Log& log) { return log.to_standard_error != nullptr; });
}

bool RunOutputs::log_failed() const {
  return std::ranges::any_of(
      logs_, [](const Log& log) { return log.stream() != nullptr && log.stream()->bad(); });
}

Result<Ok, std::string> RunOutputs::write_statistics(std::string_view text) {
  if (statistics_) return statistics_->replace(text);
  return write_to_standard_error(text, "--stats");
}

Result<Ok, std::string> RunOutputs::write_profile(const OutputFile::Write& write) {
  return profile_->replace(write);
}

Result<Ok, std::string> RunOutputs::write_sweep(std::string_view text) {
  if (sweep_) return sweep_->replace(text);
  return write_to_standard_error(text, "--output");
}

Result<Ok, std::string> RunOutputs::write_to_standard_error(std::string_view text,
                                                            const char* option) {
  *standard_error_ << text;
  const int error = standard_error_->finish();
  return error == 0 ? Result<Ok, std::string>(Ok{}) : Failure{standard_error_failed(error, option)};
}

Result<Ok, std::string> RunOutputs::close_logs() {
  Result<Ok, std::string> all = Ok{};
  for (Log& log : logs_) {
    const int error = log.to_file != nullptr ? log.to_file->finish() : 0;
    if (error != 0 && all) all = Failure{log.file->write_error(error)};
    const int here = log.to_standard_error != nullptr ? log.to_standard_error->finish() : 0;
    if (here != 0 && all) all = Failure{standard_error_failed(here, log.option)};
  }
  return all;
}

}  // namespace hardclock
