// A case's memory: as it begins, how it changes, and what is in it at the end.
#include <fmt/format.h>

#include <array>
#include <map>
#include <span>

#include "sim/base/endian.h"
#include "syscalls/conform/agent_data.h"
#include "syscalls/conform/backend.h"
#include "syscalls/conform/case_run.h"
#include "syscalls/conform/guest_place.h"

namespace hardclock::conform {
namespace {

constexpr std::uint64_t elements_at_once = 65536;  // that are read from the guest
constexpr std::uint64_t map_private = 2;
static_assert(observed_page == page_size);

// As mmap(2) of the guest's kernel.
Permissions permissions_of(const profil::SystemRules& system, const Protection& protection) {
  const bool reads = protection.read || (protection.write && !system.has_write_only_memory);
  return {reads, protection.write, protection.execute};
}

std::uint64_t prot_of(const Protection& protection) {
  return (protection.read ? 1U : 0U) | (protection.write ? 2U : 0U) |
         (protection.execute ? 4U : 0U);
}

// Whatever the page's protection: nothing runs any more.
bool is_mapped(AddressSpace& memory, GuestAddr start, std::uint64_t size) {
  return memory.protect(start, size, Permissions{.read = true}).ok();
}

// The runs of pages that are mapped.
std::vector<Pages> mapped_runs(AddressSpace& memory, const Pages& pages) {
  if (is_mapped(memory, pages.start, pages.size)) return {pages};
  std::vector<Pages> runs;
  for (std::uint64_t at = 0; at < pages.size; at += page_size) {
    const GuestAddr page = pages.start + at;
    if (!is_mapped(memory, page, page_size)) continue;
    const bool goes_on = !runs.empty() && runs.back().start + runs.back().size == page;
    if (goes_on) {
      runs.back().size += page_size;
    } else {
      runs.push_back({page, page_size});
    }
  }
  return runs;
}

}  // namespace

std::optional<Pages> CaseRun::pages_of(GuestAddr address, std::uint64_t size) {
  const GuestAddr end = machine_.first().memory->user_end();
  const auto pages = conform::pages_of(address, size, end, *machine_.code().abi);
  if (!pages) {
    fail(fmt::format("{:#x} bytes at {:#x}: the guest's machine does not have all these addresses",
                     size, address.value()));
  }
  return pages;
}

// Whole pages: what a page holds besides an object can be touched, as on any machine.
void CaseRun::map_memory() {
  AddressSpace& memory = *machine_.first().memory;
  std::map<std::uint64_t, Protection> protections;
  for (const MemoryObject& object : case_.memory) {
    const auto pages =
        conform::pages_of(object.address, object.size, memory.user_end(), *machine_.code().abi);
    if (!pages || pages->size > memory.budget()->free_bytes()) {
      return fail(fmt::format("{}: no room for it on the guest's machine", object.name));
    }
    for (std::uint64_t at = 0; at < pages->size; at += page_size) {
      const GuestAddr page = pages->start + at;
      const auto [known, is_new] = protections.emplace(page.value(), object.protection);
      if (!is_new && known->second != object.protection) {
        return fail(
            fmt::format("{}: shares a page of {} bytes with an object of another protection",
                        object.name, page_size));
      }
      if (is_new &&
          !memory.map(page, page_size, permissions_of(*case_.variant->system, object.protection),
                      "case")) {
        return fail(fmt::format("{}: no room for it on the guest's machine", object.name));
      }
    }
    put_presets(object);
  }
}

void CaseRun::put_presets(const MemoryObject& object) {
  for (const MemoryObject::Preset& preset : object.presets) {
    std::array<std::uint8_t, 8> bytes;
    store_bytes(bytes.data(), preset.value, Endian::big);
    const auto low = std::span(bytes).subspan(bytes.size() - preset.width);
    const GuestAddr at = object.address + preset.index * preset.width;
    if (!machine_.first().memory->initialize(at, low)) {
      return fail(fmt::format("{}: the guest's machine has no memory left", object.name));
    }
  }
}

void CaseRun::act(const MemoryEvent& event) {
  Process* const owner = process();
  if (owner == nullptr || event.kind == MemoryEvent::Kind::evict) {
    return;  // the machine pages nothing out
  }
  const auto pages = pages_of(event.address, event.size);
  if (!pages) return;
  const std::uint64_t start = pages->start.value();
  if (event.kind == MemoryEvent::Kind::mmap && machine_.has_call("mmap")) {
    map_by_call(*pages, event.protection);
  } else if (event.kind == MemoryEvent::Kind::munmap && machine_.has_call("munmap")) {
    succeeded(call("munmap", {start, pages->size}), "munmap");
  } else if (event.kind == MemoryEvent::Kind::mprotect && machine_.has_call("mprotect")) {
    succeeded(call("mprotect", {start, pages->size, prot_of(event.protection)}), "mprotect");
  } else {
    change_directly(*owner->memory, event, *pages);
    if (Thread* const caller = thread()) machine_.enter_kernel(*caller);
  }
}

// What the system has no call for.
void CaseRun::change_directly(AddressSpace& memory, const MemoryEvent& event, const Pages& pages) {
  const Permissions permissions = permissions_of(*case_.variant->system, event.protection);
  bool is_done = true;
  if (event.kind == MemoryEvent::Kind::mprotect) {
    is_done = memory.protect(pages.start, pages.size, permissions).ok();
    if (!is_done) return fail("mprotect: there is no memory in a part of the range");
  } else {
    is_done = memory.unmap(pages.start, pages.size).ok();
  }
  if (event.kind == MemoryEvent::Kind::mmap) {
    is_done = is_done && memory.map(pages.start, pages.size, permissions, "case").ok();
  }
  if (!is_done) fail("the guest's machine has no room for the memory of an event");
}

// Anonymous memory by the system's own means: a flag, or a mapping of /dev/zero.
void CaseRun::map_by_call(const Pages& pages, const Protection& protection) {
  Thread* const caller = thread();
  if (caller == nullptr) return;
  const posix::MapFlags& flags = machine_.system().map_flags;
  std::uint64_t file = ~std::uint64_t{0};
  if (flags.anonymous == 0) {
    machine_.store(*caller, dev_zero_at, c_string("/dev/zero"));
    const auto opened = call("open", {machine_.data(dev_zero_at).value(), 2});
    if (!succeeded(opened, "open /dev/zero")) return;
    file = opened->value;
  }
  // The offset is 0 in the sixth slot, and in 4.4BSD's form in all of the last three.
  const auto mapped = call("mmap", {pages.start.value(), pages.size, prot_of(protection),
                                    map_private | flags.fixed | flags.anonymous, file, 0, 0, 0});
  if (!succeeded(mapped, "mmap")) return;
  if (flags.anonymous != 0) return;
  succeeded(call("close", {file}), "close");
}

void CaseRun::act(const PokeEvent& poke) {
  Process* const owner = process();
  if (owner == nullptr) return;
  std::array<std::uint8_t, 8> bytes;
  store_bytes(bytes.data(), poke.value, Endian::big);
  const auto low = std::span(bytes).subspan(bytes.size() - poke.width);
  if (!owner->memory->write_bytes(poke.address, low)) {
    fail(fmt::format("poke: process {} cannot write at {:#x}", pid_, poke.address.value()));
  }
}

// ---- What is to be seen.

void CaseRun::observe() {
  for (const auto& [number, pid] : pids_) {
    ProcessObservation& seen = observation_.processes[number];
    Process* const owner = machine_.find(static_cast<std::uint64_t>(pid));
    if (owner != nullptr && !owner->exit_status) observe(*owner, seen);
  }
}

void CaseRun::observe(Process& process, ProcessObservation& seen) {
  for (const auto& each : process.threads) machine_.charge_waiting(*each);
  seen.profiling = std::ranges::any_of(process.threads, [&](const auto& each) {
    return machine_.kernel().profiling().of(*each).on();
  });
  for (const MemoryObject& object : case_.memory) {
    auto elements = elements_of(*process.memory, object);
    if (elements) seen.counters[object.name] = *std::move(elements);
  }
}

// Nothing: no page of the object is mapped. The bytes of a partial element at the end belong to no
// element, nor do those of elements that are not mapped whole.
std::optional<Elements> CaseRun::elements_of(AddressSpace& memory, const MemoryObject& object) {
  const auto pages =
      conform::pages_of(object.address, object.size, memory.user_end(), *machine_.code().abi);
  if (!pages) return std::nullopt;
  const std::vector<Pages> runs = mapped_runs(memory, *pages);
  if (runs.empty()) return std::nullopt;
  Elements elements;
  for (const Pages& run : runs) {
    if (run.start == pages->start) check_page(memory, run.start);
    const GuestAddr last_page = pages->start + (pages->size - page_size);
    if (run.start + (run.size - page_size) == last_page) check_page(memory, last_page);
    read_elements(memory, object, run, elements);
  }
  return elements;
}

// Those that lie in the pages as a whole.
void CaseRun::read_elements(AddressSpace& memory, const MemoryObject& object, const Pages& in,
                            Elements& elements) {
  const std::uint64_t width = object.width;
  const std::uint64_t skipped = in.start > object.address ? in.start - object.address : 0;
  const std::uint64_t end = std::min(object.size, in.start + in.size - object.address);
  std::vector<std::uint8_t> bytes;
  std::uint64_t at = 0;  // in `bytes`
  for (std::uint64_t index = (skipped + width - 1) / width; index < end / width; ++index) {
    if (at == bytes.size()) {
      at = 0;
      bytes.resize(std::min(elements_at_once, end / width - index) * width);
      if (!memory.read_bytes(object.address + index * width, bytes)) {
        return fail("the guest's machine has no memory left");
      }
    }
    std::uint64_t value = 0;
    for (unsigned i = 0; i < width; ++i) value = value << 8 | bytes[at + i];
    if (value != 0) elements[index] = value;
    at += width;
  }
}

// Nothing was stored behind or in front of the objects in it.
void CaseRun::check_page(AddressSpace& memory, GuestAddr page) {
  std::array<std::uint8_t, page_size> bytes{};
  if (!memory.read_bytes(page, bytes)) return fail("the guest's machine has no memory left");
  for (std::uint64_t i = 0; i < page_size; ++i) {
    if (bytes[i] == 0 || is_in_case(case_, page + i)) continue;
    return fail(fmt::format("a counter at {:#x} is in no object of the case, but in a page of one",
                            (page + i).value()));
  }
}

}  // namespace hardclock::conform
