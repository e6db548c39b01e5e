// Kinds of operations and constants, as emitters of values tell them apart.
#pragma once

#include <cstdint>

#include "sim/recording/concrete.h"
#include "sim/recording/recording.h"
#include "sim/translator/host_functions.h"

namespace hardclock::host {

inline constexpr std::uint64_t low_word = 0xffff'ffff;

inline bool fits_word(std::uint64_t value) {
  return ConcreteArithmetic::sext32(value) == value;
}
inline bool fits_unsigned_word(std::uint64_t value) {
  return value <= low_word;
}

inline bool is_comparison(Operation operation) {
  return operation >= Operation::eq && operation <= Operation::ltu;
}
inline bool is_shift(Operation operation) {
  return operation >= Operation::shl && operation <= Operation::sar;
}
inline bool is_arithmetic(Operation operation) {
  return operation >= Operation::add && operation <= Operation::xor_;
}
inline bool commutes(Operation operation) {
  return is_arithmetic(operation) && operation != Operation::sub;
}
inline bool divides_words(HostFunction function) {
  return function == HostFunction::divide_signed_word ||
         function == HostFunction::divide_unsigned_word;
}
inline bool is_effect(Operation operation) {
  return operation >= Operation::write_register;
}
inline bool is_access(Operation operation) {
  return operation == Operation::load || operation == Operation::replaced;
}
// Whether translated code may go elsewhere for it, and come back.
inline bool may_leave(Operation operation) {
  switch (operation) {
    case Operation::load:
    case Operation::replaced:
    case Operation::store:
    case Operation::call:
    case Operation::trap_if:
    case Operation::slow_if:
      return true;
    default:
      return false;
  }
}

}  // namespace hardclock::host
