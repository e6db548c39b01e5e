// The registers of an IA-64 processor as instructions name them: a type for each kind, a number for
// each register, and its place in Registers. Numbers are those of the instruction, before rotation
// and the register stack rename them.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "isa/ia64/registers.h"
#include "sim/engine/register_kinds.h"

namespace hardclock::ia64 {

struct Gr {
  unsigned n;
};
struct GrNat {  // 0 or 1
  unsigned n;
};
struct FrSignificand {
  unsigned n;
};
struct FrSignExponent {  // the sign in bit 17, as getf.exp has it
  unsigned n;
};
struct Predicates {};  // bit n is p<n>
struct Br {
  unsigned n;
};
// Application registers that are mere numbers.
struct Kernel {
  unsigned n;
};
struct Ia32 {
  unsigned n;
};
struct Csd {};
struct Ssd {};
struct Ccv {};
struct Unat {};
struct Fpsr {};
struct Pfs {};
struct Lc {};
struct Ec {};
struct UserMask {};
struct IsrCode {};
// What the register stack says; instructions change it by Transform.
struct Marker {};  // CFM, as pack() has it
struct Rsc {};
struct Bsp {};
struct Bspstore {};
struct Rnat {};

// Numbers of registers, as recordings have them.
inline constexpr Resource gr_resource(unsigned n) { return static_cast<Resource>(n); }
inline constexpr Resource nat_resource(unsigned n) { return static_cast<Resource>(128 + n); }
inline constexpr Resource significand_resource(unsigned n) {
  return static_cast<Resource>(256 + n);
}
inline constexpr Resource exponent_resource(unsigned n) { return static_cast<Resource>(384 + n); }
inline constexpr Resource br_resource(unsigned n) { return static_cast<Resource>(512 + n); }
inline constexpr Resource kernel_resource(unsigned n) { return static_cast<Resource>(520 + n); }
inline constexpr Resource ia32_resource(unsigned n) { return static_cast<Resource>(528 + n); }
inline constexpr Resource csd_resource = 534, ssd_resource = 535, ccv_resource = 536,
                          unat_resource = 537, fpsr_resource = 538, pfs_resource = 539,
                          lc_resource = 540, ec_resource = 541, user_mask_resource = 542,
                          isr_code_resource = 543, marker_resource = 544, rsc_resource = 545,
                          bsp_resource = 546, bspstore_resource = 547, rnat_resource = 548,
                          predicates_resource = 549;
// And as pipelines have them: a predicate each; general and floating-point registers whole.
inline constexpr Resource predicate_resource(unsigned n) { return static_cast<Resource>(576 + n); }
inline constexpr Resource fr_resource(unsigned n) { return significand_resource(n); }

constexpr bool reads_as_zero(Gr r) { return r.n == 0; }
constexpr bool reads_as_zero(GrNat r) { return r.n == 0; }
template <class Register>
constexpr bool reads_as_zero(Register) {
  return false;
}

using NumberedRegisters =
    RegisterKinds<RegisterKind<Gr, gr_resource(0), 128>, RegisterKind<GrNat, nat_resource(0), 128>,
                  RegisterKind<FrSignificand, significand_resource(0), 128>,
                  RegisterKind<FrSignExponent, exponent_resource(0), 128>,
                  RegisterKind<Br, br_resource(0), 8>, RegisterKind<Kernel, kernel_resource(0), 8>,
                  RegisterKind<Ia32, ia32_resource(0), 6>, RegisterKind<Csd, csd_resource>,
                  RegisterKind<Ssd, ssd_resource>, RegisterKind<Ccv, ccv_resource>,
                  RegisterKind<Unat, unat_resource>, RegisterKind<Fpsr, fpsr_resource>,
                  RegisterKind<Pfs, pfs_resource>, RegisterKind<Lc, lc_resource>,
                  RegisterKind<Ec, ec_resource>, RegisterKind<UserMask, user_mask_resource>,
                  RegisterKind<IsrCode, isr_code_resource>, RegisterKind<Marker, marker_resource>,
                  RegisterKind<Rsc, rsc_resource>, RegisterKind<Bsp, bsp_resource>,
                  RegisterKind<Bspstore, bspstore_resource>, RegisterKind<Rnat, rnat_resource>,
                  RegisterKind<Predicates, predicates_resource>>;

template <class Register>
constexpr auto number(Register r) -> decltype(NumberedRegisters::number(r)) {
  return NumberedRegisters::number(r);
}

inline fp::FpRegister& fr_of(Registers& registers, unsigned n) {
  return registers.fr[physical_fr(n, registers.stack.marker().rrb_fr)];
}
inline const fp::FpRegister& fr_of(const Registers& registers, unsigned n) {
  return registers.fr[physical_fr(n, registers.stack.marker().rrb_fr)];
}

inline std::uint64_t get(const Registers& r, Gr g) { return r.stack.value(g.n); }
inline std::uint64_t get(const Registers& r, GrNat g) { return r.stack.nat(g.n) ? 1 : 0; }
inline std::uint64_t get(const Registers& r, FrSignificand f) { return fr_of(r, f.n).significand; }
inline std::uint64_t get(const Registers& r, FrSignExponent f) {
  return fp::spill(fr_of(r, f.n))[1];
}
inline std::uint64_t get(const Registers& r, Predicates) { return r.predicates; }
inline std::uint64_t get(const Registers& r, Br b) { return r.br[b.n]; }
inline std::uint64_t get(const Registers& r, Kernel k) { return r.kernel[k.n]; }
inline std::uint64_t get(const Registers& r, Ia32 a) { return r.ia32[a.n]; }
inline std::uint64_t get(const Registers& r, Csd) { return r.csd; }
inline std::uint64_t get(const Registers& r, Ssd) { return r.ssd; }
inline std::uint64_t get(const Registers& r, Ccv) { return r.ccv; }
inline std::uint64_t get(const Registers& r, Unat) { return r.unat; }
inline std::uint64_t get(const Registers& r, Fpsr) { return r.fpsr; }
inline std::uint64_t get(const Registers& r, Pfs) { return r.pfs; }
inline std::uint64_t get(const Registers& r, Lc) { return r.lc; }
inline std::uint64_t get(const Registers& r, Ec) { return r.ec; }
inline std::uint64_t get(const Registers& r, UserMask) { return r.user_mask; }
inline std::uint64_t get(const Registers& r, IsrCode) { return r.isr_code; }
inline std::uint64_t get(const Registers& r, Marker) { return pack(r.stack.marker()); }
inline std::uint64_t get(const Registers& r, Rsc) { return r.stack.rsc(); }
inline std::uint64_t get(const Registers& r, Bsp) { return r.stack.bsp(); }
inline std::uint64_t get(const Registers& r, Bspstore) { return r.stack.bspstore(); }
inline std::uint64_t get(const Registers& r, Rnat) { return r.stack.rnat(); }

inline void set(Registers& r, Gr g, std::uint64_t v) { r.stack.write_value(g.n, v); }
inline void set(Registers& r, GrNat g, std::uint64_t v) { r.stack.write_nat(g.n, v != 0); }
inline void set(Registers& r, FrSignificand f, std::uint64_t v) { fr_of(r, f.n).significand = v; }
inline void set(Registers& r, FrSignExponent f, std::uint64_t v) {
  fp::FpRegister& fr = fr_of(r, f.n);
  fr = fp::fill({fr.significand, v});
}
inline void set(Registers& r, Predicates, std::uint64_t v) { r.predicates = v | 1; }
inline void set(Registers& r, Br b, std::uint64_t v) { r.br[b.n] = v; }
inline void set(Registers& r, Kernel k, std::uint64_t v) { r.kernel[k.n] = v; }
inline void set(Registers& r, Ia32 a, std::uint64_t v) { r.ia32[a.n] = v; }
inline void set(Registers& r, Csd, std::uint64_t v) { r.csd = v; }
inline void set(Registers& r, Ssd, std::uint64_t v) { r.ssd = v; }
inline void set(Registers& r, Ccv, std::uint64_t v) { r.ccv = v; }
inline void set(Registers& r, Unat, std::uint64_t v) { r.unat = v; }
inline void set(Registers& r, Fpsr, std::uint64_t v) { r.fpsr = v; }
inline void set(Registers& r, Pfs, std::uint64_t v) { r.pfs = v; }
inline void set(Registers& r, Lc, std::uint64_t v) { r.lc = v; }
inline void set(Registers& r, Ec, std::uint64_t v) { r.ec = v & 63; }
inline void set(Registers& r, UserMask, std::uint64_t v) { r.user_mask = v & um_bits; }
inline void set(Registers& r, IsrCode, std::uint64_t v) {
  r.isr_code = static_cast<std::uint32_t>(v);
}

template <class Register>
concept Settable = requires(Registers& r, Register which) {
  set(r, which, std::uint64_t{});
};

inline std::uint64_t get(const Registers& registers, Resource resource) {
  return NumberedRegisters::visit(resource, [&](auto r) { return get(registers, r); });
}
// The register stack's own registers have no set(): nothing happens.
inline void set(Registers& registers, Resource resource, std::uint64_t v) {
  NumberedRegisters::visit(resource, [&](auto r) {
    if constexpr (Settable<decltype(r)>) set(registers, r, v);
  });
}

// A register and its NaT bit, or its parts, are one to a pipeline; a predicate is one by itself.
// That a frame has a register, and what one learns of the user mask, costs nothing.
inline void pipeline_names(Resource resource, std::uint64_t bits, std::vector<Resource>& names) {
  if (resource == predicates_resource) {
    for (std::uint64_t rest = bits & ~std::uint64_t{1}; rest != 0; rest &= rest - 1) {
      names.push_back(predicate_resource(static_cast<unsigned>(std::countr_zero(rest))));
    }
    return;
  }
  if (resource == marker_resource || resource == user_mask_resource ||
      resource == isr_code_resource)
    return;
  if (resource >= nat_resource(0) && resource < significand_resource(0)) {
    names.push_back(static_cast<Resource>(resource - nat_resource(0)));
  } else if (resource >= exponent_resource(0) && resource < br_resource(0)) {
    names.push_back(fr_resource(resource - unsigned{exponent_resource(0)}));
  } else {
    names.push_back(resource);
  }
}

}  // namespace hardclock::ia64
