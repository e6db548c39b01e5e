// Where things lie on the guest's machine, which has whole pages: the case's memory, and the agent
// apart from it.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/units.h"
#include "syscalls/conform/case.h"
#include "syscalls/conform/guest_agent.h"
#include "syscalls/conform/guest_code.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::conform {

// The pages that the range has bytes in; it has at least one. Nothing: they reach beyond `end`,
// which is the first address that programs cannot have.
std::optional<Pages> pages_of(GuestAddr address, std::uint64_t size, GuestAddr end);

// Whether a byte that is mapped is the case's: in one of its objects, or in pages that it maps in
// an event. What else is in the pages of an object, no model of the case has.
bool is_in_case(const Case& of, GuestAddr address);

// Free pages for the agent, away from all that the case has or touches itself. What lies behind the
// agent stays free too, so that an array at the end of its data ends there. Nothing: the case
// leaves no room.
std::optional<AgentLayout> place_agent(const Case& of, const posix::UnixSystem& system,
                                       const GuestCode& code);

}  // namespace hardclock::conform
