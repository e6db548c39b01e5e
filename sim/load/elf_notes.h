// What an ELF file's notes say of the system that it was made for.
#pragma once

#include <gelf.h>

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/endian.h"

namespace hardclock {

// Whether a note of a PT_NOTE segment is the GNU ABI tag of Linux: name "GNU", type 1, and 0 as its
// first word (Linux Standard Base Core Specification 5.0, generic, section 11.8, ".note.ABI-tag").
// The GNU C library's start code brings it into every program. Corrupt notes are passed over.
bool has_linux_abi_tag(const std::vector<GElf_Phdr>& headers, std::span<const std::uint8_t> file,
                       Endian endian);

}  // namespace hardclock
