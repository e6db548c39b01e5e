// One instruction, twice: by the Interpreter, and by evaluating its recording. Everything that a
// program can see has to be the same.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <ios>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/endian.h"
#include "sim/base/units.h"
#include "sim/memory/address_space.h"
#include "sim/recording/evaluate.h"
#include "sim/recording/memory_access.h"
#include "sim/recording/recording.h"
#include "sim/recording/trap.h"
#include "tests/support/part_of_cases.h"
#include "tests/support/random_choices.h"

namespace hardclock {

// What instructions came to, by kind: whether the cases were all that they should be.
struct Outcomes {
  std::map<TrapKind, unsigned> traps;
  std::map<Fault::Kind, unsigned> faults;
  unsigned completed = 0, taken = 0, nullified = 0;
};

// Expects that some instructions completed, branched, took each of these traps and had each fault
// of memory, and that some were nullified if the instruction set `nullifies`. When only a part of
// the cases runs, nothing is expected.
void expect_all_kinds(const Outcomes& outcomes, std::span<const TrapKind> traps, bool nullifies);

template <class Registers>
class PlainFile final : public RegistersByNumber<Registers> {
 public:
  PlainFile(Registers& registers, AddressSpace&) : RegistersByNumber<Registers>(registers) {}
};

// Isa: one that an engine can run. Registers must have get(registers, resource).
// File: the RegisterFile by which registers beside a memory are evaluated.
template <class Isa, class File = PlainFile<typename Isa::Registers>>
class EvaluationBench {
 public:
  using Registers = typename Isa::Registers;

  static constexpr std::uint64_t pc = 0x40'0000;
  // Memory: what can be read and written, then only read, only written, nothing.
  static constexpr std::uint64_t start = 0x1000'0000, zone = 0x2'0000;
  static constexpr std::uint64_t user_end = 0x8000'0000;

  EvaluationBench(const Isa& isa, Endian order, std::uint32_t seed)
      : isa_(isa),
        order_(order),
        choices_(seed),
        interpreted_(make_memory(order)),
        evaluated_(make_memory(order)),
        machine_(isa_.interpreter(*interpreted_)) {
    std::vector<std::uint8_t> bytes(3 * zone);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(choices_.any_word());
    for (AddressSpace* memory : {interpreted_.get(), evaluated_.get()}) {
      CHECK(memory->initialize(GuestAddr(start), bytes).ok());
    }
  }

  // An address near which something can happen, for a base register: mostly in memory.
  std::uint64_t address() {
    static constexpr std::uint64_t centres[] = {start + zone / 2,
                                                start + zone / 2,
                                                start + zone / 2,
                                                start + zone / 2,
                                                start + zone,
                                                start,
                                                start + 3 * zone / 2,
                                                start + 5 * zone / 2,
                                                start + 3 * zone,
                                                user_end,
                                                0};
    const std::uint64_t centre = centres[choices_.below(std::size(centres))];
    const std::uint64_t near = centre + 8 * choices_.below(16) - 64;
    return choices_.chance(75) ? near : near + choices_.below(8);
  }

  // A number for a register: often an address, now and then a small multiple of 8, else `other()`.
  template <class Other>
  std::uint64_t number(support::RandomChoices& choices, Other other) {
    if (choices.chance(45)) {
      const std::uint64_t near = address();
      return choices.chance(10) ? near | std::uint64_t{choices.any_word()} << 32 : near;
    }
    return choices.chance(25) ? 8 * choices.below(16) : other();
  }

  // `cases` times, or a part of them, with the registers that states.next(*this, word) gives.
  template <class States>
  void compare(const char* name, std::uint32_t word, const typename Isa::Predecoded& instruction,
               const Recording& recording, States& states, std::uint32_t cases) {
    SCOPED_TRACE(testing::Message() << name << " 0x" << std::hex << word);
    for (std::uint32_t i = 0; i < cases; i += support::part_of_cases) {
      compare(word, instruction, recording, states.next(*this, word));
    }
  }

  // The recording is of the predecoded instruction.
  void compare(std::uint32_t word, const typename Isa::Predecoded& instruction,
               const Recording& recording, const Registers& before) {
    const Place place{pc, choices_.chance(75) ? pc + 8 : choices_.any_word() & ~3u,
                      Cycles(choices_.corner_doubleword())};
    const std::optional<MemoryAccess> told = told_access(recording, place, before);
    put_code(word);
    machine_.set_clock(place.now);
    machine_.registers() = before;
    machine_.run(&instruction.op, &instruction.op + 1, pc, place.after_slot);
    std::optional<Trap> trap;
    if (machine_.gave_up()) trap = machine_.take_end();
    const bool nullified = machine_.take_nullified();

    Registers after = before;
    File file(after, *evaluated_);
    const Evaluated evaluated = evaluate(recording, place, file, *evaluated_, order_);
    if constexpr (tells_accesses) expect_within(told, recording, evaluated.trap);

    EXPECT_EQ(describe(trap), describe(evaluated.trap));
    expect_equal(machine_.registers(), after);
    if (!trap && !evaluated.trap) {
      EXPECT_EQ(machine_.taken(), evaluated.taken);
      EXPECT_EQ(machine_.after_slot(), evaluated.after_slot);
      EXPECT_EQ(nullified, evaluated.nullified);
    }
    // Memory that differs once differs from then on.
    if (recording.has(Operation::store) || choices_.chance(1)) compare_memory();
    count(trap, nullified);
  }

