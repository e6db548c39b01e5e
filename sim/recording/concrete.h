// The arithmetic of a machine whose values are numbers: the ArithmeticPrimitives of primitives.h.
#pragma once

#include <cstdint>

#include "sim/base/bits.h"

namespace hardclock {

class ConcreteArithmetic {
 public:
  using Value = std::uint64_t;
  using Flag = bool;

  static Value constant(std::uint64_t value) { return value; }
  static Flag flag(bool value) { return value; }
  static Value sext8(Value v) { return static_cast<Value>(sign_extend(v, 8)); }
  static Value sext16(Value v) { return static_cast<Value>(sign_extend(v, 16)); }
  static Value sext32(Value v) { return static_cast<Value>(sign_extend(v, 32)); }
  static Value zext32(Value v) { return v & 0xffffffff; }
  // Arithmetic shift right of a 64-bit value by 0..63.
  static Value sar(Value v, Value count) {
    return static_cast<Value>(static_cast<std::int64_t>(v) >> count);
  }
  static Flag eq(Value a, Value b) { return a == b; }
  static Flag ne(Value a, Value b) { return a != b; }
  static Flag lt(Value a, Value b) {
    return static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b);
  }
  static Flag ltu(Value a, Value b) { return a < b; }
  static Flag not_(Flag f) { return !f; }
  static Flag both(Flag a, Flag b) { return a && b; }
  static Value select(Flag f, Value a, Value b) { return f ? a : b; }
  static Value bit(Flag f) { return f ? 1 : 0; }
  // A long irregular operation: a pure function of numbers.
  template <class Function, class... Values>
  static auto call(Function function, Values... values) {
    return function(values...);
  }
};

}  // namespace hardclock
