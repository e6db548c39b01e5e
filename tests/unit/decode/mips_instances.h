// Random instances of the MIPS patterns.
#pragma once

#include "isa/mips/mips_decode.h"
#include "tests/unit/decode/instances.h"

namespace hardclock::mips {

inline std::vector<std::uint32_t> instances(Opcode opcode, std::size_t count, std::uint32_t seed) {
  return random_instances(info(opcode).match, info(opcode).mask, count, seed);
}

inline std::vector<Opcode> all_opcodes() {
  return opcodes_up_to<Opcode>(opcode_count);
}

}  // namespace hardclock::mips
