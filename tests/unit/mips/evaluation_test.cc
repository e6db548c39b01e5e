// The recording of an instruction means what its body means on the Interpreter: every pattern, in
// every mode, with random operands, registers and memory. (Price, "MIPS IV Instruction Set", and
// the other sources of semantics.h say what that is; other tests compare the Interpreter with
// them.)
#include "sim/recording/evaluate.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "isa/mips/isa.h"
#include "isa/mips/machine.h"
#include "tests/support/random_choices.h"
#include "tests/unit/decode/mips_instances.h"
#include "tests/unit/engine/evaluation_bench.h"

namespace hardclock::mips {
namespace {

struct Setting {
  const char* name;
  Level level;
  Mode mode;
  Endian order;
  bool fuses_multiply_add = false;
};

constexpr Mode o32{};
constexpr Mode o32_fr{.operation_bits = 32, .address_bits = 32, .fr = true};
constexpr Mode n32{.operation_bits = 64, .address_bits = 32, .fr = true};
constexpr Mode n64{.operation_bits = 64, .address_bits = 64, .fr = true};
constexpr Mode pairs_64{.operation_bits = 64, .address_bits = 64, .fr = false};

constexpr Setting settings[] = {
    {"mips1 o32", Level::mips1, o32, Endian::big},
    {"mips2 o32 little", Level::mips2, o32, Endian::little},
    {"mips3 pairs", Level::mips3, pairs_64, Endian::big},
    {"mips4 n32 fused", Level::mips4, n32, Endian::big, true},
    {"mips32r2 o32 little", Level::mips32r2, o32, Endian::little},
    {"mips32r2 o32 FR", Level::mips32r2, o32_fr, Endian::big},
    {"mips64r2 n32 little", Level::mips64r2, n32, Endian::little},
    {"mips64r2 n64", Level::mips64r2, n64, Endian::big},
    {"mips64r2 n64 little fused", Level::mips64r2, n64, Endian::little, true},
    {"mips64r2 pairs", Level::mips64r2, pairs_64, Endian::big},
};

Chip chip_of(const Setting& setting) {
  Chip chip;
  chip.fpu_revision = 0x0523;
  chip.added = {"rdhwr"};
  chip.fuses_multiply_add = setting.fuses_multiply_add;
  return chip;
}

class States : private support::RandomChoices {
 public:
  using Bench = EvaluationBench<Isa>;
  States(std::uint32_t seed, const Mode& mode) : RandomChoices(seed), mode_(mode) {}

  Registers next(Bench& bench, std::uint32_t word) {
    Registers registers;
    for (unsigned i = 1; i < 32; ++i) registers.gpr[i] = number(bench);
    for (std::uint64_t& f : registers.fpr) f = mode_.fr ? corner_doubleword() : corner_word();
    const unsigned fs = word >> 11 & 31, ft = word >> 16 & 31, rs = word >> 21 & 31;
    if (chance(20)) registers.fpr[ft] = registers.fpr[fs];
    if (chance(20) && rs != 0) registers.gpr[rs] = registers.gpr[ft];
    registers.hi = number(bench);
    registers.lo = number(bench);
    registers.user_local = number(bench);
    registers.fcsr = control();
    registers.processor_revision = 0x0422;
    registers.fpu_revision = 0x0523;
    registers.link_valid = chance(60);
    registers.link_address = chance(60) ? linked(registers, word) : bench.address();
    registers.set_pc(Bench::pc);
    return registers;
  }

 private:
  std::uint64_t number(Bench& bench) {
    return bench.number(*this, [&] {
      const std::uint64_t wide = corner_doubleword();
      if (chance(50)) return wide;
      return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(wide)});
    });
  }
  std::uint64_t linked(const Registers& registers, std::uint32_t word) const {
    const auto offset = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int16_t>(word)});
    const std::uint64_t address = registers.gpr[word >> 21 & 31] + offset;
    return mode_.address_bits == 32 ? address & 0xffff'ffff : address;
  }
  // Enabled exceptions only now and then: they withhold the result.
  std::uint32_t control() {
    constexpr std::uint32_t enables = 0xf80;
    const std::uint32_t any = any_word() & fcsr_writable_mips4;
    return chance(20) ? any : any & ~enables;
  }

  Mode mode_;
};

class Evaluation : public testing::TestWithParam<Setting> {};

std::string name_of(const testing::TestParamInfo<Setting>& tested) {
  std::string name = tested.param.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

TEST_P(Evaluation, IsWhatTheInterpreterDoes) {
  const Setting& setting = GetParam();
  const Chip chip = chip_of(setting);
  const Isa isa(setting.level, setting.mode, chip, setting.order);
  const Settings settings = settings_of(setting.level, setting.mode, chip, setting.order);
  EvaluationBench<Isa> bench(isa, setting.order, 1);
  States states(2, setting.mode);
  for (const Opcode opcode : all_opcodes()) {
    for (const std::uint32_t word : instances(opcode, 12, 3)) {
      const Isa::Predecoded instruction = isa.predecode(word, bench.pc);
      const Recording recording = record(word, settings);
      // Reserved in this setting.
      if (instruction.always_traps && !recording.has(Operation::trap)) continue;
      bench.compare(info(opcode).name, word, instruction, recording, states, 12);
      ASSERT_FALSE(testing::Test::HasFailure());
    }
  }
  constexpr TrapKind traps[] = {TrapKind::system_call,         TrapKind::breakpoint,
                                TrapKind::integer_overflow,    TrapKind::floating_point,
                                TrapKind::illegal_instruction, TrapKind::memory};
  const bool nullifies = setting.level != Level::mips1;
  expect_all_kinds(bench.outcomes(), traps, nullifies);
}

INSTANTIATE_TEST_SUITE_P(Mips, Evaluation, testing::ValuesIn(settings), name_of);

// Each pattern runs in a setting, and all but those that only trap complete there.
TEST(EvaluationSettings, LeaveNoPatternOut) {
  std::set<Opcode> run;
  for (const Setting& setting : settings) {
    const Isa isa(setting.level, setting.mode, chip_of(setting), setting.order);
    for (const Opcode opcode : all_opcodes()) {
      const std::uint32_t word = info(opcode).match;
      const bool only_traps = record(word).has(Operation::trap);
      if (only_traps || !isa.predecode(word, 0).always_traps) run.insert(opcode);
    }
  }
  for (const Opcode opcode : all_opcodes()) EXPECT_TRUE(run.contains(opcode)) << info(opcode).name;
}

}  // namespace
}  // namespace hardclock::mips
