// What `hardclock run` writes besides the guest's own output: logs while the guest runs, statistics
// and a profile afterwards.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output_file.h"
#include "cli/run_options.h"
#include "cli/run_setup.h"
#include "sim/base/result.h"
#include "syscalls/host/file_status.h"

namespace hardclock {

// A host file that no output may write over.
struct FileInUse {
  std::string role;  // "the program", "standard input"
  host::HostIdentity identity;
};
// Those of a run.
std::vector<FileInUse> files_in_use(const RunOptions& options, const GuestProgram& guest);

// Errors are one line for the user.
class RunOutputs {
 public:
  RunOutputs();

  struct NamedOutput {
    std::string option;  // with its dashes
    const OutputFile* file;
  };

  // Refuses to write a file twice or to overwrite a file in use. Then opens everything: an output
  // that cannot be written must not surface after an hour.
  Result<Ok, std::string> open(const RunOptions& options, std::span<const FileInUse> in_use);

  // Returns nullptr if the user did not ask for it.
  std::ostream* explain() const { return logs_[0].stream(); }
  std::ostream* strace() const { return logs_[1].stream(); }
  std::ostream* trace() const { return logs_[2].stream(); }
  std::ostream* pipeline() const { return logs_[3].stream(); }
  std::ostream* digest() const { return logs_[4].stream(); }
  // Whether the run writes to standard error while it lasts.
  bool use_standard_error() const;
  // Whether writing a log has failed so far. Cheap.
  bool log_failed() const;

  // Writes to standard error if no file was named.
  Result<Ok, std::string> write_statistics(std::string_view text);
  Result<Ok, std::string> write_profile(const OutputFile::Write& write);
  // Writes to standard error if no file was named.
  Result<Ok, std::string> write_sweep(std::string_view text);
  Result<Ok, std::string> close_logs();

 private:
  struct Log {
    std::optional<OutputFile> file;
    std::unique_ptr<OutputStream> to_file;
    std::unique_ptr<std::ostream> to_terminal;  // standard error, if it is a narrow one
    OutputStream* to_standard_error = nullptr;
    const char* option = "";  // that asked for it
    std::ostream* stream() const;
  };

  Result<std::vector<NamedOutput>, std::string> find(const RunOptions& options);

  void fit_terminal();
  Result<Ok, std::string> write_to_standard_error(std::string_view text, const char* option);

  // Each line goes there at once, between those of others.
  std::unique_ptr<OutputStream> standard_error_;
  std::array<Log, 5> logs_;
  std::optional<OutputFile> statistics_, profile_, sweep_;
};

}  // namespace hardclock
