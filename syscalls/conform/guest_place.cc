#include "syscalls/conform/guest_place.h"

#include <algorithm>
#include <variant>
#include <vector>

#include "sim/memory/page.h"

namespace hardclock::conform {
namespace {

// struct prof has at most 32 bytes; IRIX was seen to take 4000 of them.
constexpr std::uint64_t room_for_regions = 32 * 4096;

// Page numbers, both inclusive.
struct PageRange {
  std::uint64_t first, last;
};

void add(std::vector<PageRange>& ranges, GuestAddr address, std::uint64_t size) {
  const std::uint64_t first = address.value();
  const std::uint64_t last = first + std::min(size - 1, ~first);
  ranges.push_back({first >> page_shift, last >> page_shift});
}

// The addresses that an event itself runs or touches. A tick can have a call before its pc, or the
// call at its pc and the loop after it.
void add_event(std::vector<PageRange>& ranges, const Event& event, const GuestCode& code) {
  if (const auto* const tick = std::get_if<TickEvent>(&event.what)) {
    const std::uint64_t front = std::min(tick->pc.value(), code.call_bytes());
    add(ranges, tick->pc - front, front + code.call_bytes() + code.loop_bytes());
  } else if (const auto* const run = std::get_if<RunEvent>(&event.what)) {
    add(ranges, run->pc, code.loop_bytes());
  } else if (const auto* const memory = std::get_if<MemoryEvent>(&event.what)) {
    add(ranges, memory->address, memory->size);
  } else if (const auto* const poke = std::get_if<PokeEvent>(&event.what)) {
    add(ranges, poke->address, poke->width);
  }
}

// By their first pages.
std::vector<PageRange> taken_pages(const Case& of, const GuestCode& code) {
  std::vector<PageRange> ranges;
  const Pages& kernel = code.kernel_pages;
  if (kernel.size != 0) add(ranges, kernel.start, kernel.size);
  for (const MemoryObject& object : of.memory) add(ranges, object.address, object.size);
  for (const Event& event : of.events) add_event(ranges, event, code);
  std::ranges::sort(ranges, {}, &PageRange::first);
  return ranges;
}

// Whether pointers lead to all of it. Those of 32-bit programs for IA-64 lead to four pieces of
// memory, far from each other.
bool has_pointers(const Pages& pages, const posix::SyscallAbi& abi) {
  const GuestAddr last = pages.start + (pages.size - 1);
  return abi.pointer(pages.start.value()) == pages.start && abi.pointer(last.value()) == last;
}

}  // namespace

std::optional<Pages> pages_of(GuestAddr address, std::uint64_t size, GuestAddr end,
                              const posix::SyscallAbi& abi) {
  const std::uint64_t first = address.value();
  if (first >= end.value() || size > end.value() - first) return std::nullopt;
  const std::uint64_t start = first & ~page_mask;
  const Pages pages{GuestAddr(start), round_up_to_page(first + size) - start};
  return has_pointers(pages, abi) ? std::optional(pages) : std::nullopt;
}

bool is_in_case(const Case& of, GuestAddr address) {
  if (find_object(of, address) != nullptr) return true;
  return std::ranges::any_of(of.events, [&](const Event& event) {
    const auto* const map = std::get_if<MemoryEvent>(&event.what);
    if (map == nullptr || map->kind != MemoryEvent::Kind::mmap) return false;
    const std::uint64_t start = map->address.value() & ~page_mask;
    return address.value() >= start && (address.value() & ~page_mask) - start <= map->size - 1;
  });
}

std::optional<AgentLayout> place_agent(const Case& of, const posix::Port& port,
                                       const GuestCode& code) {
  const std::uint64_t data_size =
      of.variant->system->sprofil == nullptr ? page_size : page_size + room_for_regions;
  const std::uint64_t behind = of.variant->system->sprofil == nullptr ? 0 : 1;
  const std::uint64_t wanted = 1 + (data_size >> page_shift) + behind;
  const posix::Layout& layout = port.layout;
  const GuestAddr stack =
      layout.stack_top - (code.abi->stack_grows_up ? layout.stack_limit : layout.initial_stack);
  std::uint64_t candidate = 1;  // page 0 is what null points to
  for (const PageRange& range : taken_pages(of, code)) {
    if (range.first >= candidate + wanted) break;
    candidate = std::max(candidate, range.last + 1);
  }
  if (candidate + wanted > stack.value() >> page_shift) return std::nullopt;
  const AgentLayout agent{GuestAddr(candidate << page_shift), code.call_bytes(), data_size};
  return has_pointers({agent.code, agent.size()}, *code.abi) ? std::optional(agent) : std::nullopt;
}

}  // namespace hardclock::conform
