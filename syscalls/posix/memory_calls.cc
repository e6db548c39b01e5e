#include <algorithm>
#include <set>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/files/file_mapping.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/limits.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix::calls {
namespace {

// mmap(2)'s sharing and protection; the other flags are the system's.
constexpr std::uint32_t map_shared = 1, map_private = 2, map_type = 3;
constexpr std::uint32_t prot_read = 1, prot_write = 2, prot_execute = 4, prot_all = 7;

// The protection that a processor can enforce: a MIPS TLB entry is valid or not and dirty or not,
// so any access implies reading, unless the kernel asks at the first one. SGI's ld maps its output
// with PROT_WRITE alone, and reads it.
Permissions to_permissions(const UnixSystem& system, std::uint32_t prot) {
  const bool is_write_only = (prot & (prot_read | prot_write)) == prot_write;
  const bool reads = !is_write_only || !system.profiling->has_write_only_memory;
  return {prot != 0 && reads, (prot & prot_write) != 0, (prot & prot_execute) != 0};
}

// A hint never means page 0: NULL points to it.
std::optional<GuestAddr> choose_address(const Layout& layout, const AddressSpace& memory,
                                        GuestAddr hint, std::uint64_t size) {
  const std::uint64_t page = layout.page_of(hint.value());
  const std::uint64_t end = memory.user_end().value();
  if (page != 0 && page < end && size <= end - page && memory.is_free(GuestAddr(page), size)) {
    return GuestAddr(page);
  }
  for (const Layout::Range& range : layout.mappings) {
    if (const auto found = memory.find_free(range.low, range.high, size)) return found;
  }
  return std::nullopt;
}

// The backing of a mapping with these flags.
Result<Backing, Errno> backing_of(Call& call, std::uint32_t prot, std::uint32_t flags) {
  const MapFlags& known = call.system.map_flags;
  const bool shared = (flags & map_type) == map_shared;
  const Backing zeros{shared ? std::make_shared<SharedPages>() : nullptr, nullptr, 0};
  if ((flags & known.anonymous) != 0) return zeros;
  const auto file = call.descriptors().get(call.signed_argument(4));
  if (file == nullptr) return Failure{Errno::ebadf};
  const auto status = file->status();
  if (status && status->special == host::SpecialFile::zero) return zeros;
  if (!status || status->type != host::FileType::regular) return Failure{Errno::enodev};
  const host::OpenRights rights = file->rights();
  const bool writes = shared && (prot & prot_write) != 0;
  if (!rights.read || (writes && !rights.write)) return Failure{Errno::eacces};
  const std::uint64_t page_bytes = call.port().layout.page_bytes;
  if (!shared) {
    return Backing{nullptr, std::make_shared<FilePages>(file, page_bytes), call.arguments[5]};
  }
  const auto pages = call.os.shared_files().pages_of(file, call.memory.budget(), page_bytes);
  // mprotect() may allow stores later.
  if (rights.write && !pages->allow_writing(file, (flags & known.autogrow) != 0)) {
    return Failure{Errno::enomem};
  }
  return Backing{pages, pages, call.arguments[5]};
}

// Of the range, what is private and cannot be written.
std::uint64_t unwritable_bytes(const AddressSpace& memory, GuestAddr start, std::uint64_t size) {
  std::uint64_t bytes = 0;
  const std::uint64_t first = start.value(), end = first + size;
  for_each_region(memory, [&](const Region& region) {
    if (region.permissions.write || region.backing.shared != nullptr) return;
    if (region.end > first && region.start < end)
      bytes += std::min(region.end, end) - std::max(region.start, first);
  });
  return bytes;
}

}  // namespace

CallResult brk(Call& call) {
  const Layout& layout = call.port().layout;
  Heap& heap = *call.state.heap;
  const std::uint64_t requested = call.address(0).value();
  if (requested > call.memory.user_end().value()) return CallResult::failure(Errno::enomem);
  const std::uint64_t old_end = layout.round_up(heap.end.value());
  const std::uint64_t new_end = layout.round_up(requested);
  // The page in which the data ends is the program's: its library starts from there.
  if (new_end < heap.start.value()) return CallResult::failure(Errno::enomem);
  if (new_end > old_end) {
    const std::uint64_t more = new_end - old_end;
    const bool may_grow = may_have_heap(call, requested - heap.start.value()) &&
                          may_have_data(call, more) && may_map(call, more);
    if (!may_grow) return CallResult::failure(Errno::enomem);
    const auto mapped = call.memory.map(GuestAddr(old_end), new_end - old_end,
                                        Permissions{.read = true, .write = true}, "heap");
    if (!mapped) return CallResult::failure(Errno::enomem);
  } else if (new_end < old_end) {
    const auto unmapped = call.memory.unmap(GuestAddr(new_end), old_end - new_end);
    if (!unmapped) return CallResult::failure(Errno::enomem);
  }
  heap.end = GuestAddr(requested);
  return CallResult::value(0);
}

