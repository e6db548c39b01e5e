// What the translator asks of an instruction's recording before it emits code.
#pragma once

#include <vector>

#include "sim/translator/block_source.h"

namespace hardclock {

// Whether the instruction can be emitted as its effects come: nothing that may leave the code comes
// after a register has changed, no register is read that it changed before, and each step has an
// emitter.
bool is_emittable(const Recording& recording, const GuestMode& mode);

// Whether it may transfer control, or nullify what follows it.
bool may_transfer(const Recording& recording);

// Whether a register that steps of `one` have, of this operation, is among those of `other`.
bool share_registers(const Recording& one, Operation of_one, const Recording& other,
                     Operation of_other);

// What an instruction reads and changes, ascending: with these as they are then, it cannot run
// again.
std::vector<Resource> changed_operands(const Recording& recording);

// Its first step of this operation; null if it has none.
const Step* find(const Recording& recording, Operation operation);

}  // namespace hardclock
