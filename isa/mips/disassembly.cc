#include "isa/mips/disassembly.h"

#include <array>
#include <charconv>
#include <cstddef>

#include "isa/mips/mips_decode.h"

namespace hardclock::mips {
namespace {

// System V ABI, MIPS Processor Supplement, 3rd edition, figure 3-18; $30 has its GNU name.
constexpr std::array gpr_names = {"zero", "at", "v0", "v1", "a0", "a1", "a2", "a3",
                                  "t0",   "t1", "t2", "t3", "t4", "t5", "t6", "t7",
                                  "s0",   "s1", "s2", "s3", "s4", "s5", "s6", "s7",
                                  "t8",   "t9", "k0", "k1", "gp", "sp", "s8", "ra"};

// Kane and Heinrich, appendix B, C.cond.fmt: the value of the condition field.
constexpr std::array condition_names = {"f",  "un",   "eq",  "ueq", "olt", "ult", "ole", "ule",
                                        "sf", "ngle", "seq", "ngl", "lt",  "nge", "le",  "ngt"};

std::string hex(std::uint64_t value) {
  std::array<char, 16> digits;
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return "0x" + std::string(digits.data(), result.ptr);
}

class GnuPrinter final : public OperandPrinter {
 public:
  void print_gpr(std::string& out, std::int64_t value, GuestAddr) const override {
    out += gpr_names[static_cast<std::size_t>(value)];
  }
  void print_fpr(std::string& out, std::int64_t value, GuestAddr) const override {
    out += "$f" + std::to_string(value);
  }
  // The two control registers that every MIPS floating-point unit has.
  void print_fcr(std::string& out, std::int64_t value, GuestAddr) const override {
    out += value == 0 ? "c1_fir" : value == 31 ? "c1_fcsr" : "$" + std::to_string(value);
  }
  void print_fp_condition(std::string& out, std::int64_t value, GuestAddr) const override {
    out += condition_names[static_cast<std::size_t>(value)];
  }
  void print_hex(std::string& out, std::int64_t value, GuestAddr) const override {
    out += hex(static_cast<std::uint64_t>(value));
  }
  void print_signed(std::string& out, std::int64_t value, GuestAddr) const override {
    out += std::to_string(value);
  }
  // Two 10-bit halves; the second, which compilers leave zero, is then not written.
  void print_break_code(std::string& out, std::int64_t value, GuestAddr) const override {
    out += hex(static_cast<std::uint64_t>(value) >> 10);
    if ((value & 0x3ff) != 0) out += "," + hex(value & 0x3ff);
  }
  // Relative to the delay slot.
  void print_branch(std::string& out, std::int64_t value, GuestAddr pc) const override {
    out += hex((pc.value() + 4 + static_cast<std::uint64_t>(value)) & 0xffff'ffff);
  }
  // Within the 256 MB region of the delay slot.
  void print_jump(std::string& out, std::int64_t value, GuestAddr pc) const override {
    out += hex(((pc.value() + 4) & 0xf000'0000) | static_cast<std::uint64_t>(value));
  }
};

}  // namespace

std::string disassemble(std::uint32_t word, GuestAddr pc) {
  const Instruction instruction = decode(word);
  if (instruction.opcode == Opcode::invalid) return ".word\t" + hex(word);
  std::string text = format(instruction, pc, GnuPrinter());
  if (const std::size_t blank = text.find(' '); blank != std::string::npos) text[blank] = '\t';
  return text;
}

}  // namespace hardclock::mips
