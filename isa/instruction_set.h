// An instruction set as the commands see it: its processors, and what they can run. Each folder of
// isa/ defines one, in its instruction_set.cc.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/disassembler.h"
#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/debug/engine_check.h"
#include "sim/debug/register_set.h"
#include "sim/engine/cached_memory.h"
#include "sim/engine/cpu.h"
#include "sim/engine/translation.h"
#include "sim/load/image.h"
#include "sim/memory/address_space.h"
#include "sim/timing/cpu_description.h"
#include "sim/timing/pipeline.h"

namespace hardclock {

struct CpuRequest {
  bool functional = false;                          // one cycle an instruction
  std::shared_ptr<MachineMemory> memory = nullptr;  // null: every access hits
  std::optional<GuestAddr> gateway_page = {};       // by which programs enter the kernel
  // The kernel carries out some instructions for a processor that lacks them.
  bool emulates_instructions = false;
  Translation translation = {};
};

// What `hardclock run --check=NAME` looks for in a program while it runs: what the manual forbids
// or leaves undefined, and hardclock executes.
struct Check {
  std::string_view name;
  std::string_view found;  // with a number before it: "illegal dependencies"
  // The processor, with the check: it and its forks give `report` a line for each finding. No
  // result and no cycle changes.
  std::unique_ptr<Cpu> (*add)(std::unique_ptr<Cpu> cpu,
                              std::function<void(const std::string&)> report);
};

// Instructions in a file's code that a processor lacks and its kernel does not carry out.
struct ForeignCode {
  std::uint64_t count = 0;
  GuestAddr first;         // the place of the first of them, if there are any
  std::uint32_t word = 0;  // and itself
};

struct InstructionSet {
  Architecture architecture;
  std::string_view name;  // for messages
  const std::vector<CpuDescription>& (*cpus)();
  // One of them, without reading the others. Null: none is called `name`.
  const CpuDescription* (*find_cpu)(std::string_view name);
  // Whether it has such a level, which need not be that of one of cpus().
  bool (*has_level)(std::string_view name);
  const std::vector<MachineDescription>& (*machines)();
  // Why no processor can be made by a description, whose level is that of one of cpus(): "line N:
  // what is wrong", or what it lacks; nullopt: it can be made.
  std::optional<std::string> (*mistake_in)(const CpuDescription& cpu);
  // What a program runs on when nothing is chosen; its own file is the first of `files`, then come
  // its dynamic linker and its libraries. The error is one line for the user.
  Result<const CpuDescription*, std::string> (*default_cpu)(std::span<const Image* const> files);
  // Why a processor made like this cannot run a file, as the rest of a sentence that begins with
  // the file's name: "is for MIPS32 release 2, the r4400 has MIPS III"; nullopt: it can.
  std::optional<std::string> (*objection)(const CpuDescription& cpu, const Image& file,
                                          const CpuRequest& request);
  // How a file is made that the processor can run, as the rest of "compile it ".
  std::string (*how_to_compile)(const CpuDescription& cpu);
  // There must be no objection.
  std::unique_ptr<Cpu> (*make_cpu)(const CpuDescription& cpu, const Image& image,
                                   AddressSpace& memory, const CpuRequest& request);
  // What the instruction set says of a text,
  std::unique_ptr<const Disassembler> (*disassembler)(const Image& image);
  // and what a processor makes of it, which may not look at all of its bits.
  std::unique_ptr<const Disassembler> (*executed)(const CpuDescription& cpu, const Image& image);
  // A register or a part of one, by the number that pipelines know it by, as objdump writes it; "a
  // register", if programs do not name it.
  std::string (*register_name)(Resource resource);
  std::span<const Check> checks = {};
  // The processor with the instructions of later ones, too, timed as the nearest of its own. Null:
  // not known.
  CpuDescription (*with_any_level)(const CpuDescription& cpu) = nullptr;
  // What a file was made for, by its header: "MIPS II". Null: not known.
  std::string (*built_for)(const Image& file) = nullptr;
  // In the file's code, where it says where that is. Null: all processors have the same.
  ForeignCode (*foreign_code)(const CpuDescription& cpu, const Image& file,
                              const CpuRequest& request) = nullptr;
  // Whether the processor has the instruction, in such a program; false for what is none. Null: all
  // have the same.
  bool (*has_instruction)(const CpuDescription& cpu, const Image& file,
                          std::uint32_t word) = nullptr;
  // The processors to name to somebody whose program has an instruction too many; from the one with
  // the fewest on.
  std::span<const char* const> usual_cpus = {};
  // The numbers of the system calls that the file's code makes, as far as its instructions tell:
  // each once, in order; nullopt: such code does not tell. Null: nobody can tell.
  std::optional<std::vector<std::uint32_t>> (*call_numbers)(const Image& file) = nullptr;
  // The registers of the programs of an image, for people. Null: they are not shown.
  const debug::RegisterSet& (*debug_registers)(const Image& image) = nullptr;
  // Where calls may enter a function of the file beside its symbol (FunctionRange::inner_entry).
  // Null: nowhere, whatever the function.
  std::optional<GuestAddr> (*inner_entry)(const Image& file, GuestAddr function) = nullptr;
  // One processor of two that it has made alike, on which nothing has run.
  std::unique_ptr<Cpu> (*make_checked_cpu)(std::unique_ptr<Cpu> cpu, std::unique_ptr<Cpu> reference,
                                           AddressSpace& memory, debug::EngineCheck check);
};

}  // namespace hardclock
