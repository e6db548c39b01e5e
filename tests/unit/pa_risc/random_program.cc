#include "tests/unit/pa_risc/random_program.h"

#include <algorithm>
#include <array>
#include <string>

#include "isa/pa_risc/isa.h"

namespace hardclock::pa_risc {
namespace {

// Kinds of instructions, as the timing classes begin; more often what is there twice.
using Kinds = std::vector<std::string_view>;

const Kinds computing = {"alu", "alu", "alu", "shift", "media"};
const Kinds tame_computing = {"alu", "alu", "shift"};
const Kinds loading = {"load"};
const Kinds storing = {"store"};
const Kinds floating = {"fp_", "fp_", "fp_", "fp_add", "fp_mul", "fp_cmp", "fp_test", "xmpyu"};
const Kinds controlling = {"control", "space", "probe", "cache", "sync", "branch_stack"};
const Kinds of_halfwords = {"media"};
const Kinds trapping = {"trap", "assist", "system", "tlb"};

constexpr std::array conditional_branches = {Opcode::cmpb,     Opcode::cmpb_dw, Opcode::cmpib,
                                             Opcode::cmpib_dw, Opcode::addb,    Opcode::addib,
                                             Opcode::movb,     Opcode::movib,   Opcode::bb,
                                             Opcode::bb_dw,    Opcode::bb_sar,  Opcode::bb_sar_dw};
constexpr std::array vectored_branches = {Opcode::bv,         Opcode::bve, Opcode::bve_pop,
                                          Opcode::bve_l,      Opcode::be,  Opcode::be_l,
                                          Opcode::bve_l_push, Opcode::bv};

struct Field {
  unsigned low, bits;

