// The profiling part of IRIX's clock interrupt, on the guest's own memory.
#include <cstdio>
#include <ostream>

#include "syscalls/irix/irix.h"
#include "syscalls/irix/state.h"
#include "syscalls/profil/irix.h"

namespace hardclock::irix {
namespace {

Result<std::uint64_t, Fault> read_counter(AddressSpace& memory, const profil::Access& access) {
  if (access.width == sizeof(std::uint16_t)) {
    const auto value = memory.read<std::uint16_t>(access.address);
    if (!value) return Failure{value.error()};
    return std::uint64_t{*value};
  }
  const auto value = memory.read<std::uint32_t>(access.address);
  if (!value) return Failure{value.error()};
  return std::uint64_t{*value};
}

Result<Ok, Fault> write_counter(AddressSpace& memory, const profil::Access& access,
                                std::uint64_t value) {
  if (access.width == sizeof(std::uint16_t)) {
    return memory.write(access.address, static_cast<std::uint16_t>(value));
  }
  return memory.write(access.address, static_cast<std::uint32_t>(value));
}

// Adds one tick to the counter that the access names.
Result<profil::Increment, Fault> increment(AddressSpace& memory, const profil::Access& access) {
  const auto before = read_counter(memory, access);
  if (!before) return Failure{before.error()};
  const profil::Increment increment = profil::irix_increment(*before, access.width, Ticks(1));
  const auto stored = write_counter(memory, access, increment.after);
  if (!stored) return Failure{stored.error()};
  return increment;
}

const char* reason_of(Fault::Kind kind) {
  switch (kind) {
    case Fault::Kind::unmapped:
      return "not mapped";
    case Fault::Kind::protection:
      return "not writable";
    case Fault::Kind::misaligned:
      return "not aligned";
    case Fault::Kind::out_of_memory:
      return "memory limit reached";
  }
  return "?";
}

// "0.010000s pid 100 pc 0x00400120 <hot+0x20>: "
void explain_where(std::ostream& out, const Simulation& simulation, const Process& process,
                   GuestAddr pc, TickSourceKind source) {
  char text[160];
  const std::uint64_t microseconds = simulation.clock().microseconds();
  std::snprintf(text, sizeof text, "%llu.%06llus cycle %llu %spid %d pc 0x%08llx <",
                static_cast<unsigned long long>(microseconds / 1'000'000),
                static_cast<unsigned long long>(microseconds % 1'000'000),
                static_cast<unsigned long long>(simulation.clock().now().value()),
                source == TickSourceKind::fast_clock ? "fast " : "", process.pid,
                static_cast<unsigned long long>(pc.value()));
  out << text << describe(process.image->symbols, pc) << ">: ";
}

}  // namespace

void Irix::profile_tick(Simulation& simulation, Thread& thread, GuestAddr pc, TickSourceKind source,
                        ProcessorMode mode) {
  Process& process = thread.process;
  profil::State& state = state_of(process).profiling;
  if (source == TickSourceKind::fast_clock ? !state.fast : state.fast) return;
  std::ostream* const out = simulation.observers.explain;
  if (out != nullptr) explain_where(*out, simulation, process, pc, source);
  if (mode == ProcessorMode::system) {
    static_assert(profil::kIrixSystemTicks == profil::SystemTicks::none);
    if (out != nullptr) *out << "in the kernel: not charged\n";
    return;
  }
  const profil::Lookup lookup = profil::irix_lookup(state, pc);
  if (out != nullptr) *out << profil::explain(state, pc, lookup);
  if (const auto* const access = std::get_if<profil::Access>(&lookup)) {
    const auto counted = increment(*process.memory, *access);
    if (counted) {
      process.profiled_ticks += Ticks(1);
      if (out != nullptr) *out << ": " << profil::explain(*counted);
    } else {
      state = profil::irix_after_fault(state);
      simulation.update_fast_clock();
      if (out != nullptr) {
        *out << ": " << reason_of(counted.error().kind) << ": profiling is off from now on";
      }
    }
  }
  if (out != nullptr) *out << "\n";
}

bool Irix::wants_fast_clock(const Process& process) const {
  return process.os_state != nullptr && state_of(process).profiling.on() &&
         state_of(process).profiling.fast;
}

}  // namespace hardclock::irix
