// What the Recorder says an instruction reads and writes, against what can be seen from outside:
// the Interpreter runs each instruction in random states, with one register changed at a time. A
// register whose change shows in the outcome is read; one that differs afterwards is written.
// (Capstone 4.0.2 cannot be the judge: its cs_regs_access answers CS_ERR_ARCH for MIPS.)
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "isa/mips/isa.h"
#include "isa/mips/machine.h"
#include "isa/mips/mips_decode.h"
#include "sim/memory/address_space.h"
#include "tests/support/part_of_cases.h"

namespace hardclock::mips {
namespace {

constexpr std::uint64_t pc = 0x40'0000;
// Every pattern can run.
constexpr Level level = Level::mips64r2;
constexpr std::uint64_t window = 0x1000'0800;  // where memory instructions reach
constexpr std::uint64_t window_size = 128;

using Resources = std::set<Resource>;

// Everything that an instruction can change.
struct Outcome {
  Registers registers;
  std::uint64_t after_slot = 0;
  bool nullified = false;
  std::optional<TrapKind> trap;
  std::array<std::uint8_t, window_size> memory{};
};

class Laboratory {
 public:
  explicit Laboratory(std::uint32_t seed)
      : random_(seed),
        memory_(std::make_shared<MemoryBudget>(std::uint64_t{1} << 20), Endian::big,
                GuestAddr(0x8000'0000)) {
    EXPECT_TRUE(memory_.map(GuestAddr(window & ~page_mask), page_size,
                            {.read = true, .write = true}, "data"));
    for (std::uint8_t& byte : bytes_) byte = static_cast<std::uint8_t>(random_());
  }

  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
  std::uint32_t word() { return static_cast<std::uint32_t>(random_()); }

  Outcome run(const Isa::Predecoded& decoded, const Registers& registers, Mode mode) {
    EXPECT_TRUE(memory_.write_bytes(GuestAddr(window), bytes_));
    Interpreter machine(memory_, mode, level);
    machine.registers() = registers;
    Outcome outcome;
    machine.run(&decoded.op, &decoded.op + 1, pc, pc + 8);
    if (machine.gave_up()) outcome.trap = machine.take_end()->kind;
    outcome.registers = machine.registers();
    outcome.after_slot = outcome.trap ? 0 : machine.after_slot();
    outcome.nullified = machine.take_nullified();
    EXPECT_TRUE(memory_.read_bytes(GuestAddr(window), outcome.memory));
    return outcome;
  }

  const std::array<std::uint8_t, window_size>& bytes() const { return bytes_; }

 private:
  std::mt19937 random_;
  AddressSpace memory_;
  std::array<std::uint8_t, window_size> bytes_{};
};

std::uint64_t sign_extended_word(std::uint32_t word) {
  return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(word)});
}

std::uint64_t value_of(const Registers& registers, Resource resource) {
  if (resource < fpr_resource(0)) return registers.gpr[resource];
  if (resource < hi_resource) return registers.fpr[resource - fpr_resource(0)];
  if (resource >= fp_condition_resource(0) && resource < fp_condition_resource(fp_conditions)) {
    return registers.fcsr & fcsr_condition(resource - fp_condition_resource(0));
  }
  switch (resource) {
    case hi_resource:
      return registers.hi;
    case lo_resource:
      return registers.lo;
    case fcsr_resource:
      return registers.fcsr & ~fcsr_conditions;
    case user_local_resource:
      return registers.user_local;
    case link_resource:
      return registers.link_valid ? 1 : 0;
    default:
      return registers.link_address;
  }
}

std::vector<Resource> all_resources() {
  std::vector<Resource> all;
  for (Resource r = 1; r <= link_address_resource; ++r) all.push_back(r);
  return all;
}

// An instruction with its registers all different (doubles take even ones), and random states.
class Subject {
 public:
  // `fr`: with 64-bit floating-point registers, as the instruction may need anyway.
  Subject(Opcode opcode, Laboratory& laboratory, bool fr)
      : opcode_(opcode),
        laboratory_(laboratory),
        mode_{.operation_bits = 64, .fr = fr || needs(opcode, Feature::fr)} {
    const OpcodeInfo& facts = info(opcode);
    std::uint32_t word = laboratory.word();
    std::array<unsigned, 4> registers = {2, 4, 6, 8};
    for (unsigned& r : registers) r += 8 * laboratory.below(3);
    const std::array<unsigned, 4> fields = {6, 11, 16, 21};
    for (std::size_t i = 0; i < fields.size(); ++i) {
      word = (word & ~(31u << fields[i])) | registers[i] << fields[i];
    }
    if (is_control()) word = (word & ~(31u << 11)) | 31u << 11;             // FCR31
    if (opcode == Opcode::rdhwr) word = (word & ~(31u << 11)) | 29u << 11;  // UserLocal
    if (inserts()) word |= 31u << 11;  // the field's end: not before its beginning
    if (reaches_memory() && !is_indexed()) word = (word & ~0xffffu) | (laboratory.below(64) & ~7u);
    word_ = (word & ~facts.mask) | facts.match;
    base_ = word_ >> 21 & 31;
    index_ = word_ >> 16 & 31;
    const std::vector<Resource> written = recording().writes();
    written_ = {written.begin(), written.end()};
    predecoded_ = Isa(level, mode_).predecode(word_, pc);
  }

