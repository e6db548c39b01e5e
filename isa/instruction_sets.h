// The registry of the instruction sets that are simulated. There is no default: a file for any
// other architecture is the caller's error to report.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "isa/disassembler.h"
#include "isa/instruction_set.h"
#include "sim/base/result.h"
#include "sim/engine/cpu.h"
#include "sim/load/image.h"
#include "sim/memory/address_space.h"
#include "sim/timing/cpu_description.h"

namespace hardclock {

std::span<const InstructionSet* const> instruction_sets();
std::string instruction_set_names();  // "MIPS, PA-RISC or IA-64"

// Null if programs of this architecture are not simulated.
const InstructionSet* find_instruction_set(Architecture architecture);

// How the image's code reads. Null if no programs of its architecture can be listed. Those of IA-64
// can, though none is simulated yet.
std::unique_ptr<const Disassembler> find_disassembler(const Image& image);

// The instruction set that has the level of `cpu`, which is one of its cpus() or from read_cpu().
const InstructionSet& instruction_set_of(const CpuDescription& cpu);

// A processor of the user's own, from a text in the format of the files of timing/
// (sim/timing/cpu_description.h). Its level is that of a known processor, and it may be like some
// of them. Error: what is wrong, in one line.
Result<CpuDescription, std::string> read_cpu(std::string_view text);

// The processor that a program of one file runs on when none is chosen. The error is one line for
// the user.
Result<std::unique_ptr<Cpu>, std::string> make_default_cpu(const Image& image, AddressSpace& memory,
                                                           const CpuRequest& request);

// Search all instruction sets, without regard to case. Null if there is none of that name.
const CpuDescription* find_cpu(std::string_view name);
const MachineDescription* find_machine(std::string_view name);

}  // namespace hardclock
