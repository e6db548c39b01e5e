// MIPS I and II assembly text, spelled as GNU objdump spells it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/units.h"

namespace hardclock::mips {

// The instruction `word` at the 32-bit address `pc`, as `mips-linux-gnu-objdump -d` prints it:
// o32 register names, the assembler's usual aliases, one tab after the mnemonic, targets as
// addresses without symbols: "addiu\tsp,sp,-24", "beqz\ta0,0x400128", "nop". A word that
// isa/mips/mips.decode does not define is ".word\t0x4120010".
std::string disassemble(std::uint32_t word, GuestAddr pc);

// A general register as its texts spell it; `number` is 0 to 31.
std::string_view general_register_name(unsigned number);

}  // namespace hardclock::mips
