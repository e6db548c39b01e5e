#include "syscalls/conform/variant.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace hardclock::conform {
namespace {

struct Alias {
  std::string_view name;
  std::string_view system;
  unsigned address_bits;
  std::optional<std::uint64_t> pc_mask = {};  // nullopt: the system's
};

constexpr Alias aliases[] = {
    {"hpux_pa", "hpux", 32},
    {"hpux_pa_lp64", "hpux", 64},
    {"hpux_ia64", "hpux", 32, profil::itanium_pc},
    {"hpux_ia64_lp64", "hpux", 64, profil::itanium_pc},
    {"glibc_32", "glibc", 32},
    {"solaris_pre26", "solaris2.5", 32},
    {"irix_lp64", "irix", 64},
    {"bsd44", "4.4bsd", 32},
    {"bsd44_lp64", "4.4bsd", 64},
    {"bsd43_vax", "4.3bsd", 32},
    {"bsd42_vax", "4.2bsd", 32},
    {"bsd41_vax", "4.1bsd", 32},
    {"v7_pdp11", "v7", 16},
    {"bsd211_pdp11", "2.11bsd", 16},
};

std::vector<Variant> make_variants() {
  std::vector<Variant> all;
  for (const profil::SystemRules* const system : profil::systems_and_libraries()) {
    // 64-bit programs have names of their own.
    all.push_back({std::string(system->name), system, system->word_bits, system->pc_mask});
  }
  for (const Alias& alias : aliases) {
    const profil::SystemRules* const system = profil::find_system(alias.system);
    if (system == nullptr) continue;
    all.push_back({std::string(alias.name), system, alias.address_bits,
                   alias.pc_mask.value_or(system->pc_mask)});
  }
  return all;
}

}  // namespace

std::span<const Variant> variants() {
  static const std::vector<Variant> all = make_variants();
  return all;
}

const Variant* find_variant(std::string_view name) {
  const auto found = std::ranges::find(variants(), name, &Variant::name);
  return found == variants().end() ? nullptr : &*found;
}

std::int32_t profil_max(const profil::Sprofil& sprofil) {
  const std::uint32_t flags = sprofil.flags.empty() ? 0 : sprofil.flags.front().value;
  std::int32_t accepted = 0;
  std::int32_t refused = std::numeric_limits<std::int32_t>::max();
  if (sprofil.region_count(refused, flags).ok()) return refused;
  while (refused - accepted > 1) {
    const std::int32_t middle = accepted + (refused - accepted) / 2;
    (sprofil.region_count(middle, flags).ok() ? accepted : refused) = middle;
  }
  return accepted;
}

}  // namespace hardclock::conform