  std::uint32_t word() const { return word_; }
  Outcome run(const Registers& registers) { return laboratory_.run(predecoded_, registers, mode_); }
  // What is read without a trace: a conditional move may keep its destination, SYNCI's address only
  // has to be there.
  bool reads_unseen(Resource resource) const {
    const std::string name = info(opcode_).name;
    const bool moves_if = name.size() > 3 && name.starts_with("mov") &&
                          std::string("zntf").find(name[3]) != std::string::npos;
    if (moves_if) return written_.contains(resource);
    return opcode_ == Opcode::synci && resource == base_;
  }
  Recording recording() const { return record(word_, settings_of(level, mode_, {}, Endian::big)); }

  Registers state() {
    Registers registers;
    for (unsigned i = 1; i < 32; ++i) registers.gpr[i] = wide_number();
    for (std::uint64_t& f : registers.fpr) {
      f = number();
      if (mode_.fr) f |= std::uint64_t{number()} << 32;
    }
    // Comparisons need equal operands, word by word or as doubles.
    for (int copies = 0; copies < 3; ++copies) {
      const unsigned from = 2 * laboratory_.below(16), to = 2 * laboratory_.below(16);
      for (const unsigned half : {0, 1}) registers.fpr[to + half] = registers.fpr[from + half];
    }
    const std::uint32_t rs = word_ >> 21 & 31, rt = word_ >> 16 & 31, fs = word_ >> 11 & 31;
    if (laboratory_.below(3) == 0) registers.gpr[rs] = registers.gpr[rt];
    if (laboratory_.below(3) == 0) registers.gpr[rs] = offset();  // or what the immediate is
    if (laboratory_.below(3) == 0) registers.gpr[rt] = 0;
    if (laboratory_.below(3) == 0) {
      registers.fpr[rt] = registers.fpr[fs];
      registers.fpr[rt ^ 1] = registers.fpr[fs ^ 1];
    }
    registers.hi = wide_number();
    registers.lo = wide_number();
    registers.fcsr = control();
    registers.user_local = sign_extended_word(number());
    registers.link_valid = laboratory_.below(2) == 0;
    if (reaches_memory()) move_address(registers, base_);
    registers.link_address =
        laboratory_.below(2) == 0 ? address(registers) : window + laboratory_.below(16) * 8;
    registers.set_pc(pc);
    return registers;
  }

  // The state with another value in one register.
  Registers changed(Registers registers, Resource resource) {
    if (resource < fpr_resource(0)) {
      if (reaches_memory() && (resource == base_ || (is_indexed() && resource == index_))) {
        const std::uint64_t before = registers.gpr[resource];
        while (registers.gpr[resource] == before) move_address(registers, resource);
      } else {
        registers.gpr[resource] = sign_extended_word(other(registers.gpr[resource]));
      }
    } else if (resource < hi_resource) {
      change_fpr(registers.fpr[resource - fpr_resource(0)], resource);
    } else if (resource == hi_resource) {
      registers.hi = sign_extended_word(other(registers.hi));
    } else if (resource == lo_resource) {
      registers.lo = sign_extended_word(other(registers.lo));
    } else if (resource == fcsr_resource) {
      registers.fcsr = (registers.fcsr & fcsr_conditions) | (control() & ~fcsr_conditions);
    } else if (resource == user_local_resource) {
      registers.user_local = sign_extended_word(other(registers.user_local));
    } else if (resource == link_address_resource) {
      registers.link_address ^= 8 * (1 + laboratory_.below(7));
    } else if (resource == link_resource) {
      registers.link_valid = !registers.link_valid;
    } else {
      registers.fcsr ^= fcsr_condition(resource - fp_condition_resource(0));
    }
    return registers;
  }

