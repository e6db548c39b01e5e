// The guest backend on cases that are out to break it: whatever a case file may say becomes an
// observation or one line of error. The expectations are the contracts of case.h and backend.h and
// what the model makes of the same case; others name their source.
#include "syscalls/conform/guest_backend.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "syscalls/conform/model_backend.h"
#include "tests/unit/conform/case_maker.h"

namespace hardclock::conform {
namespace {

using Kind = MemoryEvent::Kind;
constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t mi_b = 1 << 20;

Observation perform(const Case& of) {
  return GuestBackend(make_case_cpu).run(of);
}
Observation model(const Case& of) {
  return ModelBackend().run(of);
}

// One line, and not an observation.
void expect_error(const Case& of, const std::string& part) {
  const Observation seen = perform(of);
  EXPECT_NE(seen.error.find(part), std::string::npos) << "the error is: " << seen.error;
  EXPECT_EQ(seen.error.find('\n'), std::string::npos);
}

Elements buffer_of(const Observation& seen, int pid, const char* name = "BUF") {
  EXPECT_EQ(seen.error, "");
  const auto process = seen.processes.find(pid);
  if (process == seen.processes.end()) return {{0, 0}};
  const auto buffer = process->second.counters.find(name);
  return buffer == process->second.counters.end() ? Elements{{0, 0}} : buffer->second;
}

// Systems whose program maps memory by calls, and systems that have none for it.
constexpr const char* systems[] = {"v7", "4.1bsd", "4.4bsd", "irix", "solaris", "hpux", "aix"};

TEST(GuestBackend, CountsInEachSystem) {
  for (const char* const system : {"4.1bsd", "4.2bsd", "4.3bsd", "4.4bsd", "irix", "solaris",
                                   "solaris2.5", "hpux", "aix", "hpux_pa_lp64", "bsd44_lp64"}) {
    SCOPED_TRACE(system);
    EXPECT_EQ(buffer_of(perform(case_of(system, {tick(3)})), 1), (Elements{{0, 3}}));
  }
}

// ---- Sizes and addresses.

TEST(GuestBackend, ObjectsThatNoMachineHas) {
  Case huge = case_of("bsd44_lp64", {});
  huge.memory.push_back(object("HUGE", std::uint64_t{1} << 40, std::uint64_t{1} << 50));
  expect_error(huge, "HUGE");
  Case everything = case_of("hpux_pa_lp64", {});
  everything.memory = {object("ALL", 0, unlimited)};
  expect_error(everything, "no room");
  Case top = case_of("bsd44_lp64", {});
  top.memory.push_back(object("TOP", unlimited - 7, 8));
  expect_error(top, "TOP");
  Case high = case_of("irix", {});
  high.memory.push_back(object("HIGH", 0xfffffff0, 16));
  expect_error(high, "HIGH");
  Case half = case_of("irix", {});
  half.memory.push_back(object("HALF", 0x20000000, 0x60000000));
  expect_error(half, "HALF");
}

TEST(GuestBackend, EventsAtTheEndsOfTheAddressSpace) {
  struct Range {
    std::uint64_t address, size;
  };
  for (const char* const system : systems) {
    const bool is_small = std::string(system) == "v7";
    const std::uint64_t end = is_small ? 0x10000 : 0x100000000;
    for (const Kind kind : {Kind::mmap, Kind::munmap, Kind::mprotect}) {
      for (const Range& range : {Range{0, end}, Range{end - 1, 1}, Range{end - 0x1000, 0x1000},
                                 Range{0, 1}, Range{1, end - 1}}) {
        SCOPED_TRACE(system + std::to_string(range.address) + " " + std::to_string(range.size));
        const Observation seen =
            perform(case_of(system, {memory_event(kind, range.address, range.size), tick()}));
        EXPECT_TRUE(kind != Kind::mprotect || !seen.error.empty());
      }
    }
  }
  for (const char* const system : {"bsd44_lp64", "hpux_ia64_lp64"}) {
    for (const Kind kind : {Kind::mmap, Kind::munmap, Kind::mprotect}) {
      expect_error(case_of(system, {memory_event(kind, 0, unlimited)}), "");
      expect_error(case_of(system, {memory_event(kind, unlimited, 1)}), " ");
      expect_error(case_of(system, {memory_event(kind, unlimited - 0x1000, 0x1001)}), " ");
    }
  }
}

// What the pages hold that are still there is seen, what the others held is not: backend.h.
TEST(Backends, AnotherPageOfTheBufferIsUnmapped) {
  constexpr std::uint64_t page_bytes = 0x1000;
  for (const char* const system : systems) {
    SCOPED_TRACE(system);
    if (std::string(system) == "v7") continue;  // its addresses end below the buffer
    // An element of 4 bytes begins in the first page and ends in the second.
    MemoryObject buffer = object("BUF", buffer_address + 2, 3 * page_bytes);
    buffer.width = 4;
    buffer.presets = {{4, page_bytes / 4 - 1, 7}, {4, page_bytes / 2, 8}};
    Case of = case_of(
        system, {tick(), memory_event(Kind::munmap, buffer_address + page_bytes, page_bytes)});
    of.memory = {buffer};
    of.first.call = profil_call(buffer_address + 4, 64);
    const Elements expected = {{0, 1}, {page_bytes / 2, 8}};
    EXPECT_EQ(buffer_of(perform(of), 1), expected);
    EXPECT_EQ(buffer_of(model(of), 1), expected);
    of.events.push_back(memory_event(Kind::munmap, buffer_address, page_bytes));
    of.events.push_back(
        memory_event(Kind::munmap, buffer_address + 2 * page_bytes, 2 * page_bytes));
    EXPECT_FALSE(perform(of).processes.at(1).counters.contains("BUF"));
    EXPECT_FALSE(model(of).processes.at(1).counters.contains("BUF"));
  }
}

TEST(GuestBackend, ProtectingNothing) {
  for (const char* const system : systems) {
    if (std::string(system) == "v7") continue;
    const Case hole =
        case_of(system, {memory_event(Kind::mprotect, 0x20000000, 0x1000, {true, false, false})});
    expect_error(hole, "mprotect");
    EXPECT_NE(model(hole).error.find("mprotect"), std::string::npos) << model(hole).error;
  }
}

// A PDP-11's program begins at 0.
TEST(GuestBackend, ObjectInPageZero) {
  Case low = case_of("v7", {{TickEvent{GuestAddr(0x8000), 2}}});
  low.memory = {object("BUF", 0, buffer_size)};
  low.first.call =
      ProfilCall{.buff = {}, .bufsiz = 64, .offset = {.value = GuestAddr(0x8000)}, .scale = 0xffff};
  EXPECT_EQ(buffer_of(perform(low), 1), (Elements{{0, 2}}));
  Case irix = case_of("irix", {{TickEvent{GuestAddr(0), 2}}, {TickEvent{GuestAddr(2), 1}}});
  irix.memory = {object("BUF", 8, buffer_size)};
  irix.first.call = ProfilCall{.buff = {.value = GuestAddr(8)}, .bufsiz = 64, .scale = 0x10000};
  EXPECT_EQ(buffer_of(perform(irix), 1), (Elements{{0, 2}, {1, 1}}));
}

// The agent has memory of its own, which is no place for counters or for the case's stores.
TEST(GuestBackend, TheAgentsMemoryIsNotTheCases) {
  for (const std::uint64_t address : {0x1000, 0x2000, 0x2ff0, 0x3000, 0x10000, 0x11000, 0x12000}) {
    const Case poke = case_of("irix", {{PokeEvent{GuestAddr(address), 4, 7}}});
    EXPECT_EQ(perform(poke).error, model(poke).error);
    Case counters = case_of("irix", {tick()});
    counters.first.call = profil_call(address, 64);
    const Observation seen = perform(counters);
    EXPECT_EQ(seen.error, "");
    EXPECT_EQ(seen.processes.at(1).profiling, false);
  }
}

TEST(GuestBackend, ACaseThatFillsMemory) {
  Case full = case_of("v7", {});
  full.memory = {object("ALL", 0, 0x10000)};
  full.first.call = ProfilCall{};
  expect_error(full, "no room");
  Case pages = case_of("irix", {});
  for (std::uint64_t page = 0; page < 64; ++page) {
    pages.memory.push_back(object("P" + std::to_string(page), page * 0x2000, 0x1000));
  }
  EXPECT_EQ(perform(pages).error, "");
}

// All that a guest's machine holds is used up by copies: an error, not half an observation.
TEST(GuestBackend, CopiesThatExhaustMemory) {
  Case large = case_of("irix", {});
  large.memory.push_back(object("LARGE", 0x20000000, 100 * mi_b));
  EXPECT_EQ(perform(large).error, "");
  for (int child = 2; child < 6; ++child) {
    large.events.push_back({ForkEvent{ForkEvent::Kind::fork, child}});
  }
  expect_error(large, "memory");
}

// The machine has whole pages, the case only its objects: what is counted besides them is no
// observation of the case. Pages that the case maps are all its own.
TEST(GuestBackend, CountersBesideTheObjects) {
  Case beside = case_of("irix", {{TickEvent{GuestAddr(text_address + 0x100)}}});
  beside.first.call = profil_call(buffer_address, 0x800);
  EXPECT_EQ(model(beside).processes.at(1).profiling, false);
  expect_error(beside, "no object");
  beside.first.call = profil_call(buffer_address - 0x10, 0x800);
  beside.memory.front().address = GuestAddr(buffer_address + 0x100);
  expect_error(beside, "no object");
  Case mapped = case_of("irix", {memory_event(Kind::mmap, buffer_address, 0x1000),
                                 {TickEvent{GuestAddr(text_address + 0x100)}}});
  mapped.first.call = profil_call(buffer_address, 0x800);
  EXPECT_EQ(buffer_of(perform(mapped), 1), buffer_of(model(mapped), 1));
  EXPECT_EQ(perform(mapped).processes.at(1).profiling, true);
}

// ---- sprofil().

ProfEntry entry(std::uint64_t base, std::uint64_t offset, std::uint64_t scale = 0x8000) {
  return {.base = {.value = GuestAddr(base)},
          .size = 8,
          .offset = {.value = GuestAddr(offset)},
          .scale = scale};
}

// "What follows the entries that the case lists cannot be read" (case.h): also when the case has
// memory all around.
TEST(GuestBackend, EntriesBehindTheListed) {
  for (std::uint64_t gap = 0; gap < 16; ++gap) {
    Case of = case_of("irix", {});
    of.memory.push_back(object("NEXT", (1 + gap) * 0x1000, 0x1000));
    SprofilCall call;
    call.entries = {entry(buffer_address, text_address)};
    call.profcnt = 2;
    of.first.call = call;
    const Observation seen = perform(of);
    ASSERT_EQ(seen.error, "");
    EXPECT_EQ(seen.calls.at(0).errno_name, "EFAULT") << gap;
    EXPECT_EQ(seen.processes.at(1).profiling, false);
  }
}

// IRIX's kernel has no limit; it was seen to take 4000.
TEST(GuestBackend, AsManyRegionsAsTheSystemTakes) {
  for (const char* const system : {"irix", "irix_lp64", "hpux_pa", "hpux_pa_lp64"}) {
    SCOPED_TRACE(system);
    Case of = case_of(system, {tick(2)});
    const bool is_irix = of.variant->system->name == "irix";
    const std::int32_t most = is_irix ? 4000 : profil_max(*of.variant->system->sprofil);
    of.memory = {object("BUF", buffer_address, 8 * static_cast<std::uint64_t>(most))};
    SprofilCall call;
    call.profcnt = most;
    call.flags = of.variant->system->sprofil->flags.front().value;  // PROF_USHORT
    call.tvp = SprofilCall::Pointer::valid;
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(most); ++i) {
      call.entries.push_back(entry(buffer_address + 8 * i, text_address + 0x20 * i));
    }
    of.first.call = call;
    of.events.push_back(
        {TickEvent{GuestAddr(text_address + 0x20 * static_cast<std::uint64_t>(most - 1) + 4), 3}});
    const std::uint64_t last = 4 * static_cast<std::uint64_t>(most - 1) + 1;
    EXPECT_EQ(buffer_of(perform(of), 1), (Elements{{0, 2}, {last, 3}}));
    call.profcnt = std::numeric_limits<std::int32_t>::max();
    of.first.call = call;
    EXPECT_EQ(perform(of).calls.at(0).errno_name, is_irix ? "EFAULT" : "E2BIG");
    call.profcnt = most;
    call.entries.resize(100'000, call.entries.front());
    of.first.call = call;
    expect_error(of, "regions");
  }
}

// "If profcnt is 0, profiling is disabled" (HP-UX sprofil(2)); tvp is set then, too (A-H1), as
// IRIX's kernel does.
TEST(GuestBackend, NoRegionsLookAtTvpAlone) {
  using Pointer = SprofilCall::Pointer;
  for (const char* const system : {"irix", "hpux"}) {
    for (const Pointer tvp : {Pointer::valid, Pointer::bad, Pointer::null}) {
      SprofilCall stop;
      stop.tvp = tvp;
      stop.profp = Pointer::bad;
      stop.flags = 0x40000000;
      const Case of = case_of(system, {tick(), call_event(stop), tick()});
      const Observation seen = perform(of);
      const bool fails = tvp == Pointer::bad;
      EXPECT_EQ(buffer_of(seen, 1), (Elements{{0, fails ? 2U : 1U}}));
      EXPECT_EQ(seen.processes.at(1).profiling, fails);
      EXPECT_EQ(seen.calls.at(1).errno_name, fails ? "EFAULT" : "");
      const bool is_set = tvp == Pointer::valid;
      EXPECT_EQ(seen.calls.at(1).tv, is_set ? std::optional(TimeValue{0, 10'000}) : std::nullopt);
    }
  }
}

// ---- Processes and threads.

// vfork(2) of 4.2BSD: the parent is suspended while the child uses its memory.
TEST(GuestBackend, AParentSleepsInVfork) {
  const Event vfork = {ForkEvent{ForkEvent::Kind::vfork, 2}};
  const std::vector<Event> things = {
      tick(),
      {RunEvent{GuestAddr(text_address), 100}},
      call_event(profil_call(buffer_address, buffer_size)),
      {ForkEvent{ForkEvent::Kind::fork, 3}},
      {ExecEvent{true}},
      {ExecEvent{false}},
      memory_event(Kind::mmap, 0x20000000, 0x1000),
      memory_event(Kind::munmap, buffer_address, 0x1000),
      {PokeEvent{GuestAddr(buffer_address), 2, 5}},
  };
  for (const char* const system : {"4.3bsd", "4.4bsd", "hpux", "hpux_ia64"}) {
    for (const Event& thing : things) {
      const Case of = case_of(system, {vfork, thing});
      expect_error(of, "process 1 sleeps in vfork");
      EXPECT_EQ(model(of).error, perform(of).error);
    }
  }
}

// IRIX fork(2): "vfork and fork are exactly the same"; AIX: the parent does not wait.
TEST(GuestBackend, VforkCanBeFork) {
  for (const char* const system : {"irix", "aix"}) {
    const Case of =
        case_of(system, {{ForkEvent{ForkEvent::Kind::vfork, 2}}, tick(), by(2, tick(3))});
    const Observation seen = perform(of);
    EXPECT_EQ(seen.error, "");
    EXPECT_EQ(buffer_of(seen, 1), (Elements{{0, 1}})) << system;
    EXPECT_EQ(buffer_of(seen, 2), (Elements{{0, 3}})) << system;
  }
}

TEST(GuestBackend, AVforkChildsExecWakesItsParent) {
  const std::pair<const char*, std::uint64_t> systems[] = {
      {"4.2bsd", 16},    {"4.3bsd", 16},         {"4.4bsd", 7},
      {"bsd44_lp64", 7}, {"hpux", 16},           {"hpux_pa_lp64", 16},
      {"hpux_ia64", 16}, {"hpux_ia64_lp64", 16}, {"solaris", 16}};
  for (const auto& [system, counted] : systems) {
    SCOPED_TRACE(system);
    const Case of = case_of(system, {{ForkEvent{ForkEvent::Kind::vfork, 2}},
                                     by(2, tick(3)),
                                     by(2, {ForkEvent{ForkEvent::Kind::vfork, 3}}),
                                     by(3, tick(5)),
                                     by(3, {ExecEvent{true}}),
                                     by(2, {ExecEvent{false}}),
                                     by(2, tick()),
                                     by(2, {ExecEvent{true}}),
                                     by(2, tick()),
                                     by(3, tick()),
                                     tick(7)});
    const Observation seen = perform(of);
    EXPECT_EQ(buffer_of(seen, 1), (Elements{{0, counted}}));
    EXPECT_EQ(seen.processes.at(1).profiling, true);
    EXPECT_EQ(seen.processes.at(2).profiling, false);
    EXPECT_EQ(seen.processes.at(3).profiling, false);
    EXPECT_FALSE(seen.processes.at(2).counters.contains("BUF"));
  }
}

// The stack that sproc() makes, where IRIX's mappings begin, is nothing that the case has.
TEST(GuestBackend, ASprocsStackIsNoPlaceForCounters) {
  for (const auto kind : {ForkEvent::Kind::sproc_shared, ForkEvent::Kind::sproc_copied}) {
    for (std::uint64_t at = 0x4000000; at < 0x4040000; at += 0x1000) {
      const Event call = call_event(profil_call(at, 64));
      const Case of =
          case_of("irix", {{ForkEvent{kind, 2}}, call, tick(), by(2, call), by(2, tick())});
      const Observation seen = perform(of);
      ASSERT_EQ(seen.error, "");
      EXPECT_EQ(seen.processes.at(1).profiling, false);
      EXPECT_EQ(seen.processes.at(2).profiling, false);
    }
  }
}

TEST(GuestBackend, MoreThreadsThanTheMachineHas) {
  Case of = case_of("solaris", {});
  for (int tid = 2; tid < 2000; ++tid) of.events.push_back({ThreadCreateEvent{tid}, 1, tid});
  expect_error(of, "lwp_create");
}

// ---- Ticks.

TEST(GuestBackend, ManyTicks) {
  EXPECT_EQ(buffer_of(perform(case_of("4.4bsd", {tick(1'000'000)})), 1),
            (Elements{{0, 1'000'000 % 65536}}));
  EXPECT_EQ(buffer_of(perform(case_of("solaris", {tick(1'000'000)})), 1), (Elements{{0, 32767}}));
  const Event owed = tick(1'000'000, TickEvent::Mode::owed);
  EXPECT_EQ(buffer_of(perform(case_of("4.4bsd", {owed})), 1), (Elements{{0, 1'000'000 % 65536}}));
  // The VAX and IRIX only mark the process.
  EXPECT_EQ(buffer_of(perform(case_of("4.3bsd", {owed})), 1), (Elements{{0, 1}}));
  EXPECT_EQ(buffer_of(perform(case_of("irix", {owed})), 1), (Elements{{0, 1}}));
}

TEST(GuestBackend, TicksAtTheEndsOfTheAddressSpace) {
  for (const char* const system : {"v7", "4.3bsd", "4.4bsd", "irix", "hpux_pa_lp64"}) {
    const std::uint64_t end = find_variant(system)->highest_address();
    for (const std::uint64_t pc : {std::uint64_t{0}, std::uint64_t{4}, end, end - 3, end - 7,
                                   end / 2, end / 2 + 1, end / 2 - 3, end / 2 - 7}) {
      for (const auto mode : {TickEvent::Mode::user, TickEvent::Mode::system}) {
        Case of = case_of(system, {{TickEvent{GuestAddr(pc), 3, mode}}});
        if (std::string(system) == "v7") of.memory = {object("BUF", 0x4000, 64)};
        const std::uint64_t base = of.memory.front().address.value();
        of.first.call = ProfilCall{.buff = {.value = GuestAddr(base)},
                                   .bufsiz = 64,
                                   .offset = {.value = GuestAddr(pc)},
                                   .scale = 0x8000};
        EXPECT_EQ(buffer_of(perform(of), 1), buffer_of(model(of), 1)) << system << " " << pc;
      }
    }
  }
}

// V7's clock ticks every 16.7 ms.
TEST(GuestBackend, NoTimeIsNoTick) {
  Case of = case_of("v7", {{RunEvent{GuestAddr(0x4000), 0}}, {RunEvent{GuestAddr(0x4000), 16}}});
  of.memory = {object("BUF", 0x8000, 64)};
  of.first.call = ProfilCall{.buff = {.value = GuestAddr(0x8000)},
                             .bufsiz = 64,
                             .offset = {.value = GuestAddr(0x4000)},
                             .scale = 0xffff};
  EXPECT_EQ(buffer_of(perform(of), 1), Elements{});
  EXPECT_EQ(buffer_of(model(of), 1), Elements{});
}

// V7 sys/trap.c: behind a call the counter of the pc that follows is looked at; in code that no
// region has, none is.
TEST(GuestBackend, ACallLooksAtTheCounter) {
  for (const std::uint64_t pc : {0x4000, 0x2000}) {
    Case of = case_of("v7", {{RunEvent{GuestAddr(pc), 0}}});
    of.memory = {object("BUF", 0x8000, 64)};
    of.first.call = ProfilCall{.buff = {.value = GuestAddr(0xc000)},
                               .bufsiz = 64,
                               .offset = {.value = GuestAddr(0x4000)},
                               .scale = 0xffff};
    EXPECT_EQ(perform(of).processes.at(1).profiling, pc != 0x4000);
    EXPECT_EQ(model(of).processes.at(1).profiling, pc != 0x4000);
  }
}

// ---- What is left behind.

class TemporaryDirectory : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = ::testing::TempDir() + "/guest-backend-XXXXXX";
    ASSERT_NE(::mkdtemp(path_.data()), nullptr);
    ASSERT_EQ(::setenv("TMPDIR", path_.c_str(), 1), 0);
  }
  void TearDown() override {
    ::unsetenv("TMPDIR");
    std::filesystem::remove_all(path_);
  }
  bool is_empty() const { return std::filesystem::is_empty(path_); }

  std::string path_;
};

// A harness that is killed leaves nothing: its files live no longer than an exec.
TEST_F(TemporaryDirectory, HasNothingBetweenCases) {
  GuestBackend backend(make_case_cpu);
  EXPECT_EQ(backend.run(case_of("irix", {tick()})).error, "");
  EXPECT_TRUE(is_empty());
  const Case exec = case_of("irix", {tick(), {ExecEvent{true}}, tick()});
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(backend.run(exec).error, "");
    EXPECT_TRUE(is_empty());
  }
}

TEST_F(TemporaryDirectory, IsNeededForExecOnly) {
  std::filesystem::remove_all(path_);
  EXPECT_EQ(perform(case_of("irix", {tick()})).error, "");
  EXPECT_EQ(perform(case_of("irix", {{ExecEvent{false}}})).error, "");
  expect_error(case_of("irix", {{ExecEvent{true}}}), "TMPDIR");
}

}  // namespace
}  // namespace hardclock::conform
