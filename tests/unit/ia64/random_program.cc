#include "tests/unit/ia64/random_program.h"

#include <optional>
#include <string>

namespace hardclock::ia64 {
namespace {

// Registers that hold addresses: r8 to r11 of data, r12 of the program's code. Other instructions
// write r14 up.
constexpr unsigned first_pointer = 8, pointers = 4, code_pointer = 12, first_target = 14;
constexpr unsigned frame_size = 40, rotating = 8;

constexpr std::array accesses = {
    Opcode::ld1,       Opcode::ld2,           Opcode::ld4,       Opcode::ld8,
    Opcode::ld8_imm,   Opcode::ld4_imm,       Opcode::ld8_s,     Opcode::ld4_s,
    Opcode::ld8_a,     Opcode::ld8_sa,        Opcode::ld8_c_nc,  Opcode::ld8_fill,
    Opcode::ld8_c_clr, Opcode::st1,           Opcode::st2,       Opcode::st4,
    Opcode::st8,       Opcode::st8_imm,       Opcode::st8_spill, Opcode::ldfd,
    Opcode::ldfs,      Opcode::ldf8,          Opcode::stfd,      Opcode::stfs,
    Opcode::stf8,      Opcode::ldf_fill,      Opcode::ldfd_imm,  Opcode::stfd_imm,
    Opcode::stf_spill, Opcode::fetchadd8_acq, Opcode::xchg4,     Opcode::ld2_s,
    Opcode::lfetch,    Opcode::cmpxchg8_rel};
constexpr std::array stores_to_code = {Opcode::st4, Opcode::st8, Opcode::st1};
constexpr std::array frames = {Opcode::alloc, Opcode::flushrs, Opcode::mov_to_ar_imm8_m,
                               Opcode::mov_from_ar_m};
constexpr std::array frame_branches = {
    Opcode::br_call,   Opcode::br_ret,   Opcode::br_ctop,          Opcode::br_wtop, Opcode::clrrrb,
    Opcode::clrrrb_pr, Opcode::br_cexit, Opcode::br_call_indirect, Opcode::cover};
constexpr std::array branches = {Opcode::br_cond, Opcode::br_cond, Opcode::br_cond,
                                 Opcode::br_cloop, Opcode::br_cond_indirect};

// A instructions fit M and I.
bool fits(Opcode opcode, Unit unit) {
  const std::uint64_t bits = static_cast<std::uint64_t>(unit) << slot_bits;
  return opcode != Opcode::invalid &&
         ((info(opcode).match ^ bits) & info(opcode).mask) >> slot_bits == 0;
}

// What only computes: A, I and F, and the moves of M between files. Not what may branch or trap
// whatever its operands are, and no privileged instruction.
bool computes(Opcode opcode) {
  if (needs(opcode, Feature::privileged)) return false;
  const std::string name = info(opcode).name;
  for (const char* const beginning :
       {"ld",         "st",     "chk",    "break",  "br",     "cmpxchg", "xchg",  "fetchadd",
        "fchkf",      "mov_to", "alloc",  "lfetch", "fc",     "probe",   "cmp8",  "sum",
        "rum",        "cover",  "clrrrb", "epc",    "loadrs", "flushrs", "fsetc", "mov_from_cpuid",
        "mov_from_ar"}) {
    const bool is_compare =
        name.starts_with("fcmp") || name.starts_with("fclass") || name.starts_with("fcvt");
    if (name.starts_with(beginning) && !is_compare) return false;
  }
  return true;
}

}  // namespace

RandomProgram::RandomProgram(std::uint32_t seed, const Mix& mix, GuestAddr start, std::size_t words)
    : RandomChoices(seed), mix_(mix), start_(start), count_(words / 4 + 1) {
  for (std::size_t i = 0; i < count_; ++i) {
    for (const std::uint64_t doubleword : pack(bundle(i))) {
      words_.push_back(static_cast<std::uint32_t>(doubleword));
      words_.push_back(static_cast<std::uint32_t>(doubleword >> 32));
    }
  }
}

std::vector<std::uint8_t> RandomProgram::bytes(Endian) const {
  std::vector<std::uint8_t> bytes(4 * words_.size());
  for (std::size_t i = 0; i < words_.size(); ++i) {
    store_bytes(&bytes[4 * i], words_[i], Endian::little);
  }
  return bytes;
}

Registers RandomProgram::registers() {
  Registers registers;
  const std::uint64_t stack_start = (backing_store + backing_store_size).value() - mix_.stack_room;
  registers.stack.start(stack_start, {.sof = frame_size, .sol = 32, .sor = rotating});
  for (unsigned r = 1; r < first_rotating_gr + frame_size; ++r) {
    registers.stack.write(r, corner_doubleword(), r >= first_target && chance(mix_.nats));
  }
  const std::uint64_t middle = data_start.value() + data_size / 2;
  for (unsigned i = 0; i < pointers; ++i) {
    registers.stack.write(first_pointer + i, middle + 16 * i, false);
  }
  const auto some_bundle = [&] {
    return start_.value() + bundle_bytes * below(static_cast<std::uint32_t>(count_));
  };
  registers.stack.write(code_pointer, some_bundle(), false);
  for (std::uint64_t& b : registers.br) b = some_bundle();
  for (unsigned f = 2; f < 128; ++f) {
    registers.fr[f] = chance(50) ? fp::from_significand(corner_doubleword())
                                 : fp::FpRegister{corner_doubleword() | fp::integer_bit,
                                                  fp::exponent_bias + below(64), chance(50)};
  }
  registers.predicates = corner_doubleword() | 1;
  registers.lc = below(6);
  registers.ec = static_cast<std::uint8_t>(below(5));
  if (mix_.big_endian) registers.user_mask |= um_be;
  return registers;
}

Opcode RandomProgram::one_of(std::span<const Opcode> opcodes) {
  return opcodes[below(static_cast<std::uint32_t>(opcodes.size()))];
}

std::uint64_t RandomProgram::with(std::uint64_t word, Field field, std::uint64_t value) const {
  const std::uint64_t mask = ((std::uint64_t{1} << field.bits) - 1) << field.low;
  return (word & ~mask) | (value << field.low & mask);
}

std::uint64_t RandomProgram::with_predicate(std::uint64_t word) {
  return with(word, {0, 6}, chance(mix_.predicated) ? below(64) : 0);
}

// r1 or f1 is a register of the frame that nothing else needs; p1 and p2 differ.
std::uint64_t RandomProgram::with_targets(std::uint64_t word) {
  word = with(word, {6, 7}, first_target + below(frame_size));
  if (bit_field(word, 6, 6) == bit_field(word, 27, 6)) word ^= std::uint64_t{1} << 27;
  return word;
}

// Anything in the fields that the pattern leaves free.
std::uint64_t RandomProgram::instance(Opcode opcode) {
  const std::uint64_t any = std::uint64_t{any_word()} << 32 | any_word();
  const OpcodeInfo& pattern = info(opcode);
  return (any & ~pattern.mask) | pattern.match;
}

std::uint64_t RandomProgram::any_of(Unit unit) {
  while (true) {
    const auto opcode = static_cast<Opcode>(below(static_cast<std::uint32_t>(opcode_count)));
    if (fits(opcode, unit)) return instance(opcode);
  }
}

std::uint64_t RandomProgram::computation(Unit unit) {
  while (true) {
    const auto opcode = static_cast<Opcode>(below(static_cast<std::uint32_t>(opcode_count)));
    if (!fits(opcode, unit) || !computes(opcode)) continue;
    const std::uint64_t word = with_predicate(with_targets(instance(opcode)));
    // A target may lie in fixed bits.
    const std::uint64_t slot = ((word & ~info(opcode).mask) | info(opcode).match) & slot_mask;
    if (decode(slot | static_cast<Word>(unit) << slot_bits).opcode == opcode) return slot;
  }
}

std::uint64_t RandomProgram::memory_access() {
  const bool to_code = chance(mix_.code_stores);
  const Opcode opcode = to_code ? one_of(stores_to_code) : one_of(accesses);
  std::uint64_t word = with_predicate(instance(opcode));
  const std::string name = info(opcode).name;
  const bool is_store = name.starts_with("st");
  if (!is_store) word = with(word, {6, 7}, first_target + below(frame_size));
  word = with(word, {20, 7}, to_code ? code_pointer : first_pointer + below(pointers));
  // Small steps, up.
  if (name.ends_with("_imm")) {
    word = with(with(word, {36, 1}, 0), {27, 1}, 0);
    word = with(word, {is_store ? 6u : 13u, 7}, 8 * below(3));
  }
  return word;
}

std::uint64_t RandomProgram::frame_operation() {
  const Opcode opcode = one_of(frames);
  std::uint64_t word = with(instance(opcode), {6, 7}, first_target + below(16));
  switch (opcode) {
    case Opcode::alloc:
      word = with(with(word, {27, 4}, below(2)), {0, 6}, 0);
      // Some are Illegal Operations: more locals than the frame has registers.
      return with(with(word, {13, 7}, frame_size), {20, 7},
                  chance(5) ? frame_size + 1 : 16 + below(16));
    case Opcode::mov_to_ar_imm8_m:  // ar.rsc: the RSE's mode
      return with(with(with(word, {20, 7}, 16), {36, 1}, 0), {13, 7}, below(4));
    case Opcode::mov_from_ar_m:  // ar.bsp
      return with_predicate(with(word, {20, 7}, 17));
    default:
      return word;
  }
}

std::uint64_t RandomProgram::branch(std::size_t bundle) {
  const Opcode opcode = chance(mix_.frames) ? one_of(frame_branches) : one_of(branches);
  const auto target = below(static_cast<std::uint32_t>(count_));
  const auto displacement = static_cast<std::uint64_t>(target) - bundle;  // in bundles
  std::uint64_t word = with_predicate(instance(opcode));
  const std::string name = info(opcode).name;
  if (!name.ends_with("indirect") && opcode != Opcode::br_ret && name.starts_with("br")) {
    word = with(with(word, {13, 20}, displacement), {36, 1}, displacement >> 63);
  }
  return word;
}

std::uint64_t RandomProgram::slot(Unit unit, std::size_t bundle) {
  if (unit != Unit::l && chance(mix_.anything)) return any_of(unit);
  switch (unit) {
    case Unit::m:
      if (chance(mix_.memory)) return memory_access();
      if (chance(mix_.frames / 4)) return frame_operation();
      return computation(unit);
    case Unit::b:
      return chance(mix_.branches) ? branch(bundle) : with_predicate(info(Opcode::nop_b).match);
    case Unit::x:
      return with_predicate(with_targets(instance(Opcode::movl)));
    case Unit::l:
      return std::uint64_t{any_word()} << 20 ^ any_word();
    default:
      return computation(unit);
  }
}

Bundle RandomProgram::bundle(std::size_t index) {
  Bundle made;
  std::optional<Template> layout;
  while (!layout) {
    made.template_number = static_cast<std::uint8_t>(below(32));
    layout = template_of(made.template_number);
  }
  for (std::size_t i = 0; i < slot_count; ++i) {
    made.slots[i] = slot(layout->units[i], index) & slot_mask;
  }
  return made;
}

}  // namespace hardclock::ia64
