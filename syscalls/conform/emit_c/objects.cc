#include "syscalls/conform/emit_c/objects.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "syscalls/conform/compare.h"
#include "syscalls/conform/model_backend.h"
#include "syscalls/profil/system.h"

namespace hardclock::conform {
namespace {

// As in program/memory.c.
constexpr std::size_t most_objects = 8, most_small_objects = 4;
constexpr std::uint64_t far_pages = 0x40000;  // around the middle
constexpr std::uint64_t longest_object = 8192;
// With it, 64 KiB of text have their counters in FAR_PAGES.
constexpr std::uint64_t highest_far_scale = 0x20000;
constexpr std::uint64_t longest_small_object = 128;  // with 16-bit addresses

struct Buffer {
  GuestAddr base;
  std::uint64_t size;
  std::uint64_t scale;
};

std::vector<Buffer> buffers_of(const Call& call) {
  std::vector<Buffer> buffers;
  const auto add = [&](const Address& base, std::uint64_t size, std::uint64_t scale) {
    if (base.kind == Address::Kind::literal || base.kind == Address::Kind::object) {
      buffers.push_back({base.value, size, scale});
    }
  };
  if (const auto* const profil = std::get_if<ProfilCall>(&call))
    add(profil->buff, profil->bufsiz, profil->scale);
  if (const auto* const sprofil = std::get_if<SprofilCall>(&call)) {
    for (const ProfEntry& entry : sprofil->entries) add(entry.base, entry.size, entry.scale);
  }
  if (const auto* const pcsample = std::get_if<PcsampleCall>(&call)) add(pcsample->samples, 0, 0);
  return buffers;
}

std::vector<const Call*> calls_of(const Case& of) {
  std::vector<const Call*> calls = {&of.first.call};
  for (const Event& event : of.events) {
    if (const auto* const step = std::get_if<CallStep>(&event.what)) calls.push_back(&step->call);
  }
  return calls;
}

bool is_paged(const Case& of, const MemoryObject& object) {
  if (object.protection != Protection{}) return true;
  for (const Event& event : of.events) {
    const auto* const memory = std::get_if<MemoryEvent>(&event.what);
    if (memory == nullptr || memory->kind == MemoryEvent::Kind::mmap) continue;
    if (find_object(of, memory->address) == &object) return true;
  }
  return false;
}

// A region may end at most one counter after its object, in the guard.
bool is_beyond(const MemoryObject& object, const Buffer& buffer) {
  constexpr std::uint64_t guard = 8;
  const std::uint64_t distance = buffer.base - object.address;  // huge when it is in front
  return distance >= object.size || buffer.size > object.size - distance + guard;
}

bool has_exec(const Case& of) {
  return std::ranges::any_of(of.events, [](const Event& event) {
    const auto* const exec = std::get_if<ExecEvent>(&event.what);
    return exec != nullptr && exec->ok;
  });
}

Result<CounterView, std::string> view_of(const Case& of, const MemoryObject& object) {
  const bool is_small = of.variant->address_bits == 16;
  if (object.size > (is_small ? longest_small_object : longest_object)) {
    return Failure{std::string("its memory is too large")};
  }
  CounterView view;
  bool is_too_far = false;
  std::set<std::pair<unsigned, unsigned>> views;
  for (const Call* const call : calls_of(of)) {
    const unsigned width = counter_width(of, *call);
    for (const Buffer& buffer : buffers_of(*call)) {
      if (width == 0 || object_reached(of, buffer.base, buffer.size) != &object) continue;
      const auto skew = static_cast<unsigned>((buffer.base - object.address) % width);
      views.emplace(width, skew);
      if (!is_beyond(object, buffer)) continue;
      view.is_far = true;
      is_too_far |= is_small || buffer.scale > highest_far_scale || buffer.size > far_pages / 2;
    }
  }
  if (views.size() > 1) return Failure{std::string("one buffer has two kinds of counters")};
  view.width = object.width == 1 ? 2 : object.width;
  if (!views.empty()) std::tie(view.width, view.skew) = *views.begin();
  view.is_paged = is_paged(of, object);
  if (view.is_far && view.is_paged) {
    return Failure{std::string("a buffer is larger than the memory that is unmapped")};
  }
  if (is_too_far || (view.is_far && has_exec(of))) {
    return Failure{std::string("counters of all other text would lie in the program's own memory")};
  }
  return view;
}

// The objects and, around those with counters far away, what the program maps there.
std::vector<MemoryObject> memory_of_program(const Case& of, const std::vector<CounterView>& views) {
  std::vector<MemoryObject> all = of.memory;
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (!views[i].is_far) continue;
    std::uint64_t low = of.memory[i].address.value(), high = low + of.memory[i].size;
    const std::uint64_t first = low - std::min(low, far_pages / 2);
    const std::uint64_t last =
        high + std::min(of.variant->highest_address() - (high - 1), far_pages / 2);
    std::uint64_t start = first, end = last;
    for (const MemoryObject& other : of.memory) {
      const std::uint64_t from = other.address.value(), to = from + other.size;
      if (to <= low) start = std::max(start, to);
      if (from >= high) end = std::min(end, from);
    }
    if (start < low) all.push_back({.address = GuestAddr(start), .size = low - start});
    if (high < end) all.push_back({.address = GuestAddr(high), .size = end - high});
  }
  return all;
}

// Whether the case would be another one if all memory near its buffers were mapped.
bool needs_missing_memory(const Case& of, const std::vector<CounterView>& views) {
  Case mapped = of;
  mapped.memory = memory_of_program(of, views);
  if (mapped.memory.size() == of.memory.size()) return false;
  return !compare(of, ModelBackend().run(mapped)).empty();
}

}  // namespace

