#include "isa/ia64/call_numbers.h"

#include <elf.h>

#include <set>

#include "isa/ia64/bundle.h"
#include "isa/ia64/ia64_decode.h"

namespace hardclock::ia64 {
namespace {

constexpr std::uint8_t number_register = 15;

// MOV r15 = constant, which is ADDS or ADDL to r0, whatever its predicate.
std::optional<std::uint32_t> constant_in_r15(const Instruction& instruction) {
  if (instruction.opcode == Opcode::adds) {
    const A4& mov = instruction.operands.a4;
    if (mov.r1 == number_register && mov.r3 == 0 && mov.imm14 >= 0) {
      return static_cast<std::uint32_t>(mov.imm14);
    }
  }
  if (instruction.opcode == Opcode::addl) {
    const A5& mov = instruction.operands.a5;
    if (mov.r1 == number_register && mov.r3_2 == 0 && mov.imm22 >= 0) {
      return static_cast<std::uint32_t>(mov.imm22);
    }
  }
  return std::nullopt;
}

// Linux, arch/ia64/include/asm/break.h. Compilers and assemblers put it where there is room.
bool is_system_call(const Instruction& instruction) {
  constexpr std::uint32_t break_syscall = 0x100000;
  switch (instruction.opcode) {
    case Opcode::break_m:
      return instruction.operands.m37.imm21 == break_syscall;
    case Opcode::break_i:
      return instruction.operands.i19.imm21 == break_syscall;
    case Opcode::break_f:
      return instruction.operands.f15.imm21 == break_syscall;
    default:
      return false;
  }
}

// What is seen on the way through the code, one instruction after the other.
class Scan {
 public:
  void pass(const Instruction& instruction) {
    constexpr unsigned most_before = 18;  // six bundles
    if (const auto number = constant_in_r15(instruction)) {
      last_ = number;
      since_ = 0;
    } else if (++since_ > most_before) {
      last_ = std::nullopt;
    }
    if (is_system_call(instruction) && last_) numbers_.insert(*last_);
  }
  std::vector<std::uint32_t> numbers() const { return {numbers_.begin(), numbers_.end()}; }

 private:
  std::set<std::uint32_t> numbers_;
  std::optional<std::uint32_t> last_;  // what r15 got
  unsigned since_ = 0;                 // and how many instructions ago
};

void pass_bundle(const Bundle& bundle, Scan& scan) {
  const auto layout = template_of(bundle.template_number);
  if (!layout) return;
  for (std::size_t slot = 0; slot < instruction_count(*layout); ++slot) {
    scan.pass(decode(instruction_word(bundle, *layout, slot)));
  }
}

void pass_range(const Image& file, const CodeRange& range, Scan& scan) {
  const Segment& segment = *find_segment(file.segments, range.start);
  const auto bytes = std::span(segment.bytes).subspan(range.start - segment.address, range.size);
  const std::size_t to_bundle = -range.start.value() % bundle_bytes;
  for (std::size_t at = to_bundle; at + bundle_bytes <= bytes.size(); at += bundle_bytes) {
    pass_bundle(unpack(bytes.subspan(at).first<bundle_bytes>()), scan);
  }
}

}  // namespace

std::optional<std::vector<std::uint32_t>> call_numbers(const Image& file) {
  if (file.os_abi == ELFOSABI_HPUX) return std::nullopt;
  Scan scan;
  for (const CodeRange& range : file.code) pass_range(file, range, scan);
  return scan.numbers();
}

}  // namespace hardclock::ia64
