// The IRIX conformance cases of profil(2) and sprofil(2) at the level of the algorithm: what each
// call, tick and event does to the state and to the counters. The expectations come from the manual
// page, other kernels' sources or a resolution of irix.h; each case names which.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "syscalls/profil/irix.h"
#include "tests/unit/profil/fake_process.h"

namespace hardclock::profil {
namespace {

constexpr std::uint64_t kBuf = 0x10010000;
constexpr std::uint64_t kBuf2 = 0x10020000;
constexpr std::uint64_t kBin = 0x10030000;  // overflow bin

using Processes = std::map<int, FakeProcess>;  // by process id
using Call = std::function<void(State&)>;

struct Event {
  std::function<void(Processes&, int)> act;  // the int is the process it happens to
  int pid = 1;
};

Call profil_call(std::uint64_t buff, std::uint32_t bufsiz, std::uint32_t offset,
                 std::uint32_t scale) {
  return [=](State& state) { state = irix_profil(GuestAddr(buff), bufsiz, offset, scale); };
}

Region region(std::uint64_t base, std::uint64_t size, std::uint64_t offset, std::uint64_t scale) {
  return {GuestAddr(base), size, GuestAddr(offset), scale};
}

Call sprofil_call(std::vector<Region> regions, std::uint32_t flags) {
  return [=](State& state) {
    const auto made = irix_sprofil(regions, flags);
    ASSERT_TRUE(made.ok());
    state = *made;
  };
}

Event by(int pid, Event event) {
  event.pid = pid;
  return event;
}

Event tick(std::uint64_t pc, int n = 1) {
  return {[=](Processes& all, int pid) {
    for (int i = 0; i < n; ++i) irix_tick(all.at(pid), pc);
  }};
}

// So many milliseconds of user time at one pc.
Event run(std::uint64_t pc, int milliseconds) {
  return {[=](Processes& all, int pid) {
    const auto period = irix_tick_period(all.at(pid).state);
    for (auto t = period; t <= std::chrono::milliseconds(milliseconds); t += period) {
      irix_tick(all.at(pid), pc);
    }
  }};
}

Event call(const Call& function) {
  return {[=](Processes& all, int pid) { function(all.at(pid).state); }};
}

Event fork_to(int child) {
  return {[=](Processes& all, int pid) { all[child] = all.at(pid).fork(); }};
}

// sproc without PR_SADDR leaves the memory to the parent and gives the child a copy.
Event sproc_to(int child) {
  return fork_to(child);
}

Event sproc_sharing_to(int child) {
  return {[=](Processes& all, int pid) { all[child] = all.at(pid).sproc_sharing_memory(); }};
}

Event exec() {
  return {[](Processes& all, int pid) { all.at(pid).exec(); }};
}

Event map_64(std::uint64_t address) {
  return {[=](Processes& all, int pid) { all.at(pid).memory->map(address, 64); }};
}

Event unmap_64(std::uint64_t address) {
  return {[=](Processes& all, int pid) { all.at(pid).memory->unmap(address, 64); }};
}

Event read_only_64(std::uint64_t address) {
  return {[=](Processes& all, int pid) { all.at(pid).memory->protect(address, 64, false); }};
}

Event read_write_64(std::uint64_t address) {
  return {[=](Processes& all, int pid) { all.at(pid).memory->protect(address, 64, true); }};
}

Event evict_64(std::uint64_t address) {
  return {[=](Processes& all, int pid) { all.at(pid).memory->evict(address, 64); }};
}

using Elements = std::map<std::uint64_t, std::uint64_t>;  // index -> counter

struct Buffer {
  std::uint64_t address;
  std::uint64_t size = 64;  // bytes
  unsigned width = 2;       // of a counter, bytes
  Elements preset = {};
  bool writable = true;
};

struct Counters {
  int pid;
  std::uint64_t buffer;
  Elements nonzero;
};

struct Case {
  std::string id;
  std::string source;
  std::vector<Buffer> memory;
  Call call;
  std::vector<Event> events = {};
  std::vector<Counters> counters;
  std::vector<std::pair<int, bool>> on = {};  // pid -> still profiled; empty: unspecified
  int tick_us = 0;                            // what tvp gets; 0: not asked
};

const std::vector<Case>& cases() {
  static const std::vector<Case> table = {
      {.id = "I-001",
       .source = "profil(2): 0x8000 is \"a 1-1 mapping of instructions to counters\"",
       .memory = {{.address = kBuf}},
       .call = profil_call(kBuf, 64, 0x400000, 0x8000),
       .events = {tick(0x400000), tick(0x400004, 2), tick(0x400008, 3), tick(0x40007c)},
       .counters = {{1, kBuf, {{0, 1}, {1, 2}, {2, 3}, {31, 1}}}},
       .on = {{1, true}}},
      {.id = "I-002",
       .source =
           "profil(2): 0x10000 maps \"pc's to 4-byte words\", \"2 bytes of wasted space\"; A-I2",
       .memory = {{.address = kBuf}},
       .call = profil_call(kBuf, 64, 0x400000, 0x10000),
       .events = {tick(0x400000), tick(0x400004), tick(0x400008, 2), tick(0x40003c)},
       .counters = {{1, kBuf, {{0, 1}, {2, 1}, {4, 2}, {30, 1}}}},
       .on = {{1, true}}},
      {.id = "I-003",
       .source = "profil(2): offset subtracted, remainder multiplied by scale",
       .memory = {{.address = kBuf}},
       .call = profil_call(kBuf, 64, 0x400000, 0x4000),
       .events = {tick(0x400000), tick(0x400004), tick(0x400008), tick(0x40000c), tick(0x400010)},
       .counters = {{1, kBuf, {{0, 2}, {1, 2}, {2, 1}}}},
       .on = {{1, true}}},
      {.id = "I-005",
       .source = "profil(2): \"turned off by giving a scale of 0 or 1\"",
       .memory = {{.address = kBuf}},
       .call = profil_call(kBuf, 64, 0x400000, 0x8000),
       .events = {tick(0x400000), call(profil_call(0, 0, 0, 0)), tick(0x400000, 5)},
       .counters = {{1, kBuf, {{0, 1}}}},
       .on = {{1, false}}},
      {.id = "I-006",
       .source = "profil(2): \"turned off by giving a scale of 0 or 1\"",
       .memory = {{.address = kBuf}},
       .call = profil_call(kBuf, 64, 0x400000, 0x8000),
       .events = {tick(0x400000), call(profil_call(kBuf, 64, 0x400000, 1)), tick(0x400000, 5)},
       .counters = {{1, kBuf, {{0, 1}}}},
       .on = {{1, false}}},
      {.id = "I-007",
       .source = "profil(2): \"rendered ineffective by giving a bufsiz of 0\"",
       .memory = {{.address = kBuf}},
       .call = profil_call(kBuf, 0, 0x400000, 0x8000),
       .events = {tick(0x400000, 3), tick(0x400004)},
       .counters = {{1, kBuf, {}}}},
      {.id = "I-008",
       .source = "profil(2): \"rendered ineffective by giving a bufsiz of 0\"; A-I4",
       .memory = {{.address = kBuf}},
       .call = profil_call(kBuf, 0, 0x400000, 2),
       .events = {tick(0x400000, 3)},
       .counters = {{1, kBuf, {}}}},
      {.id = "I-009",
       .source = "profil(2): offset is \"the start address of the region\"; illumos profil_tick()",
       .memory = {{.address = kBuf}},
       .call = profil_call(kBuf, 64, 0x400000, 0x8000),
       .events = {tick(0x3ffffc), tick(0), tick(0x400000)},
       .counters = {{1, kBuf, {{0, 1}}}},
       .on = {{1, true}}},
      {.id = "I-010",
       .source = "profil(2): bufsiz bounds the region; illumos profil_tick()",
       .memory = {{.address = kBuf}},
       .call = profil_call(kBuf, 8, 0x400000, 0x8000),
       .events = {tick(0x40000c), tick(0x400010), tick(0x400014), tick(0x500000)},
       .counters = {{1, kBuf, {{3, 1}}}},
       .on = {{1, true}}},
      {.id = "I-011",
       .source = "profil(2): overflow gives \"no indication\"; A-I5",
       .memory = {{.address = kBuf, .preset = {{0, 65535}, {1, 65534}}}},
       .call = profil_call(kBuf, 64, 0x400000, 0x8000),
       .events = {tick(0x400000), tick(0x400004), tick(0x400000)},
       .counters = {{1, kBuf, {{0, 1}, {1, 65535}}}},
       .on = {{1, true}}},
      {.id = "I-012",
       .source = "profil(2): \"turned off if a buff update would cause a memory fault\"",
       .memory = {{.address = kBuf}},
       .call = profil_call(kBuf, 64, 0x400000, 0x8000),
       .events = {tick(0x400000), unmap_64(kBuf), tick(0x400000), map_64(kBuf), tick(0x400000, 4)},
       .counters = {{1, kBuf, {}}},
       .on = {{1, false}}},
      {.id = "I-014",
       .source = "profil(2): \"turned off if a buff update would cause a memory fault\"",
       .memory = {{.address = kBuf, .preset = {{0, 7}}, .writable = false}},
       .call = profil_call(kBuf, 64, 0x400000, 0x8000),
       .events = {tick(0x400000), read_write_64(kBuf), tick(0x400000)},
       .counters = {{1, kBuf, {{0, 7}}}},
       .on = {{1, false}}},
      {.id = "I-015",
       .source = "4.4BSD addupc_intr(), addupc_task(): paging is not a memory fault; A-I10",
       .memory = {{.address = kBuf}},
       .call = profil_call(kBuf, 64, 0x400000, 0x8000),
       .events = {evict_64(kBuf), tick(0x400000), tick(0x400000)},
       .counters = {{1, kBuf, {{0, 2}}}},
       .on = {{1, true}}},
      {.id = "I-016",
       .source = "profil(2): \"A 0, indicating success, is always returned\"; A-I12",
       .memory = {{.address = kBuf}},
       .call = profil_call(0, 64, 0x400000, 0x8000),
       .events = {tick(0x500000), tick(0x400000), call(profil_call(kBuf, 64, 0x400000, 0x8000)),
                  tick(0x400000)},
       .counters = {{1, kBuf, {{0, 1}}}},
       .on = {{1, true}}},
      {.id = "I-017",
       .source = "profil(2): \"remains on in both child and parent processes after a fork(2)\"",
       .memory = {{.address = kBuf}},
       .call = profil_call(kBuf, 64, 0x400000, 0x8000),
       .events = {tick(0x400000, 2), fork_to(2), tick(0x400000), by(2, tick(0x400000, 3)),
                  by(2, tick(0x400004))},
       .counters = {{1, kBuf, {{0, 3}}}, {2, kBuf, {{0, 5}, {1, 1}}}},
       .on = {{1, true}, {2, true}}},
      {.id = "I-018",
       .source = "profil(2): fork sentence; one state a process",
       .memory = {{.address = kBuf}},
       .call = profil_call(kBuf, 64, 0x400000, 0x8000),
       .events = {fork_to(2), by(2, call(profil_call(0, 0, 0, 0))), tick(0x400000),
                  by(2, tick(0x400000, 3))},
       .counters = {{1, kBuf, {{0, 1}}}, {2, kBuf, {}}},
       .on = {{1, true}, {2, false}}},
      {.id = "I-019",
       .source = "profil(2): \"... after a fork(2) or sproc(2)\"; PR_SADDR shares the buffer",
       .memory = {{.address = kBuf}},
       .call = profil_call(kBuf, 64, 0x400000, 0x8000),
       .events = {sproc_sharing_to(2), tick(0x400000, 2), by(2, tick(0x400000, 3)),
                  by(2, tick(0x400008))},
       .counters = {{1, kBuf, {{0, 5}, {2, 1}}}, {2, kBuf, {{0, 5}, {2, 1}}}},
       .on = {{1, true}, {2, true}}},
      {.id = "I-020",
       .source = "profil(2): fault sentence; one state a process",
       .memory = {{.address = kBuf}},
       .call = profil_call(kBuf, 64, 0x400000, 0x8000),
       .events = {sproc_to(2), by(2, unmap_64(kBuf)), by(2, tick(0x400000)), tick(0x400000)},
       .counters = {{1, kBuf, {{0, 1}}}},
       .on = {{1, true}, {2, false}}},
      {.id = "I-021",
       .source = "profil(2): \"turned off when an exec(2) is executed\"",
       .memory = {{.address = kBuf}},
       .call = profil_call(kBuf, 64, 0x400000, 0x8000),
       .events = {tick(0x400000), exec(), map_64(kBuf), tick(0x400000, 4)},
       .counters = {{1, kBuf, {}}},
       .on = {{1, false}}},
      {.id = "I-023",
       .source = "illumos profil() replaces all four; A-X1",
       .memory = {{.address = kBuf}, {.address = kBuf2}},
       .call = profil_call(kBuf, 64, 0x400000, 0x8000),
       .events = {tick(0x400000), call(profil_call(kBuf2, 64, 0x401000, 0x4000)), tick(0x400000),
                  tick(0x401008)},
       .counters = {{1, kBuf, {{0, 1}}}, {1, kBuf2, {{1, 1}}}},
       .on = {{1, true}}},
      {.id = "I-024",
       .source = "illumos profil_tick() compares the byte offset; A-I6",
       .memory = {{.address = kBuf}},
       .call = profil_call(kBuf, 5, 0x400000, 0x8000),
       .events = {tick(0x400008), tick(0x40000c)},
       .counters = {{1, kBuf, {{2, 1}}}},
       .on = {{1, true}}},
      {.id = "I-025",
       .source = "MIPS address error on an unaligned halfword; A-I7",
       .memory = {{.address = kBuf}},
       .call = profil_call(kBuf + 1, 64, 0x400000, 0x8000),
       .events = {tick(0x400000), tick(0x400004)},
       .counters = {{1, kBuf, {}}},
       .on = {{1, false}}},
      {.id = "I-028",
       .source = "MIPS: EPC is the branch of an interrupted delay slot",
       .memory = {{.address = kBuf}},
       .call = profil_call(kBuf, 64, 0x400000, 0x8000),
       .events = {tick(0x400010)},
       .counters = {{1, kBuf, {{4, 1}}}},
       .on = {{1, true}}},
      {.id = "I-030",
       .source = "profil(2): fault sentence; A-X1",
       .memory = {{.address = kBuf}},
       .call = profil_call(kBuf, 64, 0x400000, 0x8000),
       .events = {read_only_64(kBuf), tick(0x400000), read_write_64(kBuf), tick(0x400000),
                  call(profil_call(kBuf, 64, 0x400000, 0x8000)), tick(0x400000, 2)},
       .counters = {{1, kBuf, {{0, 2}}}},
       .on = {{1, true}}},
      {.id = "I-032",
       .source = "profil(2): \"once every 10 milliseconds\"",
       .memory = {{.address = kBuf}},
       .call = profil_call(kBuf, 64, 0x400000, 0x8000),
       .events = {run(0x400004, 1000)},
       .counters = {{1, kBuf, {{1, 100}}}},
       .on = {{1, true}}},
      {.id = "I-033",
       .source = "illumos profil_tick() compares the byte offset; A-I6",
       .memory = {{.address = kBuf}},
       .call = profil_call(kBuf, 1, 0x400000, 0x8000),
       .events = {tick(0x400000), tick(0x400004)},
       .counters = {{1, kBuf, {{0, 1}}}},
       .on = {{1, true}}},
      {.id = "S-001",
       .source = "IRIX sprofil(2): fields \"take on the same meaning as the arguments of\" profil",
       .memory = {{.address = kBuf}, {.address = kBuf2}},
       .call =
           sprofil_call({region(kBuf, 32, 0x400000, 0x8000), region(kBuf2, 32, 0xfa00000, 0x4000)},
                        kIrixProfUshort),
       .events = {tick(0x400004), tick(0xfa00008), tick(0xfa0000c), tick(0x5000000)},
       .counters = {{1, kBuf, {{1, 1}}}, {1, kBuf2, {{1, 2}}}},
       .on = {{1, true}}},
      {.id = "S-002",
       .source = "profil(2): with 32-bit counters 0x8000 maps two instructions to a counter",
       .memory = {{.address = kBuf, .width = 4}},
       .call = sprofil_call({region(kBuf, 64, 0x400000, 0x8000)}, kIrixProfUint),
       .events = {tick(0x400000), tick(0x400004), tick(0x400008), tick(0x40000c), tick(0x400010)},
       .counters = {{1, kBuf, {{0, 2}, {1, 2}, {2, 1}}}},
       .on = {{1, true}}},
      {.id = "S-004",
       .source = "glibc <sys/profil.h>, tst-sprofil.c; HP-UX sprofil(2): overflow bin",
       .memory = {{.address = kBuf}, {.address = kBin, .size = 2}},
       .call = sprofil_call({region(kBuf, 8, 0x400000, 0x8000), region(kBin, 2, 0, 2)},
                            kIrixProfUshort),
       .events = {tick(0x400004), tick(0x400010), tick(0x3ffffc), tick(0x7fff0000)},
       .counters = {{1, kBuf, {{1, 1}}}, {1, kBin, {{0, 3}}}},
       .on = {{1, true}}},
      {.id = "S-006",
       .source = "HP-UX sprofil(2): of equal offsets \"the first one is chosen\"",
       .memory = {{.address = kBuf}, {.address = kBuf2}},
       .call =
           sprofil_call({region(kBuf, 16, 0x400000, 0x8000), region(kBuf2, 16, 0x400000, 0x8000)},
                        kIrixProfUshort),
       .events = {tick(0x400000), tick(0x400004)},
       .counters = {{1, kBuf, {{0, 1}, {1, 1}}}, {1, kBuf2, {}}},
       .on = {{1, true}}},
      {.id = "S-007",
       .source = "IRIX sprofil(2): tvp gets \"one clock tick\"; profil(2): 10 milliseconds",
       .memory = {{.address = kBuf}},
       .call = sprofil_call({region(kBuf, 16, 0x400000, 0x8000)}, kIrixProfUshort),
       .counters = {{1, kBuf, {}}},
       .on = {{1, true}},
       .tick_us = 10000},
      {.id = "S-008",
       .source = "SpeedShop User's Guide ch. 4: \"10- or 1-millisecond intervals\"",
       .memory = {{.address = kBuf}},
       .call = sprofil_call({region(kBuf, 16, 0x400000, 0x8000)}, kIrixProfUshort | kIrixProfFast),
       .counters = {{1, kBuf, {}}},
       .on = {{1, true}},
       .tick_us = 1000},
      {.id = "S-009",
       .source = "SpeedShop User's Guide ch. 4: \"10- or 1-millisecond intervals\"",
       .memory = {{.address = kBuf, .width = 4}},
       .call = sprofil_call({region(kBuf, 16, 0x400000, 0x8000)}, kIrixProfUint | kIrixProfFast),
       .events = {run(0x400008, 250)},
       .counters = {{1, kBuf, {{1, 250}}}},
       .on = {{1, true}}},
      {.id = "S-012",
       .source = "profil(2): fork sentence; sprofil is a \"superset\"",
       .memory = {{.address = kBuf}, {.address = kBuf2}},
       .call =
           sprofil_call({region(kBuf, 32, 0x400000, 0x8000), region(kBuf2, 32, 0x401000, 0x8000)},
                        kIrixProfUshort),
       .events = {fork_to(2), by(2, tick(0x401004, 2)), tick(0x400000)},
       .counters = {{1, kBuf, {{0, 1}}}, {1, kBuf2, {}}, {2, kBuf, {}}, {2, kBuf2, {{1, 2}}}},
       .on = {{1, true}, {2, true}}},
  };
  return table;
}

class IrixCase : public testing::TestWithParam<Case> {};

Elements nonzero_elements(FakeMemory& memory, const Buffer& buffer) {
  Elements elements;
  for (std::uint64_t i = 0; i < buffer.size / buffer.width; ++i) {
    const auto value = memory.load(buffer.address + i * buffer.width, buffer.width);
    EXPECT_TRUE(value.has_value()) << "element " << i << " is not mapped";
    if (value.value_or(0) != 0) elements[i] = *value;
  }
  return elements;
}

TEST_P(IrixCase, Holds) {
  const Case& c = GetParam();
  SCOPED_TRACE(c.source);
  Processes processes;
  FakeMemory& memory = *processes[1].memory;
  for (const Buffer& buffer : c.memory) {
    memory.map(buffer.address, buffer.size, buffer.writable);
    for (const auto& [index, value] : buffer.preset) {
      memory.poke(buffer.address + index * buffer.width, buffer.width, value);
    }
  }

  c.call(processes[1].state);
  for (const Event& event : c.events) event.act(processes, event.pid);

  for (const Counters& expected : c.counters) {
    const auto buffer = std::find_if(c.memory.begin(), c.memory.end(),
                                     [&](const Buffer& b) { return b.address == expected.buffer; });
    ASSERT_NE(buffer, c.memory.end());
    EXPECT_EQ(nonzero_elements(*processes.at(expected.pid).memory, *buffer), expected.nonzero)
        << "process " << expected.pid << " buffer " << std::hex << expected.buffer;
  }
  for (const auto& [pid, on] : c.on) {
    EXPECT_EQ(processes.at(pid).state.on(), on) << "process " << pid;
  }
  if (c.tick_us != 0) {
    EXPECT_EQ(irix_tick_period(processes[1].state).count(), c.tick_us);
  }
}

INSTANTIATE_TEST_SUITE_P(Table, IrixCase, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case>& info) {
                           std::string name = info.param.id;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace hardclock::profil
