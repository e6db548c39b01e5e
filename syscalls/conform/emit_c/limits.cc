#include "syscalls/conform/emit_c/limits.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "syscalls/conform/emit_c/targets.h"
#include "syscalls/conform/model_backend.h"

namespace hardclock::conform {
namespace {

constexpr std::uint64_t most_ticks = 200;           // of one event
constexpr std::uint64_t most_milliseconds = 10000;  // of one event
constexpr std::size_t most_regions = 4;             // as in program/rules.c

std::string why_not(const Case& of, GuestAddr pc) {
  if ((pc.value() & ~of.variant->pc_mask) != 0) {
    return "the lowest bits of a pc are no address there, and a program has no way to set them";
  }
  return {};
}

// The child and its descendants.
std::set<int> family_of(const Case& of, int child) {
  std::set<int> family = {child};
  for (const Event& event : of.events) {
    const auto* const fork = std::get_if<ForkEvent>(&event.what);
    if (fork != nullptr && family.contains(event.pid)) family.insert(fork->child);
  }
  return family;
}

// Whether the family, which shares the memory of others, acts after one of those did, and one of
// the two changes what is mapped. The program performs the whole family first.
bool takes_turns(const Case& of, std::size_t fork, const std::set<int>& family) {
  bool others = false;           // did something
  bool others_remapped = false;  // the memory
  for (std::size_t i = fork + 1; i < of.events.size(); ++i) {
    const Event& event = of.events[i];
    const bool remaps = std::holds_alternative<MemoryEvent>(event.what);
    if (!family.contains(event.pid)) {
      others = true;
      others_remapped = others_remapped || remaps;
    } else if (others_remapped || (others && remaps)) {
      return true;
    }
  }
  return false;
}

std::string why_not_in_turns(const Case& of) {
  for (std::size_t i = 0; i < of.events.size(); ++i) {
    const auto* const fork = std::get_if<ForkEvent>(&of.events[i].what);
    const bool is_shared = fork != nullptr && (fork->kind == ForkEvent::Kind::vfork ||
                                               fork->kind == ForkEvent::Kind::sproc_shared);
    if (is_shared && takes_turns(of, i, family_of(of, fork->child))) {
      return "two processes change one memory in turns, and nothing here keeps their order";
    }
  }
  return {};
}

struct Limits {
  const Case& of;
  const Target& target;

  std::string operator()(const TickEvent& tick) const {
    if (tick.mode == TickEvent::Mode::system) {
      return "no program can spend kernel time of so many ticks in front of one instruction";
    }
    if (tick.mode == TickEvent::Mode::owed) return "ticks are owed by chance only";
    if (tick.n > most_ticks) return "it would take too many ticks";
    return why_not(of, tick.pc);
  }
  std::string operator()(const RunEvent& run) const {
    if (!target.has_clock) return "the system has no clock finer than a second";
    if (run.milliseconds > most_milliseconds) return "it would take too long";
    return why_not(of, run.pc);
  }
  std::string operator()(const CallStep& step) const { return why_not_call(step); }
  std::string operator()(const ForkEvent& fork) const {
    if (fork.kind == ForkEvent::Kind::vfork) {
      return target.has_vfork ? "" : "the system has no vfork()";
    }
    if (fork.kind == ForkEvent::Kind::fork) return {};
    return target.has_sproc ? "" : "the system has no sproc()";
  }
  std::string operator()(const ExecEvent&) const {
    const auto is_paging = [&](const Event& each) {
      const auto* const memory = std::get_if<MemoryEvent>(&each.what);
      return memory != nullptr && memory->kind != MemoryEvent::Kind::mmap;
    };
    if (std::ranges::any_of(of.events, is_paging)) {
      return "memory that is unmapped at some time is somewhere else after an exec";
    }
    return {};
  }
  std::string operator()(const ThreadCreateEvent&) const { return threads; }
  std::string operator()(const MemoryEvent& memory) const {
    if (memory.kind == MemoryEvent::Kind::evict) return "no program can have a page evicted";
    const MemoryObject* const object = find_object(of, memory.address);
    if (object == nullptr || object->address != memory.address || memory.size < object->size) {
      return "memory can be mapped and unmapped in whole pages only";
    }
    return {};
  }
  std::string operator()(const SignalEvent&) const {
    return "no program can catch a signal together with one tick of its choice";
  }
  std::string operator()(const PokeEvent&) const {
    return "a number stored while ticks are counted cannot be told from them";
  }