unsigned counter_width(const Case& of, const Call& call) {
  if (std::holds_alternative<ProfilCall>(call)) return 2;
  if (std::holds_alternative<PcsampleCall>(call)) return of.variant->address_bits / 8;
  const auto& arguments = std::get<SprofilCall>(call);
  const profil::Sprofil* const sprofil = of.variant->system->sprofil;
  if (sprofil == nullptr || arguments.entries.empty()) return 0;
  std::vector<profil::Region> regions;
  for (const ProfEntry& entry : arguments.entries) {
    regions.push_back({entry.base.value, entry.size, entry.offset.value, entry.scale});
  }
  const auto state = sprofil->start({}, regions, arguments.flags, of.variant->address_bits);
  return state && state->on() ? state->counter_bytes : 0;
}

const MemoryObject* object_reached(const Case& of, GuestAddr base, std::uint64_t size) {
  if (const MemoryObject* const object = find_object(of, base)) return object;
  for (const MemoryObject& object : of.memory) {
    const std::uint64_t distance = (object.address - base) & of.variant->highest_address();
    if (distance < size) return &object;
  }
  return nullptr;
}

Result<std::vector<CounterView>, std::string> counter_views(const Case& of) {
  const bool is_small = of.variant->address_bits == 16;
  if (of.memory.size() > (is_small ? most_small_objects : most_objects)) {
    return Failure{std::string("it has too many buffers")};
  }
  std::vector<CounterView> views;
  for (const MemoryObject& object : of.memory) {
    const auto view = view_of(of, object);
    if (!view) return Failure{view.error()};
    views.push_back(*view);
  }
  if (needs_missing_memory(of, views)) {
    return Failure{
        std::string("a buffer is larger than its memory, and what is behind must not be mapped")};
  }
  return views;
}

Result<Counters, std::string> counters_of(const MemoryObject& object, const CounterView& view,
                                          const Elements& elements, unsigned element_width) {
  Counters counters;
  const std::uint64_t number = object.size > view.skew ? (object.size - view.skew) / view.width : 0;
  for (const auto& [index, value] : elements) {
    for (unsigned i = 0; i < element_width; ++i) {
      const std::uint64_t byte = value >> (8 * (element_width - 1 - i)) & 0xff;
      if (byte == 0) continue;
      const std::uint64_t at = index * element_width + i;
      if (at < view.skew || (at - view.skew) / view.width >= number) {
        return Failure{std::string("it wants bytes that belong to no counter")};
      }
      const std::uint64_t place = (at - view.skew) % view.width;
      counters[(at - view.skew) / view.width] |= byte << (8 * (view.width - 1 - place));
    }
  }
  return counters;
}

}  // namespace hardclock::conform
