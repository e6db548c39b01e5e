// What tells a chip from others of its instruction set, as its .timing file says it:
//   revision processor|fpu value N   what it finds in PRId, and in FCR0 (FIR)
//   has NAME,NAME...                 instructions of mips.decode that its level lacks
//   multiply_add fused|rounded       MADD and its kin round once, or product and sum (default)
//   interlock sign_extension cycles N   a result of ADDU, ADDIU, SUBU or SLL that 64-bit arithmetic
//                                    does not leave sign-extended stops the pipeline so long
//   undecoded NAME pattern BITS      see isa/undecoded.h
// N is a decimal number, or a hexadecimal one after 0x.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/undecoded.h"
#include "sim/base/result.h"
#include "sim/timing/cpu_description.h"

namespace hardclock::mips {

struct Chip {
  std::uint32_t processor_revision = 0;
  std::uint32_t fpu_revision = 0;
  bool fuses_multiply_add = false;
  std::uint32_t sign_extension_cycles = 0;
  std::vector<std::string> added = {};  // instructions above the level, by their names
  std::vector<UndecodedBits> undecoded = {};

  bool adds(std::string_view instruction) const {
    return std::ranges::find(added, instruction) != added.end();
  }

  // The instruction that the chip executes where `word` stands.
  std::uint32_t decoded_word(std::uint32_t word) const {
    return without_undecoded(undecoded, word);
  }

  bool operator==(const Chip&) const = default;
};

// Error: "line N: what is wrong".
Result<Chip, std::string> read_chip(const CpuDescription& description);

}  // namespace hardclock::mips
