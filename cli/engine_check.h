// hardclock run --check=engines: each processor of a run is two, which are compared.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cli/processor_choice.h"
#include "sim/engine/cpu.h"
#include "sim/memory/address_space.h"
#include "sim/timing/cpu_description.h"
#include "syscalls/posix/port.h"
#include "syscalls/posix/program_file.h"

namespace hardclock {

// The same processors, not translated and with caches of their own.
CpuSetup reference_of(const CpuSetup& setup);

// As make_cpu(). `tell` gets a sentence about the first difference; see debug::EngineCheck::tell.
std::unique_ptr<Cpu> make_checked_cpu(const CpuSetup& setup, const CpuSetup& reference,
                                      const CpuDescription& description,
                                      const posix::Program& program, const posix::Port& port,
                                      AddressSpace& memory,
                                      std::function<void(const std::string&)> tell);

}  // namespace hardclock
