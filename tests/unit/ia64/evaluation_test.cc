// The recording of an instruction means what its body means on the Interpreter: every pattern, with
// random operands, registers, frames and memory, in both orders of data. (The manual that
// semantics.h names says what that is; other tests compare the Interpreter with other sources.)
#include "sim/recording/evaluate.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "isa/ia64/floating_point_memory.h"
#include "isa/ia64/isa.h"
#include "isa/ia64/machine.h"
#include "tests/support/random_choices.h"
#include "tests/unit/engine/evaluation_bench.h"
#include "tests/unit/ia64/evaluated_file.h"
#include "tests/unit/ia64/instances.h"
#include "tests/unit/ia64/slot_texts.h"

namespace hardclock::ia64 {
namespace {

constexpr Settings settings{.level = Level::itanium_9500};

class States : private support::RandomChoices {
 public:
  using Bench = EvaluationBench<Isa, EvaluatedFile>;
  explicit States(std::uint32_t seed) : RandomChoices(seed) {}

  Registers next(Bench& bench, std::uint32_t) {
    Registers registers;
    registers.stack.start(Bench::start + 512, some_frame());
    // Callers' registers, of which some are dirty.
    for (unsigned calls = below(3); calls > 0; --calls) {
      for (unsigned r = 32; registers.stack.is_writable(r) && r < 128; ++r) {
        registers.stack.write(r, number(bench), chance(5));
      }
      registers.pfs = pack_pfs(registers.stack.marker(), 0, 3);
      registers.stack.call();
    }
    for (unsigned r = 1; registers.stack.is_writable(r) && r < 128; ++r) {
      registers.stack.write(r, number(bench), chance(8));
    }
    for (unsigned f = 2; f < 128; ++f) registers.fr[f] = some_float();
    registers.predicates = (std::uint64_t{any_word()} << 32 | any_word()) | 1;
    for (std::uint64_t& b : registers.br) b = number(bench);
    registers.ccv = number(bench);
    registers.csd = corner_doubleword();
    registers.unat = corner_doubleword();
    registers.lc = below(3);
    registers.ec = static_cast<std::uint8_t>(below(4));
    if (chance(40)) registers.fpsr &= ~std::uint64_t{63};
    if (chance(30)) registers.user_mask |= um_be;
    if (chance(20)) registers.user_mask |= um_ac;
    for (unsigned i = below(4); i > 0; --i) {
      registers.alat.insert(registers.stack.alat_register(1 + below(40)), bench.address(), 8);
    }
    registers.set_pc(Bench::pc);
    return registers;
  }

 private:
  FrameMarker some_frame() {
    FrameMarker frame;
    frame.sof = static_cast<std::uint8_t>(below(97));
    frame.sol = static_cast<std::uint8_t>(below(frame.sof + 1u));
    frame.sor = static_cast<std::uint8_t>(8 * below(frame.sof / 8u + 1));
    if (frame.sor != 0) frame.rrb_gr = static_cast<std::uint8_t>(below(frame.sor));
    frame.rrb_fr = static_cast<std::uint8_t>(below(96));
    frame.rrb_pr = static_cast<std::uint8_t>(below(48));
    return frame;
  }
  fp::FpRegister some_float() {
    switch (below(5)) {
      case 0:
        return fp::nat_value;
      case 1:
        return fp::from_double(corner_doubleword());
      case 2:
        return fp::from_single(corner_word());
      case 3:
        return fp::from_significand(corner_doubleword());
      default:
        return {corner_doubleword(), any_word() & 0x1ffff, chance(50)};
    }
  }
  std::uint64_t number(Bench& bench) {
    return bench.number(*this, [&] { return corner_doubleword(); });
  }
};

TEST(Evaluation, IsWhatTheInterpreterDoes) {
  const Isa isa(settings);
  States::Bench bench(isa, Endian::little, 1);
  States states(2);
  support::RandomChoices choices(3);
  for (const Opcode opcode : all_opcodes()) {
    for (const Word word : instances(opcode, 24, 4)) {
      if (decode(word).opcode != opcode) continue;  // another pattern comes first
      const SlotText text = legal_text(word, choices.corner_doubleword() & slot_mask);
      const Isa::Predecoded instruction = isa.predecode(text, States::Bench::pc);
      bench.compare(info(opcode).name, 0, instruction, record(text, settings), states, 16);
      ASSERT_FALSE(testing::Test::HasFailure()) << std::hex << word;
    }
  }
  constexpr TrapKind traps[] = {TrapKind::breakpoint, TrapKind::floating_point,
                                TrapKind::illegal_instruction, TrapKind::memory};
  expect_all_kinds(bench.outcomes(), traps, false);
}

}  // namespace
}  // namespace hardclock::ia64
