// The profiling part of the clock interrupt, on the guest's own memory.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "sim/base/bits.h"
#include "sim/base/check.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/state.h"
#include "syscalls/profil/charge.h"
#include "syscalls/profil/ticks.h"

namespace hardclock::posix {
namespace {

// The counters in a process's memory. Remembers why an access was impossible.
class GuestCounters final : public profil::CounterMemory {
 public:
  explicit GuestCounters(const Process& process)
      : memory_(*process.memory), to_address_(abi_of(process).pointer) {}

  Endian endian() const override { return memory_.endian(); }
  bool is_accessible(GuestAddr address, unsigned bytes) override {
    for (const Access access : {Access::read, Access::write}) {
      const auto possible = memory_.probe(at(address), bytes, access);
      if (possible) continue;
      fault_ = possible.error();
      return false;
    }
    return true;
  }
  void read(GuestAddr address, std::span<std::uint8_t> bytes) override {
    CHECK(memory_.read_bytes(at(address), bytes).ok());
  }
  void write(GuestAddr address, std::span<const std::uint8_t> bytes) override {
    CHECK(memory_.write_bytes(at(address), bytes).ok());
  }
  const std::optional<Fault>& fault() const { return fault_; }

 private:
  // Counters are where a pointer says.
  GuestAddr at(GuestAddr pointer) const { return to_address_(pointer.value()); }

