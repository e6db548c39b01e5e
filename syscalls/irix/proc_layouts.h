// The structures of /proc's requests. Sources: proc(4) of IRIX names the members, which System V.4
// has in the same order; sizes and offsets are those that SGI's dbxpcs and odbx of IRIX 5.3 and
// libgltrace and libmp of IRIX 6 go by (docs/observed.md).
#pragma once

#include <cstdint>

#include "syscalls/mips/context.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/signals/process_control.h"

namespace hardclock::irix {

// How the structures of one request look: as the caller's, or, asked for by a bit in the request's
// number, as a 64-bit program's.
struct ProcTypes {
  posix::GuestTypes types;
  std::size_t register_bytes = 4;
};

// pr_flags.
enum StatusFlag : std::uint32_t {
  pr_stopped = 1,
  pr_dstop = 2,   // it is to stop
  pr_istop = 4,   // on an event of interest
  pr_asleep = 8,  // in a call
  pr_fork = 0x10,
  pr_rlc = 0x20,
  pr_step = 0x200,
  pr_klc = 0x400,
};

// prstatus_t.
posix::GuestStruct status_of(const Simulation& simulation, const posix::ProcessControl& control,
                             const ProcTypes& types);
// prpsinfo_t, of zombies, too.
posix::GuestStruct ps_info(const posix::Kernel& kernel, const Process& process,
                           const ProcTypes& types);
// prmap_t of every region, and one of zeros.
posix::GuestStruct memory_map(const Process& process, const ProcTypes& types);
std::size_t mapping_count(const Process& process);
// prwatch_t of every watched area, and as many of zeros as there may be more.
posix::GuestStruct watches(const posix::WatchedAreas& areas, const ProcTypes& types);
posix::WatchedArea take_watch(posix::GuestReader& reader);
// struct sigaction, behind other members.
void add_action(posix::GuestStruct& members, const SignalAction& action);
// gregset_t and fpregset_t.
posix::GuestStruct general_registers(Thread& thread, const ProcTypes& types);
posix::GuestStruct floating_registers(const Thread& thread, const ProcTypes& types);
// Of the tables of a program; false: they cannot be read.
bool take_general_registers(posix::GuestReader reader, Thread& thread, const ProcTypes& types);
bool take_floating_registers(posix::GuestReader reader, Thread& thread, const ProcTypes& types);
// The thread goes on at this address, and makes no call that it was about to make.
void continue_at(Thread& thread, std::uint64_t pc);

}  // namespace hardclock::irix
