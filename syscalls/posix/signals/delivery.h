// Signals: how they are sent, and how they take effect.
#pragma once

#include "sim/process/process.h"
#include "sim/recording/trap.h"
#include "syscalls/posix/files/file_owner.h"
#include "syscalls/posix/kernel_part.h"
#include "syscalls/posix/state.h"

namespace hardclock::posix {

class SignalDelivery : public KernelPart {
 public:
  using KernelPart::KernelPart;

  // ---- Sending.
  // A signal to a process, unless that has ended. Any of its threads takes it.
  void post(Process& process, unsigned signal, const SignalInfo& info = {});
  // The same to one of its threads, and no other takes it.
  void post_to(Thread& thread, unsigned signal, const SignalInfo& info);
  // To every process of a group.
  void post_to_group(int group, unsigned signal);
  // To those who own a file, as far as who set the owner may send it.
  void post_to_owner(const FileOwner& owner, unsigned signal, const SignalInfo& info = {});
  // What is told of a child that stopped or went on, and of one that ended.
  SignalInfo child_info(const Process& child, SignalInfo::Cause cause, unsigned status) const;
  SignalInfo end_info(const Process& zombie) const;
  // Tells the process with this number, if there is one, of a child that has stopped or goes on.
  void report_to(int pid, const SignalInfo& info);
  // Takes a signal that is pending for the thread, or else for its process: what its sender said.
  SignalInfo take_pending(Thread& thread, unsigned signal);

  // ---- Taking effect.
  // See Personality.
  bool interrupts_wait(const Thread& thread) const;
  void deliver_signals(Thread& thread);
  void trap(Thread& thread, const Trap& trap);
  // Returns whether the thread goes on.
  bool take_effect(Thread& thread, unsigned signal, const SignalInfo& info);

 private:
  void announce(Process& process, unsigned signal);
  SignalSet left_to_first(const Thread& thread) const;
  bool deliver_from(SignalQueue queue, const SignalSet& wanted, Thread& thread);
  void raise(Thread& thread, const Trap& trap, SignalInfo info);
  void deliver(Thread& thread, unsigned signal, const SignalInfo& info);
  void take_default_action(Thread& thread, unsigned signal);
};

}  // namespace hardclock::posix
