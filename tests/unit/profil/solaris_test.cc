// Solaris profil(2) and pcsample(2) by the conformance cases of solaris.cc's rules, and the
// kernel's arithmetic against machine words that do what illumos's C does.
#include "syscalls/profil/system.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <limits>
#include <optional>

namespace hardclock::profil {
namespace {

using boost::multiprecision::cpp_int;

constexpr std::uint64_t buf = 0x21000;
constexpr std::uint64_t text_address = 0x10000;

State profil(const ProfilArguments& arguments, unsigned address_bits = 32) {
  return solaris_system.profil(State{}, arguments, address_bits).value();
}

Result<PcsampleResult, CallError> pcsample(const State& state, std::int64_t count,
                                           unsigned address_bits = 32) {
  return solaris_system.pcsample(state, buf, count, address_bits);
}

Lookup lookup(const State& state, std::uint64_t pc) {
  return solaris_system.lookup(state, GuestAddr(pc));
}

// The address of the counter for pc, or nothing.
std::optional<std::uint64_t> counter(const State& state, std::uint64_t pc) {
  const Lookup found = lookup(state, pc);
  const Access* access = std::get_if<Access>(&found);
  if (access == nullptr) return std::nullopt;
  return access->address.value();
}

Miss::Reason reason(const State& state, std::uint64_t pc) {
  return std::get<Miss>(lookup(state, pc)).reason;
}

Increment increment(std::uint64_t before, std::uint64_t ticks = 1) {
  return solaris_system.increment(before, 2, Ticks(ticks));
}

// L-001, L-007, L-008, L-011: profil(2), "0x4000, maps subdivisions 8 bytes long to each counter".
TEST(SolarisProfil, Formula) {
  const State state = profil({buf, 64, text_address, 0x4000});
  EXPECT_EQ(counter(state, 0x1000c), buf + 2);
  EXPECT_EQ(counter(state, 0x10007), buf);
  EXPECT_EQ(counter(state, 0x10010), buf + 4);
  EXPECT_EQ(reason(state, 0xfffc), Miss::Reason::below_offset);
  EXPECT_EQ(reason(profil({buf, 0, text_address, 0x8000}), text_address),
            Miss::Reason::beyond_buffer);
  EXPECT_EQ(counter(profil({buf, 5, text_address, 0x8000}), 0x10008), buf + 4);
  EXPECT_EQ(reason(profil({buf, 5, text_address, 0x8000}), 0x1000c), Miss::Reason::beyond_buffer);
}

// L-021 (A-S2): no upper limit, 0x10000 is exact; profil(2)'s 0xffff is "approximately 1".
TEST(SolarisProfil, Scale10000AndAbove) {
  EXPECT_EQ(counter(profil({buf, 64, text_address, 0x10000}), 0x10004), buf + 4);
  EXPECT_EQ(counter(profil({buf, 64, text_address, 0xffff}), 0x10004), buf + 2);
  EXPECT_EQ(counter(profil({buf, 64, text_address, 0x20000}), 0x10004), buf + 8);
}

// L-003 and L-009 (A-S3, A-S4): every pc from offset up, and no look at bufsiz.
TEST(SolarisProfil, Scale2) {
  for (const std::uint64_t bufsiz : {0u, 64u}) {
    const State state = profil({buf, bufsiz, text_address, 2});
    EXPECT_EQ(counter(state, 0x10000), buf);
    EXPECT_EQ(counter(state, 0x310000), buf);
    EXPECT_EQ(reason(state, 0xfffc), Miss::Reason::below_offset);
  }
  EXPECT_EQ(counter(profil({buf, 64, text_address, 3}), 0x1fffc), buf + 2);
}

// L-010: syscall/profil.c stores a scale of 1 as 0.
TEST(SolarisProfil, Off) {
  EXPECT_EQ(profil({buf, 64, text_address, 0}), stopped(State::Stop::by_call));
  EXPECT_EQ(profil({buf, 64, text_address, 1}), stopped(State::Stop::by_call));
  EXPECT_EQ(profil({buf, 64, text_address, 0x100000001}), stopped(State::Stop::by_call));
  EXPECT_EQ(reason(State{}, text_address), Miss::Reason::off);
}

// A-S7: size_t and u_long have the pointer's width, u_int has 32 bits.
TEST(SolarisProfil, CutsItsArguments) {
  const ProfilArguments registers = {0x100021000, 0x100000040, 0x100010000, 0x100008000};
  EXPECT_EQ(profil(registers), profil({buf, 64, text_address, 0x8000}));
  EXPECT_EQ(profil(registers, 64).regions.front(),
            (Region{GuestAddr(0x100021000), 0x100000040, GuestAddr(0x100010000), 0x8000}));
}

// L-022: fuword16() of an odd address fails on SPARC.
TEST(SolarisProfil, OddBuffer) {
  EXPECT_TRUE(is_misaligned(
      std::get<Access>(lookup(profil({buf + 1, 64, text_address, 2}), text_address))));
  EXPECT_FALSE(solaris_system.updates_unaligned);
}

// L-004, L-005, L-019, L-020 (A-S1): "new > SHRT_MAX" of a 16-bit sum.
TEST(SolarisIncrement, StopsAbove32767) {
  EXPECT_EQ(increment(32766).after, 32767u);
  EXPECT_EQ(increment(32766).effect, Increment::Effect::counted);
  EXPECT_EQ(increment(32767).effect, Increment::Effect::stopped);
  EXPECT_EQ(increment(40000).effect, Increment::Effect::stopped);
  EXPECT_EQ(increment(65535).after, 0u);
  EXPECT_EQ(increment(65535).effect, Increment::Effect::wrapped);
}

// profil_tick() adds all owed ticks in one sum.
TEST(SolarisIncrement, OwedTicksAllOrNothing) {
  EXPECT_EQ(increment(32760, 7).after, 32767u);
  EXPECT_EQ(increment(32760, 8).effect, Increment::Effect::stopped);
  EXPECT_EQ(increment(65535, 32769).effect, Increment::Effect::stopped);
  EXPECT_EQ(increment(65535, 32768).after, 32767u);
  EXPECT_EQ(increment(7, 65536).after, 7u);
  EXPECT_EQ(increment(7, 65536).effect, Increment::Effect::wrapped);
}

// L-023: the pcs one after the other, each as wide as a pointer, and a full buffer.
TEST(SolarisPcsample, StoresInOrder) {
  State state = pcsample(State{}, 3)->state;
  EXPECT_EQ(counter(state, 0x10000), buf);
  state.samples = 2;
  EXPECT_EQ(counter(state, 0x10008), buf + 8);
  state.samples = 3;
  EXPECT_EQ(reason(state, 0x1000c), Miss::Reason::beyond_buffer);
  State wide = pcsample(State{}, 3, 64)->state;
  wide.samples = 2;
  EXPECT_EQ(counter(wide, 0x10008), buf + 16);
  EXPECT_EQ(std::get<Access>(lookup(wide, 0)).width, 8u);
}

// L-024: syscall/profil.c returns and clears pr_samples; profil() clears it; profil_tick() clears
// the scale alone, fork.c copies everything and exec.c clears everything.
TEST(SolarisPcsample, PreviousCount) {
  State state = pcsample(State{}, 8)->state;
  state.samples = 2;
  EXPECT_EQ(pcsample(state, 4)->previous, 2u);
  EXPECT_EQ(pcsample(state, 4)->state.samples, 0u);
  EXPECT_EQ(pcsample(state, 0)->previous, 2u);
  const SystemRules& solaris = solaris_system;
  const State profiled = solaris.profil(state, {buf, 64, text_address, 0x8000}, 32).value();
  EXPECT_EQ(profiled.kind, State::Kind::profil);
  EXPECT_EQ(pcsample(profiled, 4)->previous, 0u);
  EXPECT_EQ(pcsample(profiled, 4)->state.kind, State::Kind::pcsample);
  EXPECT_EQ(pcsample(solaris.after_fault(state, 0), 4)->previous, 2u);
  EXPECT_EQ(pcsample(solaris.after_fork(state), 4)->previous, 2u);
  EXPECT_EQ(pcsample(solaris.after_exec(state), 4)->previous, 0u);
  EXPECT_EQ(pcsample(solaris.after_exec(solaris.after_fault(state, 0)), 4)->previous, 0u);
}

// L-025, and INT32_MAX for 32-bit programs only; pcsample(2): a count of 0 stops.
TEST(SolarisPcsample, Counts) {
  EXPECT_EQ(pcsample(State{}, -1).error(), CallError::invalid);
  EXPECT_EQ(pcsample(State{}, std::numeric_limits<std::int64_t>::min(), 64).error(),
            CallError::invalid);
  EXPECT_TRUE(pcsample(State{}, 0x7fffffff).ok());
  EXPECT_EQ(pcsample(State{}, 0x80000000).error(), CallError::invalid);
  EXPECT_TRUE(pcsample(State{}, 0x80000000, 64).ok());
  EXPECT_EQ(pcsample(State{}, 0)->state, stopped(State::Stop::by_call));
}

// L-015, L-016, L-017.
TEST(SolarisState, Transitions) {
  const SystemRules& solaris = solaris_system;
  const State on = profil({buf, 64, text_address, 0x8000});
  EXPECT_EQ(solaris.after_fork(on), on);
  EXPECT_EQ(solaris.after_fault(on, 0), stopped(State::Stop::by_fault));
  EXPECT_EQ(solaris.after_exec(on), stopped(State::Stop::by_exec));
  const State off = stopped(State::Stop::by_call);
  EXPECT_EQ(solaris.after_fault(off, 0), off);
  EXPECT_EQ(solaris.after_exec(off), off);
}

// L-012, L-014: profil(2) NOTES on releases before 2.6.
TEST(SolarisSystem, BeforeAndFrom26) {
  EXPECT_EQ(solaris_system.owner, Owner::process);
  EXPECT_EQ(solaris25_system.owner, Owner::thread);
  EXPECT_EQ(solaris25_system.pcsample, nullptr);
  for (const SystemRules* system : {&solaris_system, &solaris25_system}) {
    EXPECT_EQ(system->system_ticks, SystemTicks::resume_pc) << system->name;
    EXPECT_EQ(system->tick_rate, Hertz(100)) << system->name;
    EXPECT_EQ(system->sprofil, nullptr) << system->name;
  }
}

// What profil_tick()'s expressions compute in a kernel whose uintptr_t is `Word`.
template <class Word>
std::optional<Word> slot(Word base, Word size, Word offset, std::uint32_t scale, Word pc) {
  if (scale < 2 || pc < offset) return std::nullopt;
  if (scale == 2) return base;
  const Word delta = pc - offset;
  const Word upper = (delta >> 16) * scale;
  const Word lower = (delta & 0xffff) * scale;
  const Word place = upper + (lower >> 16);
  if (place >= size) return std::nullopt;
  return static_cast<Word>(base + place / 2 * 2);
}

template <class Word>
rc::Gen<Word> any_word() {
  return rc::gen::oneOf(
      rc::gen::arbitrary<Word>(),
      rc::gen::map(rc::gen::inRange<unsigned>(0, 8 * sizeof(Word)),
                   [](unsigned bit) -> Word { return Word{1} << bit; }),
      rc::gen::map(rc::gen::inRange<Word>(0, 0x1000), [](Word n) -> Word { return ~n; }));
}

rc::Gen<std::uint32_t> any_scale() {
  return rc::gen::oneOf(rc::gen::inRange<std::uint32_t>(0, 4),
                        rc::gen::inRange<std::uint32_t>(2, 0x10001),
                        rc::gen::arbitrary<std::uint32_t>());
}

template <class Word>
void check_against_machine_words() {
  const Word base = *any_word<Word>();
  const Word size = *any_word<Word>();
  const Word offset = *any_word<Word>();
  const std::uint32_t scale = *any_scale();
  const Word near = *rc::gen::inRange<Word>(0, 0x1000000);
  const Word pc = *rc::gen::oneOf(any_word<Word>(), rc::gen::just<Word>(offset + near));
  const State state = profil({base, size, offset, scale}, 8 * sizeof(Word));
  const std::optional<Word> expected = slot<Word>(base, size, offset, scale, pc);
  const auto found = counter(state, pc);
  RC_CLASSIFY(expected.has_value(), "counted");
  RC_ASSERT(found.has_value() == expected.has_value());
  if (found) RC_ASSERT(*found == *expected);
}

RC_GTEST_PROP(SolarisProperty, ArithmeticOfA32BitKernel, ()) {
  check_against_machine_words<std::uint32_t>();
}

RC_GTEST_PROP(SolarisProperty, ArithmeticOfA64BitKernel, ()) {
  check_against_machine_words<std::uint64_t>();
}

// The halves lose nothing up to scale 0x10000: the byte offset is floor(d * scale / 65536).
RC_GTEST_PROP(SolarisProperty, ExactUpToScale10000, (std::uint32_t offset, std::uint32_t pc)) {
  const std::uint32_t scale = *rc::gen::inRange<std::uint32_t>(3, 0x10001);
  RC_PRE(pc >= offset);
  const Lookup found = lookup(profil({0, 0xffffffff, offset, scale}), pc);
  const cpp_int exact = cpp_int(pc - offset) * scale / 65536;
  RC_PRE(exact < 0xffffffff);
  RC_ASSERT(cpp_int(std::get<Access>(found).byte_offset) == exact / 2 * 2);
}

}  // namespace
}  // namespace hardclock::profil
