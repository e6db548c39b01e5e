#include "sim/translator/branch_prediction.h"

#include <cstddef>
#include <cstdint>

#include "sim/timing/two_level_predictor.h"
#include "sim/translator/host_registers.h"

namespace hardclock {

using namespace host;

void emit_prediction(x86::Assembler& a, const BlockSource::Prediction& prediction, bool taken,
                     const asmjit::Label& overruled, const asmjit::Label& otherwise) {
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
  a.lea(x86::rdx, x86::ptr(x86::rdx, x86::rsi, 0, static_cast<std::int32_t>(prediction.counters)));
  a.movzx(x86::ecx, x86::ptr(x86::rdx, 0, 1));
  a.lea(x86::esi, x86::ptr(x86::rsi, x86::rsi, 0, taken ? 1 : 0));
  a.and_(x86::esi, prediction.outcomes);
  a.mov(in_branch(offsetof(Branch, outcomes), 1), x86::sil);
  if (taken) {
    a.cmp(x86::cl, TwoLevelPredictor::strongly_taken);
    a.adc(x86::ptr(x86::rdx, 0, 1), 0);
  } else {
    a.mov(x86::esi, x86::ecx);
    a.neg(x86::esi);
    a.sbb(x86::ptr(x86::rdx, 0, 1), 0);
  }
  a.cmp(x86::cl, TwoLevelPredictor::weakly_taken);
  if (prediction.hint)
    a.jb(overruled);
  else
    a.jae(overruled);
}

}  // namespace hardclock
