#include <algorithm>
#include <vector>

#include "syscalls/linux/calls.h"
#include "syscalls/linux/memory_file.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/limits.h"
#include "syscalls/posix/process_memory.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux::calls {
namespace {

// arch/mips/include/uapi/asm/mman.h, include/uapi/linux/mman.h
constexpr std::uint32_t map_type = 3, map_shared = 1, map_shared_validate = 3;
constexpr std::uint32_t map_fixed_noreplace = 0x100000;
constexpr std::uint32_t mremap_maymove = 1;
constexpr std::uint32_t madv_dontneed = 4;
constexpr std::uint64_t prot_growsdown = 0x01000000, prot_growsup = 0x02000000;

// Copies what is mapped at `from` to fresh memory at `to`. Only the kernel touches it, so the
// permissions do not matter.
bool copy_pages(AddressSpace& memory, GuestAddr from, GuestAddr to, std::uint64_t size) {
  std::vector<std::uint8_t> page(page_size);
  for (std::uint64_t done = 0; done < size; done += page_size) {
    if (!memory.read_bytes(from + done, page)) return false;
    if (!memory.initialize(to + done, page)) return false;
  }
  return true;
}

// Private anonymous memory of one region: what a C library's realloc() moves.
const Region* movable_region(const AddressSpace& memory, GuestAddr start, std::uint64_t size) {
  const Region* const region = memory.region_at(start);
  if (region == nullptr || region->end - start.value() < size) return nullptr;
  const bool is_anonymous = region->backing.shared == nullptr && region->backing.source == nullptr;
  return is_anonymous && region->permissions.read ? region : nullptr;
}

std::optional<GuestAddr> find_free(const Call& call, std::uint64_t size) {
  for (const posix::Layout::Range& range : call.port().layout.mappings) {
    if (const auto found = call.memory.find_free(range.low, range.high, size)) return found;
  }
  return std::nullopt;
}

CallResult move_mapping(Call& call, const Region& region, GuestAddr from, std::uint64_t old_size,
                        std::uint64_t size) {
  const auto to = find_free(call, size);
  if (!to) return CallResult::failure(Errno::enomem);
  const auto mapped = call.memory.map(*to, size, region.permissions, region.name);
  if (!mapped) return CallResult::failure(posix::to_errno(mapped.error()));
  if (!copy_pages(call.memory, from, *to, old_size)) {
    (void)call.memory.unmap(*to, size);
    return CallResult::failure(Errno::enomem);
  }
  (void)call.memory.unmap(from, old_size);
  return CallResult::value(to->value());
}

// As before it was touched. Shared memory stays what it is.
void discard(AddressSpace& memory, const Region& region, GuestAddr start, GuestAddr end) {
  if (region.backing.shared != nullptr) return;
  for (GuestAddr page = start; page < end; page = page + page_size) {
    memory.exchange_frame(page, nullptr);
  }
}

// RLIMIT_MEMLOCK in bytes; the superuser has no limit (mm/mlock.c, can_do_mlock()).
std::optional<std::uint64_t> lock_limit(const Call& call) {
  const std::uint64_t limit = call.state.limits[posix::rlimit_memlock].current;
  if (limit == posix::no_limit || call.state.credentials.is_superuser()) return std::nullopt;
  return limit;
}

// The pages of (address, size) that a call names. EINVAL; ENOMEM: they are not all mapped.
Result<std::pair<std::uint64_t, std::uint64_t>, Errno> mapped_pages(const Call& call) {
  const posix::Layout& layout = call.port().layout;
  const std::uint64_t start = call.arguments[0] & ~(layout.page_bytes - 1);
  const std::uint64_t end = layout.round_up(call.arguments[0] + call.arguments[1]);
  if (end < start) return Failure{Errno::einval};
  for (std::uint64_t at = start; at < end;) {
    const Region* const region = call.memory.region_at(GuestAddr(at));
    if (region == nullptr) return Failure{Errno::enomem};
    at = region->end;
  }
  return std::pair(start, end);
}

}  // namespace

// The break after the call: it shows a program that the break did not move.
CallResult brk(Call& call) {
  (void)posix::calls::brk(call);
  return CallResult::value(call.state.heap->end.value());
}

