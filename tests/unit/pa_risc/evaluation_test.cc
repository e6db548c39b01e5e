// The recording of an instruction means what its body means on the Interpreter: every pattern, at
// every level, with random operands, registers and memory. (The manuals that semantics.h names say
// what that is; other tests compare the Interpreter with them.)
#include "sim/recording/evaluate.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "isa/pa_risc/floating_point_status.h"
#include "isa/pa_risc/isa.h"
#include "isa/pa_risc/machine.h"
#include "tests/support/random_choices.h"
#include "tests/unit/engine/evaluation_bench.h"
#include "tests/unit/pa_risc/instances.h"

namespace hardclock::pa_risc {
namespace {

struct Setting {
  const char* name;
  Level level;
  Mode mode;
};

constexpr Setting settings[] = {
    {"pa1_0", Level::pa1_0, {}},
    {"pa1_1", Level::pa1_1, {}},
    {"pa2_0", Level::pa2_0, {}},
    {"pa2_0_wide", Level::pa2_0, {.wide = true}},
};

class States : private support::RandomChoices {
 public:
  using Bench = EvaluationBench<Isa>;
  States(std::uint32_t seed, const Settings& settings) : RandomChoices(seed), settings_(settings) {}

  Registers next(Bench& bench, std::uint32_t word) {
    Registers registers;
    for (unsigned i = 1; i < 32; ++i) registers.gpr[i] = number(bench) & settings_.register_mask();
    for (std::uint64_t& f : registers.fpr) f = corner_doubleword();
    const unsigned r1 = word >> 16 & 31, r2 = word >> 21 & 31;
    if (chance(20) && r2 != 0) registers.gpr[r2] = registers.gpr[r1];
    if (chance(20)) registers.fpr[r2] = registers.fpr[r1];
    // A delayed trap only now and then: it comes first. Enabled exceptions, too.
    constexpr std::uint64_t enables = std::uint64_t{31} << fp::enables_shift;
    if (chance(85)) registers.fpr[0] &= ~fp::delayed_trap;
    if (chance(70)) registers.fpr[0] &= ~enables;
    for (std::uint32_t& space : registers.space) space = corner_word();
    for (std::uint64_t& t : registers.temporary) t = number(bench) & settings_.register_mask();
    registers.shift_amount = any_word() & settings_.shift_amount_mask();
    registers.carry_bits = corner_doubleword() & settings_.carries_mask();
    registers.divide_step = chance(50);
    registers.set_pc(Bench::pc);
    return registers;
  }

 private:
  std::uint64_t number(Bench& bench) {
    return bench.number(*this, [&] { return corner_doubleword(); });
  }

  Settings settings_;
};

class Evaluation : public testing::TestWithParam<Setting> {};

TEST_P(Evaluation, IsWhatTheInterpreterDoes) {
  const Setting& setting = GetParam();
  const Isa isa(setting.level, setting.mode);
  const Settings settings = settings_of(setting.level, setting.mode);
  EvaluationBench<Isa> bench(isa, Endian::big, 1);
  States states(2, settings);
  for (const Opcode opcode : all_opcodes()) {
    if (!available(opcode, setting.level)) continue;
    for (const std::uint32_t word : instances(opcode, 24, 3)) {
      if (decode(word).opcode != opcode) continue;  // another pattern comes first
      const Isa::Predecoded instruction = isa.predecode(word, bench.pc);
      const Recording recording = record(word, settings);
      bench.compare(info(opcode).name, word, instruction, recording, states, 16);
      ASSERT_FALSE(testing::Test::HasFailure());
    }
  }
  constexpr TrapKind traps[] = {TrapKind::breakpoint,          TrapKind::conditional_trap,
                                TrapKind::integer_overflow,    TrapKind::floating_point,
                                TrapKind::illegal_instruction, TrapKind::memory};
  expect_all_kinds(bench.outcomes(), traps, true);
}

INSTANTIATE_TEST_SUITE_P(PaRisc, Evaluation, testing::ValuesIn(settings),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(EvaluationSettings, LeaveNoPatternOut) {
  std::set<Opcode> run;
  for (const Setting& setting : settings) {
    for (const Opcode opcode : all_opcodes()) {
      if (available(opcode, setting.level)) run.insert(opcode);
    }
  }
  for (const Opcode opcode : all_opcodes()) EXPECT_TRUE(run.contains(opcode)) << info(opcode).name;
}

}  // namespace
}  // namespace hardclock::pa_risc
