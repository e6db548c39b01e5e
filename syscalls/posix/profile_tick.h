// The profiling part of the clock interrupt, on the guest's own memory.
#pragma once

#include <string_view>

#include "sim/process/personality.h"
#include "syscalls/posix/kernel_part.h"
#include "syscalls/profil/charge.h"

namespace hardclock::posix {

// A charge to the profile of a thread, for observers.
struct ChargeSeen {
  Thread& thread;
  GuestAddr pc;  // as the program's pointers have it
  Ticks ticks;   // 0: the counter was only probed
  const profil::State& before;
  const profil::State& after;
  const profil::Charge& charge;
};

class Profiling : public KernelPart {
 public:
  using KernelPart::KernelPart;

  // The state that a tick of this thread goes by.
  profil::State& of(Thread& thread) const;
  // Puts a state in place.
  void set(Thread& thread, profil::State state) const;
  // See Personality.
  void tick(Thread& thread, GuestAddr pc, ClockKind kind, ProcessorMode mode) const;
  void leaving_kernel(Thread& thread) const;
  static bool wants_fast_clock(const Process& process);
  // A signal is about to take effect. Its delivery is a stay in the kernel, whoever sent it.
  void charge_before_signal(Thread& thread) const;
  // Charges the fast ticks of the thread that wait for the next tick. For observers.
  void charge_waiting(Thread& thread) const;

 private:
  void charge(Thread& thread, Ticks ticks, GuestAddr pc, const char* what) const;
  // All that the thread owes, where it would go on without a signal.
  void charge_exit(Thread& thread) const;
  void explain_tick(const Thread& thread, GuestAddr pc, const char* clock,
                    std::string_view text) const;
  void system_tick(Thread& thread, GuestAddr pc) const;
};

}  // namespace hardclock::posix
