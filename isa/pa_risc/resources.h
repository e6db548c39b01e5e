// The registers of a PA-RISC processor as instructions name them: a type for each kind, a number
// for each register, and its place in Registers.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/pa_risc/floating_point_status.h"
#include "isa/pa_risc/registers.h"
#include "sim/engine/register_kinds.h"

namespace hardclock::pa_risc {

struct Gpr {
  unsigned n;
};
struct Fpr {  // a doubleword; 0 has the status register and exception register 1
  unsigned n;
};
struct Space {
  unsigned n;
};
struct Temporary {
  unsigned n;
};
struct ShiftAmount {};
struct Carries {};
struct DivideStep {};  // 0 or 1

// General register 0 is 0, whatever is written.
constexpr bool reads_as_zero(Gpr r) { return r.n == 0; }
template <class Register>
constexpr bool reads_as_zero(Register) {
  return false;
}

using NumberedRegisters = RegisterKinds<
    RegisterKind<Gpr, gpr_resource(0), 32>, RegisterKind<Fpr, fpr_resource(0), 32>,
    RegisterKind<Space, space_resource(0), 8>, RegisterKind<Temporary, temporary_resource(0), 8>,
    RegisterKind<ShiftAmount, shift_amount_resource>, RegisterKind<Carries, carries_resource>,
    RegisterKind<DivideStep, divide_step_resource>>;

template <class Register>
constexpr auto number(Register r) -> decltype(NumberedRegisters::number(r)) {
  return NumberedRegisters::number(r);
}

inline std::uint64_t get(const Registers& registers, Gpr r) { return registers.gpr[r.n]; }
inline std::uint64_t get(const Registers& registers, Fpr r) { return registers.fpr[r.n]; }
inline std::uint64_t get(const Registers& registers, Space r) { return registers.space[r.n]; }
inline std::uint64_t get(const Registers& registers, Temporary r) {
  return registers.temporary[r.n];
}
inline std::uint64_t get(const Registers& registers, ShiftAmount) { return registers.shift_amount; }
inline std::uint64_t get(const Registers& registers, Carries) { return registers.carry_bits; }
inline std::uint64_t get(const Registers& registers, DivideStep) {
  return registers.divide_step ? 1 : 0;
}

inline void set(Registers& registers, Gpr r, std::uint64_t v) {
  registers.gpr[r.n] = v;
  registers.gpr[0] = 0;
}
inline void set(Registers& registers, Fpr r, std::uint64_t v) { registers.fpr[r.n] = v; }
inline void set(Registers& registers, Space r, std::uint64_t v) {
  registers.space[r.n] = static_cast<std::uint32_t>(v);
}
inline void set(Registers& registers, Temporary r, std::uint64_t v) {
  registers.temporary[r.n] = v;
}
inline void set(Registers& registers, ShiftAmount, std::uint64_t v) { registers.shift_amount = v; }
inline void set(Registers& registers, Carries, std::uint64_t v) { registers.carry_bits = v; }
inline void set(Registers& registers, DivideStep, std::uint64_t v) {
  registers.divide_step = v != 0;
}

inline std::uint64_t get(const Registers& registers, Resource resource) {
  return NumberedRegisters::visit(resource, [&](auto r) { return get(registers, r); });
}
inline void set(Registers& registers, Resource resource, std::uint64_t v) {
  NumberedRegisters::visit(resource, [&](auto r) { set(registers, r, v); });
}

// A pipeline knows the halves of a floating-point register apart, and of register 0 the compare
// bits and all others.
inline void pipeline_names(Resource resource, std::uint64_t bits, std::vector<Resource>& names) {
  if (resource < fpr_resource(0) || resource >= fpr_right_resource(0)) {
    names.push_back(resource);
    return;
  }
  const unsigned n = resource - unsigned{fpr_resource(0)};
  const std::uint64_t first = n == 0 ? fp::compare_bits : ~std::uint64_t{0xffff'ffff};
  if ((bits & first) != 0) names.push_back(n == 0 ? fp_compare_resource : fpr_left_resource(n));
  if ((bits & ~first) != 0) names.push_back(n == 0 ? fp_status_resource : fpr_right_resource(n));
}

}  // namespace hardclock::pa_risc
