// The systems of case files: one of ours, with the machine that the case's addresses belong to.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "syscalls/profil/system.h"

namespace hardclock::conform {

struct Variant {
  std::string name;  // "hpux_pa_lp64", "4.3bsd"
  const profil::SystemRules* system = nullptr;
  unsigned address_bits = 32;  // 16, 32 or 64
  std::uint64_t pc_mask = profil::whole_pc;

  std::uint64_t highest_address() const { return ~std::uint64_t{0} >> (64 - address_bits); }
};

// All names that a case may use, for systems of this build: those of the conformance files (irix,
// hpux_pa, hpux_pa_lp64, hpux_ia64, ...) and those of --os.
std::span<const Variant> variants();
// Returns nullptr if there is no such name.
const Variant* find_variant(std::string_view name);

// PROFIL_MAX: the most regions that the system's sprofil() takes. No manual page gives the number,
// so the system's own function is asked.
std::int32_t profil_max(const profil::Sprofil& sprofil);

}  // namespace hardclock::conform
