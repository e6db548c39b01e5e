#include "isa/pa_risc/disassembly.h"

#include <array>
#include <charconv>
#include <cstddef>

#include "isa/pa_risc/operand_values.h"
#include "isa/pa_risc/pa_risc_decode.h"

namespace hardclock::pa_risc {
namespace {

using Names8 = std::array<const char*, 8>;
using Names16 = std::array<const char*, 16>;

// GNU binutils 2.40, opcodes/hppa-dis.c, has all these names: registers whose role has a name have
// that.
constexpr std::array gpr_names = {"r0",  "r1",  "rp",  "r3",  "r4",   "r5",   "r6",  "r7",
                                  "r8",  "r9",  "r10", "r11", "r12",  "r13",  "r14", "r15",
                                  "r16", "r17", "r18", "r19", "r20",  "r21",  "r22", "r23",
                                  "r24", "r25", "r26", "dp",  "ret0", "ret1", "sp",  "r31"};

constexpr std::array control_names = {
    "rctr", "cr1",   "cr2",   "cr3", "cr4",  "cr5",  "cr6",  "cr7",  "pidr1", "pidr2", "ccr",
    "sar",  "pidr3", "pidr4", "iva", "eiem", "itmr", "pcsq", "pcoq", "iir",   "isr",   "ior",
    "ipsw", "eirr",  "tr0",   "tr1", "tr2",  "tr3",  "tr4",  "tr5",  "tr6",   "tr7"};

// The condition of c (3 bits), or of f and c (4). Null: reserved.
constexpr Names16 compare_names = {"",   "=",  "<",  "<=", "<<",  "<<=", "sv",  "od",
                                   "tr", "<>", ">=", ">",  ">>=", ">>",  "nsv", "ev"};
constexpr Names16 add_names = {"",   "=",  "<",  "<=", "nuv", "znv", "sv",  "od",
                               "tr", "<>", ">=", ">",  "uv",  "vnz", "nsv", "ev"};
constexpr Names16 logic_names = {"",   "=",  "<",  "<=", nullptr, nullptr, nullptr, "od",
                                 "tr", "<>", ">=", ">",  nullptr, nullptr, nullptr, "ev"};
constexpr Names16 unit_names = {"",   "swz", "sbz", "shz", "sdc", "swc", "sbc", "shc",
                                "tr", "nwz", "nbz", "nhz", "ndc", "nwc", "nbc", "nhc"};
constexpr Names8 shift_names = {"", "=", "<", "od", "tr", "<>", ">=", "ev"};
constexpr Names8 bit_names = {"<", ">="};

// ADDB and ADDIB in wide mode have conditions of a word and of a doubleword (*).
constexpr Names16 wide_add_branch_names = {
    "", "=", "<", "<=", "nuv", "*=", "*<", "*<=", "tr", "<>", ">=", ">", "uv", "*<>", "*>=", "*>"};

constexpr std::array fp_conditions = {
    "false?", "false", "?",   "!<=>", "=",  "=t",   "?=", "!<>", "!?>=",  "<",   "?<",
    "!>=",    "!?>",   "<=",  "?<=",  "!>", "!?<=", ">",  "?>",  "!<=",   "!?<", ">=",
    "?>=",    "!<",    "!?=", "<>",   "!=", "!=t",  "!?", "<=>", "true?", "true"};

template <class Integer>
std::string hex(Integer value) {
  std::array<char, 20> digits;
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return std::string(digits.data(), result.ptr);
}

std::string fp_register(std::int64_t number) {
  return number > 0 && number < 4 ? "fpe" + std::to_string(2 * number)
                                  : "fr" + std::to_string(number);
}

// The right halves of registers 0 to 3 are exception registers too.
std::string fp_half(std::int64_t half) {
  if (half < 32) return fp_register(half);
  const std::int64_t number = half - 32;
  return number < 4 ? "fpe" + std::to_string(2 * number + 1) : "fr" + std::to_string(number) + "R";
}

class GnuPrinter final : public OperandPrinter {
 public:
  GnuPrinter(std::uint32_t word, bool wide) : s_(word >> 14 & 3), wide_(wide) {}

