#include "isa/pa_risc/call_numbers.h"

#include <algorithm>

#include "isa/code_words.h"
#include "isa/pa_risc/pa_risc_decode.h"

namespace hardclock::pa_risc {
namespace {

constexpr std::uint8_t zero = 0;
// How far before a branch the instructions that belong to it are looked for.
constexpr std::uint64_t most_before = 6;

// LDI, which is LDO from zero.
std::optional<std::uint32_t> constant_in(std::uint8_t reg, InstructionWord word) {
  const Instruction instruction = decode(word);
  if (instruction.opcode != Opcode::ldo) return std::nullopt;
  const LoadLong& ldi = instruction.operands.load_long;
  if (ldi.t1 != reg || ldi.b != zero || ldi.im14 < 0) return std::nullopt;
  return static_cast<std::uint32_t>(ldi.im14);
}

// Whether LDIL puts the gateway page of HP-UX into `reg` before word `i`.
bool has_gateway_in(std::uint8_t reg, const CodeWords& words, std::uint64_t i) {
  constexpr std::uint32_t hpux_gateway = 0xc0000000;
  for (std::uint64_t back = 1; back <= std::min(i, most_before); ++back) {
    const Instruction instruction = decode(words[i - back]);
    if (instruction.opcode != Opcode::ldil || instruction.operands.load_left.t2 != reg) continue;
    return static_cast<std::uint32_t>(instruction.operands.load_left.im21) == hpux_gateway;
  }
  return false;
}

// The register with the call's number, if word `i` is a branch to the gateway page: BE,L (BLE) to
// 0x100(sr2,r0) in Linux (arch/parisc/kernel/syscall.S), to 0 or 4 of sr7 in HP-UX.
std::optional<std::uint8_t> number_register(const CodeWords& words, std::uint64_t i) {
  constexpr std::uint8_t linux_number = 20, hpux_number = 22, linux_space = 2, hpux_space = 7;
  constexpr std::int32_t linux_entry = 0x100, last_hpux_entry = 4;
  const Instruction instruction = decode(words[i]);
  if (instruction.opcode != Opcode::be_l) return std::nullopt;
  const BranchExt& branch = instruction.operands.branch_ext;
  if (branch.sr == linux_space && branch.b == zero && branch.disp17 == linux_entry) {
    return linux_number;
  }
  const bool may_be_hpux =
      branch.sr == hpux_space && branch.disp17 >= 0 && branch.disp17 <= last_hpux_entry;
  if (may_be_hpux && has_gateway_in(branch.b, words, i)) return hpux_number;
  return std::nullopt;
}

// The number of the call at word `i`, whose delay slot comes first; nullopt: there is none, or the
// number comes from elsewhere.
std::optional<std::uint32_t> number_of_call(const CodeWords& words, std::uint64_t i) {
  const auto reg = number_register(words, i);
  if (!reg) return std::nullopt;
  if (i + 1 < words.count()) {
    if (const auto number = constant_in(*reg, words[i + 1])) return number;
  }
  for (std::uint64_t back = 1; back <= std::min(i, most_before); ++back) {
    if (const auto number = constant_in(*reg, words[i - back])) return number;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<std::uint32_t>> call_numbers(const Image& file) {
  return numbers_in_code(file, number_of_call);
}

}  // namespace hardclock::pa_risc