  AddressSpace& memory_;
  GuestAddr (*to_address_)(std::uint64_t pointer);
  std::optional<Fault> fault_;
};

const char* reason_of(const Fault& fault) {
  switch (fault.kind) {
    case Fault::Kind::unmapped:
      return "not mapped";
    case Fault::Kind::protection:
      return fault.access == Access::read ? "not readable" : "not writable";
    case Fault::Kind::misaligned:
      return "not aligned";
    case Fault::Kind::out_of_memory:
      return "memory limit reached";
    case Fault::Kind::no_object:
      return "beyond the end of the mapped file";
  }
  return "?";
}

// "0.010000s cycle 330000 pid 100 pc 0x00400120 <hot+0x20>: ", with the thread where a process has
// several.
void explain_where(std::ostream& out, const Simulation& simulation, const Thread& thread,
                   GuestAddr pc, const char* what) {
  const Process& process = thread.process;
  const std::uint64_t microseconds = simulation.clock().microseconds();
  std::string who = fmt::format("pid {}", process.pid);
  if (process.threads.size() > 1 || thread.id != 1) who += fmt::format(" thread {}", thread.id);
  out << fmt::format("{}.{:06}s cycle {} {}{} pc {:#010x} <{}>: ", microseconds / 1'000'000,
                     microseconds % 1'000'000, simulation.clock().now().value(), what, who,
                     pc.value(), describe(process.image->symbols, pc));
}

std::string fault_text(const profil::State& after, const profil::Access& access,
                       const char* reason) {
  if (!after.on()) return fmt::format(": {}: profiling is off from now on", reason);
  return fmt::format(": {}: region {} is off from now on", reason, access.region);
}

std::string outcome_of(const profil::Charge& charge, Ticks ticks, const profil::State& after,
                       const GuestCounters& counters) {
  switch (charge.outcome) {
    case profil::Charge::Outcome::missed:
      return {};
    case profil::Charge::Outcome::counted:
    case profil::Charge::Outcome::stopped:
      return ": " + profil::explain(*charge.increment, ticks);
    case profil::Charge::Outcome::faulted:
      break;
  }
  const char* const reason = charge.misaligned ? "not aligned" : reason_of(*counters.fault());
  return fault_text(after, std::get<profil::Access>(charge.lookup), reason);
}

// The pc as the program's pointers have it.
GuestAddr pointer_to(const Process& process, GuestAddr pc) {
  return GuestAddr(bit_field(pc.value(), 0, abi_of(process).address_bits));
}

const char* name_of(const profil::Due& due) {
  switch (due.kind) {
    case profil::Due::Kind::sample:
      return "fast tick that waited, ";
    case profil::Due::Kind::tick:
      return "";
    case profil::Due::Kind::system:
      return due.ticks == Ticks(0) ? "kernel exit without a tick, " : "system ticks, ";
  }
  return "?";
}

}  // namespace

profil::State& Profiling::of(Thread& thread) const {
  return system().profiling->owner == profil::Owner::thread ? thread_state_of(thread).profiling
                                                            : state_of(thread.process).profiling;
}

void Profiling::set(Thread& thread, profil::State state) const {
  of(thread) = std::move(state);
  simulation().update_fast_clock();
}

// One charge: the state, the guest's memory, the process's figures and the explanation.
void Profiling::charge(Thread& thread, Ticks ticks, GuestAddr pc, const char* what) const {
  Process& process = thread.process;
  profil::State& state = of(thread);
  std::ostream* const out = simulation().observers.explain;
  const bool is_observed = out != nullptr || kernel_.options().charged;
  const profil::State before = is_observed ? state : profil::State{};
  const bool was_on = state.on();
  GuestCounters counters(process);
  const GuestAddr pointer = pointer_to(process, pc);
  const profil::Charge charged =
      profil::charge(*system().profiling, state, pointer, ticks, counters);
  if (charged.outcome == profil::Charge::Outcome::counted) process.profiled_ticks += ticks;
  if (was_on && !state.on()) simulation().update_fast_clock();
  if (kernel_.options().charged)
    kernel_.options().charged({thread, pointer, ticks, before, state, charged});
  const bool only_probed = ticks == Ticks(0) && charged.outcome != profil::Charge::Outcome::faulted;
  if (out == nullptr || only_probed) return;
  explain_where(*out, simulation(), thread, pc, what);
  *out << profil::explain(before, pointer, charged.lookup)
       << outcome_of(charged, ticks, state, counters) << "\n";
}

void Profiling::explain_tick(const Thread& thread, GuestAddr pc, const char* clock,
                             std::string_view text) const {
  std::ostream* const out = simulation().observers.explain;
  if (out == nullptr) return;
  explain_where(*out, simulation(), thread, pc, clock);
  *out << text << "\n";
}

void Profiling::tick(Thread& thread, GuestAddr pc, ClockKind kind, ProcessorMode mode) const {
  const bool fast = kind == ClockKind::fast_clock;
  if (mode == ProcessorMode::system) {
    // Of a kernel's two clocks the normal one alone counts the time inside it.
    if (!fast) system_tick(thread, pc);
    return;
  }
  const char* const name = fast ? "fast " : "";
  profil::State& state = of(thread);
  const profil::Clock clock = fast ? profil::Clock::fast : profil::Clock::normal;
  switch (profil::user_tick(*system().profiling, state, pc, clock)) {
    case profil::TickFate::charge:
      charge(thread, Ticks(1), pc, name);
      break;
    case profil::TickFate::owed:
    case profil::TickFate::fetches:
      thread.in_kernel = true;
      break;
    case profil::TickFate::waits:
      explain_tick(thread, pc, name,
                   fmt::format("waits for the next tick, {} of {}", state.waiting.size(),
                               system().profiling->fast_buffer));
      break;
    case profil::TickFate::lost:
      explain_tick(thread, pc, name, "no room for its pc: not counted");
      break;
    case profil::TickFate::ignored:
      break;
  }
}

void Profiling::system_tick(Thread& thread, GuestAddr pc) const {
  const profil::SystemRules& profiling = *system().profiling;
  const profil::State& state = of(thread);
  const bool counts = profiling.system_ticks != profil::SystemTicks::none;
  if (!counts || !(state.on() || profiling.owes_until_exit)) {
    explain_tick(thread, pc, "", "in the kernel: not charged");
    return;
  }
  ThreadState& own = thread_state_of(thread);
  if (own.is_charged && profiling.owes_until_exit) {
    explain_tick(thread, pc, "", "in the kernel, for a signal: not charged");
    return;
  }
  own.owed += Ticks(1);
  explain_tick(thread, pc, "",
               own.is_charged ? "in the kernel, for a signal: charged after the next call or trap"
               : state.on()   ? "in the kernel: charged when the program goes on"
                              : "in the kernel: charged if the program goes on with profiling");
}

// A signal is about to take effect. Its delivery is a stay in the kernel, whoever sent it.
void Profiling::charge_before_signal(Thread& thread) const {
  if (!system().profiling->charges_before_signals) return;
  if (std::exchange(thread_state_of(thread).is_charged, true)) return;
  thread.in_kernel = true;
  charge_exit(thread);
}

void Profiling::leaving_kernel(Thread& thread) const {
  const bool was_charged = std::exchange(thread_state_of(thread).is_charged, false);
  if (!was_charged) charge_exit(thread);
}

void Profiling::charge_exit(Thread& thread) const {
  ThreadState& own = thread_state_of(thread);
  const profil::KernelExit exit{thread.cpu->interrupted_pc(), own.trap_pc,
                                std::exchange(own.owed, Ticks(0))};
  profil::State& state = of(thread);
  for (const profil::Due& due : profil::take_due(*system().profiling, state, exit)) {
    charge(thread, due.ticks, due.pc, name_of(due));
  }
}

void Profiling::charge_waiting(Thread& thread) const {
  for (const profil::Due& due : profil::take_waiting(of(thread))) {
    charge(thread, due.ticks, due.pc, name_of(due));
  }
}

bool Profiling::wants_fast_clock(const Process& process) {
  const auto fast = [](const profil::State& state) { return state.on() && state.fast; };
  if (process.os_state == nullptr) return false;
  if (fast(state_of(process).profiling)) return true;
  return std::ranges::any_of(process.threads, [&](const auto& thread) {
    return thread->os_state != nullptr && fast(thread_state_of(*thread).profiling);
  });
}

}  // namespace hardclock::posix
