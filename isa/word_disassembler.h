#pragma once

#include <functional>
#include <memory>
#include <string>

#include "isa/disassembler.h"
#include "isa/instruction_word.h"
#include "sim/base/endian.h"
#include "sim/base/units.h"

namespace hardclock {

// A Disassembler of instruction words, which are in memory in this order.
std::unique_ptr<const Disassembler> make_word_disassembler(
    Endian order, std::function<std::string(InstructionWord word, GuestAddr pc)> disassemble);

}  // namespace hardclock
