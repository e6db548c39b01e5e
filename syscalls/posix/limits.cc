#include "syscalls/posix/limits.h"

#include <algorithm>

#include "syscalls/posix/kernel.h"
#include "syscalls/posix/process_memory.h"

namespace hardclock::posix {
namespace {

std::uint64_t limit_of(const Process& process, Resource resource) {
  return state_of(process).limits[resource].current;
}

// To the thread that asks, which is named as the sender (Linux, include/linux/fs.h, mm/filemap.c,
// generic_write_check_limits(): send_sig()).
void tell_of_file_size(Call& call) {
  const unsigned signal = call.system.signals.file_size;
  if (signal == 0) return;
  call.os.signals().post_to(call.thread, signal,
                            sent_by(call.process, call.state.credentials.user.real));
}

bool is_regular(const OpenFile& file) {
  const auto status = file.status();
  return status && status->type == host::FileType::regular;
}

std::optional<std::uint64_t> place_of_next_write(const Call& call, OpenFile& file) {
  if ((file.status_flags & call.system.open_flags.append) != 0) {
    const auto status = file.status();
    return status ? std::optional(status->size) : std::nullopt;
  }
  const auto position = file.seek(0, host::Whence::current);
  return position ? std::optional(*position) : std::nullopt;
}

std::uint64_t mapped_bytes(const AddressSpace& memory) {
  std::uint64_t bytes = 0;
  for_each_region(memory, [&](const Region& region) { bytes += region.end - region.start; });
  return bytes;
}

// The program's initialised and uninitialised data.
std::uint64_t data_bytes(const Process& process) {
  std::uint64_t bytes = 0;
  for (const Segment& segment : process.image->segments) {
    if (segment.permissions.write) bytes += segment.memory_size;
  }
  return bytes;
}

// Linux 6.1, mm/mmap.c, is_data_mapping().
bool is_data(const Region& region) {
  return region.permissions.write && region.backing.shared == nullptr && region.grow_limit == 0;
}

}  // namespace

void set_limit(const Process& process, std::size_t resource, const Limit& limit) {
  static_cast<ProcessState&>(*process.os_state).limits[resource] = limit;
  if (resource == rlimit_stack) obey_stack_limit(process);
  if (resource != rlimit_nofile) return;
  for (const auto& thread : process.threads) {
    thread_state_of(*thread).descriptors->set_limit(limit.current);
  }
}

void obey_stack_limit(const Process& process) {
  const Layout& layout = port_of(process).layout;
  const std::uint64_t limit = layout.round_up(limit_of(process, rlimit_stack));
  process.memory->limit_stacks(std::min(limit, layout.stack_limit));
}

// Where less fits than is wanted, that much is written and nothing else happens; the next write
// meets the limit (write(2) of HP-UX and IRIX; Linux, mm/filemap.c, generic_write_checks()).
std::optional<std::uint64_t> writable_part(Call& call, OpenFile& file,
                                           std::optional<std::uint64_t> offset,
                                           std::uint64_t size) {
  const std::uint64_t limit = limit_of(call.process, rlimit_fsize);
  const bool is_limited = limit != no_limit && size != 0 && file.rights().write;
  if (!is_limited || !is_regular(file)) return size;
  const auto place = offset ? offset : place_of_next_write(call, file);
  if (!place) return size;
  if (*place < limit) return std::min(size, limit - *place);
  tell_of_file_size(call);
  return std::nullopt;
}

// Linux, fs/attr.c, inode_newsize_ok().
bool may_have_size(Call& call, std::uint64_t present, std::uint64_t size) {
  if (size <= limit_of(call.process, rlimit_fsize) || size <= present) return true;
  tell_of_file_size(call);
  return false;
}

bool may_map(const Call& call, std::uint64_t bytes) {
  const std::uint64_t limit = limit_of(call.process, rlimit_vmem);
  if (limit == no_limit) return true;
  const std::uint64_t mapped = mapped_bytes(call.memory);
  return mapped <= limit && bytes <= limit - mapped;
}

bool may_have_heap(const Call& call, std::uint64_t bytes) {
  const std::uint64_t limit = limit_of(call.process, rlimit_data);
  if (limit == no_limit) return true;
  const std::uint64_t data = data_bytes(call.process);
  return data <= limit && bytes <= limit - data;
}

bool may_have_data(const Call& call, std::uint64_t bytes) {
  const std::uint64_t limit = limit_of(call.process, rlimit_data);
  if (limit == no_limit || !call.system.counts_private_data) return true;
  std::uint64_t data = 0;
  for_each_region(call.memory, [&](const Region& region) {
    if (is_data(region)) data += region.end - region.start;
  });
  return data <= limit && bytes <= limit - data;
}

bool may_have_thread(Simulation& simulation, const Process& process) {
  const Credentials& credentials = state_of(process).credentials;
  const std::uint64_t limit = limit_of(process, rlimit_nproc);
  if (limit == no_limit || credentials.is_superuser()) return true;
  std::uint64_t threads = 0;
  for (const Process* const other : simulation.processes()) {
    if (other->os_state == nullptr) continue;
    if (state_of(*other).credentials.user.real != credentials.user.real) continue;
    threads += std::max<std::uint64_t>(other->threads.size(), 1);  // a zombie counts
  }
  return threads < limit;
}

bool has_queue_room(const SignalTable& table, const Process& process) {
  const PendingSignals& of_process = state_of(process).pending;
  if (table.first_real_time == 0) return of_process.queued() < queue_max;
  std::uint64_t waiting = of_process.size();
  for (const auto& thread : process.threads) {
    const auto* const state = static_cast<const ThreadState*>(thread->os_state.get());
    if (state != nullptr) waiting += state->pending.size();
  }
  return waiting < limit_of(process, rlimit_sigpending);
}

// Once a second from the limit on: Linux, kernel/time/posix-cpu-timers.c, check_process_timers().
void obey_cpu_limit(Kernel& kernel, Process& process) {
  Limit& limit = state_of(process).limits[rlimit_cpu];
  const unsigned signal = kernel.system().signals.cpu_time;
  if (limit.current == no_limit || signal == 0) return;
  const std::uint64_t rate = kernel.simulation().clock().tick_rate().value();
  const std::uint64_t seconds = (process.time.user + process.time.system).value() / rate;
  if (seconds >= limit.maximum) {
    kernel.signals().post(process, sigkill);
  } else if (seconds >= limit.current) {
    ++limit.current;
    kernel.signals().post(process, signal);
  }
}

}  // namespace hardclock::posix
