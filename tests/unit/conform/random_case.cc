#include "tests/unit/conform/random_case.h"

#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tests/unit/conform/case_maker.h"

namespace hardclock::conform {
namespace {

constexpr std::uint64_t page_bytes = 0x1000;

// In [low, high), equally likely in every sample.
std::uint64_t number_in(std::uint64_t low, std::uint64_t high) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint64_t>(low, high));
}
bool one_in(std::uint64_t n) {
  return number_in(0, n) == 0;
}
template <class T>
T one_of(const std::vector<T>& choices) {
  return choices[number_in(0, choices.size())];
}

// Makes one case, and keeps in mind who there is, so that most of its events can happen.
class CaseMaker {
 public:
  explicit CaseMaker(const Variant& variant) : variant_(variant) {
    case_.id = "R";
    case_.variant = &variant;
    is_small_ = variant.address_bits == 16;
    data_ = is_small_                                 ? 0x4000
            : variant.address_bits == 64 && one_in(2) ? 0x4000'0000'0000
                                                      : 0x10010000;
    text_ = is_small_ ? 0x8000 : 0x400000;
  }

  Case make() {
    add_memory();
    case_.first.call = some_call();
    for (std::uint64_t i = number_in(1, 25); i > 0; --i) add_event();
    return std::move(case_);
  }

 private:
  bool is(std::string_view name) const { return variant_.system->name == name; }
  std::uint64_t highest() const { return variant_.highest_address(); }

  // Up to three objects of whole pages with gaps, or without.
  void add_memory() {
    std::uint64_t at = data_;
    for (const char* const name : {"A", "B", "C"}) {
      const std::uint64_t pages = number_in(1, 3);
      MemoryObject made = object(name, at, pages * page_bytes);
      made.width = one_of<unsigned>({1, 2, 2, 4, 8});
      if (one_in(6)) made.protection = some_protection();
      for (std::uint64_t i = number_in(0, 6); i > 0; --i) {
        const unsigned width = one_of<unsigned>({2, 4, 8});
        made.presets.push_back(
            {width, number_in(0, 40), (~std::uint64_t{0} >> (64 - 8 * width)) - number_in(0, 4)});
      }
      case_.memory.push_back(std::move(made));
      at += (pages + number_in(0, 2)) * page_bytes;
      if (one_in(3)) break;
    }
    end_ = at;
  }

  static Protection some_protection() {
    return one_of<Protection>({{true, true, false},
                               {true, false, false},
                               {false, true, false},
                               {false, false, false},
                               {true, true, true}});
  }

  // Mostly a counter's place, at times the last bytes in front of what is not there.
  std::uint64_t some_base() {
    const MemoryObject& in = one_of(case_.memory);
    const std::uint64_t start = in.address.value();
    const std::uint64_t odd = one_in(12) ? number_in(0, 8) : 0;
    if (one_in(8)) return start + in.size - 8 * number_in(0, 4) - odd;
    if (one_in(20)) return start - 8;
    return start + 8 * number_in(0, 16) + odd;
  }

  std::uint64_t some_scale() {
    if (one_in(10)) return number_in(0, 4);
    if (one_in(3)) return number_in(0x100, 0x10000);
    if (one_in(20) && !is_small_) return number_in(0, 0x100000000);
    return one_of<std::uint64_t>({0x10000, 0xffff, 0x8000, 0x4000, 0x7fff, 0x2000, 0x1000}) &
           (is_small_ ? 0xffff : ~std::uint64_t{0});
  }

  std::uint64_t some_size() { return one_in(10) ? number_in(0, 10) : number_in(16, 0x1200); }

  Address address(std::uint64_t at) const {
    Address made;
    made.value = GuestAddr(at & highest());
    return made;
  }

  Call some_call() {
    if (variant_.system->sprofil != nullptr && one_in(2)) return some_sprofil();
    if (variant_.system->pcsample != nullptr && one_in(4)) {
      const auto samples = static_cast<std::int64_t>(number_in(0, 12)) - (one_in(10) ? 5 : 0);
      return PcsampleCall{.samples = address(some_base()), .nsamples = samples};
    }
    return ProfilCall{.buff = address(some_base()),
                      .bufsiz = some_size(),
                      .offset = address(text_ + number_in(0, 0x40)),
                      .scale = some_scale()};
  }

