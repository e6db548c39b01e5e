#include "tests/unit/mips/random_program.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "isa/mips/mips_decode.h"
#include "sim/base/check.h"

namespace hardclock::mips {
namespace {

constexpr unsigned rs_at = 21, rt_at = 16, rd_at = 11;

using Names = std::vector<const char*>;

const Names loads = {"lb",   "lh",   "lwl", "lw",  "lbu", "lhu", "lwr", "ll",
                     "lwc1", "ldc1", "lwu", "ldl", "ldr", "ld",  "lld", "pref"};
const Names stores = {"sb",   "sh",   "swl", "sw",  "swr", "sc",
                      "swc1", "sdc1", "sdl", "sdr", "sd",  "scd"};
const Names branches = {"beq",     "bne",     "blez", "bgtz",  "bltz",  "bgez",  "bltzal",
                        "bgezal",  "beql",    "bnel", "blezl", "bgtzl", "bltzl", "bgezl",
                        "bltzall", "bgezall", "bc1f", "bc1t",  "bc1fl", "bc1tl"};
const Names multiplies = {"mult", "multu", "div",  "divu",  "mfhi",  "mflo",
                          "mfhi", "mflo",  "mthi", "mtlo",  "dmult", "dmultu",
                          "ddiv", "ddivu", "madd", "maddu", "msub",  "msubu"};
const Names tame_loads = {"lb",   "lh",   "lwl", "lw",  "lbu", "lhu", "lwr",
                          "lwc1", "ldc1", "lwu", "ldl", "ldr", "ld",  "pref"};
const Names tame_stores = {"sb", "sh", "swl", "sw", "swr", "swc1", "sdc1", "sdl", "sdr", "sd"};
const Names tame_multiplies = {"mult",  "multu",  "mfhi", "mflo",  "mthi", "mtlo",
                               "dmult", "dmultu", "madd", "maddu", "msub", "msubu"};
// Those with a result in rd.
const Names three_registers = {
    "sllv",  "srlv",  "srav",  "addu",  "subu",  "and",  "or",   "xor",   "nor",  "slt",   "sltu",
    "movz",  "movn",  "movf",  "movt",  "mul",   "clz",  "clo",  "rotrv", "wsbh", "seb",   "seh",
    "dsllv", "dsrlv", "dsrav", "daddu", "dsubu", "dclz", "dclo", "dsbh",  "dshd", "drotrv"};
const Names shifts = {"sll",  "srl",    "sra",    "rotr",   "dsll",  "dsrl",
                      "dsra", "dsll32", "dsrl32", "dsra32", "drotr", "drotr32"};
// Those with a result in rt.
const Names immediates = {"addiu", "slti", "sltiu", "andi", "ori",   "xori",  "lui",   "daddiu",
                          "ext",   "ins",  "dext",  "dins", "dextm", "dextu", "dinsm", "dinsu"};
const Names conditional_traps = {"tge",  "tgeu",  "tlt",  "tltu",  "teq",  "tne",
                                 "tgei", "tgeiu", "tlti", "tltiu", "teqi", "tnei"};
const Names overflowing = {"add", "sub", "addi", "dadd", "dsub", "daddi"};

const std::map<std::string, Opcode>& opcodes_by_name() {
  static const auto all = [] {
    std::map<std::string, Opcode> map;
    for (std::size_t i = 0; i < opcode_count; ++i) {
      map[info(static_cast<Opcode>(i)).name] = static_cast<Opcode>(i);
    }
    return map;
  }();
  return all;
}

const std::vector<Opcode>& floating_point_arithmetic() {
  static const auto all = [] {
    std::vector<Opcode> opcodes;
    constexpr std::uint32_t major = 0xfc00'0000, cop1 = 0x4400'0000, computes = 0x0200'0000;
    for (std::size_t i = 0; i < opcode_count; ++i) {
      const OpcodeInfo& opcode = info(static_cast<Opcode>(i));
      const bool transfer = std::string(opcode.name).ends_with("c1");  // MFC1, CTC1 ...
      if ((opcode.match & major) == cop1 && ((opcode.match & computes) != 0 || transfer)) {
        opcodes.push_back(static_cast<Opcode>(i));
      }
    }
    return opcodes;
  }();
  return all;
}

// Whether the fields of EXT, INS and their kin lie within the register; else the result is not
// defined.
bool is_defined(std::uint32_t word) {
  const Instruction instruction = decode(word);
  const Operands& operands = instruction.operands;
  switch (instruction.opcode) {
    case Opcode::ext:
      return operands.extract.lsb + operands.extract.msbd < 32;
    case Opcode::dextm:
      return operands.extract_m.lsb + operands.extract_m.msbd_32 + 32 < 64;
    case Opcode::dextu:
      return operands.extract_u.lsb_32 + 32 + operands.extract_u.msbd < 64;
    case Opcode::ins:
    case Opcode::dins:
      return operands.insert.lsb <= operands.insert.msb;
    case Opcode::dinsu:
      return operands.insert_u.lsb_32 <= operands.insert_u.msb_32;
    default:
      return true;
  }
}

// ADDU and SUBU with $0: of a register that is no sign-extended word, QEMU copies all of it.
bool copies_register(std::uint32_t word) {
  const Instruction instruction = decode(word);
  const bool adds = instruction.opcode == Opcode::addu || instruction.opcode == Opcode::subu;
  return adds && (instruction.operands.rrr.rs == 0 || instruction.operands.rrr.rt == 0);
}

std::uint32_t with(std::uint32_t word, unsigned low, std::uint32_t value) {
  return (word & ~(std::uint32_t{31} << low)) | value << low;
}

}  // namespace

RandomProgram::RandomProgram(std::uint32_t seed, const Mix& mix, GuestAddr start, std::size_t words)
    : RandomChoices(seed), mix_(mix), start_(start), count_(words) {
  bool in_slot = false;
  for (std::size_t i = 0; i < words; ++i) {
    words_.push_back(instruction(i, in_slot));
    const std::string name = info(decode(words_.back()).opcode).name;
    in_slot = name[0] == 'b' || name[0] == 'j';
  }
}

std::vector<std::uint8_t> RandomProgram::bytes(Endian endian) const {
  std::vector<std::uint8_t> bytes(4 * words_.size());
  for (std::size_t i = 0; i < words_.size(); ++i) store_bytes(&bytes[4 * i], words_[i], endian);
  return bytes;
}

Registers RandomProgram::registers() {
  const auto signed_word = [](std::uint64_t word) {
    return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(word)});
  };
  Registers registers;
  for (unsigned i = 1; i < data_register; ++i) {
    // Some hold instructions, for the stores into the code.
    registers.gpr[i] = signed_word(chance(30) ? words_[below(count_)] : corner_word());
    if (mix_.mode.operation_bits == 64 && chance(40)) registers.gpr[i] = corner_doubleword();
  }
  registers.gpr[data_register] = data_start.value() + data_size / 2;
  registers.gpr[code_register] = start_.value() + count_ / 2 * 4;
  registers.gpr[wild_register] = signed_word(any_word());
  registers.gpr[link_register] = start_.value();
  registers.hi = signed_word(any_word());
  registers.lo = signed_word(any_word());
  for (std::uint64_t& f : registers.fpr) f = mix_.mode.fr ? corner_doubleword() : corner_word();
  // No enabled exceptions unless traps are wanted.
  registers.fcsr = any_word() & (mix_.traps != 0 ? fcsr_rounding | 0xf80 : fcsr_rounding);
  return registers;
}

