// What IRIX keeps for each process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sim/base/units.h"
#include "sim/process/process.h"
#include "syscalls/posix/descriptors.h"
#include "syscalls/profil/profil.h"

namespace hardclock::irix {

// The most open files of a process: sysconf(_SC_OPEN_MAX) of IRIX 5.3.
inline constexpr std::size_t open_max = 200;

class State final : public OsState {
 public:
  std::unique_ptr<State> fork() const { return std::make_unique<State>(*this); }

  posix::Descriptors descriptors{open_max};
  std::string directory = "/";  // absolute guest path
  GuestAddr break_start;        // first address of the heap; page-aligned
  GuestAddr break_end;          // the current break
  profil::State profiling;
};

inline State& state_of(Process& process) {
  return static_cast<State&>(*process.os_state);
}
inline const State& state_of(const Process& process) {
  return static_cast<const State&>(*process.os_state);
}

}  // namespace hardclock::irix
