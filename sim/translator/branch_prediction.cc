#include "sim/translator/branch_prediction.h"

#include <cstddef>
#include <cstdint>

#include "sim/timing/two_level_predictor.h"
#include "sim/translator/host_registers.h"

namespace hardclock {

using namespace host;

namespace {

using Condition = x86::CondCode;

constexpr std::int32_t charge_bytes = sizeof(std::uint64_t);

}  // namespace

void emit_prediction(x86::Assembler& a, const BlockSource::Prediction& prediction, bool taken,
                     const asmjit::Label& otherwise) {
  using Branch = TwoLevelPredictor::Branch;
  const auto in_branch = [&](std::size_t offset, std::uint32_t bytes) {
    return x86::ptr(x86::rax, static_cast<std::int32_t>(prediction.branch + offset), bytes);
  };
  a.mov(x86::rax, on_stack(branches_slot));
  a.mov(x86::rdx, on_stack(counters_slot));
  a.mov(x86::rcx, prediction.pc);
  a.cmp(in_branch(offsetof(Branch, pc), 8), x86::rcx);
  a.jne(otherwise);
  a.movzx(x86::esi, in_branch(offsetof(Branch, outcomes), 1));
  const auto counter =
      x86::ptr(x86::rdx, x86::rsi, 0, static_cast<std::int32_t>(prediction.counters), 1);
  a.movzx(x86::ecx, counter);
  if (taken) {
    a.cmp(x86::cl, TwoLevelPredictor::strongly_taken);
    a.adc(counter, 0);
  } else {
    a.cmp(x86::cl, 1);
    a.cmc();
    a.sbb(counter, 0);
  }
  a.lea(x86::esi, x86::ptr(x86::rsi, x86::rsi, 0, taken ? 1 : 0));
  a.and_(x86::esi, prediction.outcomes);
  a.mov(in_branch(offsetof(Branch, outcomes), 1), x86::sil);
}

Condition emit_is_wrong(x86::Assembler& a, bool taken) {
  a.cmp(x86::cl, TwoLevelPredictor::weakly_taken);
  return taken ? Condition::kB : Condition::kAE;
}

void emit_charge(x86::Assembler& a, bool taken, const asmjit::Label& charges) {
  a.lea(x86::rsi, x86::ptr(charges, taken ? 0 : charge_bytes * TwoLevelPredictor::weakly_taken));
  a.sub(budget, x86::ptr(x86::rsi, x86::rcx, 3, 0, charge_bytes));
}

void emit_uncharge(x86::Assembler& a) {
  a.add(budget, x86::ptr(x86::rsi, x86::rcx, 3, 0, charge_bytes));
}

void embed_charges(x86::Assembler& a, std::uint64_t charge) {
  static_assert(TwoLevelPredictor::weakly_taken == 2 && TwoLevelPredictor::strongly_taken == 3);
  for (const std::uint64_t each :
       {charge, charge, std::uint64_t{0}, std::uint64_t{0}, charge, charge})
    a.embedUInt64(each);
}

}  // namespace hardclock
