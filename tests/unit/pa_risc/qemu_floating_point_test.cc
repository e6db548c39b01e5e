// Every floating-point instruction on random registers against QEMU 7.2: which registers and which
// of their halves it takes and writes, that register 0 is zero, fr0. floating_point_qemu_test.cc
// and floating_point_mpfr_test.cc have the operands for the arithmetic itself. Left out, the first
// three being in floating_point_instructions_test.cc:
//   - FREM, PMDIS, PMENB, COPR of other units, which QEMU does not have, and FID, whose answer is
//     the processor's;
//   - register 0 as the operand of a conversion of 64 bits to 32, which QEMU does not take for zero
//     as Linux does (arch/parisc/math-emu/fpudispatch.c, fpzeroreg);
//   - enabled exceptions: QEMU's traps are not delayed, and it does not keep exception register 1;
//   - operands that are NaNs of fused operations and of conversions to a single or an integer, and
//     the tests REJ and REJ8: floating_point_qemu_test.cc says where QEMU is mistaken;
//   - what the manuals leave undefined: registers 0 to 3 as targets, 1 to 3 as operands, and
//     FMPYADD and FMPYSUB that write or add what their other half uses (also in GCC,
//     config/pa/pa.cc, fmpyaddoperands).
// QEMU 7.2 has the formats of FMPYADD and FMPYSUB swapped; where that is found, the guest runs the
// other word.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "isa/pa_risc/pa_risc_decode.h"
#include "tests/support/floating_point_operands.h"
#include "tests/support/random_choices.h"
#include "tests/unit/pa_risc/qemu_comparison.h"

namespace hardclock::pa_risc {
namespace {

using support::single;
using support::twin;

constexpr unsigned cases_of_each = 60;
constexpr unsigned base_register = 12, index_register = 11, count_register = 13;
constexpr int window = 64;  // bytes that loads and stores can reach
// What a case is given: the window, then registers 4 to 31.
constexpr unsigned first_register = 4, registers = 32 - first_register;
constexpr unsigned state = window / 8 + registers;
constexpr unsigned pool = 1500, status_count = 64;
// What it leaves: fr0, registers 4 to 31, the window, whether the next instruction took place, the
// base register less the window's address.
constexpr std::size_t record = 8 * (1 + registers) + window + 4 + 4;

std::string number(std::uint64_t value) {
  return std::to_string(value);
}

// From a double or a doubleword to a single or a word.
bool narrows(std::string name) {
  if (name.ends_with("_0e")) name.resize(name.size() - 3);
  return name == "fcnv_d_s" || name == "fcnv_dw_s" || name == "fcnv_udw_s" ||
         name.ends_with("_d_w") || name.ends_with("_d_uw");
}

class Generator : private support::RandomChoices {
 public:
  using RandomChoices::below;
  using RandomChoices::RandomChoices;

  // Random operands, of which the decoder takes those for the pattern.
  std::uint32_t instance(Opcode opcode) {
    takes_zero_ = !narrows(info(opcode).name);
    std::uint32_t word = 0;
    do {
      word = encode({opcode, operands(opcode)});
    } while (decode(word).opcode != opcode);
    return word;
  }
  int index() const { return index_; }

 private:
  unsigned target() { return first_register + below(registers); }
  unsigned source() { return takes_zero_ && chance(20) ? 0 : target(); }
  unsigned half(unsigned n) { return n == 0 ? 0 : n + 32 * below(2); }
  int step() { return static_cast<int>(below(5)) - 2; }

  template <class Set>
  void choose_registers(Set& set) {
    if constexpr (requires { set.ft; }) set.ft = target();
    if constexpr (requires { set.fth; }) set.fth = half(target());
    if constexpr (requires { set.ft1; }) set.ft1 = target();
    if constexpr (requires { set.ft1h; }) set.ft1h = half(target());
    if constexpr (requires { set.fr1; }) set.fr1 = source();
    if constexpr (requires { set.fr2; }) set.fr2 = source();
    if constexpr (requires { set.fr3; }) set.fr3 = source();
    if constexpr (requires { set.fr1h; }) set.fr1h = half(source());
    if constexpr (requires { set.fr2h; }) set.fr2h = half(source());
    if constexpr (requires { set.fr3h; }) set.fr3h = half(source());
    if constexpr (requires { set.fcond; }) set.fcond = below(32);
    if constexpr (requires { set.y; }) set.y = below(8);
  }
  void choose_registers(FpTestQueue& set) {
    static constexpr unsigned conditions[] = {1, 5, 9, 13, 17};
    set.fcond = conditions[below(std::size(conditions))];
  }
  void choose_registers(FpFiveS& set) {
    do {
      set = {field(), field(), field(), field(), field()};
    } while (set.ra_s == set.tm_s || set.ta_s == set.tm_s || set.ta_s == set.rm1_s ||
             set.ta_s == set.rm2_s);
  }
  void choose_registers(FpFiveD& set) {
    do {
      const auto rm1 = static_cast<std::uint8_t>(source()),
                 rm2 = static_cast<std::uint8_t>(source()),
                 tm = static_cast<std::uint8_t>(target()), ra = static_cast<std::uint8_t>(target()),
                 ta = static_cast<std::uint8_t>(target());
      set = {.rm1_d = rm1, .rm2_d = rm2, .tm_d = tm, .ra_d = ra, .ta_d = ta};
    } while (set.ra_d == set.tm_d || set.ta_d == set.tm_d || set.ta_d == set.rm1_d ||
             set.ta_d == set.rm2_d);
  }
  std::uint8_t field() { return static_cast<std::uint8_t>(below(32)); }

