#include "sim/translator/floating_emitter.h"

#include <algorithm>
#include <bit>
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
bool is_from_unsigned(HostFunction function) {
  return function == HostFunction::unsigned_word_to_single ||
         function == HostFunction::unsigned_word_to_double;
}
bool is_to_word(HostFunction function) {
  return function == HostFunction::single_to_word || function == HostFunction::double_to_word;
}

}  // namespace

// ---- Registers.
std::optional<x86::Xmm> FloatingEmitter::pin_of(const FloatingRegister& of) const {
  const auto pinned = mode_.floating->pinned;
  for (std::size_t i = 0; i < pinned.size() && i < floating_pins && !of.is_zero; ++i) {
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

x86::Mem FloatingEmitter::word_of(const FloatingRegister& single) const {
  return in_context(mode_.place(single.low), 4, single.is_high ? 4 : 0);
}

void FloatingEmitter::load(const FloatingRegister& from, Xmm to) {
  if (from.is_zero) {
    a_.xorps(to, to);
  } else if (!from.is_double) {
    a_.movss(to, word_of(from));
  } else if (from.is_split()) {
    a_.movss(to, in_context(mode_.place(from.low), 4));
    a_.pinsrd(to, in_context(mode_.place(from.high), 4), 1);
  } else {
    a_.movsd(to, in_context(mode_.place(from.low), 8));
  }
}

x86::Xmm FloatingEmitter::read(const FloatingRegister& from, Xmm temporary) {
  const auto pin = pin_of(from);
  if (pin && !from.is_high) return *pin;
  if (pin)
    a_.movshdup(temporary, *pin);
  else
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
  a_.movss(word_of(to), value);
  const auto pinned = mode_.floating->pinned;
  constexpr int to_second_word = 0x10;
  for (std::size_t i = 0; i < pinned.size() && i < floating_pins; ++i) {
    const bool is_split = pinned[i].high != pinned[i].low;
    if (pinned[i].low == to.low && !to.is_high) a_.movss(floating_pin(i), value);
    if (pinned[i].high == to.low && (is_split || to.is_high)) {
      a_.insertps(floating_pin(i), value, to_second_word);
    }
  }
}

bool FloatingEmitter::is_pinned(Resource resource) const {
  if (mode_.floating == nullptr) return false;
  const auto pinned =
      mode_.floating->pinned.first(std::min(mode_.floating->pinned.size(), floating_pins));
  return std::any_of(pinned.begin(), pinned.end(), [resource](const auto& each) {
    return each.low == resource || each.high == resource;
  });
}

void FloatingEmitter::written(Resource resource, std::uint64_t bits, Gp value) {
  if (mode_.floating == nullptr) return;
  const auto pinned = mode_.floating->pinned;
  for (std::size_t i = 0; i < pinned.size() && i < floating_pins; ++i) {
    const auto [low, high] = pinned[i];
    if (low != resource && high != resource) continue;
    const bool is_low = bits == low_word;
    if (low == high && bits == ~std::uint64_t{0})
      a_.movq(floating_pin(i), value);
    else if (low == high && bits == ~low_word)
      a_.pinsrd(floating_pin(i), value.r32(), 1);
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
  return in_context(mode_.floating->status_place, 4);
}

void FloatingEmitter::emit(const FloatingInstruction& of, bool notes_exceptions,
                           const asmjit::Label& not_plain) {
  not_plain_ = not_plain;
  notes_exceptions_ = notes_exceptions && mode_.floating->last_exceptions != 0;
  if (of.function == HostFunction::none) return write(of.result, read(of.a, result));
  a_.test(status(), static_cast<std::int32_t>(mode_.floating->special));
  a_.jnz(not_plain_);
  if (of.beside) return two_at_once(of);
  switch (of.function) {
    case HostFunction::absolute_single:
    case HostFunction::absolute_double:
    case HostFunction::negate_single:
    case HostFunction::negate_double:
      return change_sign(of);
    case HostFunction::copy_bits:
    case HostFunction::clear_sign_single:
    case HostFunction::clear_sign_double:
    case HostFunction::change_sign_single:
    case HostFunction::change_sign_double:
    case HostFunction::set_sign_single:
    case HostFunction::set_sign_double:
      return move_bits(of);
    case HostFunction::square_root_single:
    case HostFunction::square_root_double:
    case HostFunction::double_to_single:
    case HostFunction::single_to_double:
    case HostFunction::reciprocal_single:
    case HostFunction::reciprocal_double:
    case HostFunction::reciprocal_root_single:
    case HostFunction::reciprocal_root_double:
    case HostFunction::to_integral_single:
    case HostFunction::to_integral_double:
      return unary(of);
    case HostFunction::word_to_single:
    case HostFunction::word_to_double:
    case HostFunction::long_to_single:
    case HostFunction::long_to_double:
    case HostFunction::unsigned_word_to_single:
    case HostFunction::unsigned_word_to_double:
      return to_number(of);
    case HostFunction::single_to_word:
    case HostFunction::double_to_word:
    case HostFunction::single_to_long:
    case HostFunction::double_to_long:
      return to_integer(of);
    case HostFunction::compare_single:
    case HostFunction::compare_double:
    case HostFunction::compare_into_queue_single:
    case HostFunction::compare_into_queue_double:
      return compare(of);
    case HostFunction::multiply_add_single:
    case HostFunction::multiply_add_double:
      return multiply_add(of);
    case HostFunction::fused_multiply_add_single:
    case HostFunction::fused_multiply_add_double:
      return fused_multiply_add(of);
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

void FloatingEmitter::binary(const FloatingOperation& of) {
  const Xmm a = read(of.a, first), b = read(of.b, second);
  compute_binary(of, a, b);
  note(of, a, b);
  write(of.result, result);
}

void FloatingEmitter::compute_binary(const FloatingOperation& of, Xmm a, Xmm b) {
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
}

// If the second is not plain, the first is done again: it has the same exceptions.
void FloatingEmitter::two_at_once(const FloatingInstruction& of) {
  const FloatingOperation& other = *of.beside;
  compute_binary(of, read(of.a, first), read(of.b, second));
  a_.movaps(third, result);
  compute_binary(other, read(other.a, first), read(other.b, second));
  write(of.result, third);
  write(other.result, result);
}

// A NaN for a product remains one.
void FloatingEmitter::multiply_add(const FloatingOperation& of) {
  constexpr std::uint32_t subtracts = 1, negates = 2, fused = 4;
  const bool is_double = of.a.is_double;
  const Xmm a = read(of.a, first), b = read(of.b, second), c = read(of.c, third);
  a_.movaps(result, a);
  if ((of.variant & fused) != 0) {
    compute_fused(b, c, is_double, (of.variant & subtracts) != 0);
  } else {
    if (is_double)
      a_.mulsd(result, b);
    else
      a_.mulss(result, b);
    compute_sum(c, is_double, (of.variant & subtracts) != 0);
  }
  leave_if_nan(result, is_double);
  note(of, a, b);
  if (notes_exceptions_) {
    note(static_cast<std::uint32_t>(of.function) | of.variant << variant_shift);
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

void FloatingEmitter::compute_sum(Xmm c, bool is_double, bool subtracts) {
  if (is_double && subtracts)
    a_.subsd(result, c);
  else if (is_double)
    a_.addsd(result, c);
  else if (subtracts)
    a_.subss(result, c);
  else
    a_.addss(result, c);
}

void FloatingEmitter::compute_fused(Xmm b, Xmm c, bool is_double, bool subtracts) {
  if (is_double && subtracts)
    a_.vfmsub213sd(result, b, c);
  else if (is_double)
    a_.vfmadd213sd(result, b, c);
  else if (subtracts)
    a_.vfmsub213ss(result, b, c);
  else
    a_.vfmadd213ss(result, b, c);
}

void FloatingEmitter::fused_multiply_add(const FloatingOperation& of) {
  constexpr std::uint32_t negates = 2;
  const Xmm a = read(of.a, first), b = read(of.b, second), c = read(of.c, third);
  a_.movaps(result, a);
  const bool is_double = of.a.is_double, is_negated = (of.variant & negates) != 0;
  if (is_double && is_negated)
    a_.vfnmadd213sd(result, b, c);
  else if (is_double)
    a_.vfmadd213sd(result, b, c);
  else if (is_negated)
    a_.vfnmadd213ss(result, b, c);
  else
    a_.vfmadd213ss(result, b, c);
  leave_if_nan(result, is_double);
  write(of.result, result);
}

void FloatingEmitter::unary(const FloatingOperation& of) {
  constexpr int to_nearest = 0;
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
    case HostFunction::reciprocal_single:
    case HostFunction::reciprocal_double:
      divide_one(a, of.a.is_double);
      break;
    case HostFunction::reciprocal_root_single:
      a_.sqrtss(second, a);
      divide_one(second, false);
      break;
    case HostFunction::reciprocal_root_double:
      a_.sqrtsd(second, a);
      divide_one(second, true);
      break;
    case HostFunction::to_integral_single:
      a_.roundss(result, a, to_nearest);
      break;
    case HostFunction::to_integral_double:
      a_.roundsd(result, a, to_nearest);
      break;
    default:
      a_.cvtss2sd(result, a);
  }
  leave_if_nan(result, of.result.is_double);
  note(of, a);
  write(of.result, result);
}

void FloatingEmitter::divide_one(Xmm by, bool is_double) {
  if (is_double) {
    a_.mov(x86::rax, std::bit_cast<std::uint64_t>(1.0));
    a_.movq(result, x86::rax);
    a_.divsd(result, by);
  } else {
    a_.mov(x86::eax, std::bit_cast<std::uint32_t>(1.0f));
    a_.movd(result, x86::eax);
    a_.divss(result, by);
  }
}

void FloatingEmitter::sign_bit(Xmm to, bool is_double) {
  a_.pcmpeqd(to, to);
  if (is_double)
    a_.psllq(to, 63);
  else
    a_.pslld(to, 31);
}

void FloatingEmitter::change_sign(const FloatingOperation& of) {
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

void FloatingEmitter::move_bits(const FloatingOperation& of) {
  const Xmm a = read(of.a, first);
  if (of.function == HostFunction::copy_bits) return write(of.result, a);
  sign_bit(result, of.a.is_double);
  switch (of.function) {
    case HostFunction::clear_sign_single:
    case HostFunction::clear_sign_double:
      a_.andnps(result, a);
      break;
    case HostFunction::set_sign_single:
    case HostFunction::set_sign_double:
      a_.orps(result, a);
      break;
    default:
      a_.xorps(result, a);
  }
  write(of.result, result);
}

void FloatingEmitter::to_number(const FloatingOperation& of) {
  load_integer(of);
  a_.xorps(result, result);
  if (of.result.is_double)
    a_.cvtsi2sd(result, x86::rax);
  else
    a_.cvtsi2ss(result, x86::rax);
  note(of.function);
  if (notes_exceptions_) a_.mov(in_record(offsetof(FloatingRecord, a), 8), x86::rax);
  write(of.result, result);
}

void FloatingEmitter::load_integer(const FloatingOperation& of) {
  if (of.a.is_zero)
    a_.xor_(x86::eax, x86::eax);
  else if (of.a.is_double)
    a_.movq(x86::rax, read(of.a, first));
  else if (is_from_unsigned(of.function))
    a_.mov(x86::eax, word_of(of.a));
  else
    a_.movsxd(x86::rax, word_of(of.a));
}

// The host gives the least integer for what has none.
void FloatingEmitter::to_integer(const FloatingOperation& of) {
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

void FloatingEmitter::convert_to_integer(const FloatingOperation& of, Xmm from, Gp to) {
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
void FloatingEmitter::round_to_integer(const FloatingOperation& of, Xmm from) {
  constexpr int down = 1;
  if (is_from_single(of.function))
    a_.roundss(result, from, down);
  else
    a_.roundsd(result, from, down);
}

void FloatingEmitter::compare(const FloatingOperation& of) {
  const Xmm a = read(of.a, first), b = read(of.b, second);
  a_.xor_(x86::eax, x86::eax);
  if (of.a.is_double)
    a_.ucomisd(a, b);
  else
    a_.ucomiss(a, b);
  a_.jp(not_plain_);
  set_if(of.relations, x86::al);
  a_.mov(x86::ecx, status());
  if (of.condition_bits != 0)
    set_condition(of.condition_bits);
  else
    move_queue();
  a_.or_(x86::eax, x86::ecx);
  a_.mov(status(), x86::eax);
  if (mode_.floating->last_exceptions != 0) {
    a_.mov(in_record(offsetof(FloatingRecord, last), 4), 0);
  }
}

// By the host's flags; `flag` is 0.
void FloatingEmitter::set_if(const Relations& relations, Gp flag) {
  const auto [less, equal, greater] = relations;
  if (less && equal && greater)
    a_.mov(flag, 1);
  else if (less && equal)
    a_.setbe(flag);
  else if (less && greater)
    a_.setne(flag);
  else if (equal && greater)
    a_.setae(flag);
  else if (less)
    a_.setb(flag);
  else if (equal)
    a_.sete(flag);
  else if (greater)
    a_.seta(flag);
}

// eax: from 0 or 1 to the bits; ecx: the status, to what it keeps.
void FloatingEmitter::set_condition(std::uint32_t bits) {
  a_.neg(x86::eax);
  a_.and_(x86::eax, static_cast<std::int32_t>(bits));
  a_.and_(x86::ecx, static_cast<std::int32_t>(~(mode_.floating->last_exceptions | bits)));
}

// The same with the newest result, and the queue.
void FloatingEmitter::move_queue() {
  const FloatingMode::Queue& queue = mode_.floating->queue;
  const int latest = std::countr_zero(queue.latest), next = std::countr_zero(queue.newest_other);
  a_.shl(x86::eax, latest);
  a_.mov(x86::edx, x86::ecx);
  a_.shr(x86::edx, 1);
  a_.and_(x86::edx, static_cast<std::int32_t>(queue.others & ~queue.newest_other));
  a_.mov(x86::esi, x86::ecx);
  a_.shr(x86::esi, latest - next);
  a_.and_(x86::esi, static_cast<std::int32_t>(queue.newest_other));
  a_.and_(x86::ecx, static_cast<std::int32_t>(~(queue.latest | queue.others)));
  a_.or_(x86::edx, x86::esi);
  a_.or_(x86::ecx, x86::edx);
}

// ---- What the last operation was.
void FloatingEmitter::note(std::uint32_t last) {
  if (!notes_exceptions_) return;
  a_.mov(in_record(offsetof(FloatingRecord, last), 4), last);
}
void FloatingEmitter::note(const FloatingOperation& of, Xmm a) {
  if (!notes_exceptions_) return;
  note(of.function);
  if (of.a.is_double)
    a_.movsd(in_record(offsetof(FloatingRecord, a), 8), a);
  else
    a_.movss(in_record(offsetof(FloatingRecord, a), 4), a);
}
void FloatingEmitter::note(const FloatingOperation& of, Xmm a, Xmm b) {
  if (!notes_exceptions_) return;
  note(of, a);
  if (of.a.is_double)
    a_.movsd(in_record(offsetof(FloatingRecord, b), 8), b);
  else
    a_.movss(in_record(offsetof(FloatingRecord, b), 4), b);
}

}  // namespace hardclock
