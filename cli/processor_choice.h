// The processor that a program runs on: the one that the user named, or one that suits its files.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/run_options.h"
#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/clock/virtual_clock.h"
#include "sim/engine/cached_memory.h"
#include "sim/engine/cpu.h"
#include "sim/engine/translation.h"
#include "sim/memory/address_space.h"
#include "sim/process/kernel_costs.h"
#include "sim/timing/cache_change.h"
#include "sim/timing/cpu_description.h"
#include "syscalls/posix/port.h"
#include "syscalls/posix/program_file.h"

namespace hardclock {

struct CpuSetup {
  std::shared_ptr<const CpuDescription> own;    // the user's, if he described one
  std::shared_ptr<const CpuDescription> built;  // with --isa=any, what `own` was
  std::shared_ptr<const MachineDescription> own_machine;
  const CpuDescription* chosen = nullptr;  // by the user; nullptr: each program gets a suitable one
  const CpuDescription* as_built = nullptr;  // what `chosen` was before --isa=any; nullptr: without
  const CpuDescription* description = nullptr;  // of the first program
  // The library that asks for that one where the program alone does not; empty: none.
  std::string asked_by;
  Hertz clock;                                  // of the machine, whatever it runs later
  const MachineDescription* machine = nullptr;  // if one was chosen
  std::string machine_name;                     // for people; a user's file with its path
  std::vector<CacheChange> cache_changes;       // of the machine's
  std::shared_ptr<MachineMemory> memory;        // its caches and TLB; nullptr: every access hits
  KernelCosts kernel_costs;
  std::optional<TickCounter> tick_counter;
  bool functional = false;  // requested by the user
  Translation translation;
};

// The processor for a program that runs on this port: the chosen one, or else the one that its
// files need: the program, its dynamic linker and its libraries. It can run all of them, whatever
// their headers say. The error is one line for the user: which file needs what.
Result<const CpuDescription*, std::string> suitable_cpu(const CpuSetup& setup,
                                                        const posix::Program& program,
                                                        const posix::Port& port);
// The processor that suitable_cpu() found for the program.
std::unique_ptr<Cpu> make_cpu(const CpuSetup& setup, const CpuDescription& description,
                              const posix::Program& program, const posix::Port& port,
                              AddressSpace& memory);

// What the program runs on, for people: "r4400", "r4400 of indigo2-r4400, l1d=16k,32,2",
// "r4400 of mine (./my.machine)".
std::string name_of(const CpuSetup& setup);

// The same with all other options that decide the cycles: "r3000, --timing=functional".
std::string conditions_of(const CpuSetup& setup, const RunOptions& options);

// With --isa=any: how many instructions of the program's files the processor never had.
std::optional<std::uint64_t> foreign_instructions(const CpuSetup& setup,
                                                  const posix::Program& program);

// What to tell the user of the processor if he named none, as a line; empty: nothing. Programs of
// MIPS32 and MIPS64 are later than the systems here, and could be timed as several processors; with
// a library of PA-RISC 2.0 an older program has no pipeline. A library that asks for it is named.
std::string note_of_default(const CpuSetup& setup);

// The processor that the user named, or the one that suits the program.
Result<CpuSetup, UsageError> choose_cpu(const RunOptions& options, const posix::Program& program,
                                        const posix::Port& port);

}  // namespace hardclock
