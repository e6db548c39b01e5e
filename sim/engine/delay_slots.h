// How control moves on processors with delay slots: the instruction behind a branch runs before the
// branch's target does, and an instruction may nullify the next one. This is the sequencing part of
// the engine (engine.h) for MIPS and PA-RISC. It knows registers and blocks, but no time.
// Sources: Kane and Heinrich, "MIPS RISC Architecture" (1992), sections 1 and 6 (EPC and the BD
// bit); "PA-RISC 1.1 Architecture and Instruction Set Reference Manual", 3rd edition (1994),
// chapter 4 (the instruction address queues and the PSW's N bit).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "sim/engine/transfer_way.h"
#include "sim/state/archive.h"
#include "sim/timing/out_of_order.h"
#include "sim/timing/pipeline_clock.h"

namespace hardclock {

struct DelaySlotRules {
  std::uint64_t instruction_bytes = 0;
  // An interrupt before a delay slot reports the branch (MIPS), or the slot (PA-RISC).
  bool slot_restarts_at_branch = false;
  // An interrupt can come between an instruction and the next one, which it nullifies, and finds
  // that one (PA-RISC).
  bool carries_nullification = false;
  // Bits of an indirect jump's target that are no part of the address (PA-RISC: a privilege level).
  std::uint64_t not_of_address = 0;
};

// Registers must have pc, next_pc, in_delay_slot and set_pc(), and `nullify` if nullification is
// carried.
template <DelaySlotRules rules>
struct DelaySlots {
  static constexpr std::uint64_t bytes = rules.instruction_bytes;
  // A slot lies so far behind its transfer of control.
  static constexpr std::uint64_t slot_distance = bytes;
  // Whether a nullified instruction goes through an out-of-order core's window as others do.
  static constexpr bool issues_nullified = rules.carries_nullification;

  // How a block ends.
  struct BlockEnd {
    // The last two are a transfer of control and its delay slot, or an instruction that may nullify
    // the next one and that one.
    bool with_slot = false;
    bool with_delay_slot = false;  // with_slot, and a transfer of control before it
    bool slot_may_be_nullified = false;
    // The last instruction is a transfer of control whose delay slot has to be stepped: it
    // transfers control itself, traps or cannot be fetched.
    bool slot_stepped_separately = false;
  };

  // Decides where a block ends while it is made, instruction by instruction.
  template <class Instruction>
  class BlockShape {
   public:
    // Whether the block may end before the next instruction.
    bool may_end() const { return !slot_next_; }
    // The same, if need be: only a delay slot has to be in the block of its transfer of control.
    bool may_be_cut() const { return !slot_next_ || !last_->is_branch; }
    bool accepts(const Instruction& next) const { return !slot_next_ || fits_slot(next); }
    // Takes the next instruction, which must be accepted and outlive this. Returns whether the
    // block is complete.
    bool add(const Instruction& next) {
      if (slot_next_) {
        end_.with_slot = true;
        end_.with_delay_slot = last_->is_branch;
        end_.slot_may_be_nullified = last_->may_nullify;
        return true;
      }
      last_ = &next;
      slot_next_ = next.is_branch || next.may_nullify;
      if (next.always_traps) return true;
      return false;
    }
    BlockEnd end() const {
      BlockEnd end = end_;
      end.slot_stepped_separately = slot_next_ && last_->is_branch && !end_.with_slot;
      return end;
    }

   private:
    // Whether an instruction can end a block behind `last_`, which transfers control or may nullify
    // it.
    bool fits_slot(const Instruction& slot) const {
      if (last_->always_nullifies) return true;
      return !slot.is_branch && !slot.always_traps && (last_->is_branch || !slot.may_nullify);
    }

    const Instruction* last_ = nullptr;
    bool slot_next_ = false;
    BlockEnd end_;
  };

  // What a pipeline needs to know of a block's end; `timed` has its instructions.
  static void describe_end(const BlockEnd& end, TimedBlock::Rest& timed) {
    timed.last_may_be_nullified = end.slot_may_be_nullified;
    if (end.with_slot) timed.followed = timed.instructions.rbegin()[1]->timing_class;
  }
  // Where control goes from a block when it is not transferred.
  template <class Block>
  static std::uint64_t continues_at(const Block& block) {
    return block.fall_through() + (block.end.slot_stepped_separately ? bytes : 0);
  }
  // Whether the block's last instruction is the slot of the one before it.
  template <class Block>
  static bool has_slot(const Block& block) {
    return block.end.with_slot;
  }
  // Whether what comes behind the block does not depend on how it was left.
  template <class Block>
  static bool ends_by_itself(const Block& block) {
    return !block.end.slot_stepped_separately;
  }
  // The pc that a tick at instruction `index` of a block is charged to.
  template <class Block>
  static std::uint64_t charged_pc(const Block& block, std::size_t index) {
    const bool is_slot = block.end.with_slot && index + 1 == block.size();
    return block.pc_of(is_slot && rules.slot_restarts_at_branch ? index - 1 : index);
  }
  // The pc that a tick is charged to in the cycles of a block's last instruction when that one is
  // nullified.
  template <class Block>
  static std::uint64_t nullified_pc(const Block& block) {
    return rules.carries_nullification ? block.pc_of(block.size() - 1) : block.fall_through();
  }

  // A transfer of control whose delay slot has passed: the pipeline follows it.
  struct Transfer {
    std::uint8_t timing_class = 0;
    bool taken = false;
    MadeTransfer made{};  // if taken
  };