// mmap(address, size, protection, flags, fd, offset)
CallResult mmap(Call& call) {
  const Layout& layout = call.port().layout;
  const std::uint64_t size = layout.round_up(call.arguments[1]);
  const std::uint32_t prot = call.argument(2);
  const std::uint32_t flags = call.argument(3);
  const std::uint32_t type = flags & map_type;
  const bool fixed = (flags & call.system.map_flags.fixed) != 0;
  if (size == 0 || (prot & ~prot_all) != 0 || (type != map_shared && type != map_private) ||
      !layout.is_page(GuestAddr(call.arguments[5])) ||
      (fixed && !layout.is_page(call.address(0)))) {
    return CallResult::failure(Errno::einval);
  }
  const auto backing = backing_of(call, prot, flags);
  if (!backing) return CallResult::failure(backing.error());
  const bool is_data = type == map_private && (prot & prot_write) != 0;
  if (!may_map(call, size) || (is_data && !may_have_data(call, size))) {
    return CallResult::failure(Errno::enomem);
  }
  if (fixed) {
    const auto cleared = call.memory.unmap(call.address(0), size);
    if (!cleared) return CallResult::failure(Errno::einval);
  }
  const auto address = fixed ? std::optional(call.address(0))
                             : choose_address(layout, call.memory, call.address(0), size);
  if (!address) return CallResult::failure(Errno::enomem);
  const bool is_file = backing->source != nullptr;
  const Permissions permissions = to_permissions(call.system, prot);
  const auto mapped =
      call.memory.map_object(*address, size, permissions, is_file ? "[file]" : "[anon]", *backing);
  if (!mapped) return CallResult::failure(to_errno(mapped.error()));
  if (is_file) {
    note_code(call.memory, *address, size, permissions,
              *call.descriptors().get(call.signed_argument(4)), backing->offset);
  }
  return CallResult::value(address->value());
}

// mmap(address, size, protection, flags, fd, pad, int64 offset)
CallResult mmap64(Call& call) {
  call.arguments[5] = call.argument64(6);
  return mmap(call);
}

// msync(address, size, flags): whatever the flags, stores are in the file afterwards.
CallResult msync(Call& call) {
  const Layout& layout = call.port().layout;
  const std::uint64_t start = call.address(0).value();
  if (!layout.is_page(call.address(0))) return CallResult::failure(Errno::einval);
  const std::uint64_t end = start + layout.round_up(call.arguments[1]);
  if (end < start) return CallResult::failure(Errno::einval);
  std::set<SharedFilePages*> files;  // one file may be mapped in many places
  for (std::uint64_t at = start; at < end;) {
    const Region* const region = call.memory.region_at(GuestAddr(at));
    if (region == nullptr) return CallResult::failure(Errno::enomem);
    auto* const file = dynamic_cast<SharedFilePages*>(region->backing.shared.get());
    if (file != nullptr && files.insert(file).second) {
      const auto done = file->sync();
      if (!done) return CallResult::failure(to_errno(done.error()));
    }
    at = region->end;
  }
  return CallResult::value(0);
}

CallResult munmap(Call& call) {
  const Layout& layout = call.port().layout;
  const std::uint64_t size = layout.round_up(call.arguments[1]);
  if (size == 0 || !layout.is_page(call.address(0))) return CallResult::failure(Errno::einval);
  const auto unmapped = call.memory.unmap(call.address(0), size);
  if (!unmapped) return CallResult::failure(to_errno(unmapped.error()));
  call.state.heap->locked.remove(call.arguments[0], call.arguments[0] + size);
  return CallResult::value(0);
}

CallResult mprotect(Call& call) {
  const Layout& layout = call.port().layout;
  const std::uint32_t prot = call.argument(2);
  if ((prot & ~prot_all) != 0 || !layout.is_page(call.address(0))) {
    return CallResult::failure(Errno::einval);
  }
  if (call.arguments[1] == 0) return CallResult::value(0);
  const std::uint64_t size = layout.round_up(call.arguments[1]);
  const bool is_data = (prot & prot_write) != 0;
  if (is_data && !may_have_data(call, unwritable_bytes(call.memory, call.address(0), size))) {
    return CallResult::failure(Errno::enomem);
  }
  const auto changed =
      call.memory.protect(call.address(0), size, to_permissions(call.system, prot));
  if (!changed) return CallResult::failure(Errno::enomem);
  return CallResult::value(0);
}

CallResult getpagesize(Call& call) {
  return CallResult::value(call.port().layout.page_bytes);
}

}  // namespace hardclock::posix::calls
