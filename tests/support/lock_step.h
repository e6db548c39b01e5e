// Compares the block engine with the one-instruction-at-a-time interpreter on random programs: the
// same registers, memory, cycles, counts, profile and reasons to stop, wherever deadlines, limits
// and traps fall. The interpreter's own correctness is checked elsewhere.
//
// The Guest, an ISA's part of a test, has
//   Machine, Program, Mix    a BareMachine, a random program and what is in it
//   data_start, data_size    what programs load and store, in bytes
//   pipelines                how many of them there are
//   machine(mix, endian, pipeline, options) -> Machine; `pipeline` is a number
//   prepare(machine)         maps what programs use beside code and data
//   other_start, other_size  of that, what is compared; it may have none
//   endian(seed)
//   next(registers)          the pc after the instruction that the kernel interrupted
//   code_alignment           bytes, of what control may go to
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "sim/base/endian.h"
#include "sim/base/units.h"
#include "sim/engine/cached_memory.h"
#include "sim/engine/call_record.h"
#include "sim/engine/cpu.h"
#include "sim/engine/function_finder.h"
#include "sim/engine/pc_sampler.h"
#include "sim/engine/translation.h"
#include "sim/memory/address_space.h"
#include "sim/recording/trap.h"
#include "sim/state/digest.h"
#include "sim/timing/memory_description.h"
#include "sim/translator/code_memory.h"
#include "tests/support/part_of_cases.h"

namespace hardclock::support {

// What a test case does besides running.
struct Conduct {
  std::uint32_t longest_slice = 300;  // cycles between two deadlines
  std::uint32_t instructions = 400;   // to run in all
  unsigned limit_percent = 10;        // how often an instruction limit is near
  unsigned kernel_write_percent = 0;  // how often the kernel changes code or its mapping
  bool functional = false;
  bool profiles = false;  // cycles by pc are collected; less is computed without
  bool calls = false;     // and calls are followed
  const MemoryDescription* memory = nullptr;
  Translation translation{.is_on = false};
  bool fills_code_memory = false;  // from time to time no room is left for translations
  bool changes_pins = false;       // translations keep other registers in the host's all the time
  // Most of the processes that trap end, and another one goes on with the program.
  bool processes_end = false;
};

// What the two machines differ in, and the timing that they share.
struct EngineOptions {
  bool functional = false;
  bool reference = false;
  Translation translation{.is_on = false};
  std::shared_ptr<MachineMemory> memory = nullptr;
};

// A function every 64 bytes, and between each two of them 16 bytes of which nothing is known.
class ManyFunctions final : public FunctionFinder {
 public:
  FunctionRange find(const AddressSpace&, GuestAddr pc) override {
    const std::uint64_t low = pc.value() & ~std::uint64_t{63}, end = low + 48;
    if (pc.value() >= end) return {.low = end, .high = low + 64};
    return {.low = low, .high = end, .function = low};
  }
};

// Wants to know at random moments where a program is.
class RandomMoments final : public PcSampler {
 public:
  RandomMoments(std::uint32_t seed, std::uint32_t longest) : random_(seed), longest_(longest) {
    look_ahead();
  }
  void take(GuestAddr pc, Cycles end) override {
    for (; due() < end; look_ahead()) {
      found.emplace_back(due(), pc);
      moments_.erase(moments_.begin());
    }
  }

  std::vector<std::pair<Cycles, GuestAddr>> found;

 private:
  // Some at the same time.
  void look_ahead() {
    while (moments_.size() < known) {
      const std::uint32_t most = random_() % 4 == 0 ? longest_ : 20;
      last_ = last_ + Cycles(random_() % (most + 1));
      moments_.push_back(last_);
    }
    set_upcoming(moments_);
  }

  static constexpr std::size_t known = 8;

  std::mt19937 random_;
  std::uint32_t longest_;
  std::vector<Cycles> moments_;
  Cycles last_{1};
};

// Two machines with the same program.
template <class Guest>
class Machines {
  using Machine = typename Guest::Machine;
  using Mix = typename Guest::Mix;
  using Program = typename Guest::Program;

