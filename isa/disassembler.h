// How an instruction set's text reads. Listings, traces and pipeline diagrams take all that they
// show of an instruction from here.
#pragma once

#include <cstddef>
#include <string>

#include "sim/base/instruction_text.h"

namespace hardclock {

class Disassembler {
 public:
  virtual ~Disassembler() = default;

  // The length of each text in bytes, of which its address is a multiple.
  virtual std::size_t text_bytes() const = 0;
  // The instructions in a text.
  virtual unsigned slots(const InstructionText& text) const = 0;
  // The text in digits, as listings show it: "27bdffe0".
  virtual std::string digits(const InstructionText& text) const = 0;
  // The instruction in the text's slot: "addiu\tsp,sp,-32".
  virtual std::string disassemble(const InstructionText& text) const = 0;
};

}  // namespace hardclock
