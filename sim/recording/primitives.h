// What a machine has to offer on which the bodies of instructions run: the interpreter computes,
// the Recorder notes, others translate or explain. An ISA's vocabulary, in which its bodies are
// written, stands on these primitives and on nothing else; so it is written once.
//
// Values have 64 bits, flags are true or false; neither is a C++ number or bool on every machine,
// so a body cannot decide anything with a C++ `if` on them. A register is of a type of the ISA's
// (see isa/*/resources.h); `bits` are those of it that are read or change.
//
// An instruction that traps or faults ends there: what a body says after that is without effect on
// every machine, and bodies go on without asking.
#pragma once

#include <concepts>
#include <cstdint>

#include "sim/memory/fault.h"
#include "sim/recording/trap.h"

namespace hardclock {

inline constexpr std::uint64_t all_bits = ~std::uint64_t{0};

// Arithmetic modulo 2^64: + - * & | ^ ~ << >>, with a number as second operand, too. Shifts are by
// 0 to 63.
template <class P>
concept ArithmeticPrimitives = requires(P m, typename P::Value v, typename P::Flag f,
                                        std::uint64_t (*function)(std::uint64_t)) {
  { m.constant(std::uint64_t{}) } -> std::same_as<typename P::Value>;
  { m.flag(bool{}) } -> std::same_as<typename P::Flag>;
  { m.sext8(v) } -> std::same_as<typename P::Value>;
  { m.sext16(v) } -> std::same_as<typename P::Value>;
  { m.sext32(v) } -> std::same_as<typename P::Value>;
  { m.zext32(v) } -> std::same_as<typename P::Value>;
  { m.sar(v, v) } -> std::same_as<typename P::Value>;
  { m.eq(v, v) } -> std::same_as<typename P::Flag>;
  { m.ne(v, v) } -> std::same_as<typename P::Flag>;
  { m.lt(v, v) } -> std::same_as<typename P::Flag>;
  { m.ltu(v, v) } -> std::same_as<typename P::Flag>;
  { m.not_(f) } -> std::same_as<typename P::Flag>;
  { m.both(f, f) } -> std::same_as<typename P::Flag>;
  { m.select(f, v, v) } -> std::same_as<typename P::Value>;
  { m.bit(f) } -> std::same_as<typename P::Value>;  // 0 or 1
  // A long irregular operation: a pure function of numbers, to one number or an array of them.
  { m.call(function, v) } -> std::same_as<typename P::Value>;
};

template <class P, class Register>
concept Primitives = ArithmeticPrimitives<P> &&
    requires(P m, Register r, typename P::Value v, typename P::Flag f) {
  { m.read(r) } -> std::same_as<typename P::Value>;
  { m.read(r, all_bits) } -> std::same_as<typename P::Value>;
  m.write(r, v);
  m.write(r, v, all_bits);
  m.write_if(f, r, v, all_bits);
  // Of the type's size, zero-extended. A machine that has fewer address bits takes the low ones.
  { m.template load<std::uint32_t>(v) } -> std::same_as<typename P::Value>;
  // 0, without an access, if the flag is not set.
  { m.template load_if<std::uint32_t>(f, v) } -> std::same_as<typename P::Value>;
  m.template store<std::uint32_t>(v, v);
  // Stores if the flag is set; takes the address exceptions of a store anyhow.
  m.template store_if<std::uint32_t>(f, v, v);
  // Memory of which a store will replace a part: no access of its own.
  { m.template replaced<std::uint32_t>(v) } -> std::same_as<typename P::Value>;
  // Whether a program may do this there. Touches no page.
  { m.is_accessible(v, Access::read) } -> std::same_as<typename P::Flag>;
  { m.pc() } -> std::same_as<typename P::Value>;
  // Where control goes when it is not transferred: in a branch, past its delay slot.
  { m.after_slot() } -> std::same_as<typename P::Value>;
  // Cycles since the clock began.
  { m.clock() } -> std::same_as<typename P::Value>;
  // The word of this instruction if the flag is set, or 0.
  { m.instruction_word_if(f) } -> std::same_as<typename P::Value>;
  m.jump(v);  // after the delay slot
  m.branch_if(f, v);
  m.nullify();  // the next instruction does not take place
  m.nullify_if(f);
  m.trap(TrapKind::breakpoint, std::uint32_t{});  // the instruction's whole purpose
  m.trap_if(f, TrapKind::breakpoint, std::uint32_t{});
};

}  // namespace hardclock