  // ---- Registers.
  void print_gpr(std::string& out, std::int64_t value, GuestAddr) const override {
    out += gpr_names[static_cast<std::size_t>(value)];
  }
  void print_fpr(std::string& out, std::int64_t value, GuestAddr) const override {
    out += fp_register(value);
  }
  void print_fpr_half(std::string& out, std::int64_t value, GuestAddr) const override {
    out += fp_half(value);
  }
  void print_fpr_upper(std::string& out, std::int64_t value, GuestAddr) const override {
    out += fp_half(upper_half(static_cast<unsigned>(value)));
  }
  void print_control_register(std::string& out, std::int64_t value, GuestAddr) const override {
    out += control_names[static_cast<std::size_t>(value)];
  }
  void print_space_register(std::string& out, std::int64_t value, GuestAddr) const override {
    out += "sr" + std::to_string(value);
  }
  // 0 is no space register but the choice by the address.
  void print_space(std::string& out, std::int64_t value, GuestAddr pc) const override {
    if (value == 0) return;
    print_space_register(out, value, pc);
    out += ",";
  }
  void print_long_sr(std::string& out, std::int64_t value, GuestAddr pc) const override {
    print_space(out, long_space(static_cast<unsigned>(value), wide_), pc);
  }

  // ---- Numbers.
  void print_decimal(std::string& out, std::int64_t value, GuestAddr) const override {
    out += std::to_string(value);
  }
  // "-14" for -20.
  void print_hex(std::string& out, std::int64_t value, GuestAddr) const override {
    out += hex(value);
  }
  void print_displacement(std::string& out, std::int64_t value, GuestAddr) const override {
    out += hex(long_displacement(value, s_, wide_));
  }
  // Relative to the instruction after the delay slot.
  void print_target(std::string& out, std::int64_t value, GuestAddr pc) const override {
    const std::uint64_t target = pc.value() + 8 + static_cast<std::uint64_t>(value);
    out += "0x" + hex(wide_ ? target : target & 0xffff'ffff);
  }
  void print_complement_31(std::string& out, std::int64_t value, GuestAddr) const override {
    out += std::to_string(31 - value);
  }
  void print_complement_63(std::string& out, std::int64_t value, GuestAddr) const override {
    out += std::to_string(63 - value);
  }
  void print_complement_32(std::string& out, std::int64_t value, GuestAddr) const override {
    out += std::to_string(length_32(static_cast<unsigned>(value)));
  }
  void print_length_64(std::string& out, std::int64_t value, GuestAddr) const override {
    out += std::to_string(length_64(static_cast<unsigned>(value)));
  }
  void print_permutation(std::string& out, std::int64_t value, GuestAddr) const override {
    for (const int shift : {6, 4, 2, 0}) out += std::to_string(value >> shift & 3);
  }
  void print_assist_unit(std::string& out, std::int64_t value, GuestAddr) const override {
    out += "," + std::to_string(value);
  }

  // ---- Conditions.
  void print_cmp(std::string& out, std::int64_t value, GuestAddr) const override {
    condition(out, "", compare_names, value);
  }
  void print_cmp_dw(std::string& out, std::int64_t value, GuestAddr) const override {
    condition(out, "*", compare_names, value);
  }
  void print_add(std::string& out, std::int64_t value, GuestAddr) const override {
    condition(out, "", add_names, value);
  }
  void print_add_dw(std::string& out, std::int64_t value, GuestAddr) const override {
    condition(out, "*", add_names, value);
  }
  void print_logic(std::string& out, std::int64_t value, GuestAddr) const override {
    condition(out, "", logic_names, value);
  }
  void print_logic_dw(std::string& out, std::int64_t value, GuestAddr) const override {
    condition(out, "*", logic_names, value);
  }
  void print_unit(std::string& out, std::int64_t value, GuestAddr) const override {
    condition(out, "", unit_names, value);
  }
  void print_unit_dw(std::string& out, std::int64_t value, GuestAddr) const override {
    condition(out, "*", unit_names, value);
  }
  void print_shift(std::string& out, std::int64_t value, GuestAddr) const override {
    condition(out, "", shift_names, value);
  }
  void print_shift_dw(std::string& out, std::int64_t value, GuestAddr) const override {
    condition(out, "*", shift_names, value);
  }
  void print_bit(std::string& out, std::int64_t value, GuestAddr) const override {
    condition(out, "", bit_names, value);
  }
  void print_bit_dw(std::string& out, std::int64_t value, GuestAddr) const override {
    condition(out, "*", bit_names, value);
  }
  void print_cmpib_dw(std::string& out, std::int64_t value, GuestAddr) const override {
    condition(out, "*", compare_names, cmpib_condition(static_cast<unsigned>(value)));
  }
  void print_addb(std::string& out, std::int64_t value, GuestAddr) const override {
    condition(out, "", wide_ ? wide_add_branch_names : add_names, value);
  }
  void print_fp_cond(std::string& out, std::int64_t value, GuestAddr) const override {
    out += ",";
    out += fp_conditions[static_cast<std::size_t>(value)];
  }
  // A bit of the status register: which FCMP sets instead of C (objdump writes two commas), and
  // which FTEST tests.
  void print_compare_bit(std::string& out, std::int64_t value, GuestAddr) const override {
    out += ",," + std::to_string(value - 1);
  }
  void print_test_bit(std::string& out, std::int64_t value, GuestAddr) const override {
    out += std::to_string((value ^ 1) - 1);
  }
  // objdump writes a blank after them, and nothing for the reserved ones.
  void print_queue_test(std::string& out, std::int64_t value, GuestAddr) const override {
    switch (value) {
      case 1:
        out += "acc ";
        break;
      case 2:
        out += "rej ";
        break;
      case 5:
        out += "acc8 ";
        break;
      case 6:
        out += "rej8 ";
        break;
      case 9:
        out += "acc6 ";
        break;
      case 13:
        out += "acc4 ";
        break;
      case 17:
        out += "acc2 ";
        break;
      default:
        break;
    }
  }

  // ---- Completers.
  void print_nullify(std::string& out, std::int64_t value, GuestAddr) const override {
    if (value != 0) out += ",n";
  }
  void print_modify_base(std::string& out, std::int64_t value, GuestAddr) const override {
    if (value != 0) out += ",m";
  }
  void print_modify(std::string& out, std::int64_t value, GuestAddr) const override {
    if ((value & 1) != 0) out += value == 1 ? ",ma" : ",mb";
  }
  void print_premodify(std::string& out, std::int64_t value, GuestAddr) const override {
    out += value == 0 ? ",ma" : ",mb";
  }
  // The sign of the displacement in the instruction says whether the base is modified before.
  void print_mb_if_neg(std::string& out, std::int64_t value, GuestAddr) const override {
    out += value < 0 ? ",mb" : ",ma";
  }
  void print_mb_if_pos(std::string& out, std::int64_t value, GuestAddr) const override {
    out += value < 0 ? ",ma" : ",mb";
  }
  void print_index(std::string& out, std::int64_t value, GuestAddr) const override {
    out += std::array{"", ",m", ",s", ",sm"}[static_cast<std::size_t>(value)];
  }
  void print_bytes(std::string& out, std::int64_t value, GuestAddr) const override {
    out += std::array{"", ",b,m", ",e", ",e,m"}[static_cast<std::size_t>(value)];
  }
  void print_hint(std::string& out, std::int64_t value, GuestAddr) const override {
    out += std::array{"", ",bc", ",sl", ""}[static_cast<std::size_t>(value)];
  }
  void print_lock_hint(std::string& out, std::int64_t value, GuestAddr) const override {
    if (value == 1) out += ",co";
  }
  void print_read_write(std::string& out, std::int64_t value, GuestAddr) const override {
    out += value == 0 ? ",r" : ",w";
  }
  void print_sign_extend(std::string& out, std::int64_t value, GuestAddr) const override {
    out += value == 0 ? ",u" : ",s";
  }
  void print_zero(std::string& out, std::int64_t value, GuestAddr) const override {
    if (value == 0) out += ",z";
  }

 private:
  // ",<=" or ",*<="; nothing for the condition that never holds, but ",*" says that it is one of
  // the doubleword. Reserved conditions are numbers.
  template <std::size_t size>
  static void condition(std::string& out, const char* doubleword,
                        const std::array<const char*, size>& names, std::int64_t value) {
    const char* const name = names[static_cast<std::size_t>(value)];
    const std::string text = doubleword + (name == nullptr ? std::to_string(value) : name);
    if (!text.empty()) out += "," + text;
  }

  unsigned s_;
  bool wide_;
};

}  // namespace

std::string_view general_register_name(unsigned number) { return gpr_names[number]; }

std::string disassemble(std::uint32_t word, GuestAddr pc, bool wide) {
  const Instruction instruction = decode(word);
  if (instruction.opcode != Opcode::invalid) {
    return format(instruction, pc, GnuPrinter(word, wide));
  }
  const std::string digits = hex(word);
  return "#" + std::string(8 - digits.size(), ' ') + digits;
}

std::string fpr_half_name(unsigned n) { return fp_half(n); }

}  // namespace hardclock::pa_risc
