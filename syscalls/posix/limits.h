// What the limits of a process forbid (getrlimit(2)). Where a system has no such signal or limit,
// or none was set, they forbid nothing.
#pragma once

#include <cstdint>
#include <optional>

#include "syscalls/posix/call.h"
#include "syscalls/posix/files/open_file.h"
#include "syscalls/posix/signals/signals.h"
#include "syscalls/posix/state.h"

namespace hardclock::posix {

// Keeps the limit, and what goes by it.
void set_limit(const Process& process, std::size_t resource, const Limit& limit);
// ---- RLIMIT_STACK, in bytes: SIGSEGV. It counts from now on for the stacks of the memory that the
// process has, and never more than the system has room for.
void obey_stack_limit(const Process& process);

// ---- RLIMIT_FSIZE, in bytes. Who meets it is sent SIGXFSZ, and the call fails with EFBIG.
// How many of `size` bytes the process may write to the file, at `offset` or where its next write
// goes. Nullopt: it has met the limit.
std::optional<std::uint64_t> writable_part(Call& call, OpenFile& file,
                                           std::optional<std::uint64_t> offset, std::uint64_t size);
// Whether a regular file of the size `present` may get this size; it may shrink to any.
bool may_have_size(Call& call, std::uint64_t present, std::uint64_t size);

// ---- RLIMIT_AS (RLIMIT_VMEM) and RLIMIT_DATA, in bytes: ENOMEM.
// Whether so many bytes more may be mapped.
bool may_map(const Call& call, std::uint64_t bytes);
// Whether the heap may get this size: what the program has of data counts, too.
bool may_have_heap(const Call& call, std::uint64_t bytes);
// The same for so many bytes more of private memory that can be written, where that counts.
bool may_have_data(const Call& call, std::uint64_t bytes);

// ---- RLIMIT_NPROC: EAGAIN. Whether the user of this process may have one thread more: the
// superuser always may.
bool may_have_thread(Simulation& simulation, const Process& process);

// ---- RLIMIT_SIGPENDING. Whether one signal more may wait for the process, which may have as many
// as the limit says on systems with real-time signals; else SIGQUEUE_MAX with values.
bool has_queue_room(const SignalTable& table, const Process& process);

// ---- RLIMIT_CPU, in seconds. A tick has come: SIGXCPU at the limit, SIGKILL at the maximum.
void obey_cpu_limit(Kernel& kernel, Process& process);

}  // namespace hardclock::posix