  SprofilCall some_sprofil() {
    const bool is_hpux = is("hpux");
    SprofilCall made;
    made.flags = one_of<std::uint32_t>(is_hpux ? std::vector<std::uint32_t>{0, 1, 2}
                                               : std::vector<std::uint32_t>{0, 1, 2, 3});
    if (one_in(20)) made.flags = 0x40000000;
    std::uint64_t offset = text_;
    for (std::uint64_t i = number_in(0, 4); i > 0; --i) {
      ProfEntry entry;
      entry.base = address(some_base());
      entry.size = one_in(10) ? number_in(0, 9) : number_in(1, 16) * 8;
      entry.offset = address(is_hpux && !one_in(10) ? offset : text_ + number_in(0, 0x200));
      entry.scale = is_hpux && !one_in(10) ? 0x8000 : some_scale();
      made.entries.push_back(entry);
      offset += 0x200;
    }
    made.profcnt = static_cast<std::int32_t>(made.entries.size()) +
                   (one_in(10) ? one_of<std::int32_t>({-5, -1, 1, 2000}) : 0);
    using Pointer = SprofilCall::Pointer;
    made.tvp = one_of<Pointer>({Pointer::valid, Pointer::null, Pointer::valid, Pointer::bad});
    if (one_in(12)) made.profp = Pointer::bad;
    if (one_in(20)) made.profp = Pointer::null;
    if (made.profp != Pointer::valid) made.entries.clear();
    return made;
  }

  // Where instructions are or could not be, and inside of the case's own memory.
  GuestAddr some_pc() {
    std::uint64_t pc = text_ + number_in(0, 0x100) * 4;
    if (one_in(4)) pc += number_in(0, 4);
    if (one_in(12)) pc = one_of(case_.memory).address.value() + number_in(0, 64);
    if (one_in(20)) pc = text_ - number_in(0, 0x20);
    if (one_in(20)) pc = highest() - number_in(0, 16);
    if (one_in(20)) pc = number_in(0, 16);
    return GuestAddr(pc);
  }

