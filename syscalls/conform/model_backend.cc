#include "syscalls/conform/model_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <utility>

#include "sim/base/check.h"
#include "syscalls/conform/model_memory.h"
#include "syscalls/profil/charge.h"
#include "syscalls/profil/system.h"
#include "syscalls/profil/ticks.h"

namespace hardclock::conform {
namespace {

constexpr int first_id = 1;  // process, and thread

struct Process {
  std::shared_ptr<ModelMemory> memory;  // of several processes after vfork and sproc
  std::map<int, profil::State> states;  // by thread; one, first_id, where processes own them
  int vfork_child = 0;                  // for whose exec it waits; 0: it does not
  std::string ended = {};               // the signal that ended it
  bool may_share = true;                // its memory with sproc children: sproc gave it no copy
};

CallResult failure(const char* errno_name) {
  return {.ret = -1, .errno_name = errno_name};
}

CallResult failure(profil::CallError error) {
  return failure(error == profil::CallError::too_big ? "E2BIG" : "EINVAL");
}

TimeValue time_value(std::chrono::microseconds period) {
  constexpr std::int64_t microseconds_a_second = 1'000'000;
  return {period.count() / microseconds_a_second, period.count() % microseconds_a_second};
}

class Model {
 public:
  explicit Model(const Case& of) : case_(of), system_(*of.variant->system) {}

  Observation run();

 private:
  void start();
  void perform(const Event& event);
  void call(const Call& call);
  CallResult perform_call(const ProfilCall& call);
  CallResult perform_call(const SprofilCall& call);
  CallResult perform_call(const PcsampleCall& call);
  CallResult perform_library_call(const SprofilCall& call);
  CallResult end(std::string_view signal);
  void act(const TickEvent& tick);
  void act(const RunEvent& run);
  void act(const CallStep& step) { call(step.call); }
  void act(const ForkEvent& fork);
  void act(const ExecEvent& exec);
  void act(const ThreadCreateEvent& create);
  void act(const MemoryEvent& event);
  void act(const SignalEvent& signal);
  void act(const PokeEvent& poke);
  void observe();
  Elements elements_of(const ModelMemory& memory, const MemoryObject& object) const;
  bool is_whole(const ModelMemory& memory, const MemoryObject& object, GuestAddr byte) const;

  Process& process() { return processes_.at(pid_); }
  profil::State& state() {
    const bool is_threads = system_.owner == profil::Owner::thread;
    return process().states[is_threads ? tid_ : first_id];
  }
  void charge(GuestAddr pc, Ticks ticks) {
    const GuestAddr instruction(pc.value() & case_.variant->pc_mask);
    if (system_.library != nullptr) return charge_by_library(*system_.library, instruction);
    profil::charge(system_, state(), instruction, ticks, *process().memory);
  }
  void charge(const std::vector<profil::Due>& all) {
    for (const profil::Due& due : all) charge(due.pc, due.ticks);
  }
  // After a call of its own.
  void leave_kernel() { leave_kernel(resume_pc(case_, next_event_, pid_, tid_)); }
  void leave_kernel(GuestAddr pc, Ticks spent = {}) {
    const auto handler = take_signal();
    const bool is_caught_first = handler && !system_.charges_before_signals;
    charge(profil::take_due(system_, state(), {is_caught_first ? *handler : pc, pc, spent}));
  }
  // Of the thread that acts: the handler of what it has to catch.
  std::optional<GuestAddr> take_signal() {
    const auto node = signals_.extract({pid_, tid_});
    return node.empty() ? std::nullopt : std::optional(node.mapped());
  }
  void catch_signal(GuestAddr pc) {
    if (signals_.contains({pid_, tid_})) leave_kernel(pc);
  }
  profil::Clock clock() {
    return state().on() && state().fast ? profil::Clock::fast : profil::Clock::normal;
  }
  void tick_user(GuestAddr pc, std::uint64_t count);
  void tick_late(GuestAddr pc, std::uint64_t count);
  void charge_by_library(const profil::Library& library, GuestAddr pc);