  static bool is_bin(const GuestAddr& offset, std::uint64_t scale) {
    return offset == GuestAddr(0) && scale == 2;
  }

  // What the program knows of glibc's profil() and sprofil() is not all.
  static std::string why_not_library(const CallStep& step) {
    if (const auto* const profil = std::get_if<ProfilCall>(&step.call)) {
      if (is_bin(profil->offset.value, profil->scale)) return "only sprofil() has an overflow bin";
    }
    const auto* const sprofil = std::get_if<SprofilCall>(&step.call);
    if (sprofil != nullptr && sprofil->entries.size() > 1) {
      return "the first tick in another region counts elsewhere (A-G7)";
    }
    return {};
  }

  static std::string why_not_call(const CallStep& step) {
    const auto* const sprofil = std::get_if<SprofilCall>(&step.call);
    if (sprofil != nullptr && sprofil->entries.size() > most_regions) {
      return "it has too many regions";
    }
    if (std::holds_alternative<PcsampleCall>(step.call) && step.expect.ret != -1) {
      return "its samples are the addresses of the case's text";
    }
    return {};
  }

  static constexpr const char* threads = "threads need the thread library of the system";
};

// The program for glibc has 64 bits, but counts in addresses of 32.
std::string why_not_library(const Case& of) {
  if (of.variant->address_bits != 64) return "the program is one of 64 bits";
  const auto is_long = [](std::uint64_t number) { return number >> 32 != 0; };
  std::vector<const CallStep*> steps = {&of.first};
  for (const Event& event : of.events) {
    if (const auto* const step = std::get_if<CallStep>(&event.what)) steps.push_back(step);
    const auto* const tick = std::get_if<TickEvent>(&event.what);
    if (tick != nullptr && is_long(tick->pc.value())) return "a number has more than 32 bits";
  }
  for (const CallStep* const step : steps) {
    const std::string reason = Limits::why_not_library(*step);
    if (!reason.empty()) return reason;
    if (const auto* const profil = std::get_if<ProfilCall>(&step->call)) {
      const bool is_one_long = is_long(profil->bufsiz) || is_long(profil->offset.value.value());
      if (is_one_long) return "a number has more than 32 bits";
    }
  }
  for (const auto& [pid, signal] : of.expect.ended) {
    if (pid != 1) return "only the first process of a case may end by a signal";
  }
  return {};
}

}  // namespace

bool has_exec(const Case& of, int pid, std::size_t events) {
  for (std::size_t i = 0; i < events; ++i) {
    const auto* const exec = std::get_if<ExecEvent>(&of.events[i].what);
    if (exec != nullptr && exec->ok && of.events[i].pid == pid) return true;
  }
  return false;
}

std::string why_not(const Case& of) {
  const Target& target = base_target_of(of.variant->system->name);
  const bool is_library = of.variant->system->library != nullptr;
  if (of.variant->address_bits == 64 && !is_library) return "its addresses have 64 bits";
  if (is_library) {
    const std::string reason = why_not_library(of);
    if (!reason.empty()) return reason;
  }
  const std::string call = Limits::why_not_call(of.first);
  if (!call.empty()) return call;
  for (const Event& event : of.events) {
    if (event.tid != 1) return Limits::threads;
    std::string reason = std::visit(Limits{of, target}, event.what);
    if (!reason.empty()) return reason;
  }
  const std::string turns = why_not_in_turns(of);
  if (!turns.empty()) return turns;
  const auto is_preset = [](const MemoryObject& object) {
    return !object.presets.empty() && !object.protection.write;
  };
  if (!target.has_mmap && std::ranges::any_of(of.memory, is_preset)) {
    return "the system can protect no memory";
  }
  return ModelBackend().run(of).error;
}

}  // namespace hardclock::conform