// mm/mprotect.c: with PROT_GROWSDOWN from the start of a stack that grows down, with PROT_GROWSUP
// to the end of one that grows up.
CallResult mprotect(Call& call) {
  const std::uint64_t grows = call.arguments[2] & (prot_growsdown | prot_growsup);
  if (grows == 0) return posix::calls::mprotect(call);
  const posix::Layout& layout = call.port().layout;
  if (grows == (prot_growsdown | prot_growsup) || !layout.is_page(call.address(0))) {
    return CallResult::failure(Errno::einval);
  }
  call.arguments[2] &= ~grows;
  if (call.arguments[1] == 0) return CallResult::value(0);
  const Region* const region = call.memory.region_at(call.address(0));
  if (region == nullptr) return CallResult::failure(Errno::enomem);
  const bool is_down = grows == prot_growsdown;
  const bool region_is_up = region->grow_limit > region->start;
  if (region->grow_limit == 0 || region_is_up == is_down) {
    return CallResult::failure(Errno::einval);
  }
  const std::uint64_t end =
      is_down ? call.arguments[0] + layout.round_up(call.arguments[1]) : region->end;
  if (is_down) call.arguments[0] = region->start;
  call.arguments[1] = end - call.arguments[0];
  return posix::calls::mprotect(call);
}

CallResult mmap(Call& call) {
  const std::uint32_t flags = call.argument(3);
  if ((flags & map_fixed_noreplace) != 0) {
    if (!call.port().layout.is_page(call.address(0))) return CallResult::failure(Errno::einval);
    if (!call.memory.is_free(call.address(0), call.port().layout.round_up(call.arguments[1]))) {
      return CallResult::failure(Errno::eexist);
    }
    call.arguments[3] |= call.system.map_flags.fixed;
  }
  if ((flags & map_type) == map_shared_validate) {
    call.arguments[3] = (call.argument(3) & ~map_type) | map_shared;
  }
  const bool has_file = (flags & call.system.map_flags.anonymous) == 0;
  if (has_file && is_sealed_against_sharing(call)) return CallResult::failure(Errno::eperm);
  return posix::calls::mmap(call);
}

// Counts in pages where it is IA-64's, and in 4 KiB elsewhere, which is the same here (mmap2(2)).
CallResult mmap2(Call& call) {
  call.arguments[5] *= call.port().layout.page_bytes;
  return mmap(call);
}

CallResult mremap(Call& call) {
  const posix::Layout& layout = call.port().layout;
  const GuestAddr start = call.address(0);
  const std::uint64_t old_size = layout.round_up(call.arguments[1]);
  const std::uint64_t size = layout.round_up(call.arguments[2]);
  const std::uint32_t flags = call.argument(3);
  if (!layout.is_page(start) || size == 0 || (flags & ~mremap_maymove) != 0) {
    return CallResult::failure(Errno::einval);
  }
  const Region* const region = movable_region(call.memory, start, old_size);
  if (region == nullptr) return CallResult::failure(Errno::efault);
  if (size <= old_size) {
    if (size < old_size) (void)call.memory.unmap(start + size, old_size - size);
    return CallResult::value(start.value());
  }
  const bool is_too_much =
      !posix::may_map(call, size - old_size) ||
      (region->permissions.write && !posix::may_have_data(call, size - old_size));
  if (is_too_much) return CallResult::failure(Errno::enomem);
  const Region kept = *region;
  const auto grown =
      call.memory.map(start + old_size, size - old_size, kept.permissions, kept.name);
  if (grown) return CallResult::value(start.value());
  if ((flags & mremap_maymove) == 0) return CallResult::failure(Errno::enomem);
  return move_mapping(call, kept, start, old_size, size);
}

