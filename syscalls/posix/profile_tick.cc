// The profiling part of the clock interrupt, on the guest's own memory.
#include <algorithm>
#include <cstdio>
#include <optional>
#include <ostream>

#include "sim/base/check.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/state.h"
#include "syscalls/profil/charge.h"

namespace hardclock::posix {
namespace {

// The counters in a process's memory. Remembers why an access was impossible.
class GuestCounters final : public profil::CounterMemory {
 public:
  explicit GuestCounters(AddressSpace& memory) : memory_(memory) {}

  Endian endian() const override { return memory_.endian(); }
  bool is_accessible(GuestAddr address, unsigned bytes) override {
    for (const Access access : {Access::read, Access::write}) {
      const auto possible = memory_.probe(address, bytes, access);
      if (possible) continue;
      fault_ = possible.error();
      return false;
    }
    return true;
  }
  void read(GuestAddr address, std::span<std::uint8_t> bytes) override {
    CHECK(memory_.read_bytes(address, bytes).ok());
  }
  void write(GuestAddr address, std::span<const std::uint8_t> bytes) override {
    CHECK(memory_.write_bytes(address, bytes).ok());
  }
  const std::optional<Fault>& fault() const { return fault_; }

 private:
  AddressSpace& memory_;
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

// "0.010000s pid 100 pc 0x00400120 <hot+0x20>: "
void explain_where(std::ostream& out, const Simulation& simulation, const Process& process,
                   GuestAddr pc, const char* what) {
  char text[160];
  const std::uint64_t microseconds = simulation.clock().microseconds();
  std::snprintf(text, sizeof text, "%llu.%06llus cycle %llu %spid %d pc 0x%08llx <",
                static_cast<unsigned long long>(microseconds / 1'000'000),
                static_cast<unsigned long long>(microseconds % 1'000'000),
                static_cast<unsigned long long>(simulation.clock().now().value()), what,
                process.pid, static_cast<unsigned long long>(pc.value()));
  out << text << describe(process.image->symbols, pc) << ">: ";
}

std::string outcome_of(const profil::Charge& charge, const GuestCounters& counters) {
  switch (charge.outcome) {
    case profil::Charge::Outcome::missed:
      return {};
    case profil::Charge::Outcome::counted:
    case profil::Charge::Outcome::stopped:
      return ": " + profil::explain(*charge.increment);
    case profil::Charge::Outcome::faulted:
      break;
  }
  const char* const reason = charge.misaligned ? "not aligned" : reason_of(*counters.fault());
  return std::string(": ") + reason + ": profiling is off from now on";
}

}  // namespace

// One charge: the state, the guest's memory, the process's figures and the explanation.
void Kernel::charge(Simulation& simulation, Thread& thread, Ticks ticks, GuestAddr pc,
                    const char* what) {
  Process& process = thread.process;
  profil::State& state = profiling_of(thread);
  std::ostream* const out = simulation.observers.explain;
  const profil::State before = out != nullptr ? state : profil::State{};
  const bool was_on = state.on();
  GuestCounters counters(*process.memory);
  const profil::Charge charged = profil::charge(system_.profiling(), state, pc, ticks, counters);
  if (charged.outcome == profil::Charge::Outcome::counted) process.profiled_ticks += ticks;
  if (was_on && !state.on()) simulation.update_fast_clock();
  const bool only_probed = ticks == Ticks(0) && charged.outcome != profil::Charge::Outcome::faulted;
  if (out == nullptr || only_probed) return;
  explain_where(*out, simulation, process, pc, what);
  *out << profil::explain(before, pc, charged.lookup) << outcome_of(charged, counters) << "\n";
}

void Kernel::profile_tick(Simulation& simulation, Thread& thread, GuestAddr pc,
                          TickSourceKind source, ProcessorMode mode) {
  const bool fast = source == TickSourceKind::fast_clock;
  const profil::State& state = profiling_of(thread);
  if (fast != state.fast) return;
  const char* const clock = fast ? "fast " : "";
  if (mode == ProcessorMode::user) {
    charge(simulation, thread, Ticks(1), pc, clock);
    return;
  }
  const bool owed = system_.profiling().system_ticks != profil::SystemTicks::none && state.on();
  if (owed) thread_state_of(thread).owed += Ticks(1);
  std::ostream* const out = simulation.observers.explain;
  if (out == nullptr) return;
  explain_where(*out, simulation, thread.process, pc, clock);
  *out << (owed ? "in the kernel: charged when the program goes on\n"
                : "in the kernel: not charged\n");
}

// Ticks that found the thread inside the kernel, as kernels charge them on the way out.
void Kernel::leaving_kernel(Simulation& simulation, Thread& thread) {
  const profil::System& profiling = system_.profiling();
  if (profiling.system_ticks == profil::SystemTicks::none) return;
  ThreadState& own = thread_state_of(thread);
  const Ticks owed = std::exchange(own.owed, Ticks(0));
  if (!profiling_of(thread).on()) return;
  if (owed == Ticks(0) && !profiling.probes_on_kernel_exit) return;
  const GuestAddr pc = profiling.system_ticks == profil::SystemTicks::trap_pc
                           ? own.trap_pc
                           : thread.cpu->interrupted_pc();
  charge(simulation, thread, owed, pc, "system ticks, ");
}

bool Kernel::wants_fast_clock(const Process& process) const {
  const auto fast = [](const profil::State& state) { return state.on() && state.fast; };
  if (process.os_state == nullptr) return false;
  if (fast(state_of(process).profiling)) return true;
  return std::ranges::any_of(process.threads, [&](const auto& thread) {
    return thread->os_state != nullptr && fast(thread_state_of(*thread).profiling);
  });
}

}  // namespace hardclock::posix
