// Code for what a two-level predictor says of a branch, and for what it learns.
#pragma once

#include <asmjit/x86.h>

#include "sim/translator/block_source.h"

namespace hardclock {

// Emits it for a branch that has been decided. Leaves what the next two look at in a temporary.
// Control goes to `otherwise` if the branch is not the first one of its set, with nothing changed.
// Takes all temporaries.
void emit_prediction(asmjit::x86::Assembler& assembler, const BlockSource::Prediction& prediction,
                     bool taken, const asmjit::Label& otherwise);

// Compares. The condition is that the prediction was wrong.
asmjit::x86::CondCode emit_is_wrong(asmjit::x86::Assembler& assembler, bool taken);

// Takes from the budget what a wrong prediction costs, if it was wrong: without a jump. `charges`
// labels what embed_charges() makes of that.
void emit_charge(asmjit::x86::Assembler& assembler, bool taken, const asmjit::Label& charges);
// Gives it back, before any other code has run.
void emit_uncharge(asmjit::x86::Assembler& assembler);
// By the value of the branch's counter, for branches that are taken, and from the third one on for
// those that are not.
void embed_charges(asmjit::x86::Assembler& assembler, std::uint64_t charge);

}  // namespace hardclock