 private:
  bool reaches_memory() const {
    return (opcode_ >= Opcode::lb && opcode_ <= Opcode::sdc1 && opcode_ != Opcode::sync &&
            opcode_ != Opcode::pref && opcode_ != Opcode::rdhwr) ||
           is_indexed();
  }
  // LWXC1 and its kin: the address is the sum of two registers.
  bool is_indexed() const { return std::string(info(opcode_).name).ends_with("xc1"); }
  bool takes_any_byte() const {
    static constexpr Opcode unaligned[] = {Opcode::lwl, Opcode::lwr, Opcode::swl, Opcode::swr,
                                           Opcode::ldl, Opcode::ldr, Opcode::sdl, Opcode::sdr};
    return std::find(std::begin(unaligned), std::end(unaligned), opcode_) != std::end(unaligned);
  }
  bool inserts() const {
    return opcode_ == Opcode::ins || opcode_ == Opcode::dins || opcode_ == Opcode::dinsm ||
           opcode_ == Opcode::dinsu;
  }
  bool is_control() const { return opcode_ == Opcode::cfc1 || opcode_ == Opcode::ctc1; }
  std::uint64_t offset() const {
    return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int16_t>(word_ & 0xffff)});
  }
  std::uint64_t address(const Registers& registers) const {
    return registers.gpr[base_] + (is_indexed() ? registers.gpr[index_] : offset());
  }
  // To another place in the window, by a change of this register.
  void move_address(Registers& registers, unsigned by) {
    const std::uint32_t byte = laboratory_.below(window_size);
    registers.gpr[by] += window + (takes_any_byte() ? byte : byte & ~7u) - address(registers);
  }

  // Numbers that matter as integers and as halves of floating-point numbers.
  std::uint32_t number() {
    static constexpr std::uint32_t corners[] = {
        0,           1,           0x7fff'ffff, 0x8000'0000, 0xffff'ffff, 0x3f80'0000, 0x4000'0000,
        0x7f80'0000, 0x7fff'0000, 0x7fbf'0000, 0x3ff0'0000, 0x41d0'0000, 0x7ff0'0000, 0x7ff8'0000};
    switch (laboratory_.below(4)) {
      case 0:
        return corners[laboratory_.below(std::size(corners))];
      case 1:  // the high half of a double between 1 and 2^31
        return 0x3ff0'0000 + (laboratory_.below(32) << 20) + laboratory_.below(1 << 20);
      case 2:  // a single between 1 and 2^31
        return 0x3f80'0000 + (laboratory_.below(32) << 23) + laboratory_.below(1 << 23);
      default:
        return laboratory_.word();
    }
  }
  // Of a register that is written, only the half that is surely overwritten.
  void change_fpr(std::uint64_t& f, Resource resource) {
    constexpr std::uint64_t low_word = 0xffff'ffff;
    const bool is_written = written_.contains(resource);
    const bool high_only = mode_.fr && opcode_ == Opcode::mthc1;
    if (!high_only) f = (f & ~low_word) | other(f);
    if (mode_.fr && (high_only || !is_written)) {
      f = (f & low_word) | std::uint64_t{other(f >> 32)} << 32;
    }
  }
  // Sign-extended words and others.
  std::uint64_t wide_number() {
    const std::uint64_t word = sign_extended_word(number());
    return laboratory_.below(2) == 0 ? word : word ^ std::uint64_t{number()} << 32;
  }
  std::uint32_t other(std::uint64_t value) {
    const auto low = static_cast<std::uint32_t>(value);
    if (laboratory_.below(3) == 0) return low ^ 1u << laboratory_.below(32);
    const std::uint32_t chosen = number();
    return chosen != low ? chosen : ~low;
  }
  // Enabled exceptions only now and then: they withhold the result.
  std::uint32_t control() {
    constexpr std::uint32_t enables = 0xf80, causes = 0x3f000;
    const std::uint32_t chosen = laboratory_.below(4) == 0 ? enables : causes;
    return laboratory_.word() & (fcsr_conditions | 0x7f | chosen);
  }

  Opcode opcode_;
  Laboratory& laboratory_;
  Mode mode_;
  std::uint32_t word_ = 0;
  Resources written_;
  unsigned base_ = 0;
  unsigned index_ = 0;
  Isa::Predecoded predecoded_;
};

// Whether the outcomes show that `resource`, the only difference before, was looked at. A register
// that just keeps its value does not show it.
bool shows(const Registers& before_a, const Outcome& a, const Registers& before_b, const Outcome& b,
           Resource resource) {
  if (a.after_slot != b.after_slot || a.nullified != b.nullified || a.trap != b.trap ||
      a.memory != b.memory) {
    return true;
  }
  for (const Resource r : all_resources()) {
    const std::uint64_t after_a = value_of(a.registers, r), after_b = value_of(b.registers, r);
    if (after_a == after_b) continue;
    const bool kept =
        r == resource && after_a == value_of(before_a, r) && after_b == value_of(before_b, r);
    if (!kept) return true;
  }
  return false;
}

struct Observed {
  Resources reads;
  Resources writes;
  bool stores = false;
  bool branches = false;
  bool traps = false;
};