  std::uint32_t mask() const { return ((std::uint32_t{1} << bits) - 1) << low; }
};
constexpr Field field_t{0, 5}, field_n{1, 1}, field_condition{12, 4}, field_c{13, 3},
    field_space{14, 2}, field_r1{16, 5}, field_r2{21, 5}, field_f{27, 1};

std::uint32_t with(std::uint32_t word, Field field, std::uint32_t value) {
  return (word & ~field.mask()) | (value << field.low & field.mask());
}
std::uint32_t at(std::uint32_t word, Field field) {
  return (word & field.mask()) >> field.low;
}
// Gives the word the bits that the pattern fixes.
std::uint32_t as(Opcode opcode, std::uint32_t word) {
  return (word & ~info(opcode).mask) | info(opcode).match;
}

// Displacements in words, as branches have them: disp12 and disp17.
std::uint32_t with_displacement_12(std::uint32_t word, std::uint32_t words) {
  word = with(with(word, {3, 10}, words), {2, 1}, words >> 10);
  return with(word, {0, 1}, words >> 11);
}
std::uint32_t with_displacement_17(std::uint32_t word, std::uint32_t words) {
  word = with(with(word, {3, 10}, words), {2, 1}, words >> 10);
  return with(with(word, {16, 5}, words >> 11), {0, 1}, words >> 16);
}

std::string name_of(Opcode opcode) {
  return info(opcode).name;
}
bool may_trap(Opcode opcode) {
  const std::string name = name_of(opcode);
  const bool is_absolute = name.starts_with("ldwa") || name.starts_with("ldda") ||
                           name.starts_with("stwa") || name.starts_with("stda");
  return is_absolute || name.find("_tsv") != std::string::npos ||
         name.find("_tc") != std::string::npos;
}
bool is_short_or_indexed(std::uint32_t word) {
  const std::uint32_t major = word >> 26;
  return major == 0x03 || major == 0x09 || major == 0x0b;
}
bool is_a(std::string_view kind, Opcode opcode) {
  return std::string_view(timing_class_name(info(opcode).timing)).starts_with(kind);
}
bool is_branch(Opcode opcode) {
  return is_a("branch", opcode) && !is_a("branch_stack", opcode);
}

// Of arithmetic: whether the manuals define it and QEMU 7.2 does it (see qemu_test.cc).
bool is_tame(std::uint32_t word) {
  const Opcode opcode = decode(word).opcode;
  const std::uint32_t condition = at(word, field_condition);
  const auto is_one_of = [&](std::uint32_t conditions) {
    return (conditions >> condition & 1) != 0;
  };
  switch (opcode) {
    case Opcode::ds:
    case Opcode::dcor:
    case Opcode::dcor_i:
      return false;
    case Opcode::shladd:
    case Opcode::shladd_l:
      return is_one_of(0xc00f);
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
    case Opcode::andcm:
      return is_one_of(0xc0ff);
    case Opcode::uxor:
      return is_one_of(0x00f3);
    case Opcode::uaddcm:
      return is_one_of(0xf3f3);
    case Opcode::extrw:
      return 32 - at(word, {0, 5}) <= at(word, {5, 5}) + 1;
    default:
      return true;
  }
}

}  // namespace

RandomProgram::RandomProgram(std::uint32_t seed, const Mix& mix, GuestAddr start, std::size_t words)
    : RandomChoices(seed),
      mix_(mix),
      settings_(settings_of(mix.level, mix.mode)),
      start_(start),
      count_(words) {
  bool in_slot = false;
  for (std::size_t i = 0; i < words; ++i) {
    words_.push_back(instruction(i, in_slot));
    in_slot = is_branch(decode(words_.back()).opcode);
  }
}

std::vector<std::uint8_t> RandomProgram::bytes(Endian endian) const {
  std::vector<std::uint8_t> bytes(4 * words_.size());
  for (std::size_t i = 0; i < words_.size(); ++i) store_bytes(&bytes[4 * i], words_[i], endian);
  return bytes;
}

Registers RandomProgram::registers() {
  constexpr std::uint64_t rounding = 0x600, enables = 0x1f;
  Registers registers;
  for (std::uint64_t& r : registers.gpr) {
    // Some hold instructions, for the stores into the code.
    r = chance(30) ? words_[below(static_cast<std::uint32_t>(count_))] : corner_word();
    if (settings_.register_bits == 64 && chance(40)) r = corner_doubleword();
  }
  registers.gpr[0] = 0;
  const std::uint64_t middle = data_start.value() + data_size / 2;
  registers.gpr[data_register] = registers.gpr[pointer_register] = middle;
  registers.gpr[pointer_register_2] = middle + 64;
  registers.gpr[index_register] = 8 * below(mix_.tame ? 4 : 20);
  registers.gpr[code_register] = start_.value() + count_ / 2 * 4;
  registers.gpr[wild_register] = any_word();
  registers.gpr[return_register] = start_.value();
  registers.gpr[gateway_register] = gateway_page.value();
  for (std::uint64_t& f : registers.fpr) f = corner_doubleword();
  // No enabled exceptions unless traps are wanted.
  const std::uint64_t status = any_word() & (mix_.traps != 0 ? rounding | enables : rounding);
  registers.fpr[0] = status << 32;
  registers.shift_amount = any_word() & settings_.shift_amount_mask();
  registers.carry_bits = any_word() & settings_.carries_mask();
  registers.divide_step = chance(50);
  return registers;
}

// One that the level has.
Opcode RandomProgram::opcode_of(const Kinds& kinds) {
  while (true) {
    const std::string_view kind = kinds[below(static_cast<std::uint32_t>(kinds.size()))];
    std::vector<Opcode> opcodes;
    for (std::size_t i = 0; i < opcode_count; ++i) {
      const auto opcode = static_cast<Opcode>(i);
      if (!is_a(kind, opcode) || !available(opcode, mix_.level)) continue;
      if (!may_trap(opcode) || (mix_.traps != 0 && chance(20))) opcodes.push_back(opcode);
    }
    if (!opcodes.empty()) return opcodes[below(static_cast<std::uint32_t>(opcodes.size()))];
  }
}
Opcode RandomProgram::one_of(std::span<const Opcode> opcodes) {
  while (true) {
    const Opcode opcode = opcodes[below(static_cast<std::uint32_t>(opcodes.size()))];
    if (available(opcode, mix_.level)) return opcode;
  }
}

// A word that decodes as the opcode, with anything in its fields.
std::uint32_t RandomProgram::instance(Opcode opcode) {
  std::uint32_t word = 0;
  do {
    word = as(opcode, any_word());
  } while (decode(word).opcode != opcode);
  return word;
}

bool RandomProgram::writes(std::uint32_t word, unsigned gpr) const {
  const std::vector<Resource> written = record(word, settings_).writes();
  return std::binary_search(written.begin(), written.end(), gpr_resource(gpr));
}

// Whether the registers with a meaning keep it, `but_for` aside.
bool RandomProgram::keeps_registers(std::uint32_t word, unsigned but_for) {
  bool keeps = but_for == return_register || !writes(word, return_register);
  for (unsigned r = index_register; r <= gateway_register; ++r) {
    keeps = keeps && (r == but_for || !writes(word, r));
  }
  return keeps || (!mix_.tame && chance(5));
}

std::uint32_t RandomProgram::without_condition(std::uint32_t word) const {
  const bool is_shift = is_a("shift", decode(word).opcode);
  return with(word, is_shift ? field_c : field_condition, 0);
}

// Without traps in the mix every access is aligned, and mapped while pointers are near the data.
std::uint32_t RandomProgram::with_offset(std::uint32_t word, bool modifies) {
  const std::string name = name_of(decode(word).opcode);
  const std::uint32_t unit = modifies ? 8 : name[2] == 'b' ? 1 : name[2] == 'h' ? 2 : 8;
  const std::uint32_t fine = mix_.traps != 0 && chance(5) ? below(8) : below(8) / unit * unit;
  if (is_short_or_indexed(word)) {
    constexpr Field is_short{12, 1}, is_store{9, 1};
    if (at(word, is_short) == 0) return with(word, field_r1, index_register);
    const bool is_integer_store = word >> 26 == 0x03 && at(word, is_store) != 0;
    const std::uint32_t displacement = (below(2) * 8 + fine) << 1 | below(2);
    return with(word, is_integer_store ? field_t : field_r1, displacement);
  }
  const std::uint32_t reach = mix_.tame && modifies ? 4 : 100;
  const std::uint32_t displacement = (below(2 * reach) - reach) * 8;
  word = with(with(word, {4, 10}, displacement >> 3), {0, 1}, displacement >> 31);
  const bool has_im14 = (word >> 26 & 0x04) == 0;
  return has_im14 ? with(word, {1, 3}, fine) : word;
}

// A pointer comes back.
std::uint32_t RandomProgram::set_pointer() {
  const unsigned pointer = chance(50) ? pointer_register : pointer_register_2;
  const std::uint32_t displacement = 8 * below(60);
  return as(Opcode::ldo, with(with(displacement << 1, field_r2, data_register), field_r1, pointer));
}

std::uint32_t RandomProgram::memory_access() {
  if (chance(15)) return set_pointer();
  while (true) {
    const bool is_load = chance(60);
    const Opcode opcode = opcode_of(is_load ? loading : storing);
    if (mix_.tame && is_a("load_clear", opcode)) continue;
    const unsigned pointer = chance(50) ? pointer_register : pointer_register_2;
    const unsigned base = mix_.traps != 0 && chance(10) ? wild_register : pointer;
    std::uint32_t word = with(instance(opcode), field_r2, base);
    if (mix_.tame || mix_.mode.wide) word = with(word, field_space, 0);
    word = as(opcode, with_offset(word, writes(word, base)));
    if (decode(word).opcode != opcode || !keeps_registers(word, base)) continue;
    if (!mix_.tame) return word;
    // The status register, and a load into the pointer that it modifies, are not compared.
    const unsigned target = at(word, is_short_or_indexed(word) ? field_t : field_r1);
    const bool is_floating = is_a("load_fp", opcode) || is_a("store_fp", opcode);
    if (is_floating ? target != 0 : !is_load || target != base) return word;
  }
}

std::uint32_t RandomProgram::code_store() {
  const auto reach = static_cast<std::uint32_t>(count_) * 4;
  const std::uint32_t offset = (below(reach) - reach / 2) & ~std::uint32_t{3};
  const Opcode opcode = chance(80) ? Opcode::stw : chance(50) ? Opcode::sth : Opcode::stb;
  const std::uint32_t word = with(with(instance(opcode), field_r2, code_register), field_space, 0);
  return with(with(word, {1, 13}, offset), {0, 1}, offset >> 31);
}

// Control goes forward in a tame program: a branch backward is one whose condition never holds.
std::uint32_t RandomProgram::conditional_branch(std::size_t index) {
  Opcode opcode = one_of(conditional_branches);
  const auto here = static_cast<std::uint32_t>(index);
  const auto words = static_cast<std::uint32_t>(count_);
  while (true) {
    std::uint32_t word = instance(opcode);
    if (!mix_.tame) {
      word = with_displacement_12(word, below(words) - here - 2);
    } else if (chance(80)) {
      word = with_displacement_12(word, below(words - here - 1));
    } else {
      opcode = chance(50) ? Opcode::cmpb : Opcode::addib;
      word = with(with(instance(opcode), field_c, 0), field_f, 0);
      word = with_displacement_12(as(opcode, word), below(here + 1) - here - 2);
    }
    if (decode(word).opcode == opcode && keeps_registers(word, 0)) return word;
  }
}

std::uint32_t RandomProgram::branch(std::size_t index) {
  const auto left = static_cast<std::uint32_t>(count_ - index - 1);
  if (mix_.tame && left < 2) return arithmetic();
  if (chance(75)) return conditional_branch(index);
  while (true) {
    const Opcode opcode = chance(80) ? Opcode::b_l : mix_.tame ? Opcode::blr : Opcode::b_gate;
    std::uint32_t word = instance(opcode);
    if (opcode == Opcode::blr) {
      word = with(word, field_r1, 0);
    } else {
      const std::uint32_t target = mix_.tame ? below(left) + static_cast<std::uint32_t>(index) + 2
                                             : below(static_cast<std::uint32_t>(count_));
      word = with_displacement_17(word, target - static_cast<std::uint32_t>(index) - 2);
    }
    if (keeps_registers(word, mix_.tame ? 0 : return_register)) return word;
  }
}

std::uint32_t RandomProgram::register_jump() {
  static constexpr unsigned usual[] = {return_register, code_register};
  const unsigned target = chance(90) ? usual[below(2)] : below(32);
  const std::uint32_t n = below(2);
  if (chance(20)) {  // to the gateway page
    const std::uint32_t word = with(as(Opcode::be_l, 0), field_r2, gateway_register);
    return with_displacement_17(with(word, field_n, n), 4 * below(64));
  }
  const Opcode opcode = one_of(vectored_branches);
  std::uint32_t word = with(instance(opcode), field_r2, target);
  if (opcode == Opcode::be || opcode == Opcode::be_l)
    return with_displacement_17(word, below(8) - 4);
  return opcode == Opcode::bv ? with(word, field_r1, chance(80) ? 0 : index_register) : word;
}

std::uint32_t RandomProgram::trap() {
  const std::uint32_t choice = below(10);
  if (choice < 2) return any_word();
  if (choice < 4) return instance(opcode_of(trapping));
  while (true) {
    const std::uint32_t word = instance(opcode_of({"alu"}));
    if (may_trap(decode(word).opcode) && keeps_registers(word, 0)) return word;
  }
}

std::uint32_t RandomProgram::of_kinds(const Kinds& kinds) {
  while (true) {
    const std::uint32_t word = instance(opcode_of(kinds));
    if (keeps_registers(word, 0)) return word;
  }
}

std::uint32_t RandomProgram::arithmetic() {
  while (true) {
    const Opcode opcode = opcode_of(mix_.tame ? tame_computing : computing);
    std::uint32_t word = instance(opcode);
    if (!chance(mix_.nullifying_percent)) word = as(opcode, without_condition(word));
    if (decode(word).opcode != opcode || (mix_.tame && !is_tame(word))) continue;
    if (keeps_registers(word, 0)) return word;
  }
}

std::uint32_t RandomProgram::instruction(std::size_t index, bool in_slot) {
  std::uint32_t choice = below(100);
  const auto is = [&](unsigned share) {
    if (choice < share) return true;
    choice -= share;
    return false;
  };
  const bool may_branch = !in_slot || mix_.branch_in_slots;
  if (is(mix_.branches)) return may_branch ? branch(index) : arithmetic();
  if (is(mix_.register_jumps)) return may_branch ? register_jump() : arithmetic();
  if (is(mix_.memory)) return memory_access();
  if (is(mix_.code_stores)) return code_store();
  if (is(mix_.traps)) return trap();
  if (is(mix_.floating_point)) return of_kinds(floating);
  if (is(mix_.control)) return of_kinds(controlling);
  if (is(mix_.halfwords)) return of_kinds(of_halfwords);
  return arithmetic();
}

}  // namespace hardclock::pa_risc