  // Aligned addresses within the window.
  template <class Set>
  void choose_address(Set& set) {
    constexpr bool is_word = requires {
      set.fth;
    }
    || requires {
      set.ft1h;
    };
    constexpr int size = is_word ? 4 : 8;
    index_ = 0;
    if constexpr (requires { set.b; }) set.b = base_register;
    if constexpr (requires { set.am; }) set.am = below(4);
    if constexpr (requires { set.am_long; }) set.am_long = below(4);
    if constexpr (requires { set.a; }) set.a = below(2);
    if constexpr (requires { set.im5; }) {
      set.im5 = static_cast<std::int8_t>(std::min(step() * size, 8));
    }
    if constexpr (requires { set.im11a; }) set.im11a = static_cast<std::int16_t>(step() * size);
    if constexpr (requires { set.im10a; }) set.im10a = static_cast<std::int16_t>(step() * size);
    if constexpr (requires { set.x, set.am; }) {
      set.x = index_register;
      const bool scales = (set.am & 2) != 0;
      index_ = scales ? step() : step() * size;
    }
  }

  Operands operands(Opcode opcode) {
    Operands operands{};
    switch (opcode) {
#define HARDCLOCK_CHOOSE(name, body, Set, member) \
  case Opcode::name:                              \
    choose_registers(operands.member);            \
    choose_address(operands.member);              \
    break;
      HARDCLOCK_PA_RISC_INSTRUCTIONS(HARDCLOCK_CHOOSE)
#undef HARDCLOCK_CHOOSE
      case Opcode::invalid:
        break;
    }
    return operands;
  }

