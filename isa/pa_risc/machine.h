// The two machines on which PA-RISC semantics run: the Interpreter, whose values are numbers, and
// the Recorder, which notes what a body does.
#pragma once

#include <cstdint>

#include "isa/instruction_word.h"
#include "isa/pa_risc/mode.h"
#include "isa/pa_risc/pa_risc_decode.h"
#include "isa/pa_risc/registers.h"
#include "isa/pa_risc/vocabulary.h"
#include "sim/engine/host_primitives.h"
#include "sim/memory/address_space.h"
#include "sim/recording/recording_primitives.h"

namespace hardclock::pa_risc {

inline Settings settings_of(Level level, const Mode& mode) {
  return {available(Opcode::ldd, level) ? 64U : 32U, mode.wide ? 64U : 32U};
}

class Interpreter : public Vocabulary<HostPrimitives<Interpreter, Registers, Operands>> {
 public:
  using Layout = InstructionWordLayout;

  explicit Interpreter(AddressSpace& memory, const Settings& settings = {}, Chip chip = Chip::other)
      : Vocabulary(settings, memory, settings.address_mask()) {
    registers_.chip = chip;
  }

  // Of the instruction that runs; 0 if its page is gone by now.
  InstructionWord instruction_word() {
    const auto word = fetch_word(memory(), GuestAddr(pc()), Access::execute);
    return word ? *word : 0;
  }
};

class Recorder : public Vocabulary<RecordingPrimitives> {
 public:
  Recorder(std::uint32_t word, const Settings& settings)
      : Vocabulary(settings, word, settings.address_mask(), pipeline_names) {}
};

}  // namespace hardclock::pa_risc
