// The terminal of a run: what the user types and does there reaches the guest.
#pragma once

#include <memory>

#include "sim/process/simulation.h"
#include "syscalls/host/internet.h"
#include "syscalls/host/terminal.h"
#include "syscalls/posix/kernel.h"

namespace hardclock {

class RunTerminal {
 public:
  // nullptr: the guest has no terminal, and nothing here has an effect. Else the signals of the
  // keyboard are the guest's from now on (give_signals_to_guest()).
  explicit RunTerminal(std::shared_ptr<host::Terminal> terminal);

  const std::shared_ptr<host::Terminal>& terminal() const { return terminal_; }
  // Whether the guest reads from it, so that nobody else should write there unasked.
  bool is_in_use() const { return terminal_ != nullptr && terminal_->is_in_use(); }

  // Lets idle guests wait for the user, and for the host's network, if it is not null.
  void attach(Simulation& simulation, const std::shared_ptr<host::Internet>& internet) const;
  // Passes on what has happened at the terminal since the last call; stops hardclock where the user
  // wants that or the guest's first process has stopped. Call it often.
  void poll(posix::Kernel& kernel) const;

 private:
  std::shared_ptr<host::Terminal> terminal_;
};

}  // namespace hardclock
