// What the Recorder says an instruction reads and writes, against what can be seen from outside:
// the Interpreter runs each instruction in random states, with one of the registers changed that it
// is said to read, which has to show in the outcome, or all others, which must not. A register that
// differs afterwards is written.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "isa/pa_risc/floating_point_status.h"
#include "tests/support/part_of_cases.h"
#include "tests/unit/pa_risc/instruction_bench.h"

namespace hardclock::pa_risc {
namespace {

constexpr Level level = Level::pa2_0;                             // every pattern can run
constexpr std::uint64_t window = InstructionBench::data + 0x800;  // where memory instructions reach
constexpr std::uint64_t window_size = 256;
constexpr std::uint64_t nowhere = 0x3000'0000;

using Resources = std::set<Resource>;

// Everything that an instruction can change.
struct Outcome {
  Registers registers;
  std::uint64_t after_slot = 0;
  bool nullified = false;
  std::optional<TrapKind> trap;
  std::array<std::uint8_t, window_size> memory{};
};

// What of fr0 is fp_compare_resource; the rest is fp_status_resource.
using fp::compare_bits;

std::uint64_t value_of(const Registers& registers, Resource resource) {
  if (resource < fpr_left_resource(0)) return registers.gpr[resource];
  if (resource < fpr_right_resource(0)) return registers.fpr[resource - fpr_left_resource(0)] >> 32;
  if (resource < space_resource(0)) {
    return registers.fpr[resource - fpr_right_resource(0)] & 0xffff'ffff;
  }
  if (resource < temporary_resource(0)) return registers.space[resource - space_resource(0)];
  if (resource < shift_amount_resource) {
    return registers.temporary[resource - temporary_resource(0)];
  }
  if (resource == shift_amount_resource) return registers.shift_amount;
  if (resource == fp_compare_resource) return registers.fpr[0] & compare_bits;
  if (resource == fp_status_resource) return registers.fpr[0] & ~compare_bits;
  return resource == carries_resource ? registers.carry_bits : registers.divide_step;
}

// The halves of fr0 are two of another kind.
std::vector<Resource> all_resources() {
  std::vector<Resource> all;
  for (Resource r = 1; r <= fp_status_resource; ++r) {
    if (r != fpr_left_resource(0) && r != fpr_right_resource(0)) all.push_back(r);
  }
  return all;
}

bool computes_floating_point(Opcode opcode) {
  const std::string timing = timing_class_name(info(opcode).timing);
  return timing.starts_with("fp_") || timing == "xmpyu";
}

class Subject {
 public:
  Subject(Opcode opcode, InstructionBench& bench, std::uint32_t seed)
      : opcode_(opcode), name_(info(opcode).name), bench_(bench), random_(seed) {
    for (std::uint8_t& byte : bytes_) byte = static_cast<std::uint8_t>(random_());
    const std::string timing = timing_class_name(info(opcode).timing);
    probes_ = timing == "probe";
    const bool has_displacement = timing.starts_with("load") || timing.starts_with("store");
    reaches_memory_ = probes_ || has_displacement;
    // Others come first where patterns overlap.
    while (word_ == 0 || decode(word_).opcode != opcode) {
      const std::uint32_t word = as(opcode, with_distinct_registers(this->word()));
      word_ = as(opcode, without_special_cases(has_displacement ? with_displacement(word) : word));
    }
    predecoded_ = bench.predecode(word_);
  }

  std::uint32_t word() { return static_cast<std::uint32_t>(random_()); }
  std::uint32_t instruction() const { return word_; }
  Recording recording() const { return record(word_, settings_of(level, {})); }
  const std::array<std::uint8_t, window_size>& bytes() const { return bytes_; }

  Outcome run(const Registers& registers) {
    EXPECT_TRUE(bench_.memory().write_bytes(GuestAddr(window), bytes_));
    bench_.registers() = registers;
    bench_.run(predecoded_);
    Outcome outcome;
    if (bench_.trap()) outcome.trap = bench_.trap()->kind;
    outcome.registers = bench_.registers();
    outcome.after_slot = outcome.trap ? 0 : bench_.after_slot();
    outcome.nullified = bench_.nullified();
    EXPECT_TRUE(bench_.memory().read_bytes(GuestAddr(window), outcome.memory));
    return outcome;
  }

