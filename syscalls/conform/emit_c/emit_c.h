// A C program that performs cases of a file on the machine it is compiled for.
#pragma once

#include <span>
#include <string>

#include "syscalls/conform/case.h"

namespace hardclock::conform {

// The text of one C89 program for the systems of the cases. The compiler's macros, or
// -DCONFORM_SYSTEM, choose the system; the program performs its cases on real text, by spinning in
// a loop that profil() is told to find at the case's pc, and prints TAP with a line for each of
// them. Those that a real program cannot perform are in it as skipped, with the reason; those with
// a defect fail in the program of every system. A system of which there are no cases does not
// compile.
std::string emit_c(std::span<const Case* const> cases);

}  // namespace hardclock::conform
