// The registers of an IA-64 thread that stands still for its tracer.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/process/process.h"

namespace hardclock::gnu_linux {

// Port::store_registers and Port::load_registers: what the thread has of its register stack goes to
// the backing store, where a debugger looks for it and writes (Linux 6.1, arch/ia64/kernel/
// ptrace.c, ia64_ptrace_stop() and ia64_sync_krbs()). What is kept is the NaT collection that has
// no place in memory yet.
std::optional<std::uint64_t> store_ia64_registers(Thread& thread);
void load_ia64_registers(Thread& thread, std::uint64_t rnat);

}  // namespace hardclock::gnu_linux