  Registers state() {
    Registers registers;
    for (const Resource r : all_resources()) set(registers, r, number());
    if (computes_floating_point(opcode_)) prepare_floating_point(registers);
    // Comparisons need equal operands, and operands equal to an immediate.
    const unsigned r2 = word_ >> 21 & 31, r1 = word_ >> 16 & 31;
    if (below(3) == 0) registers.gpr[r2] = registers.gpr[r1];
    if (below(3) == 0)
      registers.gpr[r2] =
          below(2) == 0 ? low_sign_extended(r1, 5) : low_sign_extended(word_ & 0x7ff, 11);
    if (reaches_memory_) {
      for (const unsigned r : {r2, r1}) set(registers, gpr_resource(r), 0);
    }
    registers.set_pc(InstructionBench::pc);
    return registers;
  }
  // The state with other values in these registers.
  Registers changed(Registers registers, const Resources& resources) {
    for (const Resource r : resources) {
      const std::uint64_t before = value_of(registers, r);
      while (value_of(registers, r) == before) {
        const bool one_bit = below(3) == 0;
        set(registers, r, one_bit ? before ^ std::uint64_t{1} << below(64) : number());
      }
    }
    return registers;
  }

 private:
  std::uint32_t below(std::uint32_t limit) { return word() % limit; }
  // An immediate whose least significant bit is its sign.
  static std::uint64_t low_sign_extended(std::uint32_t field, unsigned bits) {
    const std::uint64_t sign = (field & 1) << (bits - 1);
    return (field >> 1) - sign;
  }

  std::uint32_t with_distinct_registers(std::uint32_t word) {
    const std::uint32_t shift = 8 * below(3);
    return with(with(with(word, field_t, 3 + shift), field_r1, 5 + shift), field_r2, 7 + shift);
  }
  bool is_one_of(std::initializer_list<Opcode> opcodes) const {
    return std::find(opcodes.begin(), opcodes.end(), opcode_) != opcodes.end();
  }
  // 8 bytes, which every size allows, or less than 0.
  std::uint32_t with_displacement(std::uint32_t word) const {
    const bool is_short = name_.ends_with('s') || is_one_of({Opcode::stby, Opcode::stdby});
    constexpr std::uint32_t eight = 8 << 1;
    if (name_.ends_with('x')) return word;
    if (!is_short) {
      constexpr std::uint32_t completers = 0xe;
      const bool has_completers =
          is_one_of({Opcode::ldd, Opcode::std, Opcode::fldd, Opcode::fstd, Opcode::fldw,
                     Opcode::fstw, Opcode::fldw_mod, Opcode::fstw_mod});
      return (word & ~0x3fffu) | eight | (has_completers ? word & completers : 0);
    }
    const bool is_in_r1 = name_.starts_with("ld") || name_.starts_with('f');
    return with(word, is_in_r1 ? field_r1 : field_t, eight | (word >> 31));
  }
  // Nothing that reads what it has no use for, or always traps.
  std::uint32_t without_special_cases(std::uint32_t word) const {
    if (computes_floating_point(opcode_)) return without_special_operands(word);
    if ((word & 7u << 13) == 0) word |= 2 << 13;  // not `never`
    if (name_.ends_with("_tc")) word &= ~(1u << 12);
    if (is_one_of({Opcode::shrpw, Opcode::shrpd})) word &= ~(1u << 5);  // a shift by more than 0
    if (opcode_ == Opcode::mfctl) return with(word, field_r2, 26);
    if (opcode_ == Opcode::mtctl) return with(word, field_r2, control_sar);
    if (opcode_ == Opcode::mtsp) return word & ~(1u << 13);
    return word;
  }

  // A comparison for "equal", a test of the C bit and the newest of the queue, and other registers
  // than the first two operands and the target as third and fourth.
  std::uint32_t without_special_operands(std::uint32_t word) const {
    constexpr Field fr3{13, 3}, ta{11, 5}, ra{6, 5};
    const std::string timing = timing_class_name(info(opcode_).timing);
    if (timing == "fp_cmp") return with(word, field_t, 4);
    if (timing == "fp_test") return with(word, field_t, 17);
    if (timing.starts_with("fp_fused")) return with(word, fr3, 7);
    return timing.starts_with("fp_muladd") ? with(with(word, ta, 10), ra, 12) : word;
  }

