// Code for what a two-level predictor says of a branch, and for what it learns.
#pragma once

#include <asmjit/x86.h>

#include "sim/translator/block_source.h"

namespace hardclock {

// Emits it for a branch that has been decided. Control goes on if the branch does what it says of
// itself, and to `overruled` if the predictor says the opposite; to `otherwise` if the branch is
// not the first one of its set, with nothing changed. Takes all temporaries.
void emit_prediction(asmjit::x86::Assembler& assembler, const BlockSource::Prediction& prediction,
                     bool taken, const asmjit::Label& overruled, const asmjit::Label& otherwise);

}  // namespace hardclock