 public:
  Machines(Program& program, const Mix& mix, Endian endian, const Conduct& conduct,
           unsigned pipeline, std::uint32_t seed)
      : program_(program),
        reference_awaited_(make_awaited(seed)),
        blocks_awaited_(make_awaited(seed)),
        reference_moments_(seed, conduct.longest_slice),
        blocks_moments_(seed, conduct.longest_slice),
        watch_(conduct.processes_end ? Watch::nobody : static_cast<Watch>(seed * 0x9e3779b1 >> 30)),
        reference_memory_(memory_of(conduct, seed)),
        blocks_memory_(memory_of(conduct, seed)),
        reference_(Guest::machine(
            mix, endian, pipeline,
            {.functional = conduct.functional, .reference = true, .memory = reference_memory_})),
        blocks_(Guest::machine(mix, endian, pipeline,
                               {.functional = conduct.functional,
                                .translation = conduct.translation,
                                .memory = blocks_memory_})) {
    auto registers = program.registers();
    registers.set_pc(program.start().value());
    profiles_ = conduct.profiles;
    // Half of the time, so that what is kept without them is compared as well.
    reasons_ = profiles_ && seed / 64 % 2 == 0;
    if (watch_ != Watch::nobody) blocks_.cpu->sample_pcs(&blocks_moments_);
    if (watch_ >= Watch::both) reference_.cpu->sample_pcs(&reference_moments_);
    both([&](Machine& machine) {
      if (profiles_) machine.cpu->collect_cycle_profile();
      if (reasons_) machine.cpu->collect_reasons();
      if (conduct.calls) machine.cpu->collect_calls(std::make_shared<ManyFunctions>());
      if (!conduct.processes_end && seed % 3 != 0)
        machine.cpu->watch({.pc = place_in(program, seed)}, awaited_of(machine));
      machine.load(program.start(), program.bytes(endian));
      machine.memory.code_files().add(
          {.start = program.start(), .size = page_size, .file = "program"});
      const Permissions rw{.read = true, .write = true};
      EXPECT_TRUE(machine.memory.map(Guest::data_start, Guest::data_size, rw, "data"));
      Guest::prepare(machine);
      machine.registers() = registers;
    });
  }

  // Runs both; returns false, and reports the difference, if they differ.
  bool run(Cycles slice, Instructions limit) {
    const Stop expected = reference_.run(reference_.now + slice, limit);
    stop_ = blocks_.run(blocks_.now + slice, limit);
    return same_stop(expected, stop_) && same_state();
  }

  // All of the processors, pipelines and predictors too. It takes as long as a slice.
  bool same_processors() {
    const StateDigest expected = digest_of(*reference_.cpu), actual = digest_of(*blocks_.cpu);
    for (std::size_t part = 0; part < state_parts; ++part) {
      EXPECT_EQ(actual.parts[part], expected.parts[part]) << "StatePart " << part;
    }
    return actual == expected;
  }

  // The kernel finds the program at a deadline.
  void look_at_deadline() {
    reference_moments_.take(reference_.cpu->interrupted_pc(), reference_.now + Cycles(1));
    blocks_moments_.take(blocks_.cpu->interrupted_pc(), blocks_.now + Cycles(1));
  }

  template <class Action>
  void both(Action action) {
    action(reference_);
    action(blocks_);
  }

  const Stop& stop() const { return stop_; }
  // That the blocks have run.
  std::uint64_t instructions() const { return blocks_.cpu->counts().instructions.value(); }

  bool same_memory() {
    if constexpr (requires { Guest::other_start; }) {
      if (!same_memory(Guest::other_start, Guest::other_start + Guest::other_size)) return false;
    }
    return same_memory(program_.start(), program_.end()) &&
           same_memory(Guest::data_start, Guest::data_start + Guest::data_size);
  }

  bool same_profile() {
    if (!profiles_) return true;
    const CycleProfile expected = reference_.cpu->cycle_profile();
    const CycleProfile actual = blocks_.cpu->cycle_profile();
    EXPECT_EQ(actual.total(), blocks_.cpu->counts().cycles.value());
    EXPECT_EQ(expected.total(), reference_.cpu->counts().cycles.value());
    const auto found = actual.by_pc();
    for (const auto& [pc, cycles] : expected.by_pc()) {
      const auto at = found.find(pc);
      EXPECT_EQ(at == found.end() ? 0 : at->second, cycles) << std::hex << pc.value();
    }
    EXPECT_EQ(expected == actual, true);
    if (reasons_) expect_same_reasons();
    return !testing::Test::HasFailure();
  }