  std::uint64_t number() {
    static constexpr std::uint64_t corners[] = {
        0, 1, 0x7fff'ffff, 0x8000'0000, 0xffff'ffff, 0x7fff'ffff'ffff'ffff, ~std::uint64_t{0}};
    const std::uint64_t wide = std::uint64_t{word()} << 32 | word();
    return below(3) == 0 ? corners[below(std::size(corners))] : wide;
  }
  // No exception is enabled or pending, and every so often operands are equal, or of a size that
  // conversions do not saturate.
  void prepare_floating_point(Registers& registers) {
    constexpr std::uint64_t enables = std::uint64_t{0x1f} << fp::enables_shift;
    registers.fpr[0] &= ~(fp::delayed_trap | enables);
    for (unsigned f = 1; f < 32; ++f) {
      if (below(3) == 0) registers.fpr[f] = std::uint64_t{0x4100'0000 | word() >> 8} << 32 | word();
    }
    if (below(3) == 0) registers.fpr[word_ >> 21 & 31] = registers.fpr[word_ >> 16 & 31];
  }
  // A value as the register can hold it. Of memory instructions the base and the index stay within
  // the window, or where nothing is mapped for PROBE.
  void set(Registers& registers, Resource resource, std::uint64_t value) {
    if (resource < fpr_left_resource(0)) {
      registers.gpr[resource] = resource == 0 ? 0 : gpr_value(resource, value);
    } else if (resource < fpr_right_resource(0)) {
      std::uint64_t& f = registers.fpr[resource - fpr_left_resource(0)];
      f = (f & 0xffff'ffff) | value << 32;
    } else if (resource < space_resource(0)) {
      std::uint64_t& f = registers.fpr[resource - fpr_right_resource(0)];
      f = (f & ~std::uint64_t{0xffff'ffff}) | (value & 0xffff'ffff);
    } else if (resource < temporary_resource(0)) {
      registers.space[resource - space_resource(0)] = static_cast<std::uint32_t>(value);
    } else if (resource < shift_amount_resource) {
      registers.temporary[resource - temporary_resource(0)] = value;
    } else if (resource == shift_amount_resource) {
      registers.shift_amount = value & 63;
    } else if (resource == fp_compare_resource) {
      registers.fpr[0] = (registers.fpr[0] & ~compare_bits) | (value & compare_bits);
    } else if (resource == fp_status_resource) {
      registers.fpr[0] = (registers.fpr[0] & compare_bits) | (value & ~compare_bits);
    } else if (resource == carries_resource) {
      registers.carry_bits = value;
    } else {
      registers.divide_step = (value & 1) != 0;
    }
  }
  std::uint64_t gpr_value(Resource resource, std::uint64_t value) {
    if (!reaches_memory_) return value;
    if (resource == (word_ >> 21 & 31)) {
      if (probes_ && below(2) == 0) return nowhere + value % 64;
      const std::uint64_t byte = is_one_of({Opcode::stby, Opcode::stdby}) ? below(8) : 0;
      return window + 64 + below(4) * 16 + byte;
    }
    const bool is_index = name_.ends_with('x') && resource == (word_ >> 16 & 31);
    return is_index ? below(2) * 8 + 8 : value;
  }

  Opcode opcode_;
  std::string name_;
  InstructionBench& bench_;
  std::mt19937 random_;
  std::array<std::uint8_t, window_size> bytes_{};
  std::uint32_t word_ = 0;
  Isa::Predecoded predecoded_;
  bool probes_ = false;
  bool reaches_memory_ = false;
};

// Whether the outcomes show that one of `resources`, the only differences before, was looked at. A
// register that just keeps its value does not show it.
bool shows(const Registers& before_a, const Outcome& a, const Registers& before_b, const Outcome& b,
           const Resources& resources) {
  if (a.after_slot != b.after_slot || a.nullified != b.nullified || a.trap != b.trap ||
      a.memory != b.memory) {
    return true;
  }
  for (const Resource r : all_resources()) {
    const std::uint64_t after_a = value_of(a.registers, r), after_b = value_of(b.registers, r);
    if (after_a == after_b) continue;
    const bool kept = resources.contains(r) && after_a == value_of(before_a, r) &&
                      after_b == value_of(before_b, r);
    if (!kept) return true;
  }
  return false;
}

struct Observed {
  Resources reads;  // of those in the recording
  bool reads_others = false;
  Resources writes;
  bool stores = false;
  bool branches = false;
  bool nullifies = false;
  bool traps = false;
};

Resources as_set(const std::vector<Resource>& resources) {
  return {resources.begin(), resources.end()};
}

void observe(Subject& subject, const Resources& reads, Observed& observed) {
  const Registers before = subject.state();
  const Outcome outcome = subject.run(before);
  observed.stores |= outcome.memory != subject.bytes();
  observed.branches |= !outcome.trap && outcome.after_slot != InstructionBench::pc + 8;
  observed.nullifies |= outcome.nullified;
  observed.traps |= outcome.trap.has_value();
  const auto change_shows = [&](const Resources& resources) {
    const Registers changed = subject.changed(before, resources);
    return shows(before, outcome, changed, subject.run(changed), resources);
  };
  Resources others;
  for (const Resource r : all_resources()) {
    if (value_of(before, r) != value_of(outcome.registers, r)) observed.writes.insert(r);
    if (!reads.contains(r))
      others.insert(r);
    else if (change_shows({r}))
      observed.reads.insert(r);
  }
  observed.reads_others |= change_shows(others);
}

std::string list(const Resources& resources) {
  std::string text;
  for (const Resource r : resources) text += " " + std::to_string(r);
  return text;
}

// A word is exact as a double. The body records the flags, which it does not change.
bool raises_nothing(Opcode opcode) {
  using enum Opcode;
  return opcode == fcnv_w_d || opcode == fcnv_w_d_0e || opcode == fcnv_uw_d ||
         opcode == fcnv_uw_d_0e;
}

TEST(Recorder, NamesWhatAnInstructionReadsAndWrites) {
  InstructionBench bench(level);
  for (std::size_t i = 0; i < opcode_count; i += support::part_of_cases) {
    const auto opcode = static_cast<Opcode>(i);
    for (std::uint32_t seed = 0; seed < 2; ++seed) {
      Subject subject(opcode, bench, info(opcode).match + seed);
      const Recording recording = subject.recording();
      const Resources reads = as_set(recording.reads());
      Observed observed;
      for (int trial = 0; trial < 60; ++trial) observe(subject, reads, observed);
      SCOPED_TRACE(testing::Message()
                   << info(opcode).name << " 0x" << std::hex << subject.instruction());
      EXPECT_EQ(list(reads), list(observed.reads)) << "reads";
      EXPECT_FALSE(observed.reads_others);
      Resources writes = as_set(recording.writes());
      if (raises_nothing(opcode)) writes.erase(fp_status_resource);
      EXPECT_EQ(list(writes), list(observed.writes)) << "writes";
      EXPECT_EQ(recording.has(Operation::store), observed.stores);
      // Of an immediate some conditions never hold.
      EXPECT_TRUE(!observed.branches || recording.has(Operation::branch));
      EXPECT_TRUE(!observed.nullifies || recording.has(Operation::nullify));
      EXPECT_TRUE(!observed.traps || recording.has(Operation::trap) ||
                  recording.has(Operation::trap_if));
    }
  }
}

// The delay slot of an unconditional branch with ,n and what follows a condition TR never take
// place, and the engine can know.
TEST(Recorder, KnowsWhatAlwaysNullifies) {
  const auto always = [](Opcode opcode, std::uint32_t word) {
    return record(as(opcode, word)).always(Operation::nullify);
  };
  for (const Opcode opcode : {Opcode::b_l, Opcode::be, Opcode::bv, Opcode::blr}) {
    EXPECT_TRUE(always(opcode, 2)) << info(opcode).name;
    EXPECT_FALSE(always(opcode, 0)) << info(opcode).name;
  }
  EXPECT_TRUE(always(Opcode::or_, 1 << 12));
  EXPECT_FALSE(always(Opcode::or_, 1 << 13));
}

TEST(Recorder, RegisterZeroIsNeitherReadNorWritten) {
  for (std::size_t i = 0; i < opcode_count; ++i) {
    const Recording recording = record(as(static_cast<Opcode>(i), 0));
    for (const auto& resources : {recording.reads(), recording.writes()}) {
      EXPECT_EQ(std::count(resources.begin(), resources.end(), gpr_resource(0)), 0)
          << info(static_cast<Opcode>(i)).name;
    }
  }
}

}  // namespace
}  // namespace hardclock::pa_risc
