#include "cli/engine_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "isa/instruction_sets.h"
#include "sim/debug/engine_check.h"
#include "sim/debug/engine_difference.h"
#include "sim/load/image.h"

namespace hardclock {
namespace {

std::string place_of(const Image& image, GuestAddr pc) {
  const std::string where = describe(image.symbols, pc);
  return where.starts_with("0x") ? where : fmt::format("{} (0x{:08x})", where, pc.value());
}

std::string describe(const debug::EngineDifference& difference, const Image& image,
                     const Disassembler& disassembler, const debug::RegisterSet& registers) {
  std::string where;
  if (difference.at) {
    std::string text = disassembler.disassemble(*difference.at);
    std::ranges::replace(text, '\t', ' ');
    where = fmt::format("{}: {}", place_of(image, difference.at->pc()), text);
  } else {
    where = fmt::format("within {} instructions from {} on", difference.length.value(),
                        place_of(image, difference.start));
  }
  return fmt::format("the engines differ at {}: {}; {} instructions of the thread came before",
                     where, sentence(difference.what, registers), difference.before.value());
}

}  // namespace

CpuSetup reference_of(const CpuSetup& setup) {
  CpuSetup reference = setup;
  reference.translation.is_on = false;
  if (setup.memory != nullptr) {
    reference.memory = std::make_shared<MachineMemory>(setup.memory->system.description());
  }
  return reference;
}

std::unique_ptr<Cpu> make_checked_cpu(const CpuSetup& setup, const CpuSetup& reference,
                                      const CpuDescription& description,
                                      const posix::Program& program, const posix::Port& port,
                                      AddressSpace& memory,
                                      std::function<void(const std::string&)> tell) {
  const InstructionSet& set = instruction_set_of(description);
  const debug::RegisterSet& registers = set.debug_registers(*program.image);
  const std::shared_ptr<const Disassembler> disassembler =
      set.executed(description, *program.image);
  return set.make_checked_cpu(
      make_cpu(setup, description, program, port, memory),
      make_cpu(reference, description, program, port, memory), memory,
      {.registers = &registers,
       .caches = setup.memory,
       .reference_caches = reference.memory,
       .tell = [image = program.image, disassembler, &registers,
                tell = std::move(tell)](const debug::EngineDifference& difference) {
         tell(describe(difference, *image, *disassembler, registers));
       }});
}

}  // namespace hardclock
