// Performs cases on a machine: the case's system runs as a personality, its calls are system calls
// of a guest program, its ticks are clock interrupts that find that program at the case's pc, and
// its counters are what the guest's memory holds in the end.
//
// The guest is a program for the processor that guest_code_of() names. If it can execute the case's
// pc, in memory that the case does not use, the guest really runs there. Otherwise (addresses that
// are not a multiple of an instruction or not the program's, pcs inside the case's own memory) the
// interrupt is taken with that pc in the registers.
#pragma once

#include <string_view>
#include <utility>

#include "syscalls/conform/backend.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::conform {

class GuestBackend final : public Backend {
 public:
  // `make_cpu` makes the processors for all programs; one cycle an instruction is
  // best.
  explicit GuestBackend(posix::MakeCpu make_cpu) : make_cpu_(std::move(make_cpu)) {}

  std::string_view name() const override { return "guest"; }
  // Cases with an exec need a directory for a short-lived file: TMPDIR, or /tmp.
  Observation run(const Case& written) override;

 private:
  posix::MakeCpu make_cpu_;
};

}  // namespace hardclock::conform
