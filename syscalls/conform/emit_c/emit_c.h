// A C program that performs a file's cases on the machine it is compiled for.
#pragma once

#include <span>
#include <string>

#include "syscalls/conform/case.h"

namespace hardclock::conform {

// The text of one C89 program for the systems of the cases. The compiler's macros, or
// -DCONFORM_SYSTEM, choose the system. The program performs that system's cases on real text: it
// spins in a loop that it passes to profil() as the case's pc, and prints a TAP line for each case.
// Cases that a real program cannot perform are skipped, with the reason; cases with a defect fail
// in the program of every system. The program does not compile for a system without cases.
std::string emit_c(std::span<const Case* const> cases);

}  // namespace hardclock::conform
