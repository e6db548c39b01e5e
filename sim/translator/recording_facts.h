// What the translator asks of an instruction's recording before it emits code.
#pragma once

#include <set>

#include "sim/translator/block_source.h"

namespace hardclock {

// Whether the instruction can be emitted as its effects come: nothing that may leave the code comes
// after a register has changed, no register is read that it changed before, and each step has an
// emitter.
bool is_emittable(const Recording& recording, const GuestMode& mode);

// Whether it may transfer control, or nullify what follows it.
bool may_transfer(const Recording& recording);

// The registers that steps of this operation, which has one, read or write.
std::set<Resource> registers_of(const Recording& recording, Operation operation);
std::set<Resource> common(const std::set<Resource>& a, const std::set<Resource>& b);

// What an instruction reads and changes: with these as they are then, it cannot run again.
std::set<Resource> changed_operands(const Recording& recording);

// Its first step of this operation; null if it has none.
const Step* find(const Recording& recording, Operation operation);

}  // namespace hardclock
