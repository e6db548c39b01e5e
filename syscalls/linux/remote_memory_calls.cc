// Another process's memory: process_vm_readv(2), process_vm_writev(2).
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "syscalls/host/host_file.h"
#include "syscalls/linux/calls.h"
#include "syscalls/linux/thread_ids.h"
#include "syscalls/posix/buffers.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux::calls {
namespace {

using posix::Buffers;

// Whose memory the caller may reach: his own, and that of processes that he may trace. ESRCH,
// EPERM.
Result<AddressSpace*, Errno> memory_of(Call& call, std::int32_t id) {
  for (Process* const process : call.simulation().processes()) {
    if (find_thread(*process, id) == nullptr) continue;
    if (process->exit_status || process->memory == nullptr) return Failure{Errno::esrch};
    const bool may_trace = process == &call.process ||
                           call.state.credentials.may_signal(posix::state_of(*process).credentials);
    if (!may_trace) return Failure{Errno::eperm};
    return process->memory.get();
  }
  return Failure{Errno::esrch};
}

struct Side {
  AddressSpace& memory;
  const Buffers& buffers;
};

bool copy(const Side& from, const Side& to, std::uint64_t at, std::span<std::uint8_t> bytes) {
  return from.buffers.load(from.memory, at, bytes) && to.buffers.store(to.memory, at, bytes);
}

// Up to the first byte that memory does not give or take. EFAULT: that is the very first.
CallResult copy_all(const Side& from, const Side& to) {
  constexpr std::uint64_t piece = 4096;
  const std::uint64_t total = std::min(from.buffers.total(), to.buffers.total());
  std::uint64_t done = 0;
  std::vector<std::uint8_t> bytes(piece);
  std::uint64_t size = piece;
  while (done < total) {
    const std::uint64_t count = std::min(size, total - done);
    if (copy(from, to, done, std::span(bytes).first(count))) {
      done += count;
      if (host::has_stopped_waiting()) break;
    } else if (size == piece) {
      size = 1;
    } else {
      break;
    }
  }
  if (done == 0 && total != 0) return CallResult::failure(Errno::efault);
  return CallResult::offset(done);
}

}  // namespace

CallResult copy_memory(Call& call, bool writes) {
  if (call.argument(5) != 0) return CallResult::failure(Errno::einval);
  const auto local = posix::read_vectors(call, call.address(1), call.signed_argument(2));
  if (!local) return CallResult::failure(local.error());
  if (local->total() == 0) return CallResult::value(0);
  const auto remote = posix::read_vectors(call, call.address(3), call.signed_argument(4));
  if (!remote) return CallResult::failure(remote.error());
  if (remote->total() == 0) return CallResult::value(0);
  const auto memory = memory_of(call, call.signed_argument(0));
  if (!memory) return CallResult::failure(memory.error());
  const Side here{call.memory, *local}, there{**memory, *remote};
  return writes ? copy_all(here, there) : copy_all(there, here);
}

}  // namespace hardclock::gnu_linux::calls
