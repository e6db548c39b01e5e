// HP-UX's cases run on PA-RISC and on IA-64, in 32 and 64 bits. The expectations of cases are their
// files', which name the manual pages; instruction words are GNU as's (binutils 2.40,
// hppa-linux-gnu, hppa64-linux-gnu and ia64-linux-gnu), and what a program's file says of itself is
// in binutils' include/som/aout.h, include/elf/hppa.h and include/elf/ia64.h.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "isa/instruction_word.h"
#include "isa/pa_risc/abi.h"
#include "syscalls/conform/case_parser.h"
#include "syscalls/conform/compare.h"
#include "syscalls/conform/guest_backend.h"
#include "tests/unit/conform/case_files.h"
#include "tests/unit/conform/case_maker.h"

namespace hardclock::conform {
namespace {

using Strings = std::vector<std::string>;

constexpr const char* wide = "hpux_pa_lp64";

Strings differences(const Case& of) {
  if (!of.defect.empty()) return {of.defect};
  const Observation seen = GuestBackend(make_case_cpu).run(of);
  return seen.error.empty() ? compare(of, seen) : Strings{seen.error};
}

// The pages of the manual say the same of 32 and 64-bit programs. Returns how many cases there are.
unsigned expect_hpux_cases_pass(const std::string& text) {
  auto cases = parse_cases(text, "cases.json");
  EXPECT_TRUE(cases.ok()) << cases.error();
  if (!cases.ok()) return 0;
  unsigned performed = 0;
  for (Case& each : *cases) {
    if (each.variant->system->name != "hpux") continue;
    ++performed;
    EXPECT_EQ(differences(each), Strings{}) << each.id << ": " << each.title;
    // What is cleared of a pc is the processor's, not the word size's.
    const Variant* const own = each.variant;
    each.variant =
        find_variant(own->pc_mask == find_variant(wide)->pc_mask ? wide : "hpux_ia64_lp64");
    EXPECT_EQ(differences(each), Strings{}) << each.id << " in 64 bits: " << each.title;
  }
  return performed;
}

TEST(HpuxGuest, PassesTheCasesInBothWordSizes) {
  EXPECT_EQ(expect_hpux_cases_pass(case_file("manuals.json")), 50U);
  EXPECT_EQ(expect_hpux_cases_pass(case_file("cases.json")), 3U);
}

// What the guest of a case was, and what it executed.
struct Trace {
  struct Executed {
    std::uint32_t word = 0;
    unsigned times = 0, in_delay_slots = 0;
  };
  std::vector<Image> programs;                 // without their segments
  std::map<std::uint64_t, Executed> executed;  // by pc
  Observation seen;
};

Trace trace(const Case& of) {
  Trace trace;
  const auto make_cpu = [&trace](const posix::Program& program, const posix::Port& port,
                                 AddressSpace& memory) {
    const Image& image = *program.image;
    trace.programs.push_back(image);
    trace.programs.back().segments.clear();
    auto cpu = make_case_cpu(program, port, memory);
    Cpu* const made = cpu->get();
    made->observe(
        [&trace, made, machine = image.architecture](const InstructionText& text, Cycles) {
          Trace::Executed& at = trace.executed[text.pc().value()];
          at.word = word_of(text, Endian::big);
          ++at.times;
          if (machine == Architecture::pa_risc && pa_risc::registers_of(*made).in_delay_slot) {
            ++at.in_delay_slots;
          }
        });
    return cpu;
  };
  trace.seen = GuestBackend(make_cpu).run(of);
  EXPECT_EQ(trace.seen.error, "");
  return trace;
}

constexpr std::uint64_t gateway = 0xc0000004;
constexpr std::uint32_t gate = 0xe8002000;    // b,gate .+8,r0
constexpr std::uint32_t branch = 0xe81f1ff5;  // b .

TEST(PaRiscGuest, IsASomProgramForPaRisc11) {
  for (const char* const system : {"hpux", "hpux_pa"}) {
    SCOPED_TRACE(system);
    const Trace of = trace(case_of(system, {tick(3)}));
    ASSERT_EQ(of.programs.size(), 1U);
    EXPECT_EQ(of.programs[0].architecture, Architecture::pa_risc);
    EXPECT_EQ(of.programs[0].format, FileFormat::som);
    EXPECT_EQ(of.programs[0].flags, 0x210U);  // CPU_PA_RISC1_1
    EXPECT_EQ(of.programs[0].address_bits, 32U);
    EXPECT_EQ(of.executed.at(text_address).word, branch);
    EXPECT_EQ(of.executed.at(gateway).word, gate);
    EXPECT_EQ(of.seen.processes.at(1).counters.at("BUF"), (Elements{{0, 3}}));
  }
}

// The call goes by its entry in the table behind the gateway page.
TEST(PaRiscGuest, IsAnElfProgramForPaRisc20InWideMode) {
  const Trace of = trace(case_of("hpux_pa_lp64", {tick(3)}));
  ASSERT_EQ(of.programs.size(), 1U);
  EXPECT_EQ(of.programs[0].architecture, Architecture::pa_risc);
  EXPECT_EQ(of.programs[0].format, FileFormat::elf);
  EXPECT_EQ(of.programs[0].os_abi, 1U);                         // ELFOSABI_HPUX
  EXPECT_EQ(of.programs[0].flags & 0x8ffff, 0x80000U | 0x214);  // EF_PARISC_WIDE, PA-RISC 2.0
  EXPECT_EQ(of.programs[0].address_bits, 64U);
  const std::uint64_t call = of.executed.begin()->first;
  EXPECT_EQ(of.executed.at(call + 12).word, 0x0c2010c1U);  // ldd 0(r1),r1
  EXPECT_EQ(of.executed.at(call + 16).word, 0xe4202000U);  // be,l 0(sr4,r1),sr0,r31
  EXPECT_EQ(of.executed.at(gateway).word, gate);
  EXPECT_EQ(of.executed.at(text_address).word, branch);
  EXPECT_EQ(of.seen.processes.at(1).counters.at("BUF"), (Elements{{0, 3}}));
}

TEST(PaRiscGuest, RunsAtPcsOf64Bits) {
  constexpr std::uint64_t text = 0x4000'0000'0000'1000;
  Case of = case_of(wide, {{TickEvent{GuestAddr(text + 4), 2}}});
  ProfilCall call = profil_call(buffer_address, buffer_size);
  call.offset.value = GuestAddr(text);
  of.first.call = call;
  const Trace traced = trace(of);
  EXPECT_EQ(traced.executed.at(text + 4).word, branch);
  EXPECT_EQ(traced.seen.processes.at(1).counters.at("BUF"), (Elements{{1, 2}}));
}

TEST(HpuxGuest, IsNotWhatOtherSystemsRunOn) {
  for (const char* const system : {"irix", "solaris", "4.4bsd", "bsd44_lp64", "v7"}) {
    SCOPED_TRACE(system);
    Case of = case_of(system, {});
    if (std::string(system) == "v7") of.memory = {object("BUF", 0x4000, buffer_size)};
    const Trace traced = trace(of);
    ASSERT_EQ(traced.programs.size(), 1U);
    EXPECT_EQ(traced.programs[0].architecture, Architecture::mips);
    EXPECT_FALSE(traced.executed.contains(gateway));
  }
}

// An interruption saves the front of the queue, in a delay slot too (PA-RISC 1.1 manual, chapter
// 4), and HP-UX clears its privilege level (A-H10). On MIPS EPC would be the branch in front.
TEST(PaRiscGuest, IsChargedForTheFrontOfTheQueueInDelaySlots) {
  for (const char* const system : {"hpux_pa", wide}) {
    for (const std::uint64_t level : {0, 3}) {
      const Case of = case_of(system, {{TickEvent{GuestAddr(text_address + 8 + level), 5}}});
      const Trace traced = trace(of);
      const Trace::Executed& loop = traced.executed.at(text_address + 8);
      EXPECT_EQ(loop.in_delay_slots, loop.times - 1) << "all but the first";
      EXPECT_GE(loop.in_delay_slots, 5U);
      EXPECT_EQ(traced.seen.processes.at(1).counters.at("BUF"), (Elements{{2, 5}}));
    }
  }
}

// The gateway page is the system's: nothing of a case can be there, but an interrupt can.
TEST(PaRiscGuest, KeepsItsGateway) {
  for (const char* const system : {"hpux_pa", wide}) {
    Case of = case_of(system, {});
    of.memory.push_back(object("GATE", 0xc0000ff0, 32));
    EXPECT_NE(GuestBackend(make_case_cpu).run(of).error.find("GATE: no room"), std::string::npos);
    Case tick = case_of(system, {{TickEvent{GuestAddr(0xc0000004), 2}}});
    ProfilCall call = profil_call(buffer_address, buffer_size);
    call.offset.value = GuestAddr(0xc0000000);
    tick.first.call = call;
    EXPECT_EQ(trace(tick).seen.processes.at(1).counters.at("BUF"), (Elements{{1, 2}}));
  }
}

// ---- IA-64.

constexpr const char* ia64_variants[] = {"hpux_ia64", "hpux_ia64_lp64"};

// In both data models. The call goes by the vector to the gateway, whose break is the call.
TEST(Ia64Guest, IsAnElfProgramForHpux) {
  constexpr std::uint64_t ia64_gateway = 0xe000000000000000;
  for (const unsigned bits : {32U, 64U}) {
    SCOPED_TRACE(bits);
    const Trace of = trace(case_of(bits == 32 ? "hpux_ia64" : "hpux_ia64_lp64", {tick(3)}));
    ASSERT_EQ(of.programs.size(), 1U);
    EXPECT_EQ(of.programs[0].architecture, Architecture::ia64);
    EXPECT_EQ(of.programs[0].format, FileFormat::elf);
    EXPECT_EQ(of.programs[0].os_abi, 1U);                         // ELFOSABI_HPUX
    EXPECT_EQ(of.programs[0].flags, bits == 32 ? 0x09U : 0x19U);  // TRAPNIL, BE; ABI64
    EXPECT_EQ(of.programs[0].address_bits, bits);
    EXPECT_EQ(of.executed.at(ia64_gateway).word, 0x1d000000U);  // .mfb; break.m 0 (as in Ski)
    EXPECT_GT(of.executed.at(text_address).times, 0U);
    EXPECT_EQ(of.seen.processes.at(1).counters.at("BUF"), (Elements{{0, 3}}));
  }
}

// A pointer's two highest bits also choose the region (SDM, volume 3, addp4). With a scale of 8192
// a bundle has a counter of 16 bits (HP-UX sprofil(2), the table for Itanium).
TEST(Ia64Guest, CountsInEachQuarterOfThePointers) {
  struct {
    std::uint64_t text, buffer, text_in_memory;
  } const places[] = {{0x04000000, 0x40010000, 0x0000000004000000},
                      {0x40001000, 0x80010000, 0x2000000040001000},
                      {0x80001000, 0xc0010000, 0x4000000080001000},
                      {0xc0001000, 0x00010000, 0x60000000c0001000}};
  for (const auto& place : places) {
    SCOPED_TRACE(place.text);
    Case of = case_of("hpux_ia64", {{TickEvent{GuestAddr(place.text + 0x10), 2}}});
    of.memory = {object("BUF", place.buffer, 0x100)};
    ProfilCall call = profil_call(place.buffer, 0x100, 0x2000);
    call.offset.value = GuestAddr(place.text);
    of.first.call = call;
    const Trace traced = trace(of);
    EXPECT_TRUE(traced.executed.contains(place.text_in_memory + 0x10));
    EXPECT_EQ(traced.seen.processes.at(1).counters.at("BUF"), (Elements{{1, 2}}));
  }
}

std::string error_of(const Case& of) {
  return GuestBackend(make_case_cpu).run(of).error;
}

TEST(Ia64Guest, HasNoRoomAcrossTheQuartersOfThePointers) {
  Case of = case_of("hpux_ia64", {});
  of.memory.push_back(object("ACROSS", 0x3ffff000, 0x2000));
  EXPECT_NE(error_of(of).find("ACROSS: no room"), std::string::npos);
  of.memory.back().size = 0x1000;
  EXPECT_EQ(error_of(of), "");
  of.events.push_back(memory_event(MemoryEvent::Kind::mmap, 0x7ffff000, 0x2000));
  EXPECT_NE(error_of(of).find("does not have all these addresses"), std::string::npos);
  of.variant = find_variant("hpux_ia64_lp64");
  EXPECT_EQ(error_of(of), "");
}

TEST(Ia64Guest, KeepsItsGateway) {
  Case of = case_of("hpux_ia64_lp64", {});
  of.memory.push_back(object("GATE", 0xe000000000000ff0, 32));
  EXPECT_NE(error_of(of).find("GATE: no room"), std::string::npos);
}

// HP-UX sprofil(2): the pc points to a bundle of 16 bytes, single instructions cannot be profiled.
TEST(Ia64Guest, IsChargedForTheBundle) {
  for (const char* const system : ia64_variants) {
    for (const std::uint64_t slot : {0, 1, 2}) {
      const Case of = case_of(system, {{TickEvent{GuestAddr(text_address + 0x20 + slot), 5}}});
      EXPECT_EQ(trace(of).seen.processes.at(1).counters.at("BUF"), (Elements{{8, 5}})) << system;
    }
  }
}

TEST(Ia64Guest, HasThreads) {
  for (const char* const system : ia64_variants) {
    const Case of = case_of(system, {by(1, tick(2), 2), by(1, tick(3), 3), tick(4)});
    EXPECT_EQ(trace(of).seen.processes.at(1).counters.at("BUF"), (Elements{{0, 9}})) << system;
  }
}

}  // namespace
}  // namespace hardclock::conform
