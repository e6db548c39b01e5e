// What each IA-64 instruction does, once: a body speaks the words of vocabulary.h and runs on any
// machine of machine.h. Bodies are named as in ia64.decode and stand in its order within each of
// these files. A body is run if its qualifying predicate is 1; one that does something without it
// takes the predicate as its last parameter.
//
// Source: "Intel Itanium Architecture Software Developer's Manual", revision 2.3 (SDM), volume 3,
// chapter 2, the page of each instruction.
#pragma once

#include "isa/ia64/semantics_control.h"
#include "isa/ia64/semantics_floating_point.h"
#include "isa/ia64/semantics_floating_point_memory.h"
#include "isa/ia64/semantics_integer.h"
#include "isa/ia64/semantics_memory.h"
