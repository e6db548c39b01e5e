// Job control: processes that stop and go on, and the jobs at a terminal (POSIX.1, 11.1 "General
// Terminal Interface").
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "sim/process/process.h"
#include "sim/state/archive.h"
#include "syscalls/posix/files/terminal.h"
#include "syscalls/posix/kernel_part.h"

namespace hardclock::posix {

// What a terminal tells its foreground process group.
enum class TerminalSignal : std::uint8_t { interrupt, quit, stop, window_change };

class JobControl : public KernelPart {
 public:
  // `terminal` null: there is none.
  JobControl(Kernel& kernel, std::shared_ptr<Terminal> terminal)
      : KernelPart(kernel), terminal_(std::move(terminal)) {}

  // Null: there is none.
  const std::shared_ptr<Terminal>& terminal() const { return terminal_; }
  // The machine's first process is in the foreground.
  void begin(const Process& first);
  // The process ends.
  void leave_terminal(const Process& process);
  // The session, which the terminal controls, loses it.
  void hang_up();
  // A process group without a parent that could continue it (POSIX.1, "orphaned process group").
  bool is_orphaned(const Process& of) const;

  // ---- For who watches the terminal, which there must be.
  // The user typed one of the characters, or changed the window. False: nobody can be told, for
  // there is no foreground, or the system has no such signal.
  bool signal_foreground(TerminalSignal signal);
  // Whether the first process has been stopped since the last call: its parent is the user's shell,
  // for which hardclock stands. If so it is to go on when hardclock does.
  bool take_stop_of_first() { return std::exchange(first_has_stopped_, false); }
  void continue_first();

  // ---- Stops.
  // A signal stops the thread's process.
  void stop(Thread& thread, unsigned signal);
  // The stop that the process has begun is whole: its parent hears of it.
  void complete_stop(Process& process);
  void resume(Process& process);

  void archive(Archive& to);

 private:
  bool is_first(const Process& process) const { return process.pid == first_pid_; }

  std::shared_ptr<Terminal> terminal_;
  int first_pid_ = 0;
  bool first_has_stopped_ = false;
};

}  // namespace hardclock::posix
