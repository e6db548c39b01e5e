// The pure algorithm over a model of processes: no instruction and no cycle, only
// profil::SystemRules and its functions, profil::charge() and a memory of ranges.
//
// Where the case format and the kernels leave something open:
//   evict has no effect: pages come back, and paging is no memory fault (A-I10).
//   A system-mode tick is charged to the case's pc whether the kernel resumes there or trapped
//   there, by the rule SystemTicks; a call leaves the kernel at resume_pc() (case.h).
//   The child of a fork has one thread, with the state of the thread that forked.
//   sprofil() with profcnt 0 examines only tvp (A-H1).
//   A vfork parent sleeps until its child's exec. Events of such a process cannot be performed, nor
//   can an mprotect of unmapped memory, nor a poke that the program could not do.
#pragma once

#include "syscalls/conform/backend.h"

namespace hardclock::conform {

class ModelBackend final : public Backend {
 public:
  std::string_view name() const override { return "model"; }
  Observation run(const Case& of) override;
};

}  // namespace hardclock::conform
