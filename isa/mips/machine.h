// The two machines on which MIPS semantics run: the Interpreter, whose values are numbers, and the
// Recorder, which notes what a body does.
#pragma once

#include "isa/instruction_word.h"
#include "isa/mips/chip.h"
#include "isa/mips/mips_decode.h"
#include "isa/mips/mode.h"
#include "isa/mips/registers.h"
#include "isa/mips/vocabulary.h"
#include "sim/base/endian.h"
#include "sim/engine/host_primitives.h"
#include "sim/memory/address_space.h"
#include "sim/recording/recording_primitives.h"

namespace hardclock::mips {

Settings settings_of(Level level, const Mode& mode, const Chip& chip, Endian data_order);

class Interpreter : public Vocabulary<HostPrimitives<Interpreter, Registers, Operands>> {
 public:
  using Layout = InstructionWordLayout;

  // The order of data is the address space's.
  explicit Interpreter(AddressSpace& memory, Mode mode = {}, Level level = Level::mips2,
                       const Chip& chip = {});

 private:
  Interpreter(AddressSpace& memory, const Settings& settings)
      : Vocabulary(settings, memory, settings.address_mask()) {}
};

class Recorder : public Vocabulary<RecordingPrimitives> {
 public:
  Recorder(std::uint32_t word, const Settings& settings)
      : Vocabulary(settings, word, settings.address_mask(), pipeline_names) {}
};

}  // namespace hardclock::mips
