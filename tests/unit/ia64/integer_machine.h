// One instruction of semantics_integer.h on a processor, twice: by the Interpreter, and by
// evaluating its recording. It needs no predecoder.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/ia64/bundle.h"
#include "isa/ia64/ia64_decode.h"
#include "isa/ia64/machine.h"
#include "isa/ia64/registers.h"
#include "sim/memory/address_space.h"
#include "sim/recording/trap.h"

namespace hardclock::ia64 {

// Whether semantics_integer.h has a body for it.
bool has_integer_body(Opcode opcode);

class IntegerMachine {
 public:
  struct Outcome {
    Registers registers;
    std::optional<Trap> trap;
  };

  explicit IntegerMachine(Level level);

  // The word is one that has a body.
  Outcome interpret(Word word, const Registers& before);
  Outcome evaluate(Word word, const Registers& before);

 private:
  Settings settings_;
  AddressSpace memory_;
  Interpreter interpreter_;
};

}  // namespace hardclock::ia64
