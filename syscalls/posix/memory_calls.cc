#include "syscalls/irix/calls.h"
#include "syscalls/irix/irix.h"

namespace hardclock::irix::calls {
namespace {

// mmap(2) flags (IRIX <sys/mman.h>). There is no MAP_ANON: /dev/zero is mapped instead.
constexpr std::uint32_t map_shared = 1, map_private = 2, map_type = 3, map_fixed = 0x10;
constexpr std::uint32_t prot_read = 1, prot_write = 2, prot_execute = 4, prot_all = 7;

// Where mappings without an address go: below the shared libraries' usual places, then above the
// heap. IRIX never places one in 0x30000000..0x40000000 by itself (sgi_use_anyaddr(3)).
struct Range {
  GuestAddr low, high;
};
constexpr Range automatic_ranges[] = {{GuestAddr(0x04000000), GuestAddr(0x0c000000)},
                                      {GuestAddr(0x18000000), GuestAddr(0x30000000)}};

Permissions to_permissions(std::uint32_t prot) {
  return {(prot & prot_read) != 0, (prot & prot_write) != 0, (prot & prot_execute) != 0};
}

std::optional<GuestAddr> choose_address(const AddressSpace& memory, GuestAddr hint,
                                        std::uint64_t size) {
  const GuestAddr page(hint.value() & ~page_mask);
  if (hint != GuestAddr(0) && page.value() + round_up_to_page(size) <= user_end.value() &&
      memory.is_free(page, round_up_to_page(size))) {
    return page;
  }
  for (const Range& range : automatic_ranges) {
    if (const auto found = memory.find_free(range.low, range.high, size)) return found;
  }
  return std::nullopt;
}

}  // namespace

CallResult brk(Call& call) {
  const std::uint64_t requested = call.argument(0);
  const std::uint64_t start = call.state.break_start.value();
  if (requested < start) return CallResult::failure(Errno::einval);
  const std::uint64_t old_end = round_up_to_page(call.state.break_end.value());
  const std::uint64_t new_end = round_up_to_page(requested);
  if (new_end > old_end) {
    const auto mapped = call.memory.map(GuestAddr(old_end), new_end - old_end,
                                        Permissions{.read = true, .write = true}, "heap");
    if (!mapped) return CallResult::failure(Errno::enomem);
  } else if (new_end < old_end) {
    const auto unmapped = call.memory.unmap(GuestAddr(new_end), old_end - new_end);
    if (!unmapped) return CallResult::failure(Errno::enomem);
  }
  call.state.break_end = GuestAddr(requested);
  return CallResult::value(0);
}

CallResult mmap(Call& call) {
  const std::uint64_t size = call.argument(1);
  const std::uint32_t prot = call.argument(2);
  const std::uint32_t flags = call.argument(3);
  const std::uint32_t type = flags & map_type;
  const bool fixed = (flags & map_fixed) != 0;
  if (size == 0 || (prot & ~prot_all) != 0 || (type != map_shared && type != map_private) ||
      (call.argument(5) & page_mask) != 0 || (fixed && (call.argument(0) & page_mask) != 0)) {
    return CallResult::failure(Errno::einval);
  }
  const auto file = call.state.descriptors.get(call.signed_argument(4));
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  if (!file->is_zero_device()) return CallResult::failure(Errno::enodev);
  if (fixed) {
    const auto cleared = call.memory.unmap(call.address(0), size);
    if (!cleared) return CallResult::failure(Errno::einval);
  }
  const auto address =
      fixed ? std::optional(call.address(0)) : choose_address(call.memory, call.address(0), size);
  if (!address) return CallResult::failure(Errno::enomem);
  const auto mapped =
      call.memory.map(*address, size, to_permissions(prot), "/dev/zero", type == map_shared);
  if (!mapped) return CallResult::failure(to_errno(mapped.error()));
  return CallResult::value(static_cast<std::uint32_t>(address->value()));
}

CallResult munmap(Call& call) {
  if (call.argument(1) == 0) return CallResult::failure(Errno::einval);
  const auto unmapped = call.memory.unmap(call.address(0), call.argument(1));
  if (!unmapped) return CallResult::failure(Errno::einval);
  return CallResult::value(0);
}

CallResult mprotect(Call& call) {
  const std::uint32_t prot = call.argument(2);
  if ((prot & ~prot_all) != 0 || (call.argument(0) & page_mask) != 0) {
    return CallResult::failure(Errno::einval);
  }
  if (call.argument(1) == 0) return CallResult::value(0);
  const auto changed = call.memory.protect(call.address(0), call.argument(1), to_permissions(prot));
  if (!changed) return CallResult::failure(Errno::enomem);
  return CallResult::value(0);
}

CallResult getpagesize(Call&) {
  return CallResult::value(static_cast<std::uint32_t>(page_size));
}
CallResult pagesize(Call&) {
  return CallResult::value(static_cast<std::uint32_t>(page_size));
}

}  // namespace hardclock::irix::calls
