// What two engines do differently that run the same program: a bug in hardclock.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sim/base/instruction_text.h"
#include "sim/base/units.h"
#include "sim/debug/register_set.h"

namespace hardclock::debug {

struct EngineDifference {
  enum class Kind : std::uint8_t {
    registers,  // one that debuggers show
    memory,
    state,  // of the processor, that debuggers do not show
    stop,   // one of them trapped or stopped, and the other did not, or otherwise
    cycles,
    instructions,
    caches,  // what is in them or in the TLB, or what was counted there
  };
  struct What {
    Kind kind = Kind::state;
    unsigned register_number = 0;  // of `registers`
    GuestAddr address = {};        // of the byte, of `memory`
    // Of a register, a byte, cycles and instructions since the start of the stretch.
    RegisterValue checked = 0, reference = 0;
  };

  What what;
  // The instruction: of registers and memory, the last one that changed there what is different;
  // else the last one before the difference shows. nullopt: the difference did not come again when
  // the instructions ran once more.
  std::optional<InstructionText> at = {};
  // Of the stretch in which it came: the pc, and the instructions until it showed.
  GuestAddr start = {};
  Instructions length = {};
  Instructions before = {};  // that the thread had executed before the stretch
};

using TellDifference = std::function<void(const EngineDifference&)>;

// "v0 is 0x5, and 0x6 in single steps"
std::string sentence(const EngineDifference::What& what, const RegisterSet& registers);

}  // namespace hardclock::debug