  // The block's transfer of control, if it has run when the whole block has, slot and all.
  template <class Block>
  static std::optional<std::size_t> transfer_in(const Block& block) {
    if (!block.end.with_delay_slot) return std::nullopt;
    return block.size() - 2;
  }
  // How many of the last instructions of a block with that end are delay slots.
  static std::size_t slots_of(const BlockEnd& end) { return end.with_delay_slot ? 1 : 0; }
  // Where a call at `pc` comes back to.
  static std::uint64_t comes_back_to(std::uint64_t pc) { return pc + 2 * bytes; }
  // Where an indirect jump to `value` goes.
  static std::uint64_t target_of(std::uint64_t value) { return value & ~rules.not_of_address; }

  // Follows control through the registers of one processor.
  class Sequencer {
   public:
    // Whether the instruction at the pc begins a straight line.
    template <class Registers>
    bool begins_line(const Registers& registers) const {
      return !registers.in_delay_slot && registers.next_pc == registers.pc + bytes &&
             !skips(registers);
    }
    // Whether the instruction at the pc does not take place.
    template <class Registers>
    bool skips(const Registers& registers) const {
      if constexpr (rules.carries_nullification) return registers.nullify;
      return false;
    }

    // ---- Blocks.
    // How a block was left whose last instruction took place, or was nullified.
    template <class Block, class Interpreter>
    BlockExit exit_of(const Block& block, const Interpreter& interpreter, bool nullified) const {
      const bool taken = block.end.with_slot && interpreter.taken();
      if (nullified) return taken ? BlockExit::taken_nullified : BlockExit::nullified;
      return taken ? BlockExit::taken : BlockExit::straight;
    }
    // The whole block has run.
    template <class Block, class Interpreter>
    void leave(const Block& block, Interpreter& interpreter) {
      if (block.end.slot_stepped_separately) [[unlikely]]
        enter_slot(block, block.fall_through(), interpreter);
      else
        interpreter.registers().set_pc(interpreter.after_slot());
    }
    // Instruction `index` of the block is the next one, after all.
    template <class Block, class Interpreter>
    void stand_at(const Block& block, std::size_t index, Interpreter& interpreter) {
      const std::uint64_t pc = block.pc_of(index);
      if (block.end.with_delay_slot && index + 1 == block.size())
        enter_slot(block, pc, interpreter);
      else
        interpreter.registers().set_pc(pc);
    }

    // ---- Single instructions.
    // Where control goes from the instruction at the pc when it is not transferred.
    template <class Registers>
    std::uint64_t continues_at(const Registers& registers) const {
      return registers.next_pc + bytes;
    }
    // The instruction at the pc has run. Returns the transfer that it was the delay slot of.
    template <class Interpreter, class Instruction>
    std::optional<Transfer> advance(Interpreter& interpreter, const Instruction& instruction) {
      const std::uint64_t pc = interpreter.registers().pc;
      std::optional<Transfer> passed = move_on(interpreter.registers(), interpreter.after_slot());
      if (!instruction.is_branch) return passed;
      interpreter.registers().in_delay_slot = true;
      transfer_ = Transfer{
          instruction.timing->timing_class, interpreter.taken(), {way_of(instruction), pc}};
      return passed;
    }
    // The instruction at the pc did not take place; returns as advance() does.
    template <class Registers>
    std::optional<Transfer> skip(Registers& registers) {
      if constexpr (rules.carries_nullification) registers.nullify = false;
      return move_on(registers, registers.next_pc + bytes);
    }
    // The last instruction nullified the one that is now at the pc. True: control passes it at
    // once, so that an interrupt in its cycles finds what follows it. False: the registers say so,
    // and skips() will.
    template <class Registers>
    bool pass_nullified(Registers& registers) const {
      if constexpr (rules.carries_nullification) {
        registers.nullify = true;
        return false;
      } else {
        registers.set_pc(registers.pc + bytes);
        return true;
      }
    }
    // What an out-of-order core is told of a transfer, at `pc`, that has run and has not been
    // advanced over.
    template <class Interpreter>
    void describe(Interpreter& interpreter, std::uint64_t pc, bool nullified,
                  OutOfOrderCore::Resolution& outcome) const {
      outcome.taken = interpreter.taken();
      outcome.target = interpreter.after_slot();
      outcome.return_address = pc + 2 * bytes;
      // Where nullification is carried the slot goes through the window as well.
      outcome.slots = nullified && !rules.carries_nullification ? 0 : 1;
    }

    template <class Registers>
    void archive(Archive& to, const Registers& registers) {
      auto& [transfer] = *this;
      const bool is_known = to.value(registers.in_delay_slot && transfer);
      if (to.loads() && is_known) transfer.emplace();
      if (is_known) to.state(transfer->timing_class, transfer->taken);
    }

   private:
    // The block's transfer of control has run; its delay slot, at `slot`, is next.
    template <class Block, class Interpreter>
    void enter_slot(const Block& block, std::uint64_t slot, Interpreter& interpreter) {
      auto& registers = interpreter.registers();
      registers.set_pc(slot);
      registers.in_delay_slot = true;
      registers.next_pc = interpreter.after_slot();
      const std::size_t behind = block.end.slot_stepped_separately ? 1 : 2;
      const std::size_t index = block.size() - behind;
      const auto& branch = *block.rest->code->instructions[index];
      transfer_ = Transfer{
          branch.timing->timing_class, interpreter.taken(), {way_of(branch), block.pc_of(index)}};
    }
    // `then` comes after the next instruction.
    template <class Registers>
    std::optional<Transfer> move_on(Registers& registers, std::uint64_t then) {
      std::optional<Transfer> passed;
      if (registers.in_delay_slot) passed = transfer_;
      transfer_.reset();
      registers.pc = registers.next_pc;
      registers.next_pc = then;
      registers.in_delay_slot = false;
      return passed;
    }

    std::optional<Transfer> transfer_;  // whose delay slot is stepped next
  };
};

}  // namespace hardclock
