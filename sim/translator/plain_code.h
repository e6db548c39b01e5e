// Plain accesses as code of the host, where the caches are as simple as those of an R4000 or an
// R5000: a call of a function would cost more than all that there is to do.
#pragma once

#include <asmjit/x86.h>

#include "sim/timing/memory_system.h"
#include "sim/translator/block_source.h"

namespace hardclock {

// Whether there is such code for the side's accesses: l1 is direct-mapped, or has two ways and
// replaces the older one; l2, if there is one, is direct-mapped.
bool has_plain_code(const MemoryDescription& memory, CacheSide side);

// Emits what translated code calls for a plain access: the address in rax (of a fetch, of the
// line), an AccessSite in rcx. Returns the host's address in rax (of a fetch, anything), with the
// zero flag clear, and changes rcx, the budget, and nothing else. Where it declines, it has done
// nothing, and goes on at `otherwise`.
void emit_plain_code(asmjit::x86::Assembler& assembler, const GuestMode& mode, CacheSide side,
                     bool is_store, const asmjit::Label& otherwise);

}  // namespace hardclock
