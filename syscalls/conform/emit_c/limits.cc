#include "syscalls/conform/emit_c/limits.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "syscalls/conform/emit_c/targets.h"
#include "syscalls/conform/model_backend.h"

namespace hardclock::conform {
namespace {

constexpr std::uint64_t most_ticks = 200;           // of one event
constexpr std::uint64_t most_milliseconds = 10000;  // of one event
constexpr std::size_t most_regions = 64;            // as in program/rules.c

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
    if (fork != nullptr && shares_memory(of, *fork) &&
        takes_turns(of, i, family_of(of, fork->child))) {
      return "two processes change one memory in turns, and nothing here keeps their order";
    }
  }
  return {};
}

// Whether fast ticks wait for the next normal one (IRIX's PROF_FAST) when the process does what
// drops them or takes their counters away. A real clock's do not wait for that.
bool has_waiting_ticks(const Case& of, std::size_t index) {
  if (of.variant->system->fast_buffer == 0) return false;
  const Event& event = of.events[index];
  const auto* const step = std::get_if<CallStep>(&event.what);
  const auto* const exec = std::get_if<ExecEvent>(&event.what);
  const bool ends_waiting = (step != nullptr && step->expect.ret != -1) ||
                            (exec != nullptr && exec->ok) ||
                            std::holds_alternative<MemoryEvent>(event.what);
  return ends_waiting && seen_before(of, event.pid, index).waiting != 0;
}

bool is_bin(const GuestAddr& offset, std::uint64_t scale) {
  return offset == GuestAddr(0) && scale == 2;
}

// Where the event needs the loop; nothing: it does not say.
std::optional<GuestAddr> pc_of(const Event& event) {
  if (const auto* const tick = std::get_if<TickEvent>(&event.what)) return tick->pc;
  if (const auto* const run = std::get_if<RunEvent>(&event.what)) return run->pc;
  return std::nullopt;
}

// Whether a region that a fault has switched off can be seen to be on again: it has memory by now,
// or leaves a tick to an overflow bin.
bool shows_region(const Case& of) {
  const auto has_bin = [](const Call& call) {
    const auto* const sprofil = std::get_if<SprofilCall>(&call);
    return sprofil != nullptr && sprofil->entries.size() > 1 &&
           is_bin(sprofil->entries.back().offset.value, sprofil->entries.back().scale);
  };
  return has_bin(of.first.call) || std::ranges::any_of(of.events, [&](const Event& event) {
           const auto* const step = std::get_if<CallStep>(&event.what);
           return std::holds_alternative<MemoryEvent>(event.what) ||
                  (step != nullptr && has_bin(step->call));
         });
}

// Whether a tick at another pc than the ones before follows a fault of some regions: the call that
// moves the text would switch them on again.
bool moves_after_fault(const Case& of, std::size_t index) {
  if (!shows_region(of)) return false;
  const Event& event = of.events[index];
  const auto pc = pc_of(event);
  const bool is_fork = std::holds_alternative<ForkEvent>(event.what);
  if (!pc && !is_fork) return false;
  if (!seen_before(of, event.pid, index).is_partly_off) return false;
  for (std::size_t i = 0; i < index && !is_fork; ++i) {
    const auto before = pc_of(of.events[i]);
    if (of.events[i].pid == event.pid && before && *before != *pc) return true;
  }
  return is_fork;
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
    if (fork.kind == ForkEvent::Kind::vfork) return why_not_vfork(of.variant->system->vfork);
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
    if (is_write_only(memory.protection)) return write_only;
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

  static std::string why_not_vfork(profil::Vfork vfork) {
    if (vfork == profil::Vfork::missing) return "the system has no vfork()";
    if (vfork == profil::Vfork::fork) return "the system's vfork() is another name of fork()";
    return {};
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

  // This program looks at its memory before a tick does.
  bool is_write_only(const Protection& protection) const {
    return of.variant->system->has_write_only_memory && protection.write && !protection.read;
  }

  static constexpr const char* write_only = "memory for writing alone must not have been touched";
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

bool shares_memory(const Case& of, const ForkEvent& fork) {
  return fork.kind == ForkEvent::Kind::sproc_shared ||
         (fork.kind == ForkEvent::Kind::vfork &&
          of.variant->system->vfork == profil::Vfork::shares);
}

ProcessObservation seen_before(const Case& of, int pid, std::size_t events) {
  Case part = of;
  part.events.resize(events);
  const Observation seen = ModelBackend().run(part);
  const auto process = seen.processes.find(pid);
  return process == seen.processes.end() ? ProcessObservation{} : process->second;
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
  for (std::size_t i = 0; i < of.events.size(); ++i) {
    const Event& event = of.events[i];
    if (event.tid != 1) return Limits::threads;
    std::string reason = std::visit(Limits{of, target}, event.what);
    if (!reason.empty()) return reason;
    if (has_waiting_ticks(of, i)) return "no program can have fast ticks wait at this moment";
    if (moves_after_fault(of, i)) return "a call that moves the text would undo a fault";
  }
  const std::string turns = why_not_in_turns(of);
  if (!turns.empty()) return turns;
  for (const MemoryObject& object : of.memory) {
    if (Limits{of, target}.is_write_only(object.protection)) return Limits::write_only;
  }
  const auto is_preset = [](const MemoryObject& object) {
    return !object.presets.empty() && !object.protection.write;
  };
  if (!target.has_mmap && std::ranges::any_of(of.memory, is_preset)) {
    return "the system can protect no memory";
  }
  return ModelBackend().run(of).error;
}

}  // namespace hardclock::conform
