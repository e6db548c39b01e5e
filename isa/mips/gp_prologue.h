// The instructions with which a function that may lie anywhere finds its data.
#pragma once

#include <optional>

#include "sim/base/units.h"
#include "sim/load/image.h"

namespace hardclock::mips {

// The address behind the three words that a function of position-independent code begins with if it
// uses $gp, which they compute from $t9, its own address:
//
//   lui $gp, hi; addiu $gp, $gp, lo; addu $gp, $gp, $t9
//
// (System V ABI, MIPS RISC Processor Supplement, 3rd edition (1996), "Position-Independent Function
// Prologue"; MIPSpro N32 ABI Handbook, chapter 3, .cpsetup: the last two in either order, or of 64
// bits). A caller that has the same $gp may enter there: the link editor of IRIX 5.3 has the calls
// within a program and within a shared object do so. nullopt: the function does not begin so. What
// SGI made for n32 and n64 does not: of the 64753 functions that have symbols in the 132 such
// programs and libraries on the CD of IDO 7.1, none; $gp comes by way of $at, among others.
std::optional<GuestAddr> behind_gp_prologue(const Image& file, GuestAddr function);

}  // namespace hardclock::mips
