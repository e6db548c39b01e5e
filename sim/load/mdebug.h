// The procedures that IRIX's compilers note in .mdebug, MIPS's older symbol table. Static ones are
// nowhere else, for SGI's link editor leaves local functions out of .symtab. Internal to the
// loader.
#pragma once

#include <vector>

#include "sim/load/function_candidates.h"
#include "sim/load/image.h"
#include "sim/load/mdebug_tables.h"

namespace hardclock {

// Adds the procedures of the tables' source files, as functions whose names yield to others.
// Corrupt entries are left out.
void add_mdebug_procedures(const MdebugTables& tables, const std::vector<Segment>& segments,
                           CandidateList& candidates);

// Adds the procedures among the external symbols, which ELF files have in .symtab.
void add_mdebug_externals(const MdebugTables& tables, const std::vector<Segment>& segments,
                          CandidateList& candidates);

}  // namespace hardclock