// MADV_DONTNEED makes private anonymous memory zeros again; all other advice has no effect that a
// program can see. What is not mapped is passed over (madvise(2), ENOMEM).
CallResult madvise(Call& call) {
  const posix::Layout& layout = call.port().layout;
  const std::uint64_t start = call.address(0).value();
  const std::uint64_t size = layout.round_up(call.arguments[1]);
  const std::uint64_t last = call.abi().long_bytes() == 4 ? 0xffffffff : ~std::uint64_t{0};
  const bool wraps = size == 0 ? call.arguments[1] != 0 : size > last - start;
  if (!layout.is_page(GuestAddr(start)) || wraps) return CallResult::failure(Errno::einval);
  if (call.argument(2) != madv_dontneed || size == 0) return CallResult::value(0);
  const std::uint64_t end = start + size;
  bool has_gap = false;
  for (std::uint64_t at = start; at < end;) {
    const Region* const region = posix::next_region(call.memory, at);
    if (region == nullptr || region->start > at) has_gap = true;
    if (region == nullptr) break;
    const std::uint64_t to = std::min(region->end, end);
    discard(call.memory, *region, GuestAddr(std::max(region->start, at)), GuestAddr(to));
    at = region->end;
  }
  return has_gap ? CallResult::failure(Errno::enomem) : CallResult::value(0);
}

// mincore(address, length, vector): a byte a page, 1 for each, as nothing is ever swapped out.
CallResult mincore(Call& call) {
  const posix::Layout& layout = call.port().layout;
  const GuestAddr start = call.address(0);
  if (!layout.is_page(start)) return CallResult::failure(Errno::einval);
  const std::uint64_t bytes = layout.round_up(call.arguments[1]);
  if (bytes > call.memory.user_end().value() - start.value()) {
    return CallResult::failure(Errno::enomem);
  }
  const GuestAddr end = start + bytes;
  for (GuestAddr at = start; at < end;) {
    const Region* const region = call.memory.region_at(at);
    if (region == nullptr) return CallResult::failure(Errno::enomem);
    at = GuestAddr(region->end);
  }
  const std::vector<std::uint8_t> all(page_size, 1);
  std::uint64_t left = bytes / layout.page_bytes;
  for (GuestAddr to = call.address(2); left != 0;) {
    const std::uint64_t count = std::min<std::uint64_t>(left, all.size());
    if (!call.memory.write_bytes(to, std::span(all).first(count))) {
      return CallResult::failure(Errno::efault);
    }
    to = to + count;
    left -= count;
  }
  return CallResult::value(0);
}

// Nothing is ever paged out here: a lock says no more than that there is memory (mm/mlock.c,
// do_mlock()).
CallResult mlock(Call& call) {
  const auto limit = lock_limit(call);
  if (limit == std::uint64_t{0}) return CallResult::failure(Errno::eperm);
  const auto pages = mapped_pages(call);
  if (!pages) return CallResult::failure(pages.error());
  host::Ranges locked = call.state.heap->locked;
  locked.add(pages->first, pages->second);
  if (limit && locked.count(0, call.memory.user_end().value()) > *limit) {
    return CallResult::failure(Errno::enomem);
  }
  call.state.heap->locked = std::move(locked);
  return CallResult::value(0);
}

CallResult munlock(Call& call) {
  const auto pages = mapped_pages(call);
  if (!pages) return CallResult::failure(pages.error());
  call.state.heap->locked.remove(pages->first, pages->second);
  return CallResult::value(0);
}

// mlock2(address, size, flags)
CallResult mlock2(Call& call) {
  constexpr std::uint32_t on_fault = 1;
  if ((call.argument(2) & ~on_fault) != 0) return CallResult::failure(Errno::einval);
  return mlock(call);
}

// mlockall(flags)
CallResult mlockall(Call& call) {
  constexpr std::uint32_t current = 1, future = 2, on_fault = 4;
  const std::uint32_t flags = call.argument(0);
  const bool is_known = (flags & ~(current | future | on_fault)) == 0;
  if (!is_known || (flags & (current | future)) == 0) return CallResult::failure(Errno::einval);
  const auto limit = lock_limit(call);
  if (limit == std::uint64_t{0}) return CallResult::failure(Errno::eperm);
  if ((flags & current) == 0) return CallResult::value(0);
  host::Ranges all;
  posix::for_each_region(call.memory,
                         [&](const Region& region) { all.add(region.start, region.end); });
  if (limit && all.count(0, call.memory.user_end().value()) > *limit) {
    return CallResult::failure(Errno::enomem);
  }
  call.state.heap->locked = std::move(all);
  return CallResult::value(0);
}

CallResult munlockall(Call& call) {
  call.state.heap->locked = {};
  return CallResult::value(0);
}

}  // namespace hardclock::gnu_linux::calls
