#include "syscalls/profil/charge.h"

#include <array>

#include "sim/base/check.h"

namespace hardclock::profil {
namespace {

constexpr unsigned widest_counter = 8;

using CounterBytes = std::array<std::uint8_t, widest_counter>;

std::uint64_t load(CounterMemory& memory, const Access& access) {
  CHECK(access.width <= widest_counter);
  CounterBytes bytes{};
  memory.read(access.address, std::span(bytes).first(access.width));
  std::uint64_t value = 0;
  for (unsigned i = 0; i < access.width; ++i) {
    const bool is_big = memory.endian() == Endian::big;
    value = value << 8 | bytes[is_big ? i : access.width - 1 - i];
  }
  return value;
}

void store(CounterMemory& memory, const Access& access, std::uint64_t value) {
  CHECK(access.width <= widest_counter);
  CounterBytes bytes{};
  for (unsigned i = 0; i < access.width; ++i) {
    const bool is_little = memory.endian() == Endian::little;
    bytes[is_little ? i : access.width - 1 - i] = static_cast<std::uint8_t>(value >> 8 * i);
  }
  memory.write(access.address, std::span<const std::uint8_t>(bytes).first(access.width));
}

// Whether the counter can be updated; if not, changes the state as the fault does.
bool can_update(const SystemRules& system, State& state, const Access& access,
                CounterMemory& memory, Charge& charge) {
  charge.misaligned = is_misaligned(access) && !system.updates_unaligned;
  if (!charge.misaligned && memory.is_accessible(access.address, access.width)) return true;
  state = system.after_fault(state, access.region);
  charge.outcome = Charge::Outcome::faulted;
  return false;
}

// Solaris's pcsample(2), by illumos-gate usr/src/uts/common/os/clock.c profil_tick(): every tick
// stores the pc in the next word, and a tick that finds the buffer full stops the sampling. If a
// fault interrupts several ticks, the rest of them are lost. A stop keeps the number of stored pcs:
// the next pcsample() returns it.
Charge store_samples(const SystemRules& system, State& state, GuestAddr pc, Ticks ticks,
                     CounterMemory& memory) {
  Charge charge;
  charge.lookup = system.lookup(state, pc);
  for (Ticks done; done < ticks; ++done) {
    const std::uint64_t samples = state.samples;
    charge.lookup = system.lookup(state, pc);
    const Access* access = std::get_if<Access>(&charge.lookup);
    if (access == nullptr) {
      state = stopped(State::Stop::by_full_counter);
      state.samples = samples;
      charge.outcome = Charge::Outcome::stopped;
      charge.increment = Increment{samples, samples + 1, Increment::Effect::stopped};
      return charge;
    }
    if (!can_update(system, state, *access, memory, charge)) return charge;
    store(memory, *access, pc.value());
    ++state.samples;
    charge.outcome = Charge::Outcome::counted;
    charge.increment = Increment{samples, state.samples, Increment::Effect::counted};
  }
  return charge;
}

}  // namespace

Charge charge(const SystemRules& system, State& state, GuestAddr pc, Ticks ticks,
              CounterMemory& memory) {
  if (state.kind == State::Kind::pcsample) return store_samples(system, state, pc, ticks, memory);
  Charge charge;
  charge.lookup = system.lookup(state, pc);
  const Access* access = std::get_if<Access>(&charge.lookup);
  if (access == nullptr || !can_update(system, state, *access, memory, charge)) return charge;

  const std::uint64_t before = load(memory, *access);
  charge.outcome = Charge::Outcome::counted;
  if (ticks == Ticks(0)) {
    charge.increment = Increment{before, before, Increment::Effect::counted};
    return charge;
  }
  charge.increment = system.library != nullptr ? system.library->increment(state, *access, before)
                                               : system.increment(before, access->width, ticks);
  if (charge.increment->effect == Increment::Effect::stopped) {
    state = stopped(State::Stop::by_full_counter);
    charge.outcome = Charge::Outcome::stopped;
    return charge;
  }
  store(memory, *access, charge.increment->after);
  return charge;
}

}  // namespace hardclock::profil
