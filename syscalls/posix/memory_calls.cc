#include "syscalls/posix/calls.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix::calls {
namespace {

// mmap(2)'s sharing and protection; the other flags are the system's.
constexpr std::uint32_t map_shared = 1, map_private = 2, map_type = 3;
constexpr std::uint32_t prot_read = 1, prot_write = 2, prot_execute = 4, prot_all = 7;

Permissions to_permissions(std::uint32_t prot) {
  return {(prot & prot_read) != 0, (prot & prot_write) != 0, (prot & prot_execute) != 0};
}

// Page 0 is no place for a hint: NULL points to it.
std::optional<GuestAddr> choose_address(const Layout& layout, const AddressSpace& memory,
                                        GuestAddr hint, std::uint64_t size) {
  const std::uint64_t page = hint.value() & ~page_mask;
  const std::uint64_t end = memory.user_end().value();
  if (page != 0 && page < end && size <= end - page &&
      memory.is_free(GuestAddr(page), round_up_to_page(size))) {
    return GuestAddr(page);
  }
  for (const Layout::Range& range : layout.mappings) {
    if (const auto found = memory.find_free(range.low, range.high, size)) return found;
  }
  return std::nullopt;
}

}  // namespace

CallResult brk(Call& call) {
  Heap& heap = *call.state.heap;
  const std::uint64_t requested = call.address(0).value();
  if (requested > call.memory.user_end().value()) return CallResult::failure(Errno::enomem);
  const std::uint64_t old_end = round_up_to_page(heap.end.value());
  const std::uint64_t new_end = round_up_to_page(requested);
  // The page in which the data ends is the program's: its library starts from there.
  if (new_end < heap.start.value()) return CallResult::failure(Errno::enomem);
  if (new_end > old_end) {
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

CallResult mmap(Call& call) {
  const std::uint64_t size = call.arguments[1];
  const std::uint32_t prot = call.argument(2);
  const std::uint32_t flags = call.argument(3);
  const std::uint32_t type = flags & map_type;
  const MapFlags& known = call.system.map_flags;
  const bool fixed = (flags & known.fixed) != 0;
  if (size == 0 || (prot & ~prot_all) != 0 || (type != map_shared && type != map_private) ||
      (call.argument(5) & page_mask) != 0 ||
      (fixed && (call.address(0).value() & page_mask) != 0)) {
    return CallResult::failure(Errno::einval);
  }
  if ((flags & known.anonymous) == 0) {
    const auto file = call.state.descriptors.get(call.signed_argument(4));
    if (file == nullptr) return CallResult::failure(Errno::ebadf);
    if (!file->is_zero_device()) return CallResult::failure(Errno::enodev);
  }
  if (fixed) {
    const auto cleared = call.memory.unmap(call.address(0), size);
    if (!cleared) return CallResult::failure(Errno::einval);
  }
  const auto address = fixed
                           ? std::optional(call.address(0))
                           : choose_address(call.system.layout, call.memory, call.address(0), size);
  if (!address) return CallResult::failure(Errno::enomem);
  const auto mapped =
      call.memory.map(*address, size, to_permissions(prot), "[anon]", type == map_shared);
  if (!mapped) return CallResult::failure(to_errno(mapped.error()));
  return CallResult::value(address->value());
}

CallResult munmap(Call& call) {
  if (call.arguments[1] == 0) return CallResult::failure(Errno::einval);
  const auto unmapped = call.memory.unmap(call.address(0), call.arguments[1]);
  if (!unmapped) return CallResult::failure(Errno::einval);
  return CallResult::value(0);
}

CallResult mprotect(Call& call) {
  const std::uint32_t prot = call.argument(2);
  if ((prot & ~prot_all) != 0 || (call.address(0).value() & page_mask) != 0) {
    return CallResult::failure(Errno::einval);
  }
  if (call.arguments[1] == 0) return CallResult::value(0);
  const auto changed =
      call.memory.protect(call.address(0), call.arguments[1], to_permissions(prot));
  if (!changed) return CallResult::failure(Errno::enomem);
  return CallResult::value(0);
}

CallResult getpagesize(Call&) {
  return CallResult::value(page_size);
}

}  // namespace hardclock::posix::calls
