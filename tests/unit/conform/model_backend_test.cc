// What the model does with events that no case of the conformance files has, or only in passing.
#include "syscalls/conform/model_backend.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "syscalls/conform/case.h"
#include "syscalls/profil/hpux.h"

namespace hardclock::conform {
namespace {

constexpr GuestAddr buf{0x10010000};
constexpr GuestAddr text_address{0x400000};
constexpr std::uint64_t buffer_size = 64;

Case on(const char* system, std::vector<Event> events, std::uint64_t preset = 0) {
  Case made;
  made.id = "T";
  made.variant = find_variant(system);
  MemoryObject buffer = {.name = "BUF", .address = buf, .size = buffer_size, .width = 2};
  if (preset != 0) buffer.presets.push_back({2, 0, preset});
  made.memory.push_back(buffer);
  made.first.call = ProfilCall{.buff = {.value = buf},
                               .bufsiz = buffer_size,
                               .offset = {.value = text_address},
                               .scale = 0x8000};
  made.events = std::move(events);
  return made;
}

Event tick(std::uint64_t n = 1, TickEvent::Mode mode = TickEvent::Mode::user) {
  return {TickEvent{text_address, n, mode}};
}

Event by(int pid, Event event, int tid = 1) {
  event.pid = pid;
  event.tid = tid;
  return event;
}

Elements buffer_of(const Observation& seen, int pid) {
  return seen.processes.at(pid).counters.at("BUF");
}

// The conventions of the case format: owed ticks are charged in one step. illumos profil_tick():
// they are counted all or not at all, and 32767 is the highest count.
TEST(ModelBackend, OwedTicksAreOneStep) {
  const auto one_by_one = ModelBackend().run(on("solaris", {tick(3)}, 32766));
  EXPECT_EQ(buffer_of(one_by_one, 1), (Elements{{0, 32767}}));
  const auto owed = ModelBackend().run(on("solaris", {tick(3, TickEvent::Mode::owed)}, 32766));
  EXPECT_EQ(buffer_of(owed, 1), (Elements{{0, 32766}}));
  EXPECT_EQ(owed.processes.at(1).profiling, false);
}

// V7 sys1.c exec(): an exec that fails before getxfile() leaves the scale on; all the pages say
// "when an exec is executed".
TEST(ModelBackend, FailedExecChangesNothing) {
  for (const char* const system : {"irix", "4.3bsd", "solaris", "hpux"}) {
    const auto seen = ModelBackend().run(on(system, {tick(), {ExecEvent{false}}, tick()}));
    EXPECT_EQ(buffer_of(seen, 1), (Elements{{0, 2}})) << system;
    EXPECT_EQ(seen.processes.at(1).profiling, true);
  }
}

// vfork(2): the child borrows the parent's memory until exec. Real 4.3BSD profiled the child into
// the parent's memory (docs/observed.md, section 2).
TEST(ModelBackend, VforkSharesMemoryUntilExec) {
  const auto seen = ModelBackend().run(
      on("4.3bsd", {{ForkEvent{ForkEvent::Kind::vfork, 2}},
                    by(2, tick(3)),
                    by(2, {ExecEvent{true}}),
                    by(2, {MemoryEvent{MemoryEvent::Kind::mmap, buf, buffer_size}}),
                    by(2, tick(5)),
                    tick()}));
  EXPECT_EQ(buffer_of(seen, 1), (Elements{{0, 4}}));
  EXPECT_EQ(buffer_of(seen, 2), Elements{});
  EXPECT_EQ(seen.processes.at(1).profiling, true);
  EXPECT_EQ(seen.processes.at(2).profiling, false);
}

// A signal that waits when the case ends was not caught; exec and the end of another event than
// ticks and calls change nothing. glibc's tick is a signal itself.
TEST(ModelBackend, Signals) {
  const Event signal = {SignalEvent{GuestAddr(0x400010)}};
  const auto system_tick = tick(1, TickEvent::Mode::system);
  const auto later =
      ModelBackend().run(on("4.3bsd", {signal, {PokeEvent{buf, 2, 5}}, system_tick}));
  EXPECT_EQ(buffer_of(later, 1), (Elements{{0, 5}, {4, 1}}));
  const auto once = ModelBackend().run(on("4.3bsd", {signal, tick(), system_tick}));
  EXPECT_EQ(buffer_of(once, 1), (Elements{{0, 2}}));
  const auto never = ModelBackend().run(on("irix", {tick(), signal}));
  EXPECT_EQ(buffer_of(never, 1), (Elements{{0, 1}}));
  const auto library = ModelBackend().run(on("glibc", {signal, tick()}));
  EXPECT_NE(library.error, "");
}

// A booted 4.4BSD gave the child a copy (observed-bsd44.json); IRIX's and AIX's pages make it fork,
// whose caller does not wait; V7 has no such call.
TEST(ModelBackend, VforkIsTheSystemsOwn) {
  const Event vfork = {ForkEvent{ForkEvent::Kind::vfork, 2}};
  const auto copied =
      ModelBackend().run(on("4.4bsd", {vfork, by(2, tick(3)), by(2, {ExecEvent{true}}), tick()}));
  EXPECT_EQ(buffer_of(copied, 1), (Elements{{0, 1}}));
  EXPECT_EQ(ModelBackend().run(on("4.4bsd", {vfork, tick()})).error, "process 1 sleeps in vfork");
  for (const char* const system : {"irix", "aix"}) {
    const auto forked = ModelBackend().run(on(system, {vfork, tick(), by(2, tick(3))}));
    EXPECT_EQ(buffer_of(forked, 1), (Elements{{0, 1}})) << system;
    EXPECT_EQ(buffer_of(forked, 2), (Elements{{0, 3}})) << system;
  }
  EXPECT_EQ(ModelBackend().run(on("v7", {vfork})).error, "Seventh Edition (PDP-11) has no vfork()");
}

// A number that the program stores, big-endian as the files look at memory.
TEST(ModelBackend, PokeStoresANumber) {
  const auto seen = ModelBackend().run(on("irix", {{PokeEvent{buf, 4, 0x00050007}}, tick()}));
  EXPECT_EQ(buffer_of(seen, 1), (Elements{{0, 6}, {1, 7}}));
}

TEST(ModelBackend, PokeIntoNothingIsAnError) {
  const auto seen = ModelBackend().run(on("irix", {{PokeEvent{GuestAddr(0x20), 2, 1}}}));
  EXPECT_EQ(seen.error, "poke: process 1 cannot write at 0x20");
  const auto read_only = ModelBackend().run(on(
      "irix", {{MemoryEvent{MemoryEvent::Kind::mprotect, buf, buffer_size, {true, false, false}}},
               {PokeEvent{buf, 2, 1}}}));
  EXPECT_EQ(read_only.error, "poke: process 1 cannot write at 0x10010000");
}

// Solaris profil(2) before 2.6: each thread (LWP) has a state of its own, a new one none.
TEST(ModelBackend, ThreadsOfOldSolarisHaveTheirOwnStates) {
  const Event create = {ThreadCreateEvent{2}};
  const auto old = ModelBackend().run(on("solaris2.5", {create, by(1, tick(3), 2), tick()}));
  EXPECT_EQ(buffer_of(old, 1), (Elements{{0, 1}}));
  const auto later = ModelBackend().run(on("solaris", {create, by(1, tick(3), 2), tick()}));
  EXPECT_EQ(buffer_of(later, 1), (Elements{{0, 4}}));
}

// Ticks per second of user time: V7 h/param.h HZ 60; IRIX profil(2) "once every 10 milliseconds";
// what is left of a tick at the end is none.
TEST(ModelBackend, RunTicksAtTheSystemsRate) {
  const auto runs = [](const char* system, std::uint64_t milliseconds) {
    Case made = on(system, {{RunEvent{GuestAddr(0x2000), milliseconds}}});
    made.memory[0].address = GuestAddr(0x8000);
    auto& call = std::get<ProfilCall>(made.first.call);
    call.buff.value = GuestAddr(0x8000);
    call.offset.value = GuestAddr(0x2000);
    return buffer_of(ModelBackend().run(made), 1);
  };
  EXPECT_EQ(runs("v7", 1000), (Elements{{0, 60}}));
  EXPECT_EQ(runs("4.1bsd", 500), (Elements{{0, 30}}));
  EXPECT_EQ(runs("irix", 1000), (Elements{{0, 100}}));
  EXPECT_EQ(runs("irix", 19), (Elements{{0, 1}}));
  EXPECT_EQ(runs("irix", 9), Elements{});
}

// An object that is not mapped whole has no counters to show.
TEST(ModelBackend, UnmappedObjectsAreLeftOut) {
  const auto seen = ModelBackend().run(
      on("irix", {tick(), {MemoryEvent{MemoryEvent::Kind::munmap, buf + 63, 1}}}));
  EXPECT_FALSE(seen.processes.at(1).counters.contains("BUF"));
}

TEST(ModelBackend, SystemTicksByTheSystemsRule) {
  const Event in_kernel = tick(4, TickEvent::Mode::system);
  // V7 trap.c and 4.3BSD trap.c charge them on the way out, and the IRIX 6.2 kernel was seen to;
  // the HP-UX page speaks of the program's execution only.
  EXPECT_EQ(buffer_of(ModelBackend().run(on("4.3bsd", {in_kernel})), 1), (Elements{{0, 4}}));
  EXPECT_EQ(buffer_of(ModelBackend().run(on("irix", {in_kernel})), 1), (Elements{{0, 4}}));
  EXPECT_EQ(buffer_of(ModelBackend().run(on("hpux", {in_kernel})), 1), Elements{});
}

// A-H1: "If profcnt is 0, profiling is disabled", whatever profp is.
TEST(ModelBackend, SprofilOfNothingDoesNotLookAtProfp) {
  SprofilCall stop;
  stop.profp = SprofilCall::Pointer::bad;
  const auto seen = ModelBackend().run(on("hpux", {{CallStep{stop, {}}}, tick()}));
  ASSERT_EQ(seen.calls.size(), 2U);
  EXPECT_EQ(seen.calls[1].ret, 0);
  EXPECT_EQ(seen.processes.at(1).profiling, false);
}

// sprofil(2), HP-UX: EFAULT for a bad tvp; a failing call leaves the old state (A-H8).
TEST(ModelBackend, BadTvpLeavesTheOldState) {
  SprofilCall call;
  call.entries = {{{.value = buf}, buffer_size, {.value = text_address}, 0x8000}};
  call.profcnt = 1;
  call.tvp = SprofilCall::Pointer::bad;
  call.flags = profil::hpux_prof_ushort;
  const auto seen = ModelBackend().run(on("hpux", {{CallStep{call, {}}}, tick()}));
  EXPECT_EQ(seen.calls.at(1).ret, -1);
  EXPECT_EQ(seen.calls.at(1).errno_name, "EFAULT");
  EXPECT_EQ(buffer_of(seen, 1), (Elements{{0, 1}}));
}

}  // namespace
}  // namespace hardclock::conform
