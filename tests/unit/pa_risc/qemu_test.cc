// Every integer instruction of PA-RISC 1.1 against QEMU 7.2. Left out is what the "PA-RISC 1.1
// Architecture and Instruction Set Reference Manual", 3rd edition, does not define, and where QEMU
// departs from it:
//   - SHxADD and DS: conditions and overflow disregard the bits that are shifted out;
//   - DS whose target is its divisor: V is computed from the result;
//   - DCOR and IDCOR: they look at other bits than the carries of nibbles;
//   - accesses that are not aligned: they succeed.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "isa/pa_risc/pa_risc_decode.h"
#include "tests/unit/pa_risc/instruction_word.h"
#include "tests/unit/pa_risc/qemu_comparison.h"

namespace hardclock::pa_risc {
namespace {

class Qemu : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = missing_tools(); !missing.empty()) GTEST_SKIP() << missing;
  }
};

constexpr Field field_disp12{3, 10};

class Choices {
 public:
  explicit Choices(std::uint32_t seed) : random_(seed) {}

  std::uint32_t word() { return static_cast<std::uint32_t>(random_()); }
  std::uint32_t below(std::uint32_t limit) { return word() % limit; }
  std::uint32_t pick(const std::vector<std::uint32_t>& values) {
    return values[below(static_cast<std::uint32_t>(values.size()))];
  }
  std::uint32_t number() {
    static const std::vector<std::uint32_t> corners = {
        0,           1,           2,           31,          0x7f,        0x80,        0xff,
        0x0100'00ff, 0x7fff,      0x8000,      0xffff,      0x0001'0000, 0x7fff'ffff, 0x8000'0000,
        0x8000'0001, 0xffff'ffff, 0xffff'fffe, 0x6666'6666, 0x9999'9999, 0x1234'5678, 0x4000'0000};
    return below(2) == 0 ? pick(corners) : word();
  }
  std::uint32_t gpr() { return pick({0, 10, 11, 12}); }

 private:
  std::mt19937 random_;
};

// Operands in r10 to r12, anything in C/B, V and SAR, 0 in r13.
std::string random_state(Choices& choices) {
  std::string text = load_immediate(16, choices.number()) + load_immediate(17, choices.number()) +
                     " mtsar %r16\n ds %r16,%r17,%r0\n add %r16,%r17,%r0\n extru %r17,31,27,%r16\n";
  std::uint32_t value = choices.number();
  for (unsigned r = 10; r <= 12; ++r) {
    text += load_immediate(r, value);
    if (choices.below(4) != 0) value = choices.below(3) == 0 ? value + 1 : choices.number();
  }
  return text + " ldi 0,%r13\n";
}

std::string describe(Opcode opcode, std::uint32_t word) {
  std::ostringstream out;
  out << info(opcode).name << std::hex << " 0x" << word;
  return out.str();
}

// r13 shows whether the next instruction took place.
void add_computation(Cases& cases, Choices& choices, Opcode opcode, std::uint32_t word) {
  cases.add(describe(opcode, word),
            random_state(choices) + instruction_word(word) + " ldo 1(%r13),%r13\n");
}

// Conditions as the word has them: c and, as the least significant bit, f.
const std::vector<std::uint32_t> all_conditions = {0, 1, 2,  3,  4,  5,  6,  7,
                                                   8, 9, 10, 11, 12, 13, 14, 15};
// Without overflow and carry.
const std::vector<std::uint32_t> plain_conditions = {0, 1, 2, 3, 14, 15};
const std::vector<std::uint32_t> logic_conditions = {0, 1, 2, 3, 4, 5, 6, 7, 14, 15};
const std::vector<std::uint32_t> unit_conditions = {0, 1, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15};

struct Plan {
  std::vector<std::uint32_t> conditions = all_conditions;
  std::vector<Field> registers;    // the fields that name them; the others are random
  bool has_small_operand = false;  // r1 is a register with five zeros on the left
};
void add_computations(Cases& cases, Choices& choices, const std::vector<Opcode>& opcodes,
                      const Plan& plan) {
  for (const Opcode opcode : opcodes) {
    for (const std::uint32_t condition : plan.conditions) {
      for (int turn = 0; turn < 6; ++turn) {
        std::uint32_t word = with(choices.word(), field_condition, condition);
        for (const Field field : plan.registers) word = with(word, field, choices.gpr());
        if (plan.has_small_operand) word = with(word, field_r1, 16);
        add_computation(cases, choices, opcode, as(opcode, word));
      }
    }
  }
}
void compare_computations(const std::vector<Opcode>& opcodes, const Plan& plan,
                          std::uint32_t seed) {
  Cases cases;
  Choices choices(seed);
  add_computations(cases, choices, opcodes, plan);
  compare_with_qemu(cases);
}

const std::vector<Field> rrr_fields = {field_r1, field_r2, field_t};

TEST_F(Qemu, Additions) {
  using enum Opcode;
  compare_computations({add, add_l, add_tsv, add_c, add_c_tsv}, {.registers = rrr_fields}, 1);
}

TEST_F(Qemu, ShiftAndAdd) {
  using enum Opcode;
  compare_computations({shladd, shladd_l},
                       {.conditions = plain_conditions, .registers = rrr_fields}, 15);
  compare_computations({shladd, shladd_l, shladd_tsv},
                       {.registers = rrr_fields, .has_small_operand = true}, 16);
}

TEST_F(Qemu, SubtractionsAndComparisons) {
  using enum Opcode;
  compare_computations({sub, sub_tsv, sub_tc, sub_tsv_tc, sub_b, sub_b_tsv, cmpclr},
                       {.registers = rrr_fields}, 2);
}

TEST_F(Qemu, LogicAndUnits) {
  using enum Opcode;
  compare_computations({and_, or_, xor_, andcm},
                       {.conditions = logic_conditions, .registers = rrr_fields}, 3);
  compare_computations({uaddcm, uaddcm_tc},
                       {.conditions = unit_conditions, .registers = rrr_fields}, 17);
  compare_computations({uxor}, {.conditions = {0, 1, 4, 5, 6, 7}, .registers = rrr_fields}, 18);
}

TEST_F(Qemu, Immediates) {
  using enum Opcode;
  compare_computations({addi, addi_tsv, addi_tc, addi_tsv_tc, subi, subi_tsv, cmpiclr},
                       {.registers = {field_r1, field_r2}}, 4);
}

TEST_F(Qemu, ShiftsExtractsAndDeposits) {
  using enum Opcode;
  compare_computations({shrpw_sar, shrpw}, {.registers = rrr_fields}, 5);
  compare_computations({extrw_sar, depw_sar, depw}, {.registers = {field_r1, field_r2}}, 6);
  compare_computations({depwi_sar, depwi}, {.registers = {field_r2}}, 7);
  Cases cases;
  Choices choices(19);
  for (int turn = 0; turn < 400; ++turn) {
    const std::uint32_t position = choices.below(32), length = 1 + choices.below(position + 1);
    std::uint32_t word = with(with(choices.word(), {5, 5}, position), {0, 5}, 32 - length);
    word = with(with(word, field_r1, choices.gpr()), field_r2, choices.gpr());
    add_computation(cases, choices, extrw, as(extrw, word));
  }
  compare_with_qemu(cases);
}

TEST_F(Qemu, DivideStep) {
  Cases cases;
  Choices choices(20);
  for (const std::uint32_t condition : plain_conditions) {
    for (int turn = 0; turn < 40; ++turn) {
      std::uint32_t word = with(choices.word(), field_condition, condition);
      word = with(with(word, field_r1, choices.gpr()), field_r2, choices.pick({11, 12}));
      word = with(word, field_t, choices.pick({0, 10}));
      add_computation(cases, choices, Opcode::ds, as(Opcode::ds, word));
    }
  }
  compare_with_qemu(cases);
}

// A dividend of 64 bits in r10 and r11 by r12: what compilers' $$divU does.
TEST_F(Qemu, Division) {
  Cases cases;
  Choices choices(8);
  for (int turn = 0; turn < 100; ++turn) {
    std::string code = random_state(choices) +
                       " comb,>>= %r10,%r12,1f\n nop\n ds %r0,%r12,%r0\n"
                       " add %r11,%r11,%r11\n";
    for (int bit = 0; bit < 32; ++bit) code += " ds %r10,%r12,%r10\n addc %r11,%r11,%r11\n";
    cases.add("division", code + "1: nop\n");
  }
  compare_with_qemu(cases);
}

TEST_F(Qemu, LongImmediatesAndControlRegisters) {
  Cases cases;
  Choices choices(9);
  for (int turn = 0; turn < 60; ++turn) {
    for (const Opcode opcode : {Opcode::ldo, Opcode::ldil, Opcode::addil}) {
      std::uint32_t word = with(choices.word(), field_r2, choices.gpr());
      if (opcode == Opcode::ldo) word = with(word, field_r1, choices.gpr());
      add_computation(cases, choices, opcode, as(opcode, word));
      cases.add("addil leaves r1", " copy %r1,%r10\n");
    }
  }
  cases.add("mtsar, mfctl", random_state(choices) + " mtsar %r11\n mfctl %cr11,%r10\n");
  cases.add("privileged", random_state(choices) + " mtctl %r11,%cr26\n mfctl %cr0,%r11\n");
  cases.add("privileged", random_state(choices) + " rfi\n ssm 1,%r11\n");
  cases.add("cache", random_state(choices) + load_address(11, "data") +
                         " ldi 8,%r12\n fdc,m %r12(%r11)\n fic,m %r12(%sr4,%r11)\n sync\n"
                         " fdc %r12(%r11)\n ldo R%data(%r0),%r10\n sub %r11,%r10,%r11\n");
  compare_with_qemu(cases);
}

TEST_F(Qemu, Breaks) {
  Cases cases;
  cases.add("break", " break 5,17\n");
  cases.add("nullified break", " ldi 3,%r10\n comclr,= %r0,%r0,%r10\n break 5,17\n");
  compare_with_qemu(cases);
}

// ---- Branches. r13 collects where control went: 1 the slot, 2 behind it, 4 the target.
TEST_F(Qemu, ConditionalBranches) {
  using enum Opcode;
  Cases cases;
  Choices choices(10);
  for (const Opcode opcode : {cmpb, cmpib, addb, addib, movb, movib, bb, bb_sar}) {
    const bool has_r1 = opcode != cmpib && opcode != addib && opcode != movib;
    for (unsigned way = 0; way < 64; ++way) {
      for (int turn = 0; turn < 4; ++turn) {
        std::uint32_t word = with(choices.word() & 0xffff'0000, field_c, way & 7);
        word = with(with(word, field_f, way >> 3 & 1), field_n, way >> 4 & 1);
        if (opcode != bb) word = with(word, field_r2, choices.gpr());
        if (has_r1) word = with(word, field_r1, choices.gpr());
        const bool backward = (way >> 5) != 0;
        // 4, or -16: past the slot's successor, or to the instruction before the branch's last.
        word |= backward ? 0x1fe5u : 1u << field_disp12.low;
        const std::string branch = instruction_word(as(opcode, word));
        const std::string skip = " b,n 1f\n ldo 4(%r13),%r13\n b,n 2f\n1:";
        cases.add(describe(opcode, word),
                  random_state(choices) +
                      (backward ? skip + branch + " ldo 1(%r13),%r13\n ldo 2(%r13),%r13\n2: nop\n"
                                : branch + " ldo 1(%r13),%r13\n ldo 2(%r13),%r13\n"
                                           " ldo 4(%r13),%r13\n"));
      }
    }
  }
  compare_with_qemu(cases);
}

// The link register goes to r11, less the program's start.
std::string after_branch(const std::string& link) {
  return " ldo 1(%r13),%r13\n ldo 2(%r13),%r13\n1: ldo 4(%r13),%r13\n sub " + link + ",%r27,%r11\n";
}

TEST_F(Qemu, UnconditionalBranches) {
  Cases cases;
  Choices choices(11);
  const std::string target = " bl .+8,%r12\n ldo 24(%r12),%r12\n";  // the label of after_branch
  for (const std::string n : {" ", ",n "}) {
    const std::string state = " ldi 0,%r13\n ldi 0,%r31\n ldi 1,%r9\n ldi 0,%r10\n";
    cases.add("bl" + n, state + " bl" + n + "1f,%r10\n" + after_branch("%r10"));
    cases.add("b" + n, state + " b" + n + "1f\n" + after_branch("%r0"));
    cases.add("gate" + n, state + " ldi 64,%r10\n gate" + n + "1f,%r0\n" + after_branch("%r10"));
    cases.add("blr" + n, state + " blr" + n + "%r9,%r10\n" + after_branch("%r10"));
    cases.add("blr to its index" + n, state + " blr" + n + "%r9,%r9\n" + after_branch("%r9"));
    cases.add("bv" + n, state + target + " ldo -4(%r12),%r12\n bv" + n + "%r0(%r12)\n nop\n" +
                            after_branch("%r0"));
    cases.add("bv indexed" + n, state + target + " ldo -12(%r12),%r12\n bv" + n +
                                    "%r9(%r12)\n nop\n" + after_branch("%r0"));
    cases.add("be" + n, state + target + " be" + n + "-4(%sr4,%r12)\n nop\n" + after_branch("%r0"));
    cases.add("ble" + n,
              state + target + " ble" + n + "0(%sr4,%r12)\n nop\n" + after_branch("%r31"));
    cases.add("privilege in the target" + n, state + target + " depi 1,31,2,%r12\n be" + n +
                                                 "-4(%sr4,%r12)\n nop\n" + after_branch("%r0"));
  }
  compare_with_qemu(cases);
}

// Branches in delay slots, and what is nullified there.
TEST_F(Qemu, QueuesAndNullification) {
  Cases cases;
  const std::string state = " ldi 0,%r13\n ldi 0,%r10\n ldi 0,%r11\n";
  const std::string path =
      " ldo 1(%r13),%r13\n1: ldo 2(%r13),%r13\n ldo 4(%r13),%r13\n b,n 3f\n"
      "2: ldo 8(%r13),%r13\n ldo 16(%r13),%r13\n3: ldo 32(%r13),%r13\n";
  const auto add = [&](const std::string& name, const std::string& code) {
    cases.add(name, state + code + path + " sub %r10,%r27,%r10\n sub %r11,%r27,%r11\n");
  };
  add("branch in a slot", " b 1f\n b 2f\n");
  add("linking branch in a slot", " bl 1f,%r10\n bl 2f,%r11\n");
  add("nullifying branch in a slot", " b 1f\n b,n 2f\n");
  add("nullified branch in a slot", " b,n 1f\n b,n 2f\n");
  add("untaken branch in a slot", " b 1f\n comb,<>,n %r0,%r0,2f\n");
  add("taken branch in a slot", " b 1f\n comb,=,n %r0,%r0,2f\n");
  add("nullifying in a slot", " b 1f\n comclr,= %r0,%r0,%r0\n");
  add("not nullifying in a slot", " b 1f\n comclr,<> %r0,%r0,%r0\n");
  add("nullified branch", " comclr,= %r0,%r0,%r0\n b,n 2f\n");
  add("nullified nullification", " comclr,= %r0,%r0,%r0\n comclr,= %r0,%r0,%r0\n");
  add("chain",
      " comclr,= %r0,%r0,%r0\n comclr,= %r0,%r0,%r0\n or,tr %r0,%r0,%r0\n nop\n"
      " sub,tr %r0,%r0,%r0\n b 2f\n");
  add("nullified store", " comclr,= %r0,%r0,%r0\n stw %r0,0(%r0)\n");
  add("nullified trap", " comclr,= %r0,%r0,%r0\n addi,tc,tr 0,%r0,%r0\n");
  compare_with_qemu(cases);
}

// ---- Memory. r11 becomes a sum of what the 32 bytes around the address hold.
std::string memory_state(Choices& choices) {
  std::string text = load_address(9, "data") + " ldo 32(%r9),%r9\n";
  for (int offset = -16; offset < 16; offset += 4) {
    text += load_immediate(10, choices.word()) + " stw %r10," + std::to_string(offset) + "(%r9)\n";
  }
  return text + load_immediate(10, choices.word());
}
std::string memory_sum() {
  std::string text = " ldi 0,%r11\n";
  for (int offset = -16; offset < 16; offset += 4) {
    text += " ldw " + std::to_string(offset) +
            "(%r9),%r8\n shd %r11,%r11,27,%r11\n"
            " xor %r8,%r11,%r11\n";
  }
  return text + " sub %r12,%r9,%r12\n";
}

// r12 is the base, r13 the index, r10 the data; now and then the target is the base.
void add_access(Cases& cases, Choices& choices, Opcode opcode, std::uint32_t word, int offset,
                int index) {
  cases.add(describe(opcode, word), memory_state(choices) + " ldo " + std::to_string(offset) +
                                        "(%r9),%r12\n ldi " + std::to_string(index) + ",%r13\n" +
                                        instruction_word(word) + memory_sum());
}

TEST_F(Qemu, ShortAndIndexedAccesses) {
  using enum Opcode;
  Cases cases;
  Choices choices(12);
  for (const Opcode opcode :
       {ldbx, ldhx, ldwx, ldcwx, ldbs, ldhs, ldws, ldcws, stbs, sths, stws, stby}) {
    const bool is_store = opcode == stbs || opcode == sths || opcode == stws || opcode == stby;
    const bool is_indexed = opcode == ldbx || opcode == ldhx || opcode == ldwx || opcode == ldcwx;
    const bool clears = opcode == ldcwx || opcode == ldcws;
    for (int turn = 0; turn < 60; ++turn) {
      constexpr Field am[] = {{5, 1}, {13, 1}}, hint{10, 2};
      std::uint32_t word = with(with(0, field_r2, 12), hint, 0);
      for (const Field bit : am) word = with(word, bit, choices.below(2));
      const Field data = is_store ? field_r1 : field_t,
                  displacement = is_store ? field_t : field_r1;
      word = with(word, data, choices.below(8) == 0 ? 12 : 10);
      const bool is_byte = opcode == ldbx || opcode == ldbs || opcode == stbs || opcode == stby;
      const bool is_half = opcode == ldhx || opcode == ldhs || opcode == sths;
      const std::uint32_t unit = clears ? 16 : is_byte ? 1 : is_half ? 2 : 4;
      // The sign of a short displacement is its least significant bit.
      const std::uint32_t count = clears ? 0 : choices.below(8 / unit + 1) * unit;
      const std::uint32_t negative = (16 - 8 + count) << 1 | 1;
      const bool is_negative = !clears && choices.below(2) == 0;
      word = with(word, displacement, is_indexed ? 13 : is_negative ? negative : count << 1);
      const auto offset = static_cast<int>(clears ? 0 : choices.below(8) / unit * unit);
      const int index = clears ? 0 : static_cast<int>(choices.below(2) * unit);
      add_access(cases, choices, opcode, as(opcode, word), offset, index);
    }
  }
  compare_with_qemu(cases);
}

TEST_F(Qemu, LongAccesses) {
  using enum Opcode;
  Cases cases;
  Choices choices(13);
  for (const Opcode opcode : {ldb, ldh, ldw, ldwm, stb, sth, stw, stwm}) {
    for (int turn = 0; turn < 40; ++turn) {
      std::uint32_t word = with(0, field_r2, 12);
      word = with(word, field_r1, choices.below(8) == 0 ? 12 : 10);
      const bool is_negative = choices.below(2) == 1;
      const bool is_byte = opcode == ldb || opcode == stb;
      const std::uint32_t displacement = choices.below(2) * 4 + (is_byte ? choices.below(4) : 0);
      const std::uint32_t field = is_negative ? 0x2000 - 8 + displacement : displacement;
      word |= (field & 0x1fff) << 1 | (is_negative ? 1 : 0);
      add_access(cases, choices, opcode, as(opcode, word), 0, 0);
    }
  }
  cases.add("load nowhere", " ldi 7,%r10\n ldi 256,%r12\n ldwm -4(%r12),%r10\n");
  cases.add("store nowhere", " ldi 256,%r12\n stwm %r12,4(%r12)\n");
  cases.add("load nowhere to r0", " ldi 256,%r12\n ldw 0(%r12),%r0\n");
  compare_with_qemu(cases);
}

TEST_F(Qemu, FloatingPointAccesses) {
  Cases cases;
  Choices choices(14);
  for (const std::string load :
       {"fldws,ma 8(%r12),%fr8", "fldws 8(%r12),%fr8R", "fldws,mb -8(%r12),%fr8L",
        "fldwx,sm %r13(%r12),%fr8", "fldds,ma 8(%r12),%fr8", "flddx %r0(%r12),%fr8",
        "fldds 8(%r12),%fr8"}) {
    for (const std::string store :
         {"fstws %fr8,0(%r9)", "fstws,ma %fr8R,4(%r12)", "fstds,mb %fr8,-8(%r12)",
          "fstdx %fr8,%r13(%r12)", "fstwx,m %fr8L,%r13(%r12)"}) {
      cases.add(load + ", " + store, memory_state(choices) + " copy %r9,%r12\n ldi 2,%r13\n " +
                                         load + "\n ldi 0,%r13\n " + store + "\n" + memory_sum());
    }
  }
  compare_with_qemu(cases);
}

TEST_F(Qemu, Probes) {
  Cases cases;
  cases.add("mapped", load_address(12, "data") +
                          " ldi 3,%r9\n prober (%r12),%r9,%r10\n probewi (%r12),3,%r11\n"
                          " ldi 0,%r12\n");
  cases.add("not mapped", " ldi 256,%r12\n probewi (%r12),3,%r10\n proberi (%r12),3,%r11\n");
  compare_with_qemu(cases);
}

// ---- Random straight code with forward branches, whose slots can be anything; registers and the
// data are compared after each program.
class RandomWords {
 public:
  explicit RandomWords(std::uint32_t seed) : choices_(seed) {}

  std::uint32_t next() {
    using enum Opcode;
    static const std::vector<Opcode> additions = {add,  add_l,   add_c, sub,   sub_b,
                                                  subi, cmpiclr, addi,  cmpclr};
    static const std::vector<Opcode> logic = {and_, or_, xor_, andcm};
    static const std::vector<Opcode> others = {shrpw, shrpw_sar, depw, depw_sar, depwi, ldo, ldil};
    static const std::vector<Opcode> branches = {cmpb, cmpib, addb, addib, movb, movib, bb, bb_sar};
    const std::uint32_t choice = choices_.below(20);
    if (choice < 6) return with_registers(any_of(additions), choices_.below(16));
    if (choice < 8) return with_registers(any_of(logic), choices_.pick(logic_conditions));
    if (choice < 9) return with_registers(uaddcm, choices_.pick(unit_conditions));
    if (choice < 12) return with_registers(any_of(others), choices_.below(16));
    if (choice < 13) return as(mtctl, with(with(0, field_r2, 11), field_r1, gpr()));
    if (choice < 15) return access(choices_.below(2) == 0 ? ldws : stws);
    return branch(choice < 19 ? any_of(branches) : b_l);
  }
  std::uint32_t number() { return choices_.number(); }

 private:
  std::uint32_t gpr() { return choices_.below(27); }
  Opcode any_of(const std::vector<Opcode>& opcodes) {
    return opcodes[choices_.below(static_cast<std::uint32_t>(opcodes.size()))];
  }
  std::uint32_t with_registers(Opcode opcode, std::uint32_t condition) {
    std::uint32_t word = with(choices_.word(), field_condition, condition);
    for (const Field field : rrr_fields) word = with(word, field, gpr());
    return as(opcode, word);
  }
  // One of the four words at r28.
  std::uint32_t access(Opcode opcode) {
    const std::uint32_t displacement = choices_.below(4) * 4 << 1;
    const bool loads = opcode == Opcode::ldws;
    std::uint32_t word = with(0, field_r2, 28);
    word = with(word, loads ? field_r1 : field_t, displacement);
    return as(opcode, with(word, loads ? field_t : field_r1, gpr()));
  }
  std::uint32_t branch(Opcode opcode) {
    std::uint32_t word = choices_.word() & 0xffff'e002;  // no displacement
    word = with(word, field_r2, gpr());
    word = with(word, field_r1, opcode == Opcode::b_l ? 0 : gpr());
    return as(opcode, with(word, field_disp12, choices_.below(6)));
  }

  Choices choices_;
};

TEST_F(Qemu, RandomPrograms) {
  constexpr unsigned programs = 300, words = 60, longest_branch = 8, registers = 27;
  constexpr std::size_t record = 16 + 4 * (registers + 2);
  std::ostringstream source;
  std::vector<std::string> names;
  for (std::uint32_t seed = 0; seed < programs; ++seed) {
    RandomWords random(seed);
    source << load_address(28, "window") << load_immediate(1, random.number())
           << load_immediate(2, random.number()) << " mtsar %r1\n add %r1,%r2,%r0\n";
    for (unsigned r = 1; r < registers; ++r) source << load_immediate(r, random.number());
    for (unsigned i = 0; i < words; ++i) source << instruction_word(random.next());
    for (unsigned i = 0; i < longest_branch; ++i) source << " nop\n";
    for (unsigned r = 0; r < registers; ++r)
      source << " stw %r" << r << "," << 16 + 4 * r << "(%r28)\n";
    source << " addc %r0,%r0,%r1\n stw %r1," << 16 + 4 * registers
           << "(%r28)\n mfctl %cr11,%r1\n stw %r1," << 20 + 4 * registers << "(%r28)\n"
           << write_call("window", record);
    names.push_back("seed " + std::to_string(seed));
  }
  source << exit_call() << " .align 16\nwindow: .word 1, 2, 3, 4\n .space " << record << "\n";
  compare_with_qemu(source.str(), record, names);
}

}  // namespace
}  // namespace hardclock::pa_risc
