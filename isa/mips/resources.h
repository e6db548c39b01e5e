// The registers of a MIPS processor as instructions name them: a type for each kind, a number for
// each register, and its place in Registers.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/mips/registers.h"
#include "sim/engine/register_kinds.h"

namespace hardclock::mips {

struct Gpr {
  unsigned n;
};
struct Fpr {
  unsigned n;
};
struct Hi {};
struct Lo {};
struct Fcsr {};
struct UserLocal {};
struct LinkValid {};  // 0 or 1
struct LinkAddress {};

// GPR 0 is 0, whatever is written.
constexpr bool reads_as_zero(Gpr r) { return r.n == 0; }
template <class Register>
constexpr bool reads_as_zero(Register) {
  return false;
}

using NumberedRegisters =
    RegisterKinds<RegisterKind<Gpr, gpr_resource(0), 32>, RegisterKind<Fpr, fpr_resource(0), 32>,
                  RegisterKind<Hi, hi_resource>, RegisterKind<Lo, lo_resource>,
                  RegisterKind<Fcsr, fcsr_resource>, RegisterKind<UserLocal, user_local_resource>,
                  RegisterKind<LinkValid, link_resource>,
                  RegisterKind<LinkAddress, link_address_resource>>;

template <class Register>
constexpr auto number(Register r) -> decltype(NumberedRegisters::number(r)) {
  return NumberedRegisters::number(r);
}

inline std::uint64_t get(const Registers& registers, Gpr r) { return registers.gpr[r.n]; }
inline std::uint64_t get(const Registers& registers, Fpr r) { return registers.fpr[r.n]; }
inline std::uint64_t get(const Registers& registers, Hi) { return registers.hi; }
inline std::uint64_t get(const Registers& registers, Lo) { return registers.lo; }
inline std::uint64_t get(const Registers& registers, Fcsr) { return registers.fcsr; }
inline std::uint64_t get(const Registers& registers, UserLocal) { return registers.user_local; }
inline std::uint64_t get(const Registers& registers, LinkValid) {
  return registers.link_valid ? 1 : 0;
}
inline std::uint64_t get(const Registers& registers, LinkAddress) { return registers.link_address; }

inline void set(Registers& registers, Gpr r, std::uint64_t v) {
  registers.gpr[r.n] = v;
  registers.gpr[0] = 0;
}
inline void set(Registers& registers, Fpr r, std::uint64_t v) { registers.fpr[r.n] = v; }
inline void set(Registers& registers, Hi, std::uint64_t v) { registers.hi = v; }
inline void set(Registers& registers, Lo, std::uint64_t v) { registers.lo = v; }
inline void set(Registers& registers, Fcsr, std::uint64_t v) {
  registers.fcsr = static_cast<std::uint32_t>(v);
}
inline void set(Registers& registers, UserLocal, std::uint64_t v) { registers.user_local = v; }
inline void set(Registers& registers, LinkValid, std::uint64_t v) { registers.link_valid = v != 0; }
inline void set(Registers& registers, LinkAddress, std::uint64_t v) { registers.link_address = v; }

inline std::uint64_t get(const Registers& registers, Resource resource) {
  return NumberedRegisters::visit(resource, [&](auto r) { return get(registers, r); });
}
inline void set(Registers& registers, Resource resource, std::uint64_t v) {
  NumberedRegisters::visit(resource, [&](auto r) { set(registers, r, v); });
}

// A pipeline knows FCSR's conditions each on its own.
inline void pipeline_names(Resource resource, std::uint64_t bits, std::vector<Resource>& names) {
  if (resource != fcsr_resource) {
    names.push_back(resource);
    return;
  }
  if ((bits & ~std::uint64_t{fcsr_conditions} & 0xffff'ffff) != 0) names.push_back(fcsr_resource);
  for (unsigned cc = 0; cc < fp_conditions; ++cc) {
    if ((bits & fcsr_condition(cc)) != 0) names.push_back(fp_condition_resource(cc));
  }
}

}  // namespace hardclock::mips