void observe(Laboratory& laboratory, Subject& subject, Observed& observed) {
  const Registers before = subject.state();
  const Outcome outcome = subject.run(before);
  observed.stores |= outcome.memory != laboratory.bytes();
  observed.branches |= !outcome.trap && outcome.after_slot != pc + 8;
  observed.traps |= outcome.trap.has_value();
  for (const Resource r : all_resources()) {
    if (value_of(before, r) != value_of(outcome.registers, r)) observed.writes.insert(r);
    const Registers changed = subject.changed(before, r);
    if (shows(before, outcome, changed, subject.run(changed), r)) {
      observed.reads.insert(r);
    }
  }
}

std::string list(const Resources& resources) {
  std::string text;
  for (const Resource r : resources) text += " " + std::to_string(r);
  return text;
}

Resources as_set(const std::vector<Resource>& resources) {
  return {resources.begin(), resources.end()};
}

// C.F, C.SF and the like: what their condition never asks for cannot show unless an operand is a
// NaN; states have them often enough.
TEST(Recorder, NamesWhatAnInstructionReadsAndWrites) {
  for (std::size_t i = 0; i < opcode_count; i += support::part_of_cases) {
    const auto opcode = static_cast<Opcode>(i);
    Laboratory laboratory(static_cast<std::uint32_t>(i));
    for (const bool fr : {false, true}) {
      Subject subject(opcode, laboratory, fr);
      const Recording recording = subject.recording();
      Observed observed;
      const Resources reads = as_set(recording.reads());
      for (const Resource r : reads) {
        if (subject.reads_unseen(r)) observed.reads.insert(r);
      }
      // What is rarely asked for takes longer to show.
      const auto is_unseen = [&] { return !std::ranges::includes(observed.reads, reads); };
      for (int trial = 0; trial < 150 || (trial < 5000 && is_unseen()); ++trial) {
        observe(laboratory, subject, observed);
      }
      SCOPED_TRACE(testing::Message() << info(opcode).name << " 0x" << std::hex << subject.word());
      EXPECT_EQ(list(reads), list(observed.reads)) << "reads";
      EXPECT_EQ(list(as_set(recording.writes())), list(observed.writes)) << "writes";
      EXPECT_EQ(recording.has(Operation::store), observed.stores);
      EXPECT_EQ(recording.has(Operation::branch), observed.branches);
      // Some exceptions cannot happen: CVT.D.W is always exact.
      EXPECT_TRUE(!observed.traps || recording.has(Operation::trap) ||
                  recording.has(Operation::trap_if));
    }
  }
}

TEST(Recorder, RegisterZeroIsNeitherReadNorWritten) {
  std::mt19937 random(1);
  for (std::size_t i = 0; i < opcode_count; ++i) {
    const OpcodeInfo& facts = info(static_cast<Opcode>(i));
    const std::uint32_t fields = static_cast<std::uint32_t>(random()) & 0x0000'ffff & ~(31u << 11);
    const Recording recording = record((fields & ~facts.mask) | facts.match);
    for (const auto& resources : {recording.reads(), recording.writes()}) {
      EXPECT_EQ(std::count(resources.begin(), resources.end(), gpr_resource(0)), 0) << facts.name;
    }
  }
}

// The pipeline's view leaves FCSR out: its flags collect without an interlock.
TEST(Timing, KeepsTheConditionAndDropsTheControlRegister) {
  constexpr std::uint32_t compare = 0x4604'103c;  // c.lt.s $f2,$f4
  const InstructionTiming timing = timing_of(decode(compare), record(compare));
  EXPECT_EQ(timing.reads, (std::vector<Resource>{fpr_resource(2), fpr_resource(4)}));
  EXPECT_EQ(timing.writes, (std::vector<Resource>{fp_condition_resource(0)}));
}

// What makes an address is known apart from what is stored or, by LWL, kept of a register.
TEST(Timing, KnowsTheRegistersOfAnAddress) {
  const std::pair<std::uint32_t, std::vector<Resource>> words[] = {
      {0x8c85'0008, {gpr_resource(4)}},                   // lw a1,8(a0)
      {0x8885'0000, {gpr_resource(4)}},                   // lwl a1,0(a0)
      {0x9884'0003, {gpr_resource(4)}},                   // lwr a0,3(a0)
      {0xac85'0000, {gpr_resource(4)}},                   // sw a1,0(a0)
      {0x4c85'0080, {gpr_resource(4), gpr_resource(5)}},  // lwxc1 $f2,a1(a0)
      {0x0085'1021, {}},                                  // addu v0,a0,a1
  };
  for (const auto& [word, addresses] : words) {
    EXPECT_EQ(timing_of(decode(word), record(word)).addresses, addresses) << std::hex << word;
  }
}

}  // namespace
}  // namespace hardclock::mips
