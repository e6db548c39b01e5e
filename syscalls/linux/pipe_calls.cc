#include "syscalls/linux/pipe_calls.h"

#include <algorithm>
#include <bit>

#include "syscalls/linux/calls.h"
#include "syscalls/linux/uapi.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux {
namespace {

using posix::CallResult;
using posix::Errno;

// fs/pipe.c, round_pipe_size(), pipe_set_size() and pipe_resize_ring(). EINVAL, EPERM, EBUSY,
// ENOMEM.
CallResult set_capacity(posix::Pipe& pipe, std::uint32_t asked, std::size_t page_bytes) {
  constexpr std::uint32_t most = std::uint32_t{1} << 31;
  if (asked > most) return CallResult::failure(Errno::einval);
  const std::size_t capacity = std::bit_ceil(std::max<std::size_t>(asked, page_bytes));
  const bool grows = capacity > pipe.capacity();
  if (grows && capacity > largest_pipe) return CallResult::failure(Errno::eperm);
  if (!pipe.resize(capacity)) return CallResult::failure(grows ? Errno::enomem : Errno::ebusy);
  return CallResult::value(capacity);
}

}  // namespace

std::optional<CallResult> pipe_command(posix::Call& call, std::uint32_t command) {
  constexpr std::uint32_t set_size = 1031, get_size = 1032;  // include/uapi/linux/fcntl.h
  if (command != set_size && command != get_size) return std::nullopt;
  const posix::PipeSizes& sizes = call.system.pipe_sizes;
  const auto file = posix::file_at(call);
  if (const auto* const end = dynamic_cast<const posix::PipeEnd*>(file.get())) {
    if (command == get_size) return CallResult::value(end->pipe()->capacity());
    return set_capacity(*end->pipe(), call.argument(2), sizes.page);
  }
  // A pipe of the host, which the guest has from the user: it stays as it is.
  const auto status = file->status();
  if (!status || status->type != host::FileType::fifo) return CallResult::failure(Errno::ebadf);
  if (command == set_size) return CallResult::failure(Errno::eperm);
  return CallResult::value(sizes.capacity);
}

namespace calls {

using posix::GuestStruct;

// pipe2(ends, flags)
CallResult pipe2(Call& call) {
  const posix::OpenFlags& known = call.system.open_flags;
  const std::uint32_t flags = new_file_flags(call, 1);
  if ((flags & ~(known.close_on_exec | known.non_block)) != 0) {
    return CallResult::failure(Errno::einval);
  }
  if (!call.memory.probe(call.address(0), 8, Access::write)) {
    return CallResult::failure(Errno::efault);
  }
  const CallResult made = pipe(call);
  if (made.kind != CallResult::Kind::value) return made;
  for (const std::uint64_t end : {made.first, made.second.value_or(0)}) {
    const auto number = static_cast<std::int64_t>(end);
    call.descriptors().get(number)->status_flags |= flags & known.non_block;
    call.descriptors().set_close_on_exec(number, (flags & known.close_on_exec) != 0);
  }
  return GuestStruct(call)
      .word(made.first)
      .word(made.second.value_or(0))
      .store(call, call.address(0));
}

}  // namespace calls
}  // namespace hardclock::gnu_linux