  bool takes_zero_ = true;
  int index_ = 0;
};

// ---- The guest: `load` and `store` are routines that each case calls.
std::string load_routine() {
  std::string text = "load:" + load_address(10, "window");
  for (int i = 0; i < window; i += 8) text += " fldds,ma 8(%r3),%fr4\n fstds,ma %fr4,8(%r10)\n";
  text += load_address(base_register, "window+" + number(window / 2));
  for (unsigned f = first_register; f < 32; ++f) text += " fldds,ma 8(%r3),%fr" + number(f) + "\n";
  return text + " fldds 0(%r4),%fr0\n bv %r0(%r31)\n ldi 0,%r" + number(count_register) + "\n";
}
std::string store_routine() {
  std::string text = "store: fstds,ma %fr0,8(%r5)\n";
  for (unsigned f = first_register; f < 32; ++f) text += " fstds,ma %fr" + number(f) + ",8(%r5)\n";
  text += load_address(10, "window") + " sub %r" + number(base_register) + ",%r10,%r1\n";
  for (int i = 0; i < window; i += 8) text += " fldds,ma 8(%r10),%fr4\n fstds,ma %fr4,8(%r5)\n";
  return text + " stws,ma %r" + number(count_register) +
         ",4(%r5)\n bv %r0(%r31)\n stws,ma %r1,4(%r5)\n";
}

// r8 becomes 0 unless the formats of FMPYADD and FMPYSUB are swapped: whether what should be a
// single one writes register 8 instead of 24.
constexpr std::uint32_t single_bit = 1 << 5;
std::string find_swapped_formats() {
  const Operands operands{.fp_five_s = {.rm1_s = 4, .rm2_s = 5, .tm_s = 8, .ra_s = 7, .ta_s = 6}};
  return load_address(8, "one") + " fldds 0(%r8),%fr4\n fcpy,dbl %fr4,%fr5\n" +
         " fcpy,dbl %fr0,%fr8\n" + instruction_word(encode({Opcode::fmpyadd_s, operands})) +
         load_address(8, "window") + " fstds %fr8,0(%r8)\n ldws 0(%r8),%r8\n";
}
bool has_swapped_format(Opcode opcode) {
  using enum Opcode;
  return opcode == fmpyadd_s || opcode == fmpyadd_d || opcode == fmpysub_s || opcode == fmpysub_d;
}
// Not by nullification: QEMU's nullified FMPYADD adds nevertheless.
std::string run(Opcode opcode, std::uint32_t word) {
  if (!has_swapped_format(opcode)) return instruction_word(word);
  return " comb,<> %r8,%r0,1f\n nop\n" + instruction_word(word) + " b,n 2f\n nop\n1:\n" +
         instruction_word(word ^ single_bit) + "2:\n";
}

// QEMU is not to be asked about NaNs of these.
bool takes_nans(const std::string& name) {
  const bool widens = name == "fcnv_s_d" || name == "fcnv_s_d_0e";
  const bool converts = name.starts_with("fcnv_") && !widens;
  return !converts && !name.starts_with("fmpyfadd") && !name.starts_with("fmpynfadd");
}

std::string doublewords(const std::vector<std::uint64_t>& values) {
  std::ostringstream text;
  for (const std::uint64_t value : values) {
    text << " .word " << (value >> 32) << "," << (value & 0xffff'ffff) << "\n";
  }
  return text.str();
}

bool has_nan(std::uint64_t value) {
  return twin.is_nan(value) || single.is_nan(value >> 32) || single.is_nan(value & 0xffff'ffff);
}

// Doubles, pairs of singles, integers, among them the special ones.
std::vector<std::uint64_t> operands(bool with_nans) {
  support::RandomChoices choices(with_nans ? 1 : 2);
  const auto any_of = [&](const std::vector<std::uint64_t>& values) {
    return values[choices.below(static_cast<std::uint32_t>(values.size()))];
  };
  const auto halves_of = [&](const std::vector<std::uint64_t>& values) {
    return any_of(values) << 32 | (any_of(values) & 0xffff'ffff);
  };
  const auto firsts_of = [](const std::vector<support::Pair>& pairs) {
    std::vector<std::uint64_t> firsts;
    for (const auto& pair : pairs) firsts.push_back(pair.first);
    return firsts;
  };
  const auto special_singles = special_operands(single), special_doubles = special_operands(twin);
  const auto singles = firsts_of(random_pairs(single, pool, 1)),
             doubles = firsts_of(random_pairs(twin, pool, 2));
  const auto words = support::special_words(), longs = support::special_longs();
  std::vector<std::uint64_t> values;
  while (values.size() < pool) {
    const std::uint64_t choice[] = {any_of(special_doubles), halves_of(special_singles),
                                    any_of(doubles),         halves_of(singles),
                                    any_of(longs),           halves_of(words)};
    const std::uint64_t value = choice[choices.below(std::size(choice))];
    if (with_nans || !has_nan(value)) values.push_back(value);
  }
  return values;
}

// Every rounding mode, with D clear and set, random flags and conditions.
std::vector<std::uint64_t> statuses() {
  std::vector<std::uint64_t> values;
  support::RandomChoices choices(3);
  for (std::uint64_t i = 0; i < status_count; ++i) {
    const std::uint64_t flags_and_conditions = choices.any_word() & 0xfc3f'f800;
    values.push_back((flags_and_conditions | (i & 3) << 9 | (i >> 2 & 1) << 5) << 32);
  }
  return values;
}

bool is_compared(Opcode opcode) {
  const std::string timing = timing_class_name(info(opcode).timing);
  const std::string name = info(opcode).name;
  const bool is_floating_point = timing.starts_with("fp_") || timing.starts_with("load_fp") ||
                                 timing.starts_with("store_fp") || timing == "xmpyu";
  return is_floating_point && opcode != Opcode::fid && !name.starts_with("frem_");
}

TEST(QemuFloatingPoint, EveryInstruction) {
  if (const std::string missing = missing_tools(); !missing.empty()) GTEST_SKIP() << missing;
  std::ostringstream source;
  std::vector<std::string> names;
  source << load_address(5, "output") << load_address(6, "load") << load_address(7, "store")
         << find_swapped_formats();
  Generator random(4);
  for (std::size_t i = 0; i < opcode_count; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    if (!is_compared(opcode)) continue;
    const std::string name = info(opcode).name;
    for (unsigned turn = 0; turn < cases_of_each; ++turn) {
      const std::uint32_t word = random.instance(opcode);
      const std::string label = takes_nans(name) ? "operands+" : "numbers+";
      source << load_address(3, label + number(8 * random.below(pool - state)))
             << load_address(4, "statuses+" + number(8 * random.below(status_count)))
             << " ble 0(%sr4,%r6)\n ldi " << random.index() << ",%r" << index_register << "\n"
             << run(opcode, word) << " ldo 1(%r" << count_register << "),%r" << count_register
             << "\n ble 0(%sr4,%r7)\n nop\n";
      std::ostringstream described;
      described << name << " 0x" << std::hex << word;
      names.push_back(described.str());
    }
  }
  const std::size_t size = record * names.size();
  source << write_call("output", size) << exit_call() << load_routine() << store_routine()
         << " .align 16\nwindow: .space " << window << "\none: .word 0x3ff00000, 0\nstatuses:\n"
         << doublewords(statuses()) << "operands:\n"
         << doublewords(operands(true)) << "numbers:\n"
         << doublewords(operands(false)) << "output: .space " << size << "\n";
  compare_with_qemu(source.str(), record, names, "pa2_0");
  std::cout << names.size() << " compared\n";
}

}  // namespace
}  // namespace hardclock::pa_risc
