// The code of an illegal_instruction trap: the number of the interruption that the processor takes,
// if it is not the illegal instruction trap.
// Source: "PA-RISC 1.1 Architecture and Instruction Set Reference Manual", 3rd edition (1994),
// chapter 4, "Interruption Descriptions".
#pragma once

#include <cstdint>

namespace hardclock::pa_risc {

enum Interruption : std::uint32_t {
  illegal_instruction_trap = 0,  // the interruption's number is 8
  privileged_operation_trap = 10,
  privileged_register_trap = 11,
  assist_emulation_trap = 22,  // no such coprocessor or special function unit
};

}  // namespace hardclock::pa_risc
