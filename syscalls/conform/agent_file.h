// The agent's file on the host, for as long as an exec reads it.
#pragma once

#include <csignal>
#include <memory>
#include <string>

#include "sim/base/result.h"
#include "syscalls/conform/guest_agent.h"

namespace hardclock::conform {

// TMPDIR, or /tmp.
std::string temporary_directory();

// While it exists, this thread takes no signals: Ctrl-C ends the program before or after, and
// leaves no file behind.
class AgentFile {
 public:
  // In a directory that is there. The error is one line.
  static Result<std::unique_ptr<AgentFile>, std::string> create(const std::string& directory,
                                                                const AgentLayout& layout);
  ~AgentFile();
  AgentFile(const AgentFile&) = delete;
  AgentFile& operator=(const AgentFile&) = delete;

  // Without the directory.
  std::string name() const;

 private:
  AgentFile();
  bool write(const AgentLayout& layout);

  std::string path_;
  ::sigset_t signals_;  // that were blocked before
};

}  // namespace hardclock::conform
