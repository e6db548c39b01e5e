// The primitives of a machine that notes what it is told: running an instruction's body on it makes
// a recording. Its values convert to nothing, so a body that decides something with a C++ `if` on a
// guest value does not compile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "sim/recording/primitives.h"
#include "sim/recording/recording.h"

namespace hardclock {

class RecordingPrimitives {
 public:
  class Value {
   public:
    StepIndex step() const { return step_; }

    friend Value operator+(Value a, Value b) { return a.with(Operation::add, b); }
    friend Value operator-(Value a, Value b) { return a.with(Operation::sub, b); }
    friend Value operator*(Value a, Value b) { return a.with(Operation::mul, b); }
    friend Value operator&(Value a, Value b) { return a.with(Operation::and_, b); }
    friend Value operator|(Value a, Value b) { return a.with(Operation::or_, b); }
    friend Value operator^(Value a, Value b) { return a.with(Operation::xor_, b); }
    friend Value operator<<(Value a, Value b) { return a.with(Operation::shl, b); }
    friend Value operator>>(Value a, Value b) { return a.with(Operation::shr, b); }
    friend Value operator+(Value a, std::uint64_t b) { return a + a.number(b); }
    friend Value operator-(Value a, std::uint64_t b) { return a - a.number(b); }
    friend Value operator*(Value a, std::uint64_t b) { return a * a.number(b); }
    friend Value operator&(Value a, std::uint64_t b) { return b == all_bits ? a : a & a.number(b); }
    friend Value operator|(Value a, std::uint64_t b) { return b == 0 ? a : a | a.number(b); }
    friend Value operator^(Value a, std::uint64_t b) { return a ^ a.number(b); }
    friend Value operator<<(Value a, std::uint64_t b) { return a << a.number(b); }
    friend Value operator>>(Value a, std::uint64_t b) { return a >> a.number(b); }
    friend Value operator~(Value a) { return a ^ all_bits; }

   private:
    friend class RecordingPrimitives;
    Value(RecordingPrimitives* machine, StepIndex step) : machine_(machine), step_(step) {}
    Value with(Operation operation, Value b) const {
      return machine_->add({.operation = operation, .operands = {step_, b.step_}});
    }
    Value number(std::uint64_t value) const { return machine_->constant(value); }

    RecordingPrimitives* machine_;
    StepIndex step_;
  };
  // A truth value; as unusable in a C++ condition as Value.
  class Flag {
   public:
    explicit Flag(Value value) : value_(value) {}
    Value value() const { return value_; }

   private:
    Value value_;
  };

  // `word` is the instruction's. Addresses have the bits of `address_mask`.
  RecordingPrimitives(std::uint32_t word, std::uint64_t address_mask, PipelineNames names)
      : word_(word), address_mask_(address_mask) {
    recording_.pipeline_names = names;
    recording_.steps.reserve(usual_steps);
  }
  RecordingPrimitives(const RecordingPrimitives&) = delete;  // values point back here
  RecordingPrimitives& operator=(const RecordingPrimitives&) = delete;

  const Recording& recording() const { return recording_; }
  // The body has been run.
  Recording take_recording() { return std::move(recording_); }

  // ---- Arithmetic.
  Value constant(std::uint64_t value) {
    return add({.operation = Operation::constant, .immediate = value});
  }
  Flag flag(bool value) { return Flag(constant(value ? 1 : 0)); }
  Value sext8(Value v) { return unary(Operation::sext8, v); }
  Value sext16(Value v) { return unary(Operation::sext16, v); }
  Value sext32(Value v) { return unary(Operation::sext32, v); }
  Value zext32(Value v) { return unary(Operation::zext32, v); }
  Value sar(Value v, Value count) { return v.with(Operation::sar, count); }
  Flag eq(Value a, Value b) { return Flag(a.with(Operation::eq, b)); }
  Flag ne(Value a, Value b) { return Flag(a.with(Operation::ne, b)); }
  Flag lt(Value a, Value b) { return Flag(a.with(Operation::lt, b)); }
  Flag ltu(Value a, Value b) { return Flag(a.with(Operation::ltu, b)); }
  Flag eq(Value a, std::uint64_t b) { return eq(a, constant(b)); }
  Flag ne(Value a, std::uint64_t b) { return ne(a, constant(b)); }
  Flag lt(Value a, std::uint64_t b) { return lt(a, constant(b)); }
  Flag ltu(Value a, std::uint64_t b) { return ltu(a, constant(b)); }
  Flag lt(std::uint64_t a, Value b) { return lt(constant(a), b); }
  Flag not_(Flag f) { return eq(f.value(), std::uint64_t{0}); }
  Flag both(Flag a, Flag b) { return Flag(a.value() & b.value()); }
  Value select(Flag f, Value a, Value b) {
    return add(
        {.operation = Operation::select, .operands = {f.value().step(), a.step(), b.step()}});
  }
  Value bit(Flag f) { return f.value(); }

  // A call yields one value or an array of them, as the function does.
  template <class Result, class... Numbers, class... Values>
  auto call(Result (*function)(Numbers...), Values... values) {
    static_assert(sizeof...(Numbers) == sizeof...(Values));
    static_assert(sizeof...(Values) <= std::tuple_size_v<decltype(Step::operands)>);
    const Value called = add({.operation = Operation::call,
                              .operands = {values.step()...},
                              .callee = reinterpret_cast<Function*>(function),
                              .signature = &signature_of<Result, Numbers...>});
    if constexpr (std::is_same_v<Result, std::uint64_t>)
      return called;
    else
      return results(called, std::make_index_sequence<std::tuple_size_v<Result>>{});
  }

