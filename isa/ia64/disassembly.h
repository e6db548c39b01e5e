// IA-64 assembly text, spelled as GNU objdump spells it.
#pragma once

#include <memory>
#include <string>

#include "isa/disassembler.h"
#include "isa/ia64/bundle.h"
#include "sim/base/units.h"

namespace hardclock::ia64 {

// The instruction at `slot` (below slots() of the bundle's text) of a bundle at `address`, as
// `ia64-linux-gnu-objdump -d` prints it, but for the blanks before it: the assembler's usual
// pseudo-ops, a blank after the mnemonic, targets as addresses without symbols, ";;" where a group
// ends: "(p06) ld8 r14=[r32],8;;", "br.call.sptk.many b0=0x40000000000001f0". A slot that
// isa/ia64/ia64.decode does not define, or that has a hint without a name, is "data8 0x009000000",
// and so is each slot of a reserved template. The slot behind a long instruction, which slots()
// does not count, is "(second slot of the long instruction)".
std::string disassemble(const Bundle& bundle, std::size_t slot, GuestAddr address);

// Its texts are bundles, of 16 bytes. The digits are those of the bytes that objdump shows beside
// the instruction of the text's slot.
std::unique_ptr<const Disassembler> make_disassembler();

}  // namespace hardclock::ia64
