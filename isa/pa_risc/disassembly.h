// PA-RISC assembly text, spelled as GNU objdump spells it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/units.h"

namespace hardclock::pa_risc {

// The instruction `word` at address `pc`, as `hppa-linux-gnu-objdump -d` prints it: the mnemonics
// of PA-RISC 2.0 on every processor, registers by their role, immediates in hexadecimal, a blank
// after the mnemonic, targets as addresses without symbols: "ldw -14(sp),rp",
// "cmpb,<>,n r4,rp,0x10040". `wide` is PSW.W, which a few texts depend on; objdump's are those of
// wide mode. A word that isa/pa_risc/pa_risc.decode does not define is "# 8000320".
std::string disassemble(std::uint32_t word, GuestAddr pc, bool wide);

// A general register as its texts spell it; `number` is 0 to 31.
std::string_view general_register_name(unsigned number);
// Half n, 0 to 63, of the floating-point registers: "fr4", "fr4R".
std::string fpr_half_name(unsigned n);

}  // namespace hardclock::pa_risc
