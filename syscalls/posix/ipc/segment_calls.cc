// shmget(2), shmop(2), shmctl(2).
#include <algorithm>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/ipc/ipc_calls.h"

namespace hardclock::posix {
namespace calls {
namespace {

constexpr std::uint32_t shm_rdonly = 010000, shm_rnd = 020000;
// Linux's alone, but nobody else gives them a meaning.
constexpr std::uint32_t shm_remap = 040000, shm_exec = 0100000;
// Bits of the mode that shmctl(IPC_STAT) shows.
constexpr std::uint32_t shm_dest = 01000, shm_locked = 02000;  // removed; SHM_LOCK

Result<std::shared_ptr<SharedSegment>, Errno> segment_of(Call& call, std::uint32_t wanted) {
  call.os.ipc().forget_gone_segments();
  auto segment =
      ipc_object(call, call.os.ipc().segments, ipc_limits(call).segments.segments, wanted);
  const bool is_removed = segment && ((*segment)->permission.mode & shm_dest) != 0;
  if (is_removed && !call.system.ipc->removed_segment_stays) return Failure{Errno::einval};
  return segment;
}

// Where the segment goes. EINVAL, ENOMEM.
Result<GuestAddr, Errno> place_for(Call& call, std::uint64_t size, std::uint32_t flags) {
  const Layout& layout = call.port().layout;
  const std::uint64_t unit = std::max(ipc_limits(call).segments.unit, layout.page_bytes);
  if (call.is_null(1)) {
    if ((flags & shm_remap) != 0) return Failure{Errno::einval};
    for (const Layout::Range& range : layout.mappings) {
      const auto found = call.memory.find_free(range.low, range.high, size + unit - page_size);
      if (found) return GuestAddr((found->value() + unit - 1) / unit * unit);
    }
    return Failure{Errno::enomem};
  }
  std::uint64_t address = call.address(1).value();
  if ((flags & shm_rnd) != 0) address -= address % unit;
  const std::uint64_t end = call.memory.user_end().value();
  if (address % unit != 0 || address == 0 || size > end || address > end - size) {
    return Failure{Errno::einval};
  }
  if ((flags & shm_remap) == 0 && !call.memory.is_free(GuestAddr(address), size)) {
    return Failure{Errno::einval};
  }
  return GuestAddr(address);
}

std::uint64_t attached_by(Call& call) {
  std::uint64_t count = 0;
  for (const auto& [place, segment] : call.os.ipc().segments.all()) {
    count += segment->attachments_in(call.memory);
  }
  return count;
}

}  // namespace

// shmget(key, size, flags)
CallResult shmget(Call& call) {
  const IpcLimits::Segments& limits = ipc_limits(call).segments;
  const std::uint64_t size = call.arguments[1];
  call.os.ipc().forget_gone_segments();
  return ipc_get(
      call, call.os.ipc().segments, limits.segments, call.argument(2),
      [&](const SharedSegment& segment) {
        return size > segment.size() ? std::optional(Errno::einval) : std::nullopt;
      },
      [&](const IpcPermission& permission) -> Result<std::shared_ptr<SharedSegment>, Errno> {
        if (size == 0 || size > limits.bytes) return Failure{Errno::einval};
        return std::make_shared<SharedSegment>(permission, size, call.process.pid, ipc_time(call));
      });
}

// shmat(segment, address, flags)
CallResult shmat(Call& call) {
  const std::uint32_t flags = call.argument(2);
  const bool writes = (flags & shm_rdonly) == 0;
  const bool executes = (flags & shm_exec) != 0;
  const std::uint32_t wanted =
      ipc_read | (writes ? ipc_write : 0U) | (executes ? ipc_write >> 1 : 0U);
  const auto segment = segment_of(call, wanted);
  if (!segment) return CallResult::failure(segment.error());
  const std::uint64_t size = call.port().layout.round_up((*segment)->size());
  const auto place = place_for(call, size, flags);
  if (!place) return CallResult::failure(place.error());
  if (attached_by(call) >= ipc_limits(call).segments.of_process) {
    return CallResult::failure(Errno::emfile);
  }
  if ((flags & shm_remap) != 0 && !call.memory.unmap(*place, size)) {
    return CallResult::failure(Errno::einval);
  }
  const auto mapped =
      call.memory.map_object(*place, size, {.read = true, .write = writes, .execute = executes},
                             "[shm]", Backing{(*segment)->pages(), nullptr, 0});
  if (!mapped) return CallResult::failure(to_errno(mapped.error()));
  (*segment)->note_attach(*place, call.process.pid, ipc_time(call));
  return CallResult::offset(place->value());
}

namespace {

// Unmaps what shows the segment in the range.
CallResult detach(Call& call, const SharedSegment& segment, std::uint64_t start,
                  std::uint64_t end) {
  for (std::uint64_t at = start; at < end;) {
    const Region* const part = call.memory.region_at(GuestAddr(at));
    const bool is_ours = part != nullptr && segment.is_shown_by(*part);
    const std::uint64_t next = part == nullptr ? at + page_size : std::min(part->end, end);
    if (is_ours && !call.memory.unmap(GuestAddr(at), next - at)) {
      return CallResult::failure(Errno::enomem);
    }
    at = next;
  }
  return CallResult::value(0);
}

}  // namespace

// shmdt(address): the whole segment goes, also where mprotect(2) has split it.
CallResult shmdt(Call& call) {
  const GuestAddr start = call.address(0);
  const Region* const region = call.memory.region_at(start);
  if (region == nullptr || region->start != start.value() || region->backing.offset != 0 ||
      region->backing.shared == nullptr) {
    return CallResult::failure(Errno::einval);
  }
  for (const auto& [place, segment] : call.os.ipc().segments.all()) {
    if (!segment->is_shown_by(*region)) continue;
    const std::uint64_t end = start.value() + call.port().layout.round_up(segment->size());
    segment->note_detach(call.process.pid, ipc_time(call));
    return detach(call, *segment, start.value(), end);
  }
  return CallResult::failure(Errno::einval);
}

namespace {

// Its key is free, and it goes with the last attachment.
CallResult remove_segment(Call& call, SharedSegment& segment) {
  call.os.ipc().segments.make_private(segment);
  segment.permission.mode |= shm_dest;
  segment.let_go();
  call.os.ipc().forget_gone_segments();
  return CallResult::value(0);
}

// Nothing is ever swapped out, so a lock changes only what IPC_STAT says.
CallResult lock_segment(Call& call, SharedSegment& segment, bool locks) {
  if (!segment.permission.is_of(call.state.credentials)) return CallResult::failure(Errno::eperm);
  std::uint32_t& mode = segment.permission.mode;
  mode = locks ? mode | shm_locked : mode & ~shm_locked;
  return CallResult::value(0);
}

CallResult set_segment(Call& call, SharedSegment& segment, const IpcForms& forms) {
  const auto asked = load_status(call, forms.segment, segment.status(), call.address(2));
  if (!asked) return CallResult::failure(asked.error());
  if (!segment.permission.is_of(call.state.credentials)) return CallResult::failure(Errno::eperm);
  change_permission(segment.permission, asked->permission);
  segment.note_change(ipc_time(call));
  return CallResult::value(0);
}

}  // namespace

// shmctl(segment, command, buffer)
CallResult shmctl(Call& call) {
  return shmctl_with(call, ipc_forms(call));
}

}  // namespace calls

CallResult shmctl_with(Call& call, const IpcForms& forms) {
  using namespace calls;
  const IpcCommands& commands = call.system.ipc->commands;
  const std::uint32_t command = call.argument(1);
  const auto segment = segment_of(call, command == commands.status ? ipc_read : 0);
  if (!segment) return CallResult::failure(segment.error());
  if (command == commands.status) {
    return store_status(call, forms.segment, (*segment)->status(), call.address(2));
  }
  if (command == commands.set) return set_segment(call, **segment, forms);
  if (command == commands.lock || command == commands.unlock) {
    return lock_segment(call, **segment, command == commands.lock);
  }
  if (command != commands.remove) return CallResult::failure(Errno::einval);
  if (!(*segment)->permission.is_of(call.state.credentials)) {
    return CallResult::failure(Errno::eperm);
  }
  return remove_segment(call, **segment);
}

}  // namespace hardclock::posix
