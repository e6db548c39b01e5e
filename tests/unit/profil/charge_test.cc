// One charge of ticks: memory, byte order, faults, full counters and pcsample. The expectations are
// the contract in charge.h and, for Solaris, illumos-gate usr/src/uts/common/os/clock.c
// profil_tick() and the conformance cases L-....
#include "syscalls/profil/charge.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>

#include "syscalls/profil/system.h"
#include "tests/unit/profil/byte_memory.h"

namespace hardclock::profil {
namespace {

constexpr std::uint64_t buf = 0x21000;
constexpr std::uint64_t text_address = 0x10000;

// A system whose state has one counter of any width, at the buffer's beginning.
Lookup first_counter(const State& state, GuestAddr) {
  return Access{0, state.regions.front().base, state.counter_bytes, 0, {}};
}
Increment add(std::uint64_t before, unsigned, Ticks ticks) {
  return {before, before + ticks.value(), Increment::Effect::counted};
}

SystemRules simple_system() {
  SystemRules system = v7_system;
  system.lookup = first_counter;
  system.increment = add;
  return system;
}

State counter_at(std::uint64_t address, unsigned width) {
  State state;
  state.kind = State::Kind::sprofil;
  state.counter_bytes = width;
  state.regions = {Region{GuestAddr(address), 64, GuestAddr(0), 2}};
  return state;
}

// A counter of 0x...ff becomes 0x..0100: the carry shows where the low byte is.
TEST(Charge, ByteOrderAndWidth) {
  for (const unsigned width : {2u, 4u, 8u}) {
    ByteMemory big(Endian::big), little(Endian::little);
    big.map(buf - 8, 24);
    little.map(buf - 8, 24);
    big.poke(buf + width - 1, 0xff);
    little.poke(buf, 0xff);
    State state = counter_at(buf, width);
    EXPECT_EQ(charge(simple_system(), state, GuestAddr(0), Ticks(1), big).increment->before, 0xffu);
    charge(simple_system(), state, GuestAddr(0), Ticks(1), little);
    for (std::uint64_t at = buf - 8; at < buf + 16; ++at) {
      EXPECT_EQ(big.peek(at), at == buf + width - 2 ? 1 : 0) << width << " big " << at;
      EXPECT_EQ(little.peek(at), at == buf + 1 ? 1 : 0) << width << " little " << at;
    }
  }
}

TEST(Charge, Missed) {
  ByteMemory memory(Endian::big);
  State off = stopped(State::Stop::by_call);
  const Charge one = charge(bsd43_system, off, GuestAddr(text_address), Ticks(1), memory);
  EXPECT_EQ(one.outcome, Charge::Outcome::missed);
  EXPECT_EQ(std::get<Miss>(one.lookup).reason, Miss::Reason::off);
  EXPECT_FALSE(one.increment.has_value());
  EXPECT_EQ(off, stopped(State::Stop::by_call));
}

// V7 faults on odd addresses (U-007); the VAX (V-009) and 4.4BSD (B-016) do not.
TEST(Charge, Misaligned) {
  for (const SystemRules* system : {&v7_system, &bsd43_system, &bsd44_system}) {
    SCOPED_TRACE(system->name);
    ByteMemory memory(Endian::little);
    memory.map(0x4000, 64);
    State state = system->profil(State{}, {0x4001, 60, 0, 0xffff}, 32).value();
    const Charge one = charge(*system, state, GuestAddr(0), Ticks(1), memory);
    const bool is_fault = system == &v7_system;
    EXPECT_EQ(one.misaligned, is_fault);
    EXPECT_EQ(one.outcome, is_fault ? Charge::Outcome::faulted : Charge::Outcome::counted);
    EXPECT_EQ(memory.peek(0x4001), is_fault ? 0 : 1);
    EXPECT_EQ(state.on(), !is_fault);
  }
}

// A fault is of the memory, not of the address, and leaves every byte alone: also those of the
// counter that are there.
TEST(Charge, FaultChangesNoMemory) {
  ByteMemory memory(Endian::big);
  memory.map(buf, 3);
  memory.poke(buf + 2, 9);
  State state = counter_at(buf, 4);
  const Charge one = charge(simple_system(), state, GuestAddr(0), Ticks(1), memory);
  EXPECT_EQ(one.outcome, Charge::Outcome::faulted);
  EXPECT_FALSE(one.misaligned);
  EXPECT_FALSE(one.increment.has_value());
  EXPECT_EQ(state, stopped(State::Stop::by_fault));
  EXPECT_EQ(memory.peek(buf + 2), 9);
}

class CountingMemory : public ByteMemory {
 public:
  using ByteMemory::ByteMemory;
  void write(GuestAddr address, std::span<const std::uint8_t> bytes) override {
    ++writes;
    ByteMemory::write(address, bytes);
  }
  unsigned writes = 0;
};

// V7's trap() with no tick: only whether the counter is there matters (U-013).
TEST(Charge, NoTicksProbe) {
  CountingMemory memory(Endian::little);
  memory.map(buf, 2);
  memory.set_counter(buf, 7);
  State state = counter_at(buf, 2);
  const Charge one = charge(simple_system(), state, GuestAddr(0), Ticks(0), memory);
  EXPECT_EQ(one.outcome, Charge::Outcome::counted);
  EXPECT_EQ(one.increment->after, 7u);
  EXPECT_EQ(memory.counter(buf), 7u);
  EXPECT_EQ(memory.writes, 0u);
  memory.protect(buf, 2, false);
  EXPECT_EQ(charge(simple_system(), state, GuestAddr(0), Ticks(0), memory).outcome,
            Charge::Outcome::faulted);
  EXPECT_FALSE(state.on());
}

// Solaris: 32767 stays, the next hit stops everything, and owed ticks are all or nothing
// (profil_tick(): the store is skipped when the sum is above SHRT_MAX).
TEST(Charge, FullCounterStops) {
  ByteMemory memory(Endian::big);
  memory.map(buf, 64);
  memory.set_counter(buf, 32766);
  memory.set_counter(buf + 2, 32760);
  const SystemRules& solaris = solaris_system;
  const State on = solaris.profil(State{}, {buf, 64, text_address, 0x8000}, 32).value();
  State state = on;
  EXPECT_EQ(charge(solaris, state, GuestAddr(text_address), Ticks(1), memory).outcome,
            Charge::Outcome::counted);
  EXPECT_EQ(charge(solaris, state, GuestAddr(text_address), Ticks(1), memory).outcome,
            Charge::Outcome::stopped);
  EXPECT_EQ(memory.counter(buf), 32767u);
  EXPECT_EQ(state, stopped(State::Stop::by_full_counter));
  state = on;
  EXPECT_EQ(charge(solaris, state, GuestAddr(text_address + 4), Ticks(8), memory).outcome,
            Charge::Outcome::stopped);
  EXPECT_EQ(memory.counter(buf + 2), 32760u);
}

State sample(const State& state, std::uint64_t samples, std::int64_t count, std::uint64_t previous,
             unsigned address_bits = 32) {
  const auto result = solaris_system.pcsample(state, samples, count, address_bits).value();
  EXPECT_EQ(result.previous, previous);
  return result.state;
}

unsigned word(const ByteMemory& memory, std::uint64_t address) {
  return memory.counter(address) << 16 | memory.counter(address + 2);
}

// L-023: three pcs, then the tick that finds no room stops. profil_tick() clears only the scale, so
// the next pcsample() answers 3.
TEST(Pcsample, StoresPcsUntilFull) {
  ByteMemory memory(Endian::big);
  memory.map(buf, 64);
  State state = sample(State{}, buf, 3, 0);
  for (std::uint64_t pc = text_address; pc < text_address + 12; pc += 4) {
    EXPECT_EQ(charge(solaris_system, state, GuestAddr(pc), Ticks(1), memory).outcome,
              Charge::Outcome::counted);
  }
  EXPECT_TRUE(state.on());
  EXPECT_EQ(charge(solaris_system, state, GuestAddr(text_address + 12), Ticks(1), memory).outcome,
            Charge::Outcome::stopped);
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(word(memory, buf + 4 * i), i < 3 ? text_address + 4 * i : 0) << i;
  }
  EXPECT_FALSE(state.on());
  EXPECT_EQ(state.stop, State::Stop::by_full_counter);
  sample(state, buf, 1, 3);
}

// L-024, up to the second call: it answers 2 and begins at its own buffer.
TEST(Pcsample, SecondCallStartsAnew) {
  ByteMemory memory(Endian::big);
  memory.map(buf, 64);
  State state = sample(State{}, buf, 8, 0);
  tick(solaris_system, state, text_address, memory, 2);
  state = sample(state, buf + 16, 4, 2);
  tick(solaris_system, state, text_address + 4, memory);
  EXPECT_EQ(word(memory, buf + 4), text_address);
  EXPECT_EQ(word(memory, buf + 8), 0u);
  EXPECT_EQ(word(memory, buf + 16), text_address + 4);
}

// profil_tick(): each owed tick stores the pc once; the first that faults or finds the buffer full
// ends it.
TEST(Pcsample, OwedTicks) {
  ByteMemory memory(Endian::big);
  memory.map(buf, 8);
  State state = sample(State{}, buf, 8, 0);
  EXPECT_EQ(charge(solaris_system, state, GuestAddr(text_address), Ticks(0), memory).outcome,
            Charge::Outcome::missed);
  EXPECT_EQ(charge(solaris_system, state, GuestAddr(text_address), Ticks(5), memory).outcome,
            Charge::Outcome::faulted);
  EXPECT_EQ(word(memory, buf + 4), text_address);
  EXPECT_EQ(state.stop, State::Stop::by_fault);
  state = sample(state, buf, 1, 2);
  EXPECT_EQ(charge(solaris_system, state, GuestAddr(text_address + 8), Ticks(3), memory).outcome,
            Charge::Outcome::stopped);
  EXPECT_EQ(word(memory, buf), text_address + 8);
  EXPECT_EQ(word(memory, buf + 4), text_address);
}

// suword64() for 64-bit programs.
TEST(Pcsample, SixtyFourBits) {
  ByteMemory memory(Endian::big);
  memory.map(buf, 16);
  State state = sample(State{}, buf, 2, 0, 64);
  tick(solaris_system, state, 0x123456789a, memory);
  EXPECT_EQ(word(memory, buf), 0x12u);
  EXPECT_EQ(word(memory, buf + 4), 0x3456789au);
}

}  // namespace
}  // namespace hardclock::profil