  // Nor is a cycle lost.
  bool same_calls() {
    const CallRecord expected = reference_.cpu->calls();
    const CallRecord actual = blocks_.cpu->calls();
    EXPECT_EQ(expected == actual, true)
        << expected.nodes().size() << " and " << actual.nodes().size() << " functions on paths";
    if (expected.nodes().empty()) return !testing::Test::HasFailure();
    std::uint64_t cycles = 0;
    for (const CallRecord::Node& node : expected.nodes()) cycles += node.cycles;
    EXPECT_EQ(cycles, reference_.cpu->counts().cycles.value());
    return !testing::Test::HasFailure();
  }

  bool same_moments() {
    if (watch_ < Watch::both) return true;
    EXPECT_EQ(blocks_moments_.found.size(), reference_moments_.found.size());
    if (blocks_moments_.found == reference_moments_.found) return true;
    const std::size_t both =
        std::min(blocks_moments_.found.size(), reference_moments_.found.size());
    for (std::size_t i = 0; i < both; ++i) {
      const auto& [due, pc] = reference_moments_.found[i];
      EXPECT_EQ(blocks_moments_.found[i].second, pc) << "at cycle " << due.value();
    }
    return false;
  }

 private:
  void expect_same_reasons() {
    const ReasonProfile expected = reference_.cpu->reason_profile();
    const ReasonProfile actual = blocks_.cpu->reason_profile();
    for (std::size_t i = 0; i < cycle_reasons; ++i) {
      const auto reason = static_cast<CycleReason>(i);
      const auto found = actual.of(reason).by_pc();
      for (const auto& [pc, cycles] : expected.of(reason).by_pc()) {
        const auto at = found.find(pc);
        EXPECT_EQ(at == found.end() ? 0 : at->second, cycles)
            << std::hex << pc.value() << " " << cycle_reason_names[i];
      }
    }
  }

  // Whose pcs are asked for. With the blocks alone it shows that nothing changes by that.
  enum class Watch : std::uint8_t { nobody, blocks, both, both_again };

  // Whether misses overlap is not asked of the pipeline: the engines agree in any case.
  static std::shared_ptr<MachineMemory> memory_of(const Conduct& conduct, std::uint32_t seed) {
    if (conduct.memory == nullptr) return nullptr;
    MemoryDescription memory = *conduct.memory;
    memory.misses_overlap = seed % 3 == 0;
    return std::make_shared<MachineMemory>(memory);
  }

  bool same_memory(GuestAddr start, GuestAddr end) {
    for (GuestAddr at = start; at < end; at = at + 4) {
      const auto expected = reference_.memory.template read<std::uint32_t>(at);
      const auto actual = blocks_.memory.template read<std::uint32_t>(at);
      if (expected.ok() != actual.ok() || (expected.ok() && *expected != *actual)) {
        ADD_FAILURE() << "memory differs at 0x" << std::hex << at.value();
        return false;
      }
    }
    return true;
  }

  static bool same_stop(const Stop& expected, const Stop& actual) {
    EXPECT_EQ(actual.reason, expected.reason);
    EXPECT_EQ(actual.trap.kind, expected.trap.kind);
    EXPECT_EQ(actual.trap.code, expected.trap.code);
    EXPECT_EQ(actual.trap.fault.kind, expected.trap.fault.kind);
    EXPECT_EQ(actual.trap.fault.access, expected.trap.fault.access);
    EXPECT_EQ(actual.trap.fault.address, expected.trap.fault.address);
    return !testing::Test::HasFailure();
  }

  bool same_state() {
    const auto& expected = reference_.registers();
    const auto& actual = blocks_.registers();
    EXPECT_EQ(actual.pc, expected.pc);
    if constexpr (requires { actual.next_pc; }) {
      EXPECT_EQ(actual.next_pc, expected.next_pc);
      EXPECT_EQ(actual.in_delay_slot, expected.in_delay_slot);
      EXPECT_EQ(actual.gpr, expected.gpr);
    }
    EXPECT_EQ(actual == expected, true);
    EXPECT_EQ(blocks_awaited_->left, reference_awaited_->left);
    EXPECT_EQ(blocks_.now, reference_.now);
    EXPECT_EQ(blocks_.cpu->counts().cycles, reference_.cpu->counts().cycles);
    EXPECT_EQ(blocks_.cpu->counts().instructions, reference_.cpu->counts().instructions);
    EXPECT_EQ(blocks_.cpu->interrupted_pc(), reference_.cpu->interrupted_pc());
    if (reference_memory_ != nullptr) {
      const MemorySystem& expected_memory = reference_memory_->system;
      const MemorySystem& actual_memory = blocks_memory_->system;
      EXPECT_TRUE(actual_memory.state() == expected_memory.state());
      EXPECT_TRUE(actual_memory.statistics() == expected_memory.statistics());
    }
    return !testing::Test::HasFailure();
  }

