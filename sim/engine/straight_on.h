// How control moves on processors without delay slots: from an instruction to the next, or where a
// branch says. This is the sequencing part of the engine (engine.h), as delay_slots.h is for other
// processors. A part of engine.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "sim/engine/pipeline_clock.h"
#include "sim/timing/out_of_order.h"

namespace hardclock {

// Layout is that of instruction_layout.h. Rules::charged(pc) is the pc that a tick at the
// instruction of this pc is charged to. Registers must have pc and set_pc().
template <class Layout, class Rules>
struct StraightOn {
  static constexpr bool issues_nullified = false;

  // How a block ends.
  struct BlockEnd {
    bool with_branch = false;  // the last instruction
  };

  // Decides where a block ends while it is made: a block has no more than one branch, its last.
  template <class Predecoded>
  class BlockShape {
   public:
    bool may_end() const { return true; }
    bool accepts(const Predecoded&) const { return true; }
    bool add(const Predecoded& next) {
      end_.with_branch = next.is_branch;
      return next.is_branch || next.always_traps;
    }
    BlockEnd end() const { return end_; }

   private:
    BlockEnd end_;
  };

  // What a pipeline needs to know of a block's end; `timed` has its instructions.
  static void describe_end(const BlockEnd& end, TimedBlock::Rest& timed) {
    if (end.with_branch) timed.followed = timed.instructions.back()->timing_class;
  }
  template <class Block>
  static std::uint64_t continues_at(const Block& block) {
    return block.fall_through();
  }
  template <class Block>
  static std::uint64_t charged_pc(const Block& block, std::size_t index) {
    return Rules::charged(block.pc_of(index));
  }
  // Nothing is nullified.
  template <class Block>
  static std::uint64_t nullified_pc(const Block& block) {
    return Rules::charged(block.fall_through());
  }

  struct Transfer {
    std::uint8_t timing_class = 0;
    bool taken = false;
  };

  class Sequencer {
   public:
    template <class Registers>
    bool begins_line(const Registers&) const {
      return true;
    }
    template <class Registers>
    bool skips(const Registers&) const {
      return false;
    }

    // ---- Blocks.
    template <class Block, class Interpreter>
    BlockExit exit_of(const Block&, const Interpreter& interpreter, bool) const {
      return interpreter.taken() ? BlockExit::taken : BlockExit::straight;
    }
    template <class Block, class Interpreter>
    void leave(const Block&, Interpreter& interpreter) {
      interpreter.registers().set_pc(interpreter.after_slot());
    }
    // Instruction `index` of the block is the next one, after all.
    template <class Block, class Interpreter>
    void stand_at(const Block& block, std::size_t index, Interpreter& interpreter) {
      interpreter.registers().set_pc(block.pc_of(index));
    }

    // ---- Single instructions.
    template <class Registers>
    std::uint64_t continues_at(const Registers& registers) const {
      return Layout::after(registers.pc, 1);
    }
    template <class Interpreter, class Predecoded>
    std::optional<Transfer> advance(Interpreter& interpreter, const Predecoded& instruction) {
      interpreter.registers().set_pc(interpreter.after_slot());
      if (!instruction.is_branch) return std::nullopt;
      return Transfer{instruction.timing.timing_class, interpreter.taken()};
    }
    template <class Registers>
    std::optional<Transfer> skip(Registers&) {
      return std::nullopt;
    }
    template <class Registers>
    bool pass_nullified(Registers&) const {
      return false;
    }
    template <class Interpreter>
    void describe(Interpreter& interpreter, std::uint64_t pc, bool,
                  OutOfOrderCore::Resolution& outcome) const {
      outcome.taken = interpreter.taken();
      outcome.target = interpreter.after_slot();
      outcome.return_address = Layout::after(pc, 1);
      outcome.slots = 0;
    }
  };
};

}  // namespace hardclock
