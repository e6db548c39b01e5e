// The registers of a PA-RISC processor as instructions name them: a type for each kind, a number
// for each register, and its place in Registers.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/pa_risc/floating_point_status.h"
#include "isa/pa_risc/registers.h"
#include "sim/timing/pipeline.h"

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

constexpr Resource number(Gpr r) { return gpr_resource(r.n); }
constexpr Resource number(Fpr r) { return fpr_resource(r.n); }
constexpr Resource number(Space r) { return space_resource(r.n); }
constexpr Resource number(Temporary r) { return temporary_resource(r.n); }
constexpr Resource number(ShiftAmount) { return shift_amount_resource; }
constexpr Resource number(Carries) { return carries_resource; }
constexpr Resource number(DivideStep) { return divide_step_resource; }

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

// What a number that is no register's stands for.
struct NoRegister {};
inline std::uint64_t get(const Registers&, NoRegister) { return 0; }
inline void set(Registers&, NoRegister, std::uint64_t) {}

// Calls visit(register) with the register of the number.
template <class Visitor>
auto visit_register(Resource resource, Visitor visit) {
  if (resource < fpr_resource(0)) return visit(Gpr{resource});
  if (resource < fpr_right_resource(0)) return visit(Fpr{resource - unsigned{fpr_resource(0)}});
  if (resource < space_resource(0)) return visit(NoRegister{});
  if (resource < temporary_resource(0)) return visit(Space{resource - unsigned{space_resource(0)}});
  if (resource < shift_amount_resource) {
    return visit(Temporary{resource - unsigned{temporary_resource(0)}});
  }
  switch (resource) {
    case shift_amount_resource:
      return visit(ShiftAmount{});
    case carries_resource:
      return visit(Carries{});
    case divide_step_resource:
      return visit(DivideStep{});
    default:
      return visit(NoRegister{});
  }
}

inline std::uint64_t get(const Registers& registers, Resource resource) {
  return visit_register(resource, [&](auto r) { return get(registers, r); });
}
inline void set(Registers& registers, Resource resource, std::uint64_t v) {
  visit_register(resource, [&](auto r) { set(registers, r, v); });
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
