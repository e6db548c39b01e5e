// Functions of four halfwords, as packed words of the host's SSE unit.
#include "sim/translator/host_registers.h"
#include "sim/translator/value_emitter.h"

namespace hardclock {

using namespace host;

namespace {

constexpr x86::Xmm first = x86::xmm0, second = x86::xmm1, third = x86::xmm2;
constexpr std::uint32_t sign_bit = 15;

// What one instruction of the host's does not do; `first` and `second` are the operands, `first`
// the result.
class Halfwords {
 public:
  explicit Halfwords(x86::Assembler& assembler) : a_(assembler) {}

  // Between numbers with a sign, an unsigned one lies as far from the least as it does from 0.
  void add_unsigned() {
    change_signs();
    a_.paddsw(first, second);
    change_signs();
  }
  void subtract_unsigned() {
    change_signs();
    a_.psubsw(first, second);
    change_signs();
  }
  // The host's mean is rounded up.
  void average() {
    a_.pcmpeqw(third, third);
    a_.psrlw(third, sign_bit);
    a_.movaps(x86::xmm3, first);
    a_.pxor(x86::xmm3, second);
    a_.pand(third, x86::xmm3);  // 1: it is not exact
    a_.pavgw(first, second);
    a_.psubw(first, third);
    a_.por(first, third);
  }
  void shift_left_and_add(std::uint32_t count) {
    a_.movaps(third, first);
    a_.psllw(third, count);
    a_.psraw(third, count);
    a_.pcmpeqw(third, first);  // ones: it does not overflow
    a_.pand(second, third);
    for (; count != 0; --count) a_.paddsw(first, first);
    a_.paddsw(first, second);
  }

 private:
  void change_signs() {
    a_.pcmpeqw(third, third);
    a_.psllw(third, sign_bit);
    a_.pxor(first, third);
  }

  x86::Assembler& a_;
};

bool is_of_two(HostFunction function) {
  return function <= HostFunction::shift_right_and_add_halfwords;
}

}  // namespace

std::uint32_t ValueEmitter::constant_operand(StepIndex index, std::size_t which) {
  const Fact& fact = facts_[operand(index, which)];
  if (!fact.is_constant) fail();
  return static_cast<std::uint32_t>(fact.value);
}

void ValueEmitter::halfwords(StepIndex index, HostFunction function) {
  const auto move_to = [&](const x86::Xmm& to, std::size_t which) {
    const Held held = whole(operand(index, which));
    a_.movq(to, held.reg);
    release(held);
  };
  move_to(first, 0);
  if (is_of_two(function)) move_to(second, 1);
  Halfwords of(a_);
  switch (function) {
    case HostFunction::add_halfwords:
      a_.paddw(first, second);
      break;
    case HostFunction::add_halfwords_signed:
      a_.paddsw(first, second);
      break;
    case HostFunction::add_halfwords_unsigned:
      of.add_unsigned();
      break;
    case HostFunction::subtract_halfwords:
      a_.psubw(first, second);
      break;
    case HostFunction::subtract_halfwords_signed:
      a_.psubsw(first, second);
      break;
    case HostFunction::subtract_halfwords_unsigned:
      of.subtract_unsigned();
      break;
    case HostFunction::average_halfwords:
      of.average();
      break;
    case HostFunction::shift_left_and_add_halfwords:
      of.shift_left_and_add(constant_operand(index, 2));
      break;
    case HostFunction::shift_right_and_add_halfwords:
      a_.psraw(first, constant_operand(index, 2));
      a_.paddsw(first, second);
      break;
    case HostFunction::shift_left_halfwords:
      a_.psllw(first, constant_operand(index, 1));
      break;
    case HostFunction::shift_right_halfwords:
      a_.psrlw(first, constant_operand(index, 1));
      break;
    case HostFunction::shift_right_signed_halfwords:
      a_.psraw(first, constant_operand(index, 1));
      break;
    default: {
      constexpr std::uint32_t all_choices = 0xff;  // the host numbers them from the right
      a_.pshuflw(first, first, constant_operand(index, 1) ^ all_choices);
    }
  }
  const Gp result = temporary();
  a_.movq(result, first);
  define(index, result);
}

}  // namespace hardclock
