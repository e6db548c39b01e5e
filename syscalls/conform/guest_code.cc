#include "syscalls/conform/guest_code.h"

#include <algorithm>
#include <cstddef>

#include "sim/base/endian.h"
#include "syscalls/systems.h"

namespace hardclock::conform {

std::vector<std::uint8_t> GuestCode::loop_in_memory(bool behind_call) const {
  std::vector<std::uint8_t> bytes((behind_call ? call_bytes() : 0) + loop_bytes());
  std::size_t at = 0;
  for (const auto words : {behind_call ? call : std::span<const std::uint32_t>(), loop}) {
    for (const std::uint32_t word : words) {
      store_bytes(&bytes[at], word, Endian::big);
      at += sizeof word;
    }
  }
  return bytes;
}

const GuestCode& guest_code_of(const Variant& variant) {
  const bool is_wide = variant.address_bits == 64;
  if (find_unix_system(variant.system->name, Architecture::mips) != nullptr) {
    return is_wide ? mips_code_64 : mips_code_32;
  }
  if (variant.pc_mask == profil::itanium_pc) return is_wide ? ia64_code_64 : ia64_code_32;
  return is_wide ? pa_risc_code_64 : pa_risc_code_32;
}

const posix::Port* port_of(const posix::UnixSystem& system, const GuestCode& code) {
  const auto found = std::ranges::find(system.ports, code.abi, &posix::Port::abi);
  return found == system.ports.end() ? nullptr : &*found;
}

}  // namespace hardclock::conform