  // ---- Registers. The ISA numbers them: number(register), and says which reads_as_zero(register).
  template <class Register>
  Value read(Register which, std::uint64_t bits = all_bits) {
    if (reads_as_zero(which)) return constant(0);
    return add(
        {.operation = Operation::read_register, .resource = number(which), .immediate = bits});
  }
  template <class Register>
  void write(Register which, Value v, std::uint64_t bits = all_bits) {
    write_register(unconditional, which, v, bits);
  }
  template <class Register>
  void write_if(Flag condition, Register which, Value v, std::uint64_t bits = all_bits) {
    write_register(condition.value().step(), which, v, bits);
  }

  // ---- Memory.
  template <class T>
  Value load(Value address) {
    return load(sizeof(T), address, unconditional);
  }
  template <class T>
  Value load_if(Flag condition, Value address) {
    return load(sizeof(T), address, condition.value().step());
  }
  template <class T>
  Value replaced(Value address) {
    return access(Operation::replaced, address, sizeof(T));
  }
  template <class T>
  void store(Value address, Value v) {
    store(sizeof(T), address, v, unconditional);
  }
  template <class T>
  void store_if(Flag condition, Value address, Value v) {
    store(sizeof(T), address, v, condition.value().step());
  }
  Flag is_accessible(Value address, Access how) {
    return Flag(access(Operation::is_accessible, address, static_cast<std::uint8_t>(how)));
  }
  std::uint64_t address_mask() const { return address_mask_; }

  // ---- What an ISA does to its registers as a whole.
  Value transform(std::uint8_t which, Value a, Value b) {
    return add(
        {.operation = Operation::transform, .detail = which, .operands = {a.step(), b.step()}});
  }

  // ---- Control.
  Value pc() { return add({.operation = Operation::program_counter}); }
  Value after_slot() { return add({.operation = Operation::after_slot}); }
  Value clock() { return add({.operation = Operation::clock}); }
  Value instruction_word_if(Flag condition) {
    return select(condition, constant(word_), constant(0));
  }
  void branch_if(Flag condition, Value target) {
    const Value address = target & address_mask_;
    add({.operation = Operation::branch, .operands = {condition.value().step(), address.step()}});
  }
  void jump(Value target) { branch_if(flag(true), target); }
  void end_unless(Flag condition) {
    add({.operation = Operation::end_unless, .operands = {condition.value().step()}});
  }
  void nullify_if(Flag condition) {
    add({.operation = Operation::nullify, .operands = {condition.value().step()}});
  }
  void nullify() { nullify_if(flag(true)); }
  void trap_if(Flag condition, TrapKind kind, std::uint32_t code = 0) {
    add({.operation = Operation::trap_if,
         .detail = static_cast<std::uint8_t>(kind),
         .operands = {condition.value().step()},
         .immediate = code});
  }
  void mark_slow_if(Flag condition) {
    add({.operation = Operation::slow_if, .operands = {condition.value().step()}});
  }
  void trap(TrapKind kind, std::uint32_t code) {
    add({.operation = Operation::trap,
         .detail = static_cast<std::uint8_t>(kind),
         .immediate = code});
  }

 private:
  static constexpr std::size_t usual_steps = 16;

  Value add(const Step& step) {
    recording_.steps.push_back(step);
    return Value(this, static_cast<StepIndex>(recording_.steps.size() - 1));
  }
  Value unary(Operation operation, Value v) {
    return add({.operation = operation, .operands = {v.step()}});
  }
  Value access(Operation operation, Value address, std::uint8_t detail) {
    const Value masked = address & address_mask_;
    return add({.operation = operation, .detail = detail, .operands = {masked.step()}});
  }
  Value load(std::uint8_t bytes, Value address, StepIndex condition) {
    const Value masked = address & address_mask_;
    return add(
        {.operation = Operation::load, .detail = bytes, .operands = {masked.step(), condition}});
  }
  void store(std::uint8_t bytes, Value address, Value v, StepIndex condition) {
    const Value masked = address & address_mask_;
    add({.operation = Operation::store,
         .detail = bytes,
         .operands = {masked.step(), v.step(), condition}});
  }
  template <class Register>
  void write_register(StepIndex condition, Register which, Value v, std::uint64_t bits) {
    if (reads_as_zero(which)) return;
    add({.operation = Operation::write_register,
         .resource = number(which),
         .operands = {v.step(), condition},
         .immediate = bits});
  }
  template <std::size_t... I>
  std::array<Value, sizeof...(I)> results(Value called, std::index_sequence<I...>) {
    return {add({.operation = Operation::result, .detail = I, .operands = {called.step()}})...};
  }

  template <class Result, class... Numbers>
  static void call_as(Function* function, const std::uint64_t* arguments, std::uint64_t* results) {
    const auto typed = reinterpret_cast<Result (*)(Numbers...)>(function);
    const Result result = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return typed(arguments[I]...);
    }
    (std::index_sequence_for<Numbers...>{});
    if constexpr (std::is_same_v<Result, std::uint64_t>)
      results[0] = result;
    else
      for (std::size_t i = 0; i < result.size(); ++i) results[i] = result[i];
  }
  template <class Result>
  static constexpr std::uint8_t result_count() {
    if constexpr (std::is_same_v<Result, std::uint64_t>)
      return 1;
    else
      return std::tuple_size_v<Result>;
  }
  template <class Result, class... Numbers>
  static constexpr Signature signature_of = {sizeof...(Numbers), result_count<Result>(),
                                             call_as<Result, Numbers...>};

  Recording recording_;
  std::uint32_t word_;
  std::uint64_t address_mask_;
};

}  // namespace hardclock
