// What to say of an instruction that a processor lacks.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/units.h"
#include "sim/load/image.h"
#include "sim/memory/address_space.h"
#include "sim/timing/cpu_description.h"

namespace hardclock {

// "sync: the r4400 has it, --cpu=r4400", of a word at `pc` in such a program. Empty: the processor
// has the instruction, or all of its instruction set have the same.
std::string who_has_instruction(const CpuDescription& cpu, const Image& file, std::uint32_t word,
                                GuestAddr pc);

// The same of what stands in memory; empty, too, if nothing does.
std::string who_has_instruction(const CpuDescription& cpu, const Image& file, AddressSpace& memory,
                                GuestAddr pc);

}  // namespace hardclock