  Program& program_;
  static GuestAddr place_in(const Program& program, std::uint32_t seed) {
    const std::uint64_t bytes = (program.end() - program.start()) / Guest::code_alignment;
    return program.start() + seed * 0x9e3779b1u % bytes * Guest::code_alignment;
  }
  // Of some programs it comes to so few arrivals that all are stepped.
  std::shared_ptr<Awaited> awaited_of(const Machine& machine) const {
    return &machine == &reference_ ? reference_awaited_ : blocks_awaited_;
  }
  static std::shared_ptr<Awaited> make_awaited(std::uint32_t seed) {
    constexpr std::uint64_t most_stepped = 1 << 16;
    return std::make_shared<Awaited>(Awaited{.left = most_stepped + seed % 64});
  }

  bool profiles_ = false;
  bool reasons_ = false;  // in the profiles
  // How often control has come to a place.
  std::shared_ptr<Awaited> reference_awaited_, blocks_awaited_;
  RandomMoments reference_moments_;
  RandomMoments blocks_moments_;
  Watch watch_;
  std::shared_ptr<MachineMemory> reference_memory_;
  std::shared_ptr<MachineMemory> blocks_memory_;
  Machine reference_;
  Machine blocks_;
  Stop stop_;
};

// One random program with random slices; plays the kernel between them.
template <class Guest>
class LockStep {
  using Machine = typename Guest::Machine;
  using Program = typename Guest::Program;

 public:
  LockStep(std::uint32_t seed, Program& program, const typename Guest::Mix& mix,
           const Conduct& conduct, unsigned pipeline)
      : random_(seed),
        program_(program),
        endian_(Guest::endian(seed)),
        conduct_(conduct),
        pair_(program, mix, endian_, conduct, pipeline, seed) {}

  std::uint64_t instructions() const { return pair_.instructions(); }

  // Returns false at the first difference.
  bool run() {
    if (conduct_.fills_code_memory) fill_code_memory();
    for (unsigned slices = 0; slices < 4 * conduct_.instructions; ++slices) {
      if (pair_.instructions() >= conduct_.instructions) break;
      const Cycles slice{chance(50) ? below(conduct_.longest_slice) : below(20)};
      const Instructions limit =
          chance(conduct_.limit_percent) ? Instructions(below(20)) : Machine::unlimited;
      if (!pair_.run(slice, limit)) return false;
      if (slices % 16 == 0 && !pair_.same_processors()) return false;
      if (pair_.stop().reason == StopReason::deadline) pair_.look_at_deadline();
      if (!pair_.same_moments()) return false;
      act();
    }
    return pair_.same_memory() && pair_.same_profile() && pair_.same_calls();
  }

 private:
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
  bool chance(unsigned percent) { return below(100) < percent; }

  void act() {
    const Stop& stop = pair_.stop();
    if (stop.reason == StopReason::deadline) {
      pair_.both([](Machine& machine) { machine.cpu->interrupted(); });
    } else if (stop.reason == StopReason::trap) {
      after_trap(stop.trap);
      if (conduct_.processes_end && chance(70))
        pair_.both([](Machine& machine) { machine.replace_process(); });
    }
    if (chance(5)) pair_.both([](Machine& machine) { machine.cpu->drain_pipeline(); });
    if (chance(conduct_.kernel_write_percent)) change_code();
    if (conduct_.fills_code_memory && chance(20)) fill_code_memory();
  }

  // But for what one translation may take, or half of it.
  void fill_code_memory() {
    pair_.both([](Machine& machine) {
      if (!machine.cpu->translates()) return;
      const auto memory = CodeMemory::of(machine.memory.budget()->caches());
      ASSERT_NE(memory, nullptr);
      for (std::size_t bytes = std::size_t{1} << 20; bytes >= 256; bytes /= 2) {
        while (!memory->allocate(bytes).empty()) {
        }
      }
    });
  }

