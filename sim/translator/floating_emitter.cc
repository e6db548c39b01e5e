#include "sim/translator/floating_emitter.h"

#include <cstddef>

#include "sim/floating_point/host_arithmetic.h"
#include "sim/translator/floating_status.h"
#include "sim/translator/host_registers.h"

namespace hardclock {

using namespace host;

namespace {

constexpr x86::Xmm result = x86::xmm0, first = x86::xmm1, second = x86::xmm2, third = x86::xmm3;

x86::Mem in_record(std::size_t offset, std::uint32_t bytes) {
  return on_stack(record_slot + static_cast<std::int32_t>(offset), bytes);
}
bool is_from_single(HostFunction function) {
  return function == HostFunction::single_to_word || function == HostFunction::single_to_long;
}
bool is_to_word(HostFunction function) {
  return function == HostFunction::single_to_word || function == HostFunction::double_to_word;
}

}  // namespace

// ---- Registers.
std::optional<x86::Xmm> FloatingEmitter::pin_of(const FloatingRegister& of) const {
  const auto pinned = mode_.floating->pinned;
  for (std::size_t i = 0; i < pinned.size() && i < floating_pins; ++i) {
    if (pinned[i].low != of.low) continue;
    if (of.is_double && pinned[i].high != of.high) continue;
    return floating_pin(i);
  }
  return std::nullopt;
}

void FloatingEmitter::load_pinned() {
  const auto pinned = mode_.floating->pinned;
  for (std::size_t i = 0; i < pinned.size() && i < floating_pins; ++i) {
    load({pinned[i].low, pinned[i].high, true}, floating_pin(i));
  }
}

void FloatingEmitter::load(const FloatingRegister& from, Xmm to) {
  const RegisterPlace low = mode_.place(from.low);
  if (!from.is_double) {
    a_.movss(to, in_context(low, 4));
  } else if (from.is_split()) {
    a_.movss(to, in_context(low, 4));
    a_.pinsrd(to, in_context(mode_.place(from.high), 4), 1);
  } else {
    a_.movsd(to, in_context(low, 8));
  }
}

x86::Xmm FloatingEmitter::read(const FloatingRegister& from, Xmm temporary) {
  if (const auto pin = pin_of(from)) return *pin;
  load(from, temporary);
  return temporary;
}

void FloatingEmitter::write(const FloatingRegister& to, Xmm value) {
  if (!to.is_double) return write_single(to, value);
  const RegisterPlace low = mode_.place(to.low);
  if (to.is_split()) {
    a_.movss(in_context(low, 4), value);
    a_.pextrd(in_context(mode_.place(to.high), 4), value, 1);
  } else {
    a_.movsd(in_context(low, 8), value);
  }
  if (const auto pin = pin_of(to)) a_.movaps(*pin, value);
}

void FloatingEmitter::write_single(const FloatingRegister& to, Xmm value) {
  a_.movss(in_context(mode_.place(to.low), 4), value);
  const auto pinned = mode_.floating->pinned;
  constexpr int to_second_word = 0x10;
  for (std::size_t i = 0; i < pinned.size() && i < floating_pins; ++i) {
    if (pinned[i].low == to.low) a_.movss(floating_pin(i), value);
    if (pinned[i].high == to.low && pinned[i].high != pinned[i].low) {
      a_.insertps(floating_pin(i), value, to_second_word);
    }
  }
}

void FloatingEmitter::written(Resource resource, std::uint64_t bits, Gp value) {
  if (mode_.floating == nullptr) return;
  const auto pinned = mode_.floating->pinned;
  for (std::size_t i = 0; i < pinned.size() && i < floating_pins; ++i) {
    const auto [low, high] = pinned[i];
    if (low != resource && high != resource) continue;
    const bool is_low = bits == 0xffff'ffff;
    if (low == high && bits == ~std::uint64_t{0})
      a_.movq(floating_pin(i), value);
    else if (is_low)
      a_.pinsrd(floating_pin(i), value.r32(), low == resource ? 0 : 1);
    else
      load({low, high, true}, floating_pin(i));
  }
}

void FloatingEmitter::write_split(const FloatingRegister& to, Gp value) {
  if (const auto pin = pin_of(to)) a_.movq(*pin, value);
  a_.mov(in_context(mode_.place(to.low), 4), value.r32());
  a_.shr(value, 32);
  a_.mov(in_context(mode_.place(to.high), 4), value.r32());
}

// ---- Operations.
x86::Mem FloatingEmitter::status() const {
  return in_context(mode_.place(mode_.floating->status), 4);
}

void FloatingEmitter::emit(const FloatingInstruction& of, bool notes_exceptions,
                           const asmjit::Label& not_plain) {
  not_plain_ = not_plain;
  notes_exceptions_ = notes_exceptions;
  if (of.function == HostFunction::none) return write(of.result, read(of.a, result));
  a_.test(status(), static_cast<std::int32_t>(mode_.floating->special));
  a_.jnz(not_plain_);
  switch (of.function) {
    case HostFunction::absolute_single:
    case HostFunction::absolute_double:
    case HostFunction::negate_single:
    case HostFunction::negate_double:
      return change_sign(of);
    case HostFunction::square_root_single:
    case HostFunction::square_root_double:
    case HostFunction::double_to_single:
    case HostFunction::single_to_double:
      return unary(of);
    case HostFunction::word_to_single:
    case HostFunction::word_to_double:
    case HostFunction::long_to_single:
    case HostFunction::long_to_double:
      return to_number(of);
    case HostFunction::single_to_word:
    case HostFunction::double_to_word:
    case HostFunction::single_to_long:
    case HostFunction::double_to_long:
      return to_integer(of);
    case HostFunction::compare_single:
    case HostFunction::compare_double:
      return compare(of);
    case HostFunction::multiply_add_single:
    case HostFunction::multiply_add_double:
      return multiply_add(of);
    default:
      return binary(of);
  }
}

// All NaNs are the interpreter's: instruction sets differ in them.
void FloatingEmitter::leave_if_nan(Xmm value, bool is_double) {
  if (is_double)
    a_.ucomisd(value, value);
  else
    a_.ucomiss(value, value);
  a_.jp(not_plain_);
}

void FloatingEmitter::binary(const FloatingInstruction& of) {
  const Xmm a = read(of.a, first), b = read(of.b, second);
  a_.movaps(result, a);
  switch (of.function) {
    case HostFunction::add_single:
      a_.addss(result, b);
      break;
    case HostFunction::add_double:
      a_.addsd(result, b);
      break;
    case HostFunction::subtract_single:
      a_.subss(result, b);
      break;
    case HostFunction::subtract_double:
      a_.subsd(result, b);
      break;
    case HostFunction::multiply_single:
      a_.mulss(result, b);
      break;
    case HostFunction::multiply_double:
      a_.mulsd(result, b);
      break;
    case HostFunction::divide_single:
      a_.divss(result, b);
      break;
    default:
      a_.divsd(result, b);
  }
  leave_if_nan(result, of.a.is_double);
  note(of, a, b);
  write(of.result, result);
}

// A NaN for a product remains one.
void FloatingEmitter::multiply_add(const FloatingInstruction& of) {
  constexpr std::uint32_t subtracts = 1, negates = 2;
  const bool is_double = of.a.is_double, adds = (of.variant & subtracts) == 0;
  const Xmm a = read(of.a, first), b = read(of.b, second), c = read(of.c, third);
  a_.movaps(result, a);
  if (is_double)
    a_.mulsd(result, b);
  else
    a_.mulss(result, b);
  if (is_double && adds)
    a_.addsd(result, c);
  else if (is_double)
    a_.subsd(result, c);
  else if (adds)
    a_.addss(result, c);
  else
    a_.subss(result, c);
  leave_if_nan(result, is_double);
  note(of, a, b);
  if (notes_exceptions_) {
    const auto last = static_cast<std::uint32_t>(of.function) | of.variant << variant_shift;
    a_.mov(in_record(offsetof(FloatingRecord, last), 4), last);
    if (is_double)
      a_.movsd(in_record(offsetof(FloatingRecord, c), 8), c);
    else
      a_.movss(in_record(offsetof(FloatingRecord, c), 4), c);
  }
  if ((of.variant & negates) != 0) {
    sign_bit(first, is_double);
    a_.xorps(result, first);
  }
  write(of.result, result);
}

void FloatingEmitter::unary(const FloatingInstruction& of) {
  const Xmm a = read(of.a, first);
  a_.xorps(result, result);  // what it held does not matter
  switch (of.function) {
    case HostFunction::square_root_single:
      a_.sqrtss(result, a);
      break;
    case HostFunction::square_root_double:
      a_.sqrtsd(result, a);
      break;
    case HostFunction::double_to_single:
      a_.cvtsd2ss(result, a);
      break;
    default:
      a_.cvtss2sd(result, a);
  }
  leave_if_nan(result, of.result.is_double);
  note(of, a);
  write(of.result, result);
}

void FloatingEmitter::sign_bit(Xmm to, bool is_double) {
  a_.pcmpeqd(to, to);
  if (is_double)
    a_.psllq(to, 63);
  else
    a_.pslld(to, 31);
}

void FloatingEmitter::change_sign(const FloatingInstruction& of) {
  const Xmm a = read(of.a, first);
  leave_if_nan(a, of.a.is_double);
  sign_bit(result, of.a.is_double);
  if (of.function == HostFunction::negate_single || of.function == HostFunction::negate_double)
    a_.xorps(result, a);
  else
    a_.andnps(result, a);
  note(of.function);
  write(of.result, result);
}

void FloatingEmitter::to_number(const FloatingInstruction& of) {
  if (of.a.is_double)
    a_.movq(x86::rax, read(of.a, first));
  else
    a_.movsxd(x86::rax, in_context(mode_.place(of.a.low), 4));
  a_.xorps(result, result);
  if (of.result.is_double)
    a_.cvtsi2sd(result, x86::rax);
  else
    a_.cvtsi2ss(result, x86::rax);
  note(of.function);
  if (notes_exceptions_) a_.mov(in_record(offsetof(FloatingRecord, a), 8), x86::rax);
  write(of.result, result);
}

// The host gives the least integer for what has none.
void FloatingEmitter::to_integer(const FloatingInstruction& of) {
  const Xmm a = read(of.a, first);
  const bool is_word = is_to_word(of.function);
  const Gp integer = is_word ? Gp(x86::eax) : Gp(x86::rax);
  convert_to_integer(of, a, integer);
  a_.cmp(integer, 1);
  a_.jo(not_plain_);
  // Converted, it was an integer already, and exact.
  if (of.rounding > ieee754::toward_zero) round_to_integer(of, a);
  note(of, a);
  if (is_word)
    a_.movd(result, x86::eax);
  else
    a_.movq(result, x86::rax);
  write(of.result, result);
}

void FloatingEmitter::convert_to_integer(const FloatingInstruction& of, Xmm from, Gp to) {
  const bool is_single = is_from_single(of.function);
  if (of.rounding == ieee754::to_nearest) {
    if (is_single)
      a_.cvtss2si(to, from);
    else
      a_.cvtsd2si(to, from);
    return;
  }
  if (of.rounding != ieee754::toward_zero) {
    constexpr int silently = 8;
    const int direction = of.rounding == 2 ? 2 : 1;  // the host's up and down
    if (is_single)
      a_.roundss(result, from, direction | silently);
    else
      a_.roundsd(result, from, direction | silently);
    from = result;
  }
  if (is_single)
    a_.cvttss2si(to, from);
  else
    a_.cvttsd2si(to, from);
}

// Only for its exception.
void FloatingEmitter::round_to_integer(const FloatingInstruction& of, Xmm from) {
  constexpr int down = 1;
  if (is_from_single(of.function))
    a_.roundss(result, from, down);
  else
    a_.roundsd(result, from, down);
}

void FloatingEmitter::compare(const FloatingInstruction& of) {
  constexpr std::uint32_t is_less = 4, is_equal = 2;
  const Xmm a = read(of.a, first), b = read(of.b, second);
  a_.xor_(x86::eax, x86::eax);
  if (of.a.is_double)
    a_.ucomisd(a, b);
  else
    a_.ucomiss(a, b);
  a_.jp(not_plain_);
  const std::uint32_t condition = of.condition & (is_less | is_equal);
  if (condition == (is_less | is_equal))
    a_.setbe(x86::al);
  else if (condition == is_less)
    a_.setb(x86::al);
  else if (condition == is_equal)
    a_.sete(x86::al);
  a_.neg(x86::eax);
  a_.and_(x86::eax, static_cast<std::int32_t>(of.condition_bits));
  a_.mov(x86::ecx, status());
  a_.and_(x86::ecx,
          static_cast<std::int32_t>(~(mode_.floating->last_exceptions | of.condition_bits)));
  a_.or_(x86::eax, x86::ecx);
  a_.mov(status(), x86::eax);
  a_.mov(in_record(offsetof(FloatingRecord, last), 4), 0);
}

// ---- What the last operation was.
void FloatingEmitter::note(HostFunction last) {
  if (!notes_exceptions_) return;
  a_.mov(in_record(offsetof(FloatingRecord, last), 4), static_cast<std::int32_t>(last));
}
void FloatingEmitter::note(const FloatingInstruction& of, Xmm a) {
  if (!notes_exceptions_) return;
  note(of.function);
  if (of.a.is_double)
    a_.movsd(in_record(offsetof(FloatingRecord, a), 8), a);
  else
    a_.movss(in_record(offsetof(FloatingRecord, a), 4), a);
}
void FloatingEmitter::note(const FloatingInstruction& of, Xmm a, Xmm b) {
  if (!notes_exceptions_) return;
  note(of, a);
  if (of.a.is_double)
    a_.movsd(in_record(offsetof(FloatingRecord, b), 8), b);
  else
    a_.movss(in_record(offsetof(FloatingRecord, b), 4), b);
}

}  // namespace hardclock
