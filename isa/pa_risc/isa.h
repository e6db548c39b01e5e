// What the engine needs to know about PA-RISC.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "isa/instruction_word.h"
#include "isa/pa_risc/cpu.h"
#include "isa/pa_risc/machine.h"
#include "isa/pa_risc/pa_risc_decode.h"
#include "isa/pa_risc/registers.h"
#include "isa/undecoded.h"
#include "sim/engine/delay_slots.h"
#include "sim/memory/fault.h"
#include "sim/recording/recording.h"
#include "sim/timing/out_of_order.h"
#include "sim/timing/pipeline.h"
#include "sim/translator/block_source.h"

namespace hardclock::pa_risc {

class Isa {
 public:
  using CpuBase = pa_risc::CpuBase;
  using Interpreter = pa_risc::Interpreter;
  using Registers = pa_risc::Registers;
  using Text = InstructionWord;
  using Layout = InstructionWordLayout;
  static Result<Text, Fault> fetch(AddressSpace& memory, GuestAddr pc) {
    return fetch_word(memory, pc, Access::execute);
  }
  static InstructionText instruction_text(const AddressSpace& memory, Text text, GuestAddr pc) {
    return text_of_word(text, pc, memory.endian());
  }
  using Sequencing = DelaySlots<DelaySlotRules{.instruction_bytes = sizeof(Text),
                                               .slot_restarts_at_branch = false,
                                               .carries_nullification = true,
                                               .not_of_address = Registers::privilege_bits}>;

  // What is known of an instruction, but its timing.
  struct Facts {
    Interpreter::Op op;
    bool is_branch = false;         // a delay slot follows
    bool may_nullify = false;       // the next instruction
    bool always_nullifies = false;  // the delay slot
    bool always_traps = false;      // BREAK, privileged instructions, the kernel's gateway
    bool reads_clock = false;       // MFCTL of the interval timer
    bool touches_memory = false;
    bool stores = false;
    // For a branch: how the target becomes known, and whether it is a call.
    OutOfOrderCore::Transfer transfer = OutOfOrderCore::Transfer::conditional;
    bool links = false;
  };
  struct Predecoded : Facts {
    InstructionTiming timing;
  };

  // `undecoded`: what the decoder of the chip passes over.
  explicit Isa(Level level, Mode mode = {}, std::vector<UndecodedBits> undecoded = {},
               Chip chip = Chip::other)
      : level_(level),
        mode_(mode),
        settings_(settings_of(level, mode)),
        undecoded_(std::move(undecoded)),
        chip_(chip) {}

  Interpreter interpreter(AddressSpace& memory) const {
    return Interpreter(memory, settings_, chip_);
  }
  // Instructions that the level does not have are illegal. Of those that are privileged, and of
  // GATE on the gateway page, the trap says what they are.
  Predecoded predecode(Text word, std::uint64_t pc) const;
  // The word, its place in its doubleword, and whether it is on the gateway page.
  using DecodeKey = std::array<std::uint64_t, 1>;
  DecodeKey decode_key(Text word, std::uint64_t pc) const {
    return {word | (pc & sizeof(Text)) << 32 | std::uint64_t{is_gateway(pc)} << 33};
  }
  bool operator==(const Isa&) const = default;
  // LDCW and LDCD are one access, or none.
  static bool may_split(Text word);
  // Of the stack: more, the more there is on it.
  static std::uint64_t stack_depth(std::uint64_t stack_pointer) { return stack_pointer; }
  static std::uint64_t stack_pointer(const Registers& registers) {
    return registers.gpr[Registers::stack_pointer];
  }
  // For the translator.
  GuestMode guest_mode() const;
  Recording recording(Text word, std::uint64_t pc) const;
  // Whether all registers are as guest_mode() says.
  bool holds_words(const Registers& registers) const;

 private:
  bool is_gateway(std::uint64_t pc) const {
    return GuestAddr(pc & ~page_mask) == mode_.gateway_page;
  }

  Level level_;
  Mode mode_;
  Settings settings_;
  std::vector<UndecodedBits> undecoded_;
  Chip chip_;
};

// What the instruction of this word does, as its body tells the Recorder. The word must be that of
// an instruction.
Recording record(std::uint32_t word, const Settings& settings = {});

// The timing class (the pattern's, except where operands decide) and the registers that an
// instruction waits for or makes others wait for. The status register's rounding mode and sticky
// flags are left out: they collect without an interlock.
InstructionTiming timing_of(const Instruction& instruction, const Recording& recording);

}  // namespace hardclock::pa_risc