  // The pages of code that cannot be fetched can be again.
  void bring_back() {
    for (const GuestAddr page : away_) {
      pair_.both([&](Machine& machine) {
        EXPECT_TRUE(machine.memory.protect(page, page_size, Machine::all));
      });
    }
    away_.clear();
  }

  void after_trap(const Trap& trap) {
    if (trap.kind == TrapKind::memory) bring_back();
    if (trap.kind == TrapKind::system_call) {
      pair_.both([](Machine& machine) { machine.cpu->complete_system_call(); });
      return;
    }
    // Mostly a restart elsewhere; sometimes directly at the instruction's successor.
    const std::uint64_t offset = 4 * below(static_cast<std::uint32_t>(program_.words().size()));
    const GuestAddr target =
        program_.start() + offset / Guest::code_alignment * Guest::code_alignment;
    const bool skip = chance(50);
    pair_.both([&](Machine& machine) {
      const std::uint64_t next = Guest::next(machine.registers());
      const bool inside = next >= program_.start().value() && next < program_.end().value();
      machine.registers().set_pc(skip && inside ? next : target.value());
    });
  }

  // The kernel stores into the code, or changes its mapping and back, perhaps only after a fault.
  void change_code() {
    const auto words = static_cast<std::uint32_t>(program_.words().size());
    const GuestAddr at = program_.start() + 4 * below(words);
    const std::uint32_t word = program_.words()[below(words)];
    const bool remap = chance(30);
    const bool stays_away = remap && chance(50);
    const GuestAddr page(at.value() & ~page_mask);
    if (stays_away) away_.push_back(page);
    pair_.both([&](Machine& machine) {
      if (remap) {
        EXPECT_TRUE(machine.memory.protect(page, page_size, {.write = true}));
        if (!stays_away) {
          EXPECT_TRUE(machine.memory.protect(page, page_size, Machine::all));
        }
      }
      std::array<std::uint8_t, 4> bytes;
      store_bytes(bytes.data(), word, endian_);
      EXPECT_TRUE(machine.memory.write_bytes(at, bytes));
    });
  }