  const Case& case_;
  const profil::SystemRules& system_;
  std::map<int, Process> processes_;
  std::map<std::pair<int, int>, GuestAddr> signals_;  // by pid and tid: the handlers
  int pid_ = first_id;                                // who acts
  int tid_ = first_id;
  std::size_t next_event_ = 0;
  Observation observation_;
};

Observation Model::run() {
  start();
  call(case_.first.call);
  for (const Event& event : case_.events) {
    ++next_event_;
    perform(event);
    if (!observation_.error.empty()) return std::move(observation_);
  }
  observe();
  return std::move(observation_);
}

void Model::start() {
  const auto memory = std::make_shared<ModelMemory>(case_.variant->highest_address(),
                                                    system_.has_write_only_memory);
  for (const MemoryObject& object : case_.memory) {
    memory->map(object.address, object.size, object.protection);
    for (const MemoryObject::Preset& preset : object.presets) {
      memory->store(object.address + preset.index * preset.width, preset.width, preset.value);
    }
  }
  processes_[first_id] = {memory, {{first_id, profil::State{}}}};
}

void Model::perform(const Event& event) {
  pid_ = event.pid;
  tid_ = event.tid;
  if (process().vfork_child != 0) {
    observation_.error = fmt::format("process {} sleeps in vfork", pid_);
    return;
  }
  if (!process().ended.empty()) {
    observation_.error = fmt::format("process {} was ended by {}", pid_, process().ended);
    return;
  }
  std::visit([&](const auto& what) { act(what); }, event.what);
}

CallResult Model::end(std::string_view signal) {
  process().ended = signal;
  return {.returns = false};
}

// One signal is one tick. Faults that a kernel would survive end the process.
void Model::charge_by_library(const profil::Library& library, GuestAddr pc) {
  if (!process().ended.empty()) return;
  const std::string_view signal = library.fatal_signal(state(), pc);
  if (!signal.empty()) {
    end(signal);
    return;
  }
  const profil::Charge done = profil::charge(system_, state(), pc, Ticks(1), *process().memory);
  if (done.outcome == profil::Charge::Outcome::faulted) {
    end("SIGSEGV");
  } else {
    state() = library.after_tick(state(), pc);
  }
}

void Model::call(const Call& call) {
  observation_.calls.push_back(
      std::visit([&](const auto& arguments) { return perform_call(arguments); }, call));
  leave_kernel();
}

CallResult Model::perform_call(const ProfilCall& call) {
  auto made = system_.profil(
      state(), {call.buff.value.value(), call.bufsiz, call.offset.value.value(), call.scale},
      case_.variant->address_bits);
  if (!made) return failure(made.error());
  state() = *std::move(made);
  return {};
}

CallResult Model::perform_library_call(const SprofilCall& call) {
  using Pointer = SprofilCall::Pointer;
  if (call.tvp == Pointer::bad) return end("SIGSEGV");
  const std::size_t count = call.profcnt < 0 ? 0 : static_cast<std::size_t>(call.profcnt);
  std::vector<profil::Region> regions;
  for (std::size_t i = 0; i < std::min(count, call.entries.size()); ++i) {
    const ProfEntry& entry = call.entries[i];
    regions.push_back({entry.base.value, entry.size, entry.offset.value, entry.scale});
  }
  auto made = system_.library->sprofil(state(), call.profcnt, regions, regions.size() == count,
                                       call.flags, case_.variant->address_bits);
  if (!made) return end(made.error());
  state() = *std::move(made);
  CallResult result;
  if (call.tvp == Pointer::valid) {
    result.tv = time_value(profil::tick_period(*system_.sprofil, call.flags, system_.tick_rate,
                                               system_.fast_tick_rate));
  }
  return result;
}

CallResult Model::perform_call(const SprofilCall& call) {
  CHECK(system_.sprofil != nullptr);  // else the case has a defect
  if (system_.library != nullptr) return perform_library_call(call);
  const auto count = system_.sprofil->region_count(call.profcnt, call.flags);
  if (!count) return failure(count.error());
  // What follows the entries that the case lists cannot be read.
  if (*count > call.entries.size()) return failure("EFAULT");
  std::vector<profil::Region> regions;
  for (std::size_t i = 0; i < *count; ++i) {
    const ProfEntry& entry = call.entries[i];
    regions.push_back({entry.base.value, entry.size, entry.offset.value, entry.scale});
  }
  auto made = system_.sprofil->start(state(), regions, call.flags, case_.variant->address_bits);
  if (!made) return failure(made.error());
  CallResult result;
  if (call.tvp == SprofilCall::Pointer::bad) return failure("EFAULT");
  if (call.tvp == SprofilCall::Pointer::valid) {
    result.tv = time_value(profil::tick_period(*system_.sprofil, call.flags, system_.tick_rate,
                                               system_.fast_tick_rate));
  }
  state() = *std::move(made);
  return result;
}

CallResult Model::perform_call(const PcsampleCall& call) {
  CHECK(system_.pcsample != nullptr);  // else the case has a defect
  auto made = system_.pcsample(state(), call.samples.value.value(), call.nsamples,
                               case_.variant->address_bits);
  if (!made) return failure(made.error());
  state() = std::move(made->state);
  return {.ret = static_cast<std::int64_t>(made->previous)};
}

// Fast ticks begin right after a normal one, which has fetched those that waited; every tenth comes
// with the next normal tick.
void Model::tick_user(GuestAddr pc, std::uint64_t count) {
  charge(profil::take_waiting(state()));
  const auto handler = take_signal();
  for (std::uint64_t i = 1; i <= count; ++i) {
    if (i == count && handler) signals_[{pid_, tid_}] = *handler;
    switch (profil::user_tick(system_, state(), pc, clock())) {
      case profil::TickFate::charge:
        charge(pc, Ticks(1));
        break;
      case profil::TickFate::owed:
        leave_kernel(pc);
        break;
      case profil::TickFate::waits:
      case profil::TickFate::lost:
        if (i % system_.fast_ticks_a_tick == 0) leave_kernel(pc);
        break;
      case profil::TickFate::fetches:
      case profil::TickFate::ignored:
        break;
    }
  }
  catch_signal(pc);
}

// The kernel charges the ticks only after the last of them.
void Model::tick_late(GuestAddr pc, std::uint64_t count) {
  using profil::UserTicks;
  const bool is_marked =
      system_.user_ticks == UserTicks::as_one || system_.user_ticks == UserTicks::as_one_at_resume;
  if (is_marked) {
    for (std::uint64_t i = 0; i < count; ++i) profil::user_tick(system_, state(), pc, clock());
    leave_kernel(pc);
  } else if (system_.system_ticks != profil::SystemTicks::none) {
    leave_kernel(pc, Ticks(count));  // they find it in the kernel
  } else {
    charge(pc, Ticks(count));
    catch_signal(pc);
  }
}

void Model::act(const TickEvent& tick) {
  switch (tick.mode) {
    case TickEvent::Mode::user:
      return tick_user(tick.pc, tick.n);
    case TickEvent::Mode::owed:
      return tick_late(tick.pc, tick.n);
    case TickEvent::Mode::system:
      return leave_kernel(tick.pc, Ticks(tick.n));
  }
}

void Model::act(const RunEvent& run) {
  constexpr std::uint64_t milliseconds_a_second = 1000;
  if (system_.library != nullptr && state().kind == profil::State::Kind::sprofil) {
    observation_.error = "how fast sprofil's ticks come is up to the machine";
    return;
  }
  const Hertz rate = state().fast ? system_.fast_tick_rate : system_.tick_rate;
  tick_user(run.pc, run.milliseconds * rate.value() / milliseconds_a_second);
}

void Model::act(const ForkEvent& fork) {
  using Kind = ForkEvent::Kind;
  using profil::Vfork;
  const Process& parent = process();
  const bool is_vfork = fork.kind == Kind::vfork;
  if (is_vfork && system_.vfork == Vfork::missing) {
    observation_.error = fmt::format("{} has no vfork()", system_.title);
    return;
  }
  // The share mask is ANDed with that of the calling process (sproc(2)).
  const bool is_shared = (is_vfork && system_.vfork == Vfork::shares) ||
                         (fork.kind == Kind::sproc_shared && parent.may_share);
  Process child;
  child.may_share =
      is_shared || (fork.kind != Kind::sproc_copied && fork.kind != Kind::sproc_shared);
  child.memory = is_shared ? parent.memory : std::make_shared<ModelMemory>(*parent.memory);
  // The child has one thread, which goes on with the caller's state.
  child.states[first_id] = system_.after_fork(state());
  processes_[fork.child] = std::move(child);
  if (is_vfork && system_.vfork != Vfork::fork) {
    process().vfork_child = fork.child;
  } else {
    leave_kernel();
  }
  pid_ = fork.child;
  tid_ = first_id;
  leave_kernel();
}

void Model::act(const ExecEvent& exec) {
  if (!exec.ok) return leave_kernel();
  profil::State after = system_.after_exec(state());
  process().memory = std::make_shared<ModelMemory>(case_.variant->highest_address(),
                                                   system_.has_write_only_memory);
  process().states = {{first_id, std::move(after)}};
  std::erase_if(signals_, [&](const auto& signal) { return signal.first.first == pid_; });
  process().may_share = true;
  int woken = 0;
  for (auto& [pid, parent] : processes_) {
    if (parent.vfork_child != pid_) continue;
    parent.vfork_child = 0;
    woken = pid;
  }
  if (woken == 0) return;
  pid_ = woken;
  tid_ = first_id;
  leave_kernel();
}

void Model::act(const ThreadCreateEvent& create) {
  // A thread that had an event before this one is there already.
  if (system_.owner == profil::Owner::thread) process().states.try_emplace(create.tid);
}

void Model::act(const MemoryEvent& event) {
  ModelMemory& memory = *process().memory;
  switch (event.kind) {
    case MemoryEvent::Kind::mmap:
      memory.map(event.address, event.size, event.protection);
      break;
    case MemoryEvent::Kind::munmap:
      memory.unmap(event.address, event.size);
      break;
    case MemoryEvent::Kind::mprotect:
      if (memory.is_mapped(event.address, event.size)) {
        memory.protect(event.address, event.size, event.protection);
      } else {
        observation_.error = fmt::format("mprotect: process {} has no memory in a part of {:#x}",
                                         pid_, event.address.value());
      }
      break;
    case MemoryEvent::Kind::evict:
      return;
  }
  leave_kernel();
}

void Model::act(const SignalEvent& signal) {
  if (system_.library != nullptr) {
    observation_.error = "which of two signals the kernel delivers first is up to their numbers";
    return;
  }
  signals_[{pid_, tid_}] = signal.handler;
}

void Model::act(const PokeEvent& poke) {
  if (process().memory->is_writable(poke.address, poke.width)) {
    process().memory->store(poke.address, poke.width, poke.value);
    return;
  }
  observation_.error =
      fmt::format("poke: process {} cannot write at {:#x}", pid_, poke.address.value());
}

void Model::observe() {
  for (auto& [pid, process] : processes_) {
    pid_ = pid;
    ProcessObservation& seen = observation_.processes[pid];
    for (const auto& [tid, state] : process.states) {
      tid_ = tid;
      seen.is_fast = seen.is_fast || (state.on() && state.fast);
      seen.waiting += state.waiting.size();
      seen.is_partly_off =
          seen.is_partly_off ||
          (state.on() && std::ranges::any_of(state.regions, &profil::Region::faulted));
      charge(profil::take_waiting(this->state()));
    }
    seen.ended = process.ended;
    if (!process.ended.empty()) continue;
    seen.profiling = false;
    for (const auto& [tid, state] : process.states) {
      if (state.on()) seen.profiling = true;
    }
    for (const MemoryObject& object : case_.memory) {
      if (process.memory->has_page(object.address, object.size, observed_page)) {
        seen.counters[object.name] = elements_of(*process.memory, object);
      }
    }
  }
}

// Whether the object's whole share of the byte's page is mapped.
bool Model::is_whole(const ModelMemory& memory, const MemoryObject& object, GuestAddr byte) const {
  const GuestAddr end = object.address + (object.size - 1);
  const GuestAddr first = std::max(object.address, GuestAddr(byte.value() & ~(observed_page - 1)));
  const GuestAddr last = std::min(end, GuestAddr(byte.value() | (observed_page - 1)));
  return memory.is_mapped(first, last - first + 1);
}

// The bytes of a partial element at the end belong to no element, nor do those of elements that
// have bytes in a page that is not completely mapped.
Elements Model::elements_of(const ModelMemory& memory, const MemoryObject& object) const {
  Elements elements;
  const std::uint64_t width = object.width;
  for (const auto& [distance, byte] : memory.nonzero_bytes(object.address, object.size)) {
    const std::uint64_t index = distance / width;
    if (index >= object.size / width) break;
    const GuestAddr element = object.address + index * width;
    const bool is_there =
        is_whole(memory, object, element) && is_whole(memory, object, element + (width - 1));
    if (!is_there) continue;
    elements[index] |= std::uint64_t{byte} << (8 * (width - 1 - distance % width));
  }
  return elements;
}

}  // namespace

Observation ModelBackend::run(const Case& of) {
  CHECK(of.defect.empty() && of.variant != nullptr);
  return Model(of).run();
}

}  // namespace hardclock::conform
