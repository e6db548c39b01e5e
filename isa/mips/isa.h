// What the engine needs to know about MIPS.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "isa/instruction_word.h"
#include "isa/mips/chip.h"
#include "isa/mips/cpu.h"
#include "isa/mips/machine.h"
#include "isa/mips/mips_decode.h"
#include "isa/mips/registers.h"
#include "sim/base/check.h"
#include "sim/base/endian.h"
#include "sim/engine/delay_slots.h"
#include "sim/memory/fault.h"
#include "sim/recording/recording.h"
#include "sim/timing/out_of_order.h"
#include "sim/timing/pipeline.h"
#include "sim/translator/block_source.h"

namespace hardclock::mips {

// Words that differ in nothing but the value of a number (a displacement, an immediate operand or a
// target) give the same.
std::uint32_t without_number(std::uint32_t word);

class Isa {
 public:
  using CpuBase = mips::CpuBase;
  using Interpreter = mips::Interpreter;
  using Registers = mips::Registers;
  using Text = InstructionWord;
  using Layout = InstructionWordLayout;
  // The TLB of these processors has no execute permission: what can be read can run.
  static Result<Text, Fault> fetch(AddressSpace& memory, GuestAddr pc) {
    return fetch_word(memory, pc, Access::read);
  }
  static InstructionText instruction_text(const AddressSpace& memory, Text text, GuestAddr pc) {
    return text_of_word(text, pc, memory.endian());
  }
  using Sequencing = DelaySlots<DelaySlotRules{.instruction_bytes = sizeof(Text),
                                               .slot_restarts_at_branch = true,
                                               .carries_nullification = false}>;

  // What is known of an instruction, but its timing.
  struct Facts {
    Interpreter::Op op;
    bool is_branch = false;    // a delay slot follows
    bool may_nullify = false;  // a branch likely: the delay slot
    static constexpr bool always_nullifies = false;
    bool always_traps = false;  // SYSCALL, BREAK, reserved instructions
    bool reads_clock = false;   // RDHWR of the cycle counter
    bool touches_memory = false;
    bool stores = false;
    // For a branch: how the target becomes known, and whether it is a call.
    OutOfOrderCore::Transfer transfer = OutOfOrderCore::Transfer::conditional;
    bool links = false;
  };
  struct Predecoded : Facts {
    InstructionTiming timing;
  };

  // Instructions that `level` does not have, or that need 64-bit operations or FR = 1 in a mode
  // without, are reserved on this processor, unless the chip adds them.
  explicit Isa(Level level, Mode mode = {}, Chip chip = {}, Endian data_order = Endian::big)
      : level_(level),
        mode_(mode),
        settings_(settings_of(level, mode, chip, data_order)),
        chip_(std::move(chip)) {}

  // The memory must have the order of data that this was made with.
  Interpreter interpreter(AddressSpace& memory) const {
    CHECK((memory.endian() == Endian::big) == settings_.big_endian);
    return Interpreter(memory, mode_, level_, chip_);
  }
  Predecoded predecode(Text word, std::uint64_t pc) const;
  // A number is in the operands only.
  using DecodeKey = std::array<std::uint64_t, 1>;
  DecodeKey decode_key(Text word, std::uint64_t) const {
    return {without_number(chip_.decoded_word(word))};
  }
  Operands operands(Text word) const { return decode(chip_.decoded_word(word)).operands; }
  bool operator==(const Isa&) const = default;
  // LL and SC and those of doublewords are one access, or none.
  static bool may_split(Text word);
  // Of the stack: more, the more there is on it.
  std::uint64_t stack_depth(std::uint64_t stack_pointer) const {
    if (mode_.address_bits == 32) return ~static_cast<std::uint32_t>(stack_pointer);
    return ~stack_pointer;
  }
  static std::uint64_t stack_pointer(const Registers& registers) {
    return registers.gpr[Registers::stack_pointer];
  }
  // For the translator.
  GuestMode guest_mode() const;
  Recording recording(Text word, std::uint64_t pc) const;
  // Whether all registers are as guest_mode() says.
  bool holds_words(const Registers& registers) const;

  std::uint32_t slow_instruction_cycles() const { return chip_.sign_extension_cycles; }

 private:
  bool is_reserved(Opcode opcode) const;

  Level level_;
  Mode mode_;
  Settings settings_;
  Chip chip_;
};

// What the instruction of this word does, as its body tells the Recorder. The word must be that of
// an instruction.
Recording record(std::uint32_t word, const Settings& settings = {});

// The registers that hold an instruction up or that it makes others wait for. FCSR's rounding mode
// and sticky flags are left out, which collect without an interlock; and the address of the
// reservation, which goes with it.
InstructionTiming timing_of(const Instruction& instruction, const Recording& recording);

}  // namespace hardclock::mips
