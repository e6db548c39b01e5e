// The GNU disassembler as a peer: runs mips-linux-gnu-objdump over words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/units.h"

namespace hardclock {

// Whether the program is in PATH (Debian's binutils-mips-linux-gnu).
bool has_objdump();

// The text of each big-endian word, "mnemonic\toperands", the first at address `base`. `machine`
// is a -m argument such as "mips:3000". Fewer lines than words when objdump fails.
std::vector<std::string> objdump(const std::vector<std::uint32_t>& words, GuestAddr base,
                                 const std::string& machine);

}  // namespace hardclock
