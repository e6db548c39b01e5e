// Functions of integers that code computes itself.
#include "sim/translator/floating_match.h"
#include "sim/translator/host_registers.h"
#include "sim/translator/value_emitter.h"
#include "sim/translator/value_kinds.h"

namespace hardclock {

using namespace host;

void ValueEmitter::call(StepIndex index, const asmjit::Label& not_plain) {
  const HostFunction function = function_of(step(index), mode_);
  switch (function) {
    case HostFunction::divide_signed_word:
    case HostFunction::divide_unsigned_word:
    case HostFunction::divide_signed_long:
    case HostFunction::divide_unsigned_long:
      return divide(index, function, not_plain);
    case HostFunction::multiply_signed_long:
    case HostFunction::multiply_unsigned_long:
      return multiply(index, function);
    case HostFunction::leading_zeros_word:
    case HostFunction::leading_zeros_long:
      return count_leading_zeros(index, function);
    default:
      fail();
  }
}

// All temporaries are the caller's then.
void ValueEmitter::operands_in_rax_and_rcx(StepIndex index, bool is_whole) {
  const auto own_operand = [&](std::size_t which) {
    return is_whole ? own_whole(operand(index, which)) : own_low(operand(index, which));
  };
  const Gp first = own_operand(0), second = own_operand(1);
  release(first);
  release(second);
  for (const bool is_taken : is_taken_) {
    if (is_taken) fail();
  }
  is_taken_.fill(true);
  if (first.id() != x86::rcx.id()) {
    if (second.id() != x86::rcx.id()) a_.mov(x86::rcx, second);
    if (first.id() != x86::rax.id()) a_.mov(x86::rax, first);
  } else if (second.id() == x86::rax.id()) {
    a_.xchg(x86::rax, x86::rcx);
  } else {
    a_.mov(x86::rax, first);
    a_.mov(x86::rcx, second);
  }
}

void ValueEmitter::define_result(StepIndex call, std::uint8_t which, Gp reg, bool is_word) {
  for (StepIndex i = call + 1; i < facts_.size(); ++i) {
    const Step& of = step(i);
    if (of.operation != Operation::result || of.operands[0] != call || of.detail != which) continue;
    facts_[i].keeps_word = is_word;
    return define(i, reg);
  }
  release(reg);
}

void ValueEmitter::divide(StepIndex index, HostFunction function, const asmjit::Label& not_plain) {
  const bool is_word = divides_words(function);
  const bool is_signed =
      function == HostFunction::divide_signed_word || function == HostFunction::divide_signed_long;
  operands_in_rax_and_rcx(index, !is_word);
  const auto sized = [&](const Gp& reg) { return is_word ? Gp(reg.r32()) : reg; };
  const Gp quotient = sized(x86::rax), remainder = sized(x86::rdx), divisor = sized(x86::rcx);
  if (is_signed) {
    a_.lea(remainder, x86::ptr(x86::rcx, 1));
    a_.cmp(remainder, 1);
    a_.jbe(not_plain);
    if (is_word)
      a_.cdq(x86::edx, x86::eax);
    else
      a_.cqo(x86::rdx, x86::rax);
    a_.idiv(remainder, quotient, divisor);
  } else {
    a_.test(divisor, divisor);
    a_.jz(not_plain);
    a_.xor_(x86::edx, x86::edx);
    a_.div(remainder, quotient, divisor);
  }
  release(x86::rcx);
  release(x86::rsi);
  define_result(index, 0, x86::rax, is_word);
  define_result(index, 1, x86::rdx, is_word);
}

void ValueEmitter::multiply(StepIndex index, HostFunction function) {
  operands_in_rax_and_rcx(index, true);
  if (function == HostFunction::multiply_signed_long)
    a_.imul(x86::rdx, x86::rax, x86::rcx);
  else
    a_.mul(x86::rdx, x86::rax, x86::rcx);
  release(x86::rcx);
  release(x86::rsi);
  define_result(index, 0, x86::rax, false);
  define_result(index, 1, x86::rdx, false);
}

void ValueEmitter::count_leading_zeros(StepIndex index, HostFunction function) {
  const bool is_word = function == HostFunction::leading_zeros_word;
  const Gp reg = is_word ? own_low(operand(index, 0)) : own_whole(operand(index, 0));
  if (is_word)
    a_.lzcnt(reg.r32(), reg.r32());
  else
    a_.lzcnt(reg, reg);
  define(index, reg);
}

}  // namespace hardclock