  TickEvent some_tick() {
    TickEvent made{some_pc(), number_in(1, 6)};
    if (one_in(25)) made.n = number_in(1, 70'000);
    const bool owes = variant_.system->system_ticks != profil::SystemTicks::none;
    if (one_in(4)) {
      made.mode = TickEvent::Mode::system;
      if (one_in(3)) made.n = 0;
    } else if (owes && one_in(4)) {
      made.mode = TickEvent::Mode::owed;
    }
    return made;
  }

  // On whole pages of the case or around them; mprotect() where there may be none in between.
  MemoryEvent some_memory_event() {
    using Kind = MemoryEvent::Kind;
    MemoryEvent made;
    made.kind = one_of<Kind>({Kind::mmap, Kind::munmap, Kind::mprotect, Kind::evict});
    const MemoryObject& near = one_of(case_.memory);
    made.address = near.address + page_bytes * number_in(0, near.size / page_bytes);
    made.size = page_bytes * number_in(1, 3);
    if (one_in(2)) {
      made.address = near.address;
      made.size = near.size;
    }
    made.protection = one_in(2) ? Protection{} : some_protection();
    return made;
  }

  PokeEvent some_poke() {
    const MemoryObject& in = one_of(case_.memory);
    PokeEvent made;
    made.width = one_of<unsigned>({1, 2, 4, 8});
    made.address = in.address + number_in(0, in.size - 8);
    made.value = *rc::gen::arbitrary<std::uint64_t>() >> (64 - 8 * made.width);
    return made;
  }

  std::vector<ForkEvent::Kind> forks() const {
    std::vector<ForkEvent::Kind> kinds = {ForkEvent::Kind::fork};
    if (is("irix")) {
      kinds.push_back(ForkEvent::Kind::sproc_shared);
      kinds.push_back(ForkEvent::Kind::sproc_copied);
    }
    if (variant_.system->vfork != profil::Vfork::missing) kinds.push_back(ForkEvent::Kind::vfork);
    return kinds;
  }

  void add_event() {
    Event event;
    event.pid = one_of(awake_);
    const bool has_threads =
        variant_.system->name.starts_with("solaris") || variant_.system->name == "hpux";
    if (has_threads && one_in(4)) event.tid = static_cast<int>(number_in(2, 4));
    const std::uint64_t what = number_in(0, 26);
    if (what < 13) {
      event.what = some_tick();
    } else if (what == 13) {
      event.what = RunEvent{some_pc(), number_in(0, 200)};
    } else if (what < 17) {
      CallStep step;
      step.call = some_call();
      event.what = std::move(step);
    } else if (what < 19) {
      event.what = some_memory_event();
    } else if (what == 19) {
      event.what = some_poke();
    } else if (what < 22) {
      if (!add_fork(event)) return;
    } else if (what == 22) {
      add_exec(event);
    } else if (has_threads && what < 25) {
      event.what = ThreadCreateEvent{event.tid == 1 ? 2 : event.tid};
      event.tid = std::max(event.tid, 2);
    } else if (what > 24 && !is("hpux")) {
      event.what = SignalEvent{some_pc()};
    } else {
      event.what = some_tick();
    }
    if (event.tid != 1) has_lwps_.insert(event.pid);
    case_.events.push_back(std::move(event));
  }

  // Not of several LWPs that have a state each: see GuestBackend.
  bool add_fork(Event& event) {
    event.tid = 1;
    const bool is_per_thread = variant_.system->owner == profil::Owner::thread;
    if ((is_per_thread && has_lwps_.contains(event.pid)) || next_pid_ == 8) return false;
    ForkEvent fork{one_of(forks()), next_pid_++};
    awake_.push_back(fork.child);
    const bool waits = variant_.system->vfork != profil::Vfork::fork;
    if (fork.kind == ForkEvent::Kind::vfork && waits) {
      std::erase(awake_, event.pid);
      sleepers_[fork.child] = event.pid;
    }
    event.what = fork;
    return true;
  }

  void add_exec(Event& event) {
    const bool ok = !one_in(4);
    event.what = ExecEvent{ok};
    const auto sleeper = sleepers_.find(event.pid);
    if (ok) has_lwps_.erase(event.pid);
    if (!ok || sleeper == sleepers_.end()) return;
    awake_.push_back(sleeper->second);
    sleepers_.erase(sleeper);
  }

  const Variant& variant_;
  Case case_;
  bool is_small_ = false;
  std::uint64_t data_ = 0, text_ = 0, end_ = 0;
  int next_pid_ = 2;
  std::vector<int> awake_ = {1};
  std::map<int, int> sleepers_;  // by the vfork child
  std::set<int> has_lwps_;
};

// ---- Texts.

std::string text(const Protection& protection) {
  return fmt::format("{}{}{}", protection.read ? "r" : "", protection.write ? "w" : "",
                     protection.execute ? "x" : "");
}

struct CallText {
  std::string operator()(const ProfilCall& call) const {
    return fmt::format("profil({:#x}, {}, {:#x}, {:#x})", call.buff.value.value(), call.bufsiz,
                       call.offset.value.value(), call.scale);
  }
  std::string operator()(const SprofilCall& call) const {
    std::string entries;
    for (const ProfEntry& entry : call.entries) {
      entries += fmt::format("{{{:#x}, {}, {:#x}, {:#x}}} ", entry.base.value.value(), entry.size,
                             entry.offset.value.value(), entry.scale);
    }
    return fmt::format("sprofil({}[{}], {}, tvp {}, {:#x})", static_cast<int>(call.profp), entries,
                       call.profcnt, static_cast<int>(call.tvp), call.flags);
  }
  std::string operator()(const PcsampleCall& call) const {
    return fmt::format("pcsample({:#x}, {})", call.samples.value.value(), call.nsamples);
  }
};

struct EventText {
  std::string operator()(const TickEvent& tick) const {
    return fmt::format("tick {:#x} x {} mode {}", tick.pc.value(), tick.n,
                       static_cast<int>(tick.mode));
  }
  std::string operator()(const RunEvent& run) const {
    return fmt::format("run {:#x} {} ms", run.pc.value(), run.milliseconds);
  }
  std::string operator()(const CallStep& step) const { return std::visit(CallText(), step.call); }
  std::string operator()(const ForkEvent& fork) const {
    return fmt::format("fork kind {} -> {}", static_cast<int>(fork.kind), fork.child);
  }
  std::string operator()(const ExecEvent& exec) const {
    return exec.ok ? "exec" : "exec that fails";
  }
  std::string operator()(const ThreadCreateEvent& create) const {
    return fmt::format("thread_create {}", create.tid);
  }
  std::string operator()(const MemoryEvent& event) const {
    return fmt::format("memory kind {} {:#x} + {:#x} {}", static_cast<int>(event.kind),
                       event.address.value(), event.size, text(event.protection));
  }
  std::string operator()(const SignalEvent& signal) const {
    return fmt::format("signal {:#x}", signal.handler.value());
  }
  std::string operator()(const PokeEvent& poke) const {
    return fmt::format("poke {:#x} width {} {:#x}", poke.address.value(), poke.width, poke.value);
  }
};

}  // namespace

Case random_case(const Variant& variant) {
  return CaseMaker(variant).make();
}

std::string text_of(const Case& of) {
  std::string lines;
  for (const MemoryObject& object : of.memory) {
    lines += fmt::format("{} {:#x} + {:#x} width {} {}", object.name, object.address.value(),
                         object.size, object.width, text(object.protection));
    for (const MemoryObject::Preset& preset : object.presets) {
      lines += fmt::format(" {}:[{}]={:#x}", preset.width, preset.index, preset.value);
    }
    lines += "\n";
  }
  lines += std::visit(CallText(), of.first.call) + "\n";
  for (const Event& event : of.events) {
    lines += fmt::format("pid {} tid {}: {}\n", event.pid, event.tid,
                         std::visit(EventText(), event.what));
  }
  return lines;
}

}  // namespace hardclock::conform
