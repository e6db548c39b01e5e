// Damage to program files where loaders look: the fields of their headers and tables.
#pragma once

#include <cstdint>
#include <random>
#include <span>

namespace hardclock::fuzzing {

// Changes one to four places of an ELF or SOM file: fields of its headers and tables, to values at
// the edges of what they may be, and single bits anywhere. Every second SOM file has a checksum
// that is right. The same for the same state of `random`.
void damage_program(std::span<std::uint8_t> file, std::minstd_rand& random);

}  // namespace hardclock::fuzzing
