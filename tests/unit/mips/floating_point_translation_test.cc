// Floating point as code of the host against the one-instruction-at-a-time interpreter: random
// instructions on the operands at the edges of the formats, in all rounding modes, with the status
// register read and written in between. That the interpreter is right, the other tests of floating
// point show (floating_point_mpfr_test, floating_point_qemu_test).
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/mips/mips_decode.h"
#include "isa/mips/registers.h"
#include "tests/support/floating_point_lock_step.h"
#include "tests/support/lock_step.h"
#include "tests/support/mips_machine.h"
#include "tests/support/random_choices.h"

namespace hardclock {
namespace {

using mips::Level;
using mips::Mode;
using mips::Opcode;
using support::doubles;
using support::MipsMachine;
using support::singles;
using support::table_half;
using support::table_start;

struct Mix {
  Level level = Level::mips2;
  Mode mode{};
  unsigned controls = 3;                             // of 100: changes of the status register
  std::uint32_t control_bits = mips::fcsr_rounding;  // that such a change sets
  const char* timing = "r4000";
};

// Where programs store.
constexpr GuestAddr data_start{0x1000'0000};
constexpr std::uint64_t data_size = 0x2000;
constexpr unsigned table_register = 27, data_register = 28;
// What the status register is set from: 0, and something else.
constexpr unsigned plain_control = 24, other_control = 25;
constexpr unsigned first_result = 8, results = 8;

bool is_transfer(Opcode opcode) {
  return std::string(mips::info(opcode).name).ends_with("c1");
}
bool is_available(Opcode opcode, const Mix& mix) {
  return mips::available(opcode, mix.level) &&
         (mix.mode.operation_bits == 64 || !mips::needs(opcode, mips::Feature::wide)) &&
         (mix.mode.fr || !mips::needs(opcode, mips::Feature::fr));
}
// What computes, multiplies and adds, and moves from and to general registers.
std::vector<Opcode> operations(const Mix& mix) {
  constexpr std::uint32_t major = 0xfc00'0000, cop1 = 0x4400'0000, computes = 0x0200'0000;
  constexpr std::uint32_t cop1x = 0x4c00'0000, multiplies_and_adds = 0x20;
  std::vector<Opcode> all;
  for (std::size_t i = 0; i < mips::opcode_count; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    const mips::OpcodeInfo& info = mips::info(opcode);
    if (!is_available(opcode, mix)) continue;
    if ((info.match & major) == cop1x && (info.match & multiplies_and_adds) != 0) {
      all.push_back(opcode);
    }
    if ((info.match & major) != cop1) continue;
    const bool controls = std::string(info.name).starts_with("ctc1");
    if ((info.match & computes) != 0 || (is_transfer(opcode) && !controls)) all.push_back(opcode);
  }
  return all;
}

class Program : private support::RandomChoices {
 public:
  Program(std::uint32_t seed, const Mix& mix, GuestAddr start, std::size_t words)
      : RandomChoices(seed), mix_(mix), start_(start), operations_(operations(mix)) {
    constexpr std::size_t ending = 2;
    while (words_.size() + ending < words) words_.push_back(instruction());
    const auto back = static_cast<std::uint32_t>(0 - words_.size() - 1);
    words_.push_back(0x1000'0000 | (back & 0xffff));  // b start
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
  mips::Registers registers() {
    mips::Registers registers;
    const std::vector<std::uint64_t> operands = mix_.mode.fr ? doubles() : singles();
    for (std::uint64_t& each : registers.fpr) each = operands[below(operands.size())];
    registers.gpr[table_register] = table_start.value() + table_half;
    registers.gpr[data_register] = data_start.value() + data_size / 2;
    registers.gpr[other_control] = any_word() & mix_.control_bits;
    return registers;
  }

 private:
  std::uint32_t below(std::size_t limit) {
    return RandomChoices::below(static_cast<std::uint32_t>(limit));
  }
  std::uint32_t instruction() {
    const std::uint32_t choice = below(100);
    if (choice < mix_.controls) return control();
    if (choice < 40) return load();
    if (choice < 46) return store();
    if (choice < 50) return 0x4440'f800 | result() << 16;  // cfc1 $8...$15,$31
    if (choice < 55) return branch();
    return operation();
  }
  std::uint32_t result() { return first_result + below(results); }

  std::uint32_t control() {
    const std::uint32_t from = chance(60) ? plain_control : other_control;
    return 0x44c0'f800 | from << 16;  // ctc1 $24,$31
  }
  std::uint32_t load() {
    static const std::size_t some_doubles = doubles().size(), some_singles = singles().size();
    const std::uint32_t base = table_register << 21;
    const std::uint32_t single = 4 * below(some_singles);
    if (chance(50)) return 0xc400'0000 | base | below(32) << 16 | single;  // lwc1
    const std::uint32_t number_at = 8 * below(some_doubles) - table_half;
    return 0xd400'0000 | base | number() << 16 | (number_at & 0xffff);  // ldc1
  }
  // Some to where nothing can be stored: a fault, which looks at the status register.
  std::uint32_t store() {
    if (chance(20)) return 0xf400'0000 | table_register << 21 | number() << 16;  // sdc1
    const std::uint32_t at = data_register << 21 | 8 * below(100);
    if (chance(50)) return 0xf400'0000 | at | number() << 16;  // sdc1
    if (chance(50)) return 0xac00'0000 | at | result() << 16;  // sw
    return 0xe400'0000 | at | below(32) << 16;                 // swc1
  }
  // BC1F, BC1T, BC1FL, BC1TL over some instructions.
  std::uint32_t branch() { return 0x4500'0000 | below(4) << 16 | (1 + below(4)); }
  std::uint32_t number() { return mix_.mode.fr ? below(32) : below(16) * 2; }
  std::uint32_t operation() {
    const Opcode opcode = operations_[below(operations_.size())];
    const mips::OpcodeInfo& info = mips::info(opcode);
    std::uint32_t word = (any_word() & ~info.mask) | info.match;
    // Odd registers hold singles; of a double, the instruction is a reserved one.
    constexpr std::uint32_t odd = 0x0021'0840;
    if (!mix_.mode.fr && chance(80)) word &= ~(odd & ~info.mask);
    if (is_transfer(opcode)) word = (word & ~0x001f'0000u) | result() << 16;
    return word;
  }

  Mix mix_;
  GuestAddr start_;
  std::vector<Opcode> operations_;
  std::vector<std::uint32_t> words_;
};

struct Guest {
  using Machine = MipsMachine;
  using Mix = hardclock::Mix;
  using Program = hardclock::Program;

  static constexpr GuestAddr data_start = hardclock::data_start;
  static constexpr std::uint64_t data_size = hardclock::data_size;
  static constexpr std::uint64_t code_alignment = 4;
  static constexpr unsigned pipelines = 1;

  static Machine machine(const Mix& mix, Endian endian, unsigned,
                         const support::EngineOptions& options) {
    return {endian,
            support::with_timing_of(mix.timing, mips::level_name(mix.level)),
            {.reference = options.reference, .translation = options.translation, .mode = mix.mode}};
  }
  static void prepare(Machine& machine) { support::map_operands(machine.memory); }
  static Endian endian(std::uint32_t seed) { return seed % 2 == 0 ? Endian::big : Endian::little; }
  static std::uint64_t next(const mips::Registers& registers) { return registers.epc() + 4; }
};

// 300 instructions a program: of each kind of machine 120 000.
void compare(const Mix& mix) {
  support::compare_translated<Guest>(mix, 300);
}

constexpr Mode fr{.fr = true}, n32{.operation_bits = 64, .fr = true},
    n64{.operation_bits = 64, .address_bits = 64, .fr = true};

TEST(TranslatedFloatingPoint, Pairs) {
  compare({.level = Level::mips2});
}
TEST(TranslatedFloatingPoint, PairsOfMipsIV) {
  compare({.level = Level::mips4});
}
// An R8000 rounds a product and sum but once.
TEST(TranslatedFloatingPoint, FusedMultiplyAdd) {
  compare({.level = Level::mips4, .mode = fr, .timing = "r8000"});
}
TEST(TranslatedFloatingPoint, Registers) {
  compare({.level = Level::mips32r2, .mode = fr});
}
TEST(TranslatedFloatingPoint, RegistersOf64BitPrograms) {
  compare({.level = Level::mips3, .mode = n32});
  compare({.level = Level::mips4, .mode = n64});
}

// Nearly every operation is then the interpreter's, and some trap.
TEST(TranslatedFloatingPoint, EnablesAndFlushing) {
  constexpr std::uint32_t enables = 31u << mips::fcsr_enables_shift;
  constexpr std::uint32_t bits = mips::fcsr_rounding | mips::fcsr_flush | enables;
  compare({.level = Level::mips3, .controls = 10, .control_bits = bits});
  compare({.level = Level::mips4, .mode = n64, .controls = 10, .control_bits = bits});
}

}  // namespace
}  // namespace hardclock
