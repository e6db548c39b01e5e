// From checked options to a machine that can start: which system, which processor, which files.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/result.h"
#include "sim/cli/run_options.h"
#include "sim/clock/virtual_clock.h"
#include "sim/engine/cached_memory.h"
#include "sim/load/image.h"
#include "sim/process/kernel_costs.h"
#include "sim/timing/cpu_description.h"
#include "syscalls/host/file_space.h"
#include "syscalls/host/guest_files.h"
#include "syscalls/host/scratch_directory.h"
#include "syscalls/posix/kernel.h"

namespace hardclock {

// A guest program found and read, and the files its processes will see.
struct GuestProgram {
  std::unique_ptr<host::ScratchDirectory> scratch;  // null: the guest has no /tmp
  host::FileSpace space;
  std::shared_ptr<host::GuestFiles> files;
  posix::Program program;
  std::vector<std::string> notices;  // for the user before the run, a line each
};

// Errors are one line for the user.
Result<GuestProgram, UsageError> find_guest_program(const RunOptions& options);

// The directories of the files that the run writes for the user.
std::vector<std::string> output_directories(const RunOptions& options);

struct CpuSetup {
  const CpuDescription* chosen = nullptr;  // by the user; null: each program gets what suits it
  const CpuDescription* description = nullptr;  // of the first program
  Hertz clock;                                  // of the machine, whatever it runs later
  const MachineDescription* machine = nullptr;  // if one was chosen
  std::shared_ptr<MachineMemory> memory;        // its caches and TLB; null: every access hits
  KernelCosts kernel_costs;
  std::optional<TickCounter> tick_counter;
  bool functional = false;  // asked for
};
// The processor for a program: the chosen one, or without one what its files ask for: itself, its
// dynamic linker and its libraries. The error is one line for the user: which file needs what.
Result<const CpuDescription*, std::string> suitable_cpu(const CpuSetup& setup,
                                                        const posix::Program& program);
// The processor that was asked for, or the one that suits the program.
Result<CpuSetup, UsageError> choose_cpu(const RunOptions& options, const posix::Program& program);

// The operating system that was asked for, or the one that suits the program: IRIX for MIPS.
Result<const posix::UnixSystem*, UsageError> choose_os(const RunOptions& options,
                                                       const Image& image);

}  // namespace hardclock
