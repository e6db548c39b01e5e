// The layout of the guest's machine, which has whole pages: the case's memory, and the agent apart
// from it.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/units.h"
#include "syscalls/conform/case.h"
#include "syscalls/conform/guest_agent.h"
#include "syscalls/conform/guest_code.h"
#include "syscalls/posix/port.h"

namespace hardclock::conform {

// The pages that contain the range of at least one byte. Nullopt if they reach beyond `end`, the
// first address that programs cannot have, or where pointers do not lead.
std::optional<Pages> pages_of(GuestAddr address, std::uint64_t size, GuestAddr end,
                              const posix::SyscallAbi& abi);

// Whether a mapped byte is the case's: in one of its objects, or in pages that it maps in an event.
// The rest of an object's pages belongs to no model of the case.
bool is_in_case(const Case& of, GuestAddr address);

// Free pages for the agent, away from everything that the case has or touches. The memory after the
// agent stays free as well, so that an array at the end of its data ends there. Nullopt if the case
// leaves no room.
std::optional<AgentLayout> place_agent(const Case& of, const posix::Port& port,
                                       const GuestCode& code);

}  // namespace hardclock::conform
