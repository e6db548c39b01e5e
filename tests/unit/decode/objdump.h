// The GNU disassembler as a peer: runs the objdump of a target over words.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/base/units.h"

namespace hardclock {

// Whether TARGET-objdump is in PATH: of Debian's binutils-TARGET, such as "mips-linux-gnu".
bool has_objdump(const std::string& target);

// The text of each big-endian word as TARGET-objdump writes it, the first at address `base`.
// `machine` is a -m argument such as "mips:3000". Fewer lines than words when objdump fails.
std::vector<std::string> objdump(const std::string& target, const std::vector<std::uint32_t>& words,
                                 GuestAddr base, const std::string& machine);

// The text of each instruction in the bytes, the first at address `base`; `options` say how they
// lie there: "-m ia64-elf64".
std::vector<std::string> objdump_bytes(const std::string& target,
                                       std::span<const std::uint8_t> bytes, GuestAddr base,
                                       const std::string& options);

}  // namespace hardclock
