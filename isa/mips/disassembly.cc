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

// The hardware registers that release 2 names ("MIPS64 Architecture For Programmers", volume II,
// RDHWR) and GNU too.
constexpr std::array hardware_names = {"hwr_cpunum", "hwr_synci_step", "hwr_cc", "hwr_ccres"};

class GnuPrinter final : public OperandPrinter {
 public:
  explicit GnuPrinter(const Instruction& instruction) : instruction_(instruction) {}

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
  void print_fcc(std::string& out, std::int64_t value, GuestAddr) const override {
    out += "$fcc" + std::to_string(value);
  }
  void print_hwr(std::string& out, std::int64_t value, GuestAddr) const override {
    const auto number = static_cast<std::size_t>(value);
    if (number < hardware_names.size()) {
      out += hardware_names[number];
    } else {
      out += "$" + std::to_string(value);
    }
  }
  // EXT, INS and their kin are written with the field's position and size. The word holds the size
  // less 1, or the position of the field's last bit; the forms named M and U add 32.
  void print_position_32(std::string& out, std::int64_t value, GuestAddr) const override {
    out += hex(static_cast<std::uint64_t>(value) + 32);
  }
  void print_size(std::string& out, std::int64_t value, GuestAddr) const override {
    out += hex(static_cast<std::uint64_t>(value) + 1);
  }
  void print_size_32(std::string& out, std::int64_t value, GuestAddr) const override {
    out += hex(static_cast<std::uint64_t>(value) + 33);
  }
  void print_insert_size(std::string& out, std::int64_t value, GuestAddr) const override {
    out += hex(static_cast<std::uint32_t>(value + 1 - instruction_.operands.insert.lsb));
  }
  void print_insert_size_32(std::string& out, std::int64_t value, GuestAddr) const override {
    const std::int64_t lsb = instruction_.opcode == Opcode::dinsu
                                 ? instruction_.operands.insert_u.lsb_32 + 32
                                 : instruction_.operands.insert_m.lsb;
    out += hex(static_cast<std::uint32_t>(value + 33 - lsb));
  }
  // Two 10-bit halves; the second, which compilers leave zero, is then not written.
  void print_break_code(std::string& out, std::int64_t value, GuestAddr) const override {
    out += hex(static_cast<std::uint64_t>(value) >> 10);
    if ((value & 0x3ff) != 0) out += "," + hex(value & 0x3ff);
  }
  // Relative to the delay slot.
  void print_branch(std::string& out, std::int64_t value, GuestAddr pc) const override {
    out += hex((pc.value() + 4 + static_cast<std::uint64_t>(value)) & address_mask(pc));
  }
  // Within the 256 MB region of the delay slot.
  void print_jump(std::string& out, std::int64_t value, GuestAddr pc) const override {
    const std::uint64_t region = (pc.value() + 4) & ~std::uint64_t{0x0fff'ffff} & address_mask(pc);
    out += hex(region | static_cast<std::uint64_t>(value));
  }

 private:
  // Code in the low 4 GB runs with 32-bit addresses as far as anyone can tell from its address.
  static std::uint64_t address_mask(GuestAddr pc) {
    return pc.value() >> 32 == 0 ? 0xffff'ffff : ~std::uint64_t{0};
  }

  const Instruction& instruction_;
};

}  // namespace

std::string_view general_register_name(unsigned number) { return gpr_names[number]; }

std::string disassemble(std::uint32_t word, GuestAddr pc) {
  const Instruction instruction = decode(word);
  if (instruction.opcode == Opcode::invalid) return ".word\t" + hex(word);
  std::string text = format(instruction, pc, GnuPrinter(instruction));
  if (const std::size_t blank = text.find(' '); blank != std::string::npos) text[blank] = '\t';
  return text;
}

}  // namespace hardclock::mips