  std::mt19937 random_;
  Program& program_;
  Endian endian_;
  Conduct conduct_;
  std::vector<GuestAddr> away_;  // pages that cannot be fetched
  Machines<Guest> pair_;
};

// For a long search, in the environment: how many times as many programs as usual, and how many
// times as many instructions of each.
inline std::uint32_t lock_step_factor(const char* name) {
  const char* const factor = std::getenv(name);
  return factor == nullptr ? 1 : static_cast<std::uint32_t>(std::max(1, std::atoi(factor)));
}
inline std::uint32_t lock_step_times() {
  return lock_step_factor("LOCK_STEP_TIMES");
}
inline std::uint32_t lock_step_length() {
  return lock_step_factor("LOCK_STEP_LENGTH");
}

// Runs `cases` programs of 2 to `longest_program` words.
template <class Guest>
void compare_one_engine(std::uint32_t cases, const typename Guest::Mix& mix, Conduct conduct,
                        std::uint32_t longest_program) {
  conduct.instructions *= lock_step_length();
  std::uint64_t instructions = 0;
  for (std::uint32_t seed = 0; seed < cases * lock_step_times() / part_of_cases; ++seed) {
    std::mt19937 random(seed);
    const std::size_t words = 2 + random() % (longest_program - 1);
    // Half of the programs cross a page.
    const std::uint64_t before = words / 2 * 4 / Guest::code_alignment * Guest::code_alignment;
    const GuestAddr start(0x40'0000 + (seed / 2 % 2 == 0 ? 0 : page_size - before));
    typename Guest::Program program(seed, mix, start, words);
    const unsigned pipeline = seed / 4 % Guest::pipelines;
    conduct.profiles = !conduct.processes_end && seed / 16 % 2 == 0;
    conduct.calls = conduct.profiles && seed / 32 % 2 == 0;
    LockStep<Guest> lock_step(seed, program, mix, conduct, pipeline);
    if (!lock_step.run()) {
      FAIL() << "seed " << seed << ", " << words << " words, pipeline " << pipeline;
    }
    instructions += lock_step.instructions();
  }
  if (lock_step_length() == 1) return;
  std::printf("%llu instructions %s\n", static_cast<unsigned long long>(instructions),
              conduct.translation.is_on ? "translated" : "interpreted");
}

// The same with blocks on the interpreter and, where the Guest says that it `translates`, with all
// of them translated before they first run, and with those that have run twice.
template <class Guest>
void compare_engines(std::uint32_t cases, const typename Guest::Mix& mix, Conduct conduct,
                     std::uint32_t longest_program) {
  conduct.translation = {.is_on = false};
  compare_one_engine<Guest>(cases, mix, conduct, longest_program);
  if constexpr (requires { Guest::translates; }) {
    SCOPED_TRACE("translated");
    conduct.translation = {
        .is_on = true, .after_executions = 0, .random_pins = conduct.changes_pins ? 1u : 0u};
    compare_one_engine<Guest>(cases, mix, conduct, longest_program);
    SCOPED_TRACE("after a few executions");  // which say what is often slow
    conduct.translation.after_executions = 2;
    compare_one_engine<Guest>(cases, mix, conduct, longest_program);
  }
}

// An Itanium 2's: an l1d that writes through, with a TLB for its loads.
inline MemoryDescription memory_with_load_tlb() {
  MemoryDescription memory;
  memory.l1i = {.size = 512, .ways = 2, .line = 64, .refill = 64, .miss_cycles = 4};
  memory.l1d = {.size = 1024,
                .ways = 4,
                .line = 64,
                .refill = 64,
                .policy = WritePolicy::write_through,
                .write_miss = WriteMiss::around,
                .miss_cycles = 4};
  memory.l2 = {.size = 4096, .ways = 2, .line = 128, .refill = 128, .miss_cycles = 7};
  memory.inclusive = false;
  memory.tlb = {.entries = 4, .refill_cycles = 9};
  memory.load_tlb = {.entries = 2, .refill_cycles = 3};
  memory.memory_cycles = 20;
  return memory;
}

// Caches so small that lines come and go all the time, with each policy. Those from 6 to 9 are as
// plain_code.h wants them: two with an l2 that takes what leaves l1, two whose l1 has two ways.
inline constexpr std::uint32_t small_memories = 11;
inline MemoryDescription small_memory(std::uint32_t kind) {
  if (kind == 10) return memory_with_load_tlb();
  MemoryDescription memory;
  memory.l1i = {.size = 256, .ways = 1, .line = 16, .refill = 16, .miss_cycles = 7};
  memory.l1d = {.size = 128, .ways = 1, .line = 16, .refill = 16, .miss_cycles = 5};
  memory.memory_cycles = 20;
  memory.memory_line_cycles = 25;
  memory.memory_busy_cycles = 30;
  if (kind >= 6) {
    memory.memory_line_cycles = 15;
    memory.l1d.victim_cycles = 2;
    memory.memory_victim_cycles = 3;
    if (kind != 8)
      memory.l2 = {.size = 2048, .ways = 1, .line = 64, .refill = 64, .miss_cycles = 11};
    if (kind == 6) return memory;
    memory.tlb = {.entries = 4, .pages = 2, .wired = 1, .refill_cycles = 9};
    memory.l1i.line = memory.l1i.refill = 32;
    memory.l1d.size = 512;
    if (kind == 7) return memory;
    memory.l1i.ways = memory.l1d.ways = 2;
    memory.l1i.replacement = memory.l1d.replacement = Replacement::fifo;
    memory.l2.policy = WritePolicy::write_through;
    memory.l2.write_miss = WriteMiss::around;
    return memory;
  }
  if (kind % 2 == 1) {
    memory.l1i = {.size = 512, .ways = 2, .line = 32, .refill = 32, .miss_cycles = 3};
    memory.l1d.ways = 2;
    memory.l2 = {.size = 1024, .ways = 1, .line = 64, .refill = 64, .miss_cycles = 11};
    memory.tlb = {.entries = 4, .pages = 1, .wired = 1, .refill_cycles = 9};
  }
  if (kind % 3 == 1) {
    memory.l1d = {.size = 128,
                  .ways = 1,
                  .line = 4,
                  .refill = 16,
                  .policy = WritePolicy::write_through,
                  .write_miss = WriteMiss::validate,
                  .miss_cycles = 6};
    memory.write_buffer = {.depth = 2, .drain_cycles = 5, .misses_wait = true};
  }
  return memory;
}

}  // namespace hardclock::support
