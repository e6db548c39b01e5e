// The block engine against the one-instruction-at-a-time interpreter: the same registers, memory,
// cycles, counts, profile and reasons to stop, wherever deadlines, limits and traps fall. The
// interpreter's own correctness is checked elsewhere (qemu_test, kernels_test).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "tests/support/mips_machine.h"
#include "tests/unit/mips/random_program.h"

namespace hardclock {
namespace {

using mips::Mix;
using mips::RandomProgram;
using support::MipsMachine;

constexpr GuestAddr read_only_page{0x1100'0000};

// What a test case does besides running.
struct Conduct {
  std::uint32_t longest_slice = 300;  // cycles between two deadlines
  std::uint32_t instructions = 400;   // to run in all
  unsigned limit_percent = 10;        // how often an instruction limit is near
  unsigned kernel_write_percent = 0;  // how often the kernel changes code or its mapping
  bool functional = false;
  const char* timing = "r3000";  // whose pipeline
  const MemoryDescription* memory = nullptr;
};

// A pipeline without anything particular, one with stages and lost cycles after branches, and one
// that issues two instructions in a cycle.
constexpr std::array pipelines = {"r3000", "r4000", "r5000"};

// Two machines with the same program.
class Pair {
 public:
  Pair(RandomProgram& program, const Mix& mix, Endian endian, const Conduct& conduct)
      : program_(program),
        reference_memory_(memory_of(conduct)),
        blocks_memory_(memory_of(conduct)),
        reference_(endian, processor(mix, conduct), options(mix, conduct, true)),
        blocks_(endian, processor(mix, conduct), options(mix, conduct, false)) {
    mips::Registers registers = program.registers();
    registers.set_pc(program.start().value());
    for (MipsMachine* machine : {&reference_, &blocks_}) {
      machine->load(program.start(), program.bytes(endian));
      const Permissions rw{.read = true, .write = true};
      EXPECT_TRUE(machine->memory.map(mips::data_start, mips::data_size, rw, "data"));
      EXPECT_TRUE(machine->memory.map(read_only_page, page_size, {.read = true}, "read only"));
      machine->registers() = registers;
    }
  }

  // Runs both; false when they differ, with the difference reported.
  bool run(Cycles slice, Instructions limit) {
    const Stop expected = reference_.run(reference_.now + slice, limit);
    stop_ = blocks_.run(blocks_.now + slice, limit);
    return same_stop(expected, stop_) && same_state();
  }

  template <class Action>
  void both(Action action) {
    action(reference_);
    action(blocks_);
  }

  const Stop& stop() const { return stop_; }
  std::uint64_t instructions() const { return blocks_.cpu->counts().instructions.value(); }

  bool same_memory() {
    for (const auto& [start, end] :
         {std::pair(program_.start(), program_.end()),
          std::pair(mips::data_start, mips::data_start + mips::data_size)}) {
      for (GuestAddr at = start; at < end; at = at + 4) {
        const auto expected = reference_.memory.read<std::uint32_t>(at);
        const auto actual = blocks_.memory.read<std::uint32_t>(at);
        if (expected.ok() != actual.ok() || (expected.ok() && *expected != *actual)) {
          ADD_FAILURE() << "memory differs at 0x" << std::hex << at.value();
          return false;
        }
      }
    }
    return true;
  }

  bool same_profile() {
    const CycleProfile expected = reference_.cpu->cycle_profile();
    const CycleProfile actual = blocks_.cpu->cycle_profile();
    EXPECT_EQ(total(actual), blocks_.cpu->counts().cycles.value());
    EXPECT_EQ(total(expected), reference_.cpu->counts().cycles.value());
    for (const auto& [pc, cycles] : expected) {
      const auto found = actual.find(pc);
      EXPECT_EQ(found == actual.end() ? 0 : found->second, cycles) << std::hex << pc.value();
    }
    EXPECT_EQ(expected == actual, true);
    return !testing::Test::HasFailure();
  }

 private:
  static CpuDescription processor(const Mix& mix, const Conduct& conduct) {
    return support::with_timing_of(conduct.timing, mips::level_name(mix.level));
  }
  static std::shared_ptr<MachineMemory> memory_of(const Conduct& conduct) {
    return conduct.memory == nullptr ? nullptr : std::make_shared<MachineMemory>(*conduct.memory);
  }
  mips::CpuOptions options(const Mix& mix, const Conduct& conduct, bool reference) const {
    return {.functional = conduct.functional,
            .reference = reference,
            .memory = reference ? reference_memory_ : blocks_memory_,
            .mode = mix.mode};
  }
  static std::uint64_t total(const CycleProfile& profile) {
    std::uint64_t sum = 0;
    for (const auto& [pc, cycles] : profile) sum += cycles;
    return sum;
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
    const mips::Registers& expected = reference_.registers();
    const mips::Registers& actual = blocks_.registers();
    EXPECT_EQ(actual.pc, expected.pc);
    EXPECT_EQ(actual.next_pc, expected.next_pc);
    EXPECT_EQ(actual.in_delay_slot, expected.in_delay_slot);
    EXPECT_EQ(actual.gpr, expected.gpr);
    EXPECT_EQ(actual == expected, true);
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

  RandomProgram& program_;
  std::shared_ptr<MachineMemory> reference_memory_;
  std::shared_ptr<MachineMemory> blocks_memory_;
  MipsMachine reference_;
  MipsMachine blocks_;
  Stop stop_;
};

// One random program with random slices; plays the kernel between them.
class LockStep {
 public:
  LockStep(std::uint32_t seed, RandomProgram& program, const Mix& mix, Endian endian,
           const Conduct& conduct)
      : random_(seed),
        program_(program),
        endian_(endian),
        conduct_(conduct),
        pair_(program, mix, endian, conduct) {}

  // False at the first difference.
  bool run() {
    for (unsigned slices = 0; slices < 4 * conduct_.instructions; ++slices) {
      if (pair_.instructions() >= conduct_.instructions) break;
      const Cycles slice{chance(50) ? below(conduct_.longest_slice) : below(20)};
      const Instructions limit =
          chance(conduct_.limit_percent) ? Instructions(below(20)) : MipsMachine::unlimited;
      if (!pair_.run(slice, limit)) return false;
      act();
    }
    return pair_.same_memory() && pair_.same_profile();
  }

 private:
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
  bool chance(unsigned percent) { return below(100) < percent; }

  void act() {
    const Stop& stop = pair_.stop();
    if (stop.reason == StopReason::deadline) {
      pair_.both([](MipsMachine& machine) { machine.cpu->interrupted(); });
    } else if (stop.reason == StopReason::trap) {
      after_trap(stop.trap);
    }
    if (chance(5)) pair_.both([](MipsMachine& machine) { machine.cpu->drain_pipeline(); });
    if (chance(conduct_.kernel_write_percent)) change_code();
  }

  void after_trap(const Trap& trap) {
    if (trap.kind == TrapKind::system_call) {
      pair_.both([](MipsMachine& machine) { machine.cpu->complete_system_call(); });
      return;
    }
    // Mostly a restart elsewhere; sometimes straight at what follows the instruction.
    const GuestAddr target =
        program_.start() + 4 * below(static_cast<std::uint32_t>(program_.words().size()));
    const bool skip = chance(50);
    pair_.both([&](MipsMachine& machine) {
      const std::uint64_t next = machine.registers().epc() + 4;
      const bool inside = next >= program_.start().value() && next < program_.end().value();
      machine.registers().set_pc(skip && inside ? next : target.value());
    });
  }

  // The kernel stores into the code, or changes its mapping and back.
  void change_code() {
    const auto words = static_cast<std::uint32_t>(program_.words().size());
    const GuestAddr at = program_.start() + 4 * below(words);
    const std::uint32_t word = program_.words()[below(words)];
    const bool remap = chance(30);
    pair_.both([&](MipsMachine& machine) {
      if (remap) {
        const GuestAddr page(at.value() & ~page_mask);
        EXPECT_TRUE(machine.memory.protect(page, page_size, {.write = true}));
        EXPECT_TRUE(machine.memory.protect(page, page_size, MipsMachine::all));
      }
      std::array<std::uint8_t, 4> bytes;
      store_bytes(bytes.data(), word, endian_);
      EXPECT_TRUE(machine.memory.write_bytes(at, bytes));
    });
  }

  std::mt19937 random_;
  RandomProgram& program_;
  Endian endian_;
  Conduct conduct_;
  Pair pair_;
};

// Under a sanitizer, which makes the engines slow and looks for other mistakes, fewer cases do.
#ifdef __SANITIZE_ADDRESS__
constexpr std::uint32_t part_of_cases = 8;
#else
constexpr std::uint32_t part_of_cases = 1;
#endif

void compare(std::uint32_t cases, const Mix& mix, Conduct conduct, std::uint32_t longest_program) {
  for (std::uint32_t seed = 0; seed < cases / part_of_cases; ++seed) {
    const Endian endian = seed % 2 == 0 ? Endian::big : Endian::little;
    std::mt19937 random(seed);
    const std::size_t words = 2 + random() % (longest_program - 1);
    // Half of the programs cross a page.
    const GuestAddr start(0x40'0000 + (seed / 2 % 2 == 0 ? 0 : page_size - words / 2 * 4));
    RandomProgram program(seed, mix, start, words);
    conduct.timing = pipelines[seed / 4 % pipelines.size()];
    LockStep lock_step(seed, program, mix, endian, conduct);
    if (!lock_step.run()) {
      FAIL() << "seed " << seed << ", " << words << " words, " << conduct.timing;
    }
  }
}

TEST(LockStep, StraightLines) {
  compare(600, Mix{.branches = 0, .multiply = 20}, Conduct{}, 40);
}

TEST(LockStep, Loops) {
  compare(800, Mix{.branches = 30}, Conduct{}, 30);
}

TEST(LockStep, LongPrograms) {
  compare(60, Mix{}, Conduct{.longest_slice = 3000, .instructions = 8000}, 900);
}

TEST(LockStep, TinySlices) {
  compare(400, Mix{.branches = 25, .floating_point = 30, .multiply = 15},
          Conduct{.longest_slice = 8, .limit_percent = 0}, 60);
}

TEST(LockStep, Traps) {
  compare(1000, Mix{.branches = 20, .traps = 10, .register_jumps = 3}, Conduct{}, 80);
}

TEST(LockStep, BranchesInDelaySlots) {
  compare(500, Mix{.branches = 50, .traps = 5, .register_jumps = 5, .branch_in_slots = true},
          Conduct{}, 40);
}

TEST(LockStep, SelfModifyingCode) {
  compare(1000, Mix{.branches = 20, .traps = 3, .code_stores = 12}, Conduct{}, 60);
}

TEST(LockStep, CodeThatTheKernelChanges) {
  compare(500, Mix{.branches = 20, .code_stores = 5}, Conduct{.kernel_write_percent = 30}, 60);
}

// The other levels and modes, with everything in the mix.
TEST(LockStep, EveryLevelAndMode) {
  using mips::Level;
  const mips::Mode o32, fr{.fr = true}, n32{.operation_bits = 64, .fr = true},
      n64{.operation_bits = 64, .address_bits = 64, .fr = true};
  const std::pair<Level, mips::Mode> machines[] = {
      {Level::mips3, n32},   {Level::mips4, n64},  {Level::mips4, o32},    {Level::mips32r2, o32},
      {Level::mips32r2, fr}, {Level::mips64, n32}, {Level::mips64r2, n64}, {Level::mips64r2, n32}};
  for (const auto& [level, mode] : machines) {
    SCOPED_TRACE(mips::level_name(level));
    const Mix mix{.branches = 20,
                  .floating_point = 20,
                  .traps = 5,
                  .code_stores = 3,
                  .register_jumps = 3,
                  .level = level,
                  .mode = mode};
    compare(150, mix, Conduct{}, 60);
  }
}

// Caches so small that lines come and go all the time, with each policy.
MemoryDescription small_memory(std::uint32_t kind) {
  MemoryDescription memory;
  memory.l1i = {.size = 256, .ways = 1, .line = 16, .refill = 16, .miss_cycles = 7};
  memory.l1d = {.size = 128, .ways = 1, .line = 16, .refill = 16, .miss_cycles = 5};
  memory.memory_cycles = 20;
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

TEST(LockStep, Caches) {
  for (std::uint32_t kind = 0; kind < 6; ++kind) {
    SCOPED_TRACE(kind);
    const MemoryDescription memory = small_memory(kind);
    ASSERT_EQ(memory_mistake(memory), "");
    compare(200, Mix{.memory = 35, .branches = 20, .multiply = 12, .traps = 2, .code_stores = 2},
            Conduct{.kernel_write_percent = 5, .memory = &memory}, 80);
    compare(20, Mix{.memory = 35},
            Conduct{.longest_slice = 3000, .instructions = 8000, .memory = &memory}, 900);
  }
}

// RDHWR of the cycle counter is at the mercy of nothing but the cycle it runs in.
TEST(LockStep, CycleCounter) {
  for (const bool reference : {true, false}) {
    MipsMachine machine(Endian::big, support::with_r3000_timing("mips32r2"),
                        {.reference = reference});
    const std::array<std::uint32_t, 6> code = {
        0x0109'0018,  // mult t0,t1
        0x0000'1012,  // mflo v0, which waits for the product
        0x7c02'103b,  // rdhwr v0,hwr_cc
        0x1000'0002,  // b to the break
        0x7c03'103b,  // rdhwr v1,hwr_cc
        0x0000'000d,  // break, which is not reached
    };
    std::vector<std::uint8_t> bytes(4 * code.size() + 4);
    for (std::size_t i = 0; i < code.size(); ++i) store_bytes(&bytes[4 * i], code[i], Endian::big);
    store_bytes(&bytes[4 * code.size()], std::uint32_t{0x0000'000d}, Endian::big);
    machine.now = Cycles(1000);
    machine.load(GuestAddr(0x40'0000), bytes);
    EXPECT_EQ(machine.run().trap.kind, TrapKind::breakpoint);
    // Every second cycle counts (R4000 User's Manual, Count register): 13 cycles for the product.
    EXPECT_EQ(machine.registers().gpr[2], (1000u + 14) / 2);
    EXPECT_EQ(machine.registers().gpr[3], (1000u + 16) / 2);
  }
}

TEST(LockStep, WithoutAPipeline) {
  compare(300, Mix{.branches = 25, .traps = 5, .code_stores = 3}, Conduct{.functional = true}, 60);
}

}  // namespace
}  // namespace hardclock
