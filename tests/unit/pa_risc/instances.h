// Random instances of the PA-RISC patterns.
#pragma once

#include "isa/pa_risc/pa_risc_decode.h"
#include "tests/unit/decode/instances.h"

namespace hardclock::pa_risc {

inline std::vector<std::uint32_t> instances(Opcode opcode, std::size_t count, std::uint32_t seed) {
  return random_instances(info(opcode).match, info(opcode).mask, count, seed);
}

inline std::vector<Opcode> all_opcodes() {
  return opcodes_up_to<Opcode>(opcode_count);
}

}  // namespace hardclock::pa_risc
