// What each MIPS instruction does, once: a body speaks the words of vocabulary.h and runs on any
// machine of machine.h. Bodies are named as in mips.decode and stand in its order within each of
// these files; the text above each group names the manual's section. The floating-point
// instructions are in semantics_fpu.h.
#pragma once

#include "isa/mips/semantics_control.h"
#include "isa/mips/semantics_integer.h"
#include "isa/mips/semantics_memory.h"