unsigned RandomProgram::result_register() {
  const unsigned any = below(32);
  if (mix_.tame) return any % data_register;
  return any >= data_register && chance(95) ? any - data_register : any;
}

bool RandomProgram::has(Opcode opcode) const {
  return available(opcode, mix_.level) &&
         (mix_.mode.operation_bits == 64 || !needs(opcode, Feature::wide)) &&
         (mix_.mode.fr || !needs(opcode, Feature::fr));
}

std::uint32_t RandomProgram::instance(const char* name) {
  const auto opcode = opcodes_by_name().find(name);
  CHECK(opcode != opcodes_by_name().end());
  const OpcodeInfo& facts = info(opcode->second);
  std::uint32_t word = 0;
  do {
    word = (any_word() & ~facts.mask) | facts.match;
  } while (!is_defined(word));
  return word;
}

// One that the level and the mode have.
std::uint32_t RandomProgram::one_of(const std::vector<const char*>& names) {
  while (true) {
    const char* const name = names[below(static_cast<std::uint32_t>(names.size()))];
    if (has(opcodes_by_name().at(name))) return instance(name);
  }
}

std::uint32_t RandomProgram::memory_access() {
  std::uint32_t word = chance(60)
                           ? with(one_of(mix_.tame ? tame_loads : loads), rt_at, result_register())
                           : one_of(mix_.tame ? tame_stores : stores);
  // Without traps in the mix every access is aligned and mapped, and LDC1 and SDC1 take even
  // registers.
  const Opcode opcode = decode(word).opcode;
  const bool is_double = opcode == Opcode::ldc1 || opcode == Opcode::sdc1;
  if (is_double && mix_.traps == 0) word &= ~(std::uint32_t{1} << rt_at);
  static constexpr Opcode unaligned[] = {Opcode::lwl, Opcode::lwr, Opcode::swl, Opcode::swr,
                                         Opcode::ldl, Opcode::ldr, Opcode::sdl, Opcode::sdr};
  const bool takes_any_byte =
      std::find(std::begin(unaligned), std::end(unaligned), opcode) != std::end(unaligned);
  const bool any_byte = takes_any_byte || (mix_.traps != 0 && chance(5));
  const std::uint32_t offset = (below(1600) - 800) & 0xffff;
  const bool wild = mix_.traps != 0 && chance(10);
  return with((word & 0xffff'0000) | (any_byte ? offset : offset & ~7u), rs_at,
              wild ? wild_register : data_register);
}

std::uint32_t RandomProgram::code_store() {
  const std::uint32_t reach = static_cast<std::uint32_t>(count_) * 4;
  const std::uint32_t offset = (below(reach) - reach / 2) & 0xfffc;
  const std::uint32_t word = chance(80) ? instance("sw") : one_of(stores);
  return with((word & 0xffff'0000) | (offset & ~7u), rs_at, code_register) |
         (chance(50) ? offset & 4 : 0);
}

std::uint32_t RandomProgram::branch(std::size_t index) {
  if (mix_.tame) {
    const auto left = static_cast<std::uint32_t>(count_ - index - 1);
    return left < 2 ? arithmetic() : (one_of(branches) & 0xffff'0000) | (1 + below(left));
  }
  const auto target = below(static_cast<std::uint32_t>(count_));
  if (chance(10)) {
    const std::uint64_t address = start_.value() + 4 * target;
    return (instance(chance(50) ? "j" : "jal") & 0xfc00'0000) | (address >> 2 & 0x03ff'ffff);
  }
  const std::uint32_t displacement = (target - static_cast<std::uint32_t>(index) - 1) & 0xffff;
  return (one_of(branches) & 0xffff'0000) | displacement;
}

std::uint32_t RandomProgram::register_jump() {
  static constexpr unsigned usual[] = {link_register, code_register};
  const unsigned target = chance(80) ? usual[below(2)] : below(32);
  if (chance(60)) return with(instance("jr"), rs_at, target);
  return with(with(instance("jalr"), rs_at, target), rd_at,
              chance(50) ? link_register : result_register());
}

std::uint32_t RandomProgram::trap() {
  const std::uint32_t choice = below(10);
  if (choice == 0) return instance("syscall");
  if (choice == 1) return instance("break");
  if (choice == 2) return any_word();
  if (choice < 6) return one_of(conditional_traps);
  return with(with(one_of(overflowing), rd_at, result_register()), rt_at, result_register());
}

std::uint32_t RandomProgram::arithmetic() {
  const std::uint32_t choice = below(10);
  if (choice < 5) {
    std::uint32_t word = 0;
    do {
      word = with(one_of(three_registers), rd_at, result_register());
    } while (mix_.tame && copies_register(word));
    return word;
  }
  if (choice < 7) return with(one_of(shifts), rd_at, result_register());
  return with(one_of(immediates), rt_at, result_register());
}

std::uint32_t RandomProgram::sum_in_place() {
  const unsigned changed = 8 + below(4), other = 8 + below(4);
  if (chance(20)) return with(with(instance("addiu"), rs_at, changed), rt_at, changed);
  const std::uint32_t sum = with(instance(chance(50) ? "addu" : "subu"), rd_at, changed);
  const bool is_second = chance(25);
  return with(with(sum, rs_at, is_second ? other : changed), rt_at, is_second ? changed : other);
}

std::uint32_t RandomProgram::instruction(std::size_t index, bool in_slot) {
  std::uint32_t choice = below(100);
  const auto is = [&](unsigned share) {
    if (choice < share) return true;
    choice -= share;
    return false;
  };
  if (is(mix_.branches)) {
    return in_slot && !mix_.branch_in_slots ? arithmetic() : branch(index);
  }
  if (is(mix_.register_jumps)) {
    return in_slot && !mix_.branch_in_slots ? arithmetic() : register_jump();
  }
  if (is(mix_.sums)) return sum_in_place();
  if (is(mix_.memory)) return memory_access();
  if (is(mix_.code_stores)) return code_store();
  if (is(mix_.traps)) return trap();
  if (is(mix_.multiply)) {
    const std::uint32_t word = one_of(mix_.tame ? tame_multiplies : multiplies);
    const bool has_result =
        decode(word).opcode == Opcode::mfhi || decode(word).opcode == Opcode::mflo;
    return has_result ? with(word, rd_at, result_register()) : word;
  }
  if (is(mix_.floating_point)) {
    const auto& all = floating_point_arithmetic();
    Opcode opcode = Opcode::invalid;
    while (!has(opcode)) opcode = all[below(static_cast<std::uint32_t>(all.size()))];
    const std::uint32_t word = (any_word() & ~info(opcode).mask) | info(opcode).match;
    // Doubles live in even registers; an odd one is a reserved instruction.
    return mix_.traps != 0 && chance(5) ? word
                                        : word & ~(0x0001'0840u & ~info(decode(word).opcode).mask);
  }
  return arithmetic();
}

}  // namespace hardclock::mips