  const Outcomes& outcomes() const { return outcomes_; }

 private:
  static constexpr bool tells_accesses = std::is_same_v<File, PlainFile<Registers>>;

  // To look changes nothing: both memories are still the same.
  std::optional<MemoryAccess> told_access(const Recording& recording, Place place,
                                          Registers registers) {
    if constexpr (tells_accesses) {
      File file(registers, *evaluated_);
      const auto told = access_of(recording, place, file, *evaluated_, order_);
      if (recording.has(Operation::store) && choices_.chance(10)) compare_memory();
      return told;
    }
    return std::nullopt;
  }
  static void expect_within(const std::optional<MemoryAccess>& told, const Recording& recording,
                            const std::optional<Trap>& trap) {
    const bool faulted = trap && trap->kind == TrapKind::memory;
    ASSERT_TRUE(told || !faulted);
    if (!told) return;
    if (faulted) {
      EXPECT_LT(trap->fault.address.value() - told->address.value(), told->size);
    }
    EXPECT_EQ(told->size, recording.bytes_accessed());
    if (!trap) {
      EXPECT_EQ(told->writes, recording.has(Operation::store));
    }
  }

  static std::unique_ptr<AddressSpace> make_memory(Endian order) {
    auto memory = std::make_unique<AddressSpace>(
        std::make_shared<MemoryBudget>(std::uint64_t{1} << 24), order, GuestAddr(user_end));
    const auto map = [&](std::uint64_t at, std::uint64_t size, Permissions permissions) {
      CHECK(memory->map(GuestAddr(at), size, permissions, "zone").ok());
    };
    map(pc, page_size, {.read = true, .execute = true});
    map(start, zone, {.read = true, .write = true});
    map(start + zone, zone, {.read = true});
    map(start + 2 * zone, zone, {.write = true});
    return memory;
  }

  // Only an interpreter that looks for it finds it there.
  void put_code(std::uint32_t word) {
    if (word == word_) return;
    word_ = word;
    std::array<std::uint8_t, 4> bytes{};
    store_bytes(bytes.data(), word, order_);
    CHECK(interpreted_->initialize(GuestAddr(pc), bytes).ok());
  }

  static std::string describe(const std::optional<Trap>& trap) {
    if (!trap) return "none";
    std::string text = "trap " + std::to_string(static_cast<int>(trap->kind)) + " code " +
                       std::to_string(trap->code);
    if (trap->kind != TrapKind::memory) return text;
    return text + " fault " + std::to_string(static_cast<int>(trap->fault.kind)) + " access " +
           std::to_string(static_cast<int>(trap->fault.access)) + " at " +
           std::to_string(trap->fault.address.value());
  }

  static void expect_equal(const Registers& interpreted, const Registers& evaluated) {
    if (interpreted == evaluated) return;
    for (Resource r = 0; r < 1024; ++r) {
      EXPECT_EQ(get(interpreted, r), get(evaluated, r)) << "register number " << r;
    }
    ADD_FAILURE() << "registers differ";
  }

  void compare_memory() {
    for (const std::uint64_t at : {start, start + 2 * zone}) {
      for (std::uint64_t page = at; page < at + zone; page += page_size) {
        const auto of = [page](AddressSpace& memory) {
          return *memory.translate(GuestAddr(page), 1, Access::write);
        };
        const std::uint8_t *const a = of(*interpreted_), *const b = of(*evaluated_);
        EXPECT_TRUE(std::equal(a, a + page_size, b)) << "memory at 0x" << std::hex << page;
      }
    }
  }

  void count(const std::optional<Trap>& trap, bool nullified) {
    if (trap) {
      ++outcomes_.traps[trap->kind];
      if (trap->kind == TrapKind::memory) ++outcomes_.faults[trap->fault.kind];
      return;
    }
    ++outcomes_.completed;
    outcomes_.taken += machine_.taken() ? 1 : 0;
    outcomes_.nullified += nullified ? 1 : 0;
  }

  Isa isa_;
  Endian order_;
  support::RandomChoices choices_;
  std::unique_ptr<AddressSpace> interpreted_, evaluated_;
  typename Isa::Interpreter machine_;
  std::uint32_t word_ = 0;
  Outcomes outcomes_;
};

}  // namespace hardclock
