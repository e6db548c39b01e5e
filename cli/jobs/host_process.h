// Processes of the host that this one starts and waits for.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "sim/base/result.h"
#include "syscalls/host/descriptor.h"

namespace hardclock::jobs {

struct ProcessStart {
  std::vector<std::string> words;  // the first is its argv[0]
  std::string executable;          // a path, or a name in PATH
  std::string directory;           // its working directory; empty: ours
  std::string in = "/dev/null";    // files
  std::string out = "/dev/null";   // made anew
  std::string err = "/dev/null";
};

// A child. It is killed when this object or, however it ends, this process ends.
class HostProcess {
 public:
  // Error: the file that cannot be used, and why.
  static Result<HostProcess, std::string> start(const ProcessStart& start);
  HostProcess(HostProcess&& other) noexcept;
  HostProcess& operator=(HostProcess&& other) noexcept;
  ~HostProcess();

  // Becomes readable when it has ended.
  int descriptor() const { return alive_.get(); }
  bool has_ended() const;
  void send(int signal) const;
  // Waits for its end. The status as waitpid(2) has it. To be called once.
  int wait();

 private:
  HostProcess(::pid_t pid, host::Descriptor alive) : pid_(pid), alive_(std::move(alive)) {}

  ::pid_t pid_ = -1;
  host::Descriptor alive_;
};

// Waits until one of the processes has ended, a signal comes, or the time is over.
void wait_for_any(const std::vector<const HostProcess*>& processes, std::chrono::milliseconds most);

}  // namespace hardclock::jobs
