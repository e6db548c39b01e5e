// Floating point as code of the host against the one-instruction-at-a-time interpreter: random
// instructions on the operands at the edges of the formats, in all rounding modes, with the status
// register read and written in between. That the interpreter is right, the other tests of floating
// point show (floating_point_mpfr_test, qemu_floating_point_test).
#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "isa/pa_risc/floating_point_status.h"
#include "isa/pa_risc/pa_risc_decode.h"
#include "isa/pa_risc/registers.h"
#include "tests/support/floating_point_lock_step.h"
#include "tests/support/lock_step.h"
#include "tests/support/pa_risc_machine.h"
#include "tests/support/random_choices.h"

namespace hardclock {
namespace {

using pa_risc::Level;
using pa_risc::Mode;
using pa_risc::Opcode;
using support::doubles;
using support::PaRiscMachine;
using support::singles;
using support::table_half;
using support::table_start;

constexpr std::uint32_t in_status(std::uint64_t fr0) {
  return static_cast<std::uint32_t>(fr0 >> pa_risc::fp::status_shift);
}
constexpr std::uint32_t rounding = in_status(pa_risc::fp::rounding_mode);
constexpr std::uint32_t flushing = in_status(pa_risc::fp::denormalized_as_zero);
constexpr std::uint32_t delayed_trap = in_status(pa_risc::fp::delayed_trap);
constexpr std::uint32_t enables = 31, flags = 31u << 27;

struct Mix {
  Level level = Level::pa1_1;
  Mode mode{};
  unsigned controls = 3;                          // of 100: changes of the status register
  std::uint32_t control_bits = rounding | flags;  // that such a change sets
};

// Where programs store.
constexpr GuestAddr data_start{0x1000'0000};
constexpr std::uint64_t data_size = 0x2000;
// General registers.
constexpr std::uint32_t first_result = 8, results = 8, other_control = 16, index_register = 18,
                        table_register = 19, data_register = 20, pointer = 21;

// Words with their fields; displacements as the formats of the manual scatter them.
std::uint32_t match(Opcode opcode) {
  return pa_risc::info(opcode).match;
}
std::uint32_t ldo(std::uint32_t t, std::uint32_t b, std::int32_t displacement) {
  const auto d = static_cast<std::uint32_t>(displacement);
  return match(Opcode::ldo) | b << 21 | t << 16 | (d & 0x1fff) << 1 | d >> 31;
}
std::uint32_t short_access(Opcode opcode, std::uint32_t b, std::uint32_t t,
                           std::uint32_t displacement) {
  return match(opcode) | b << 21 | (displacement & 15) << 17 | t;
}
std::uint32_t indexed_access(Opcode opcode, std::uint32_t b, std::uint32_t x, std::uint32_t t) {
  return match(opcode) | b << 21 | x << 16 | t;
}
// B over words behind its delay slot, or with a negative number back.
std::uint32_t branch_over(std::uint32_t words) {
  return match(Opcode::b_l) | (words & 0x3ff) << 3 | (words >> 10 & 1) << 2 |
         (words >> 11 & 31) << 16 | words >> 31;
}
constexpr std::uint32_t right_half = 0x40, modifies_base = 0x20;

// What computes, compares and tests.
std::vector<Opcode> operations(Level level) {
  std::vector<Opcode> all;
  for (std::size_t i = 0; i < pa_risc::opcode_count; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    const std::string_view timing = pa_risc::timing_class_name(pa_risc::info(opcode).timing);
    if (!pa_risc::available(opcode, level)) continue;
    if (timing.starts_with("fp_") || timing == "xmpyu") all.push_back(opcode);
  }
  return all;
}

class Program : private support::RandomChoices {
 public:
  Program(std::uint32_t seed, const Mix& mix, GuestAddr start, std::size_t words)
      : RandomChoices(seed), mix_(mix), start_(start), operations_(operations(mix.level)) {
    constexpr std::size_t longest = 4, ending = 2;
    while (words_.size() + longest + ending < words) add_instruction();
    words_.push_back(branch_over(0 - static_cast<std::uint32_t>(words_.size()) - 2));
    words_.push_back(operation());
  }

  GuestAddr start() const { return start_; }
  GuestAddr end() const { return start_ + 4 * words_.size(); }
  const std::vector<std::uint32_t>& words() const { return words_; }
  std::vector<std::uint8_t> bytes(Endian endian) const {
    std::vector<std::uint8_t> bytes(4 * words_.size());
    for (std::size_t i = 0; i < words_.size(); ++i) store_bytes(&bytes[4 * i], words_[i], endian);
    return bytes;
  }
  pa_risc::Registers registers() {
    pa_risc::Registers registers;
    const std::vector<std::uint64_t> operands = doubles();
    for (std::uint64_t& each : registers.fpr) each = operands[below(operands.size())];
    registers.fpr[0] = 0;
    registers.gpr[table_register] = table_start.value();
    registers.gpr[data_register] = registers.gpr[pointer] = data_start.value() + data_size / 2;
    registers.gpr[other_control] = any_word() & mix_.control_bits;
    return registers;
  }

 private:
  std::uint32_t below(std::size_t limit) {
    return RandomChoices::below(static_cast<std::uint32_t>(limit));
  }
  void add_instruction() {
    const std::uint32_t choice = below(100);
    if (choice < mix_.controls) return set_control();
    if (choice < 25) return add_load();
    if (choice < 32) return add_store();
    if (choice < 36) return add_status_read();
    if (choice < 42) return add_test();
    words_.push_back(operation());
  }

  void set_control() {
    const std::uint32_t from = chance(60) ? 0 : other_control;
    words_.push_back(match(Opcode::stw) | data_register << 21 | from << 16);
    words_.push_back(short_access(Opcode::fldws, data_register, 0, 0));
  }
  // From the table, or from what programs have stored.
  void add_load() {
    static const std::size_t some_doubles = doubles().size(), some_singles = singles().size();
    const bool is_single = chance(50);
    const std::uint32_t half =
        is_single && mix_.level != Level::pa1_0 && chance(50) ? right_half : 0;
    const std::uint32_t target = register_number() | half;
    if (chance(20)) return add_modifying(is_single ? Opcode::fldws : Opcode::fldds, target);
    const std::size_t at =
        is_single ? table_half + 4 * below(some_singles) : 8 * below(some_doubles);
    words_.push_back(ldo(index_register, 0, static_cast<std::int32_t>(at)));
    words_.push_back(indexed_access(is_single ? Opcode::fldwx : Opcode::flddx, table_register,
                                    index_register, target));
  }
  void add_modifying(Opcode opcode, std::uint32_t target) {
    words_.push_back(ldo(pointer, data_register, 8 * static_cast<std::int32_t>(below(60))));
    words_.push_back(short_access(opcode, pointer, target, 8) | modifies_base);
  }
  // Some to where nothing can be stored: a fault, which looks at the status register.
  void add_store() {
    const std::uint32_t half = mix_.level != Level::pa1_0 && chance(50) ? right_half : 0;
    const std::uint32_t from = register_number();
    if (chance(10)) return words_.push_back(short_access(Opcode::fstds, table_register, from, 0));
    if (chance(30)) return add_modifying(Opcode::fstds, from);
    if (chance(30)) return add_modifying(Opcode::fstws, from | half);
    const bool is_single = chance(50);
    words_.push_back(is_single ? short_access(Opcode::fstws, data_register, from | half, 4)
                               : short_access(Opcode::fstds, data_register, from, 8));
  }
  // To memory and from there to a general register.
  void add_status_read() {
    words_.push_back(short_access(Opcode::fstws, data_register, 0, 0));
    words_.push_back(match(Opcode::ldw) | data_register << 21 |
                     (first_result + below(results)) << 16);
  }
  // FTEST nullifies a branch, or something else.
  void add_test() {
    words_.push_back(match(Opcode::ftest));
    if (chance(50)) words_.push_back(branch_over(below(4)));
    words_.push_back(operation());
  }
  // Seldom register 0, which has the status.
  std::uint32_t register_number() { return chance(2) ? 0 : 1 + below(31); }
  std::uint32_t operation() {
    constexpr std::uint32_t target = 31;
    const pa_risc::OpcodeInfo& info = pa_risc::info(operations_[below(operations_.size())]);
    std::uint32_t word = (any_word() & ~info.mask) | info.match;
    if ((info.mask & target) == 0) word = (word & ~target) | register_number();
    return word;
  }

  Mix mix_;
  GuestAddr start_;
  std::vector<Opcode> operations_;
  std::vector<std::uint32_t> words_;
};

struct Guest {
  using Machine = PaRiscMachine;
  using Mix = hardclock::Mix;
  using Program = hardclock::Program;

  static constexpr GuestAddr data_start = hardclock::data_start;
  static constexpr std::uint64_t data_size = hardclock::data_size;
  static constexpr std::uint64_t code_alignment = 4;
  static constexpr unsigned pipelines = 1;

  static Machine machine(const Mix& mix, Endian, unsigned, const support::EngineOptions& options) {
    return Machine(
        support::invented_pa_risc(mix.level, 3, "issue 1 unverified: invented\n"),
        {.reference = options.reference, .mode = mix.mode, .translation = options.translation});
  }
  static void prepare(Machine& machine) { support::map_operands(machine.memory); }
  static Endian endian(std::uint32_t) { return Endian::big; }
  static std::uint64_t next(const pa_risc::Registers& registers) { return registers.next_pc; }
};

// 400 instructions a program: of each kind of machine 160 000.
void compare(const Mix& mix) {
  support::compare_translated<Guest>(mix, 400);
}

TEST(TranslatedFloatingPoint, LeftHalves) {
  compare({.level = Level::pa1_0});
}
TEST(TranslatedFloatingPoint, Halves) {
  compare({.level = Level::pa1_1});
}
TEST(TranslatedFloatingPoint, PaRisc20) {
  compare({.level = Level::pa2_0});
  compare({.level = Level::pa2_0, .mode = {.wide = true}});
}

// Nearly every operation is then the interpreter's, and some trap.
TEST(TranslatedFloatingPoint, EnablesAndFlushing) {
  constexpr std::uint32_t bits = rounding | flags | flushing | enables;
  compare({.level = Level::pa1_1, .controls = 10, .control_bits = bits});
  compare({.level = Level::pa2_0, .controls = 10, .control_bits = bits});
}

// As a kernel leaves it that has yet to trap: whether or not anything is enabled.
TEST(TranslatedFloatingPoint, DelayedTraps) {
  compare({.level = Level::pa1_1, .controls = 10, .control_bits = delayed_trap});
}

}  // namespace
}  // namespace hardclock
