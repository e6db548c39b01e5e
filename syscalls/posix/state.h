// What the kernel keeps for each process and thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sim/base/units.h"
#include "sim/process/process.h"
#include "syscalls/posix/convention.h"
#include "syscalls/posix/descriptors.h"
#include "syscalls/profil/profil.h"

namespace hardclock::posix {

// The most open files of a process: sysconf(_SC_OPEN_MAX) of IRIX 5.3, more than the others had.
inline constexpr std::size_t open_max = 200;

class State final : public OsState {
 public:
  std::unique_ptr<State> fork() const { return std::make_unique<State>(*this); }

  posix::Descriptors descriptors{open_max};
  std::string directory = "/";             // absolute guest path
  GuestAddr break_start;                   // first address of the heap; page-aligned
  GuestAddr break_end;                     // the current break
  const Convention* convention = nullptr;  // of the program; never null once it runs
  profil::State profiling;                 // of systems that profile processes
};

class ThreadState final : public OsState {
 public:
  profil::State profiling;  // of systems that profile threads
  Ticks owed;               // found the thread in the kernel; charged when it leaves
  GuestAddr trap_pc;        // of the instruction that entered the kernel
};

inline State& state_of(Process& process) {
  return static_cast<State&>(*process.os_state);
}
inline const State& state_of(const Process& process) {
  return static_cast<const State&>(*process.os_state);
}

inline ThreadState& thread_state_of(Thread& thread) {
  if (thread.os_state == nullptr) thread.os_state = std::make_unique<ThreadState>();
  return static_cast<ThreadState&>(*thread.os_state);
}

}  // namespace hardclock::posix
