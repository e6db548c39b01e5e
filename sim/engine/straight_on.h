// How control moves on processors without delay slots: from an instruction to the next, or where a
// branch says. This is the sequencing part of the engine (engine.h), as delay_slots.h is for other
// processors. A part of engine.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "sim/engine/transfer_way.h"
#include "sim/state/archive.h"
#include "sim/timing/out_of_order.h"
#include "sim/timing/pipeline.h"
#include "sim/timing/pipeline_clock.h"
#include "sim/timing/two_level_predictor.h"

namespace hardclock {

// Layout is that of instruction_layout.h. Rules::charged(pc) is the pc that a tick at the
// instruction of this pc is charged to, Rules::comes_back_to(pc) where a call there comes back to.
// Registers must have pc and set_pc().
template <class Layout, class Rules>
struct StraightOn {
  static constexpr bool issues_nullified = false;
  static constexpr std::uint64_t slot_distance = 0;  // there are no slots

  // How a block ends.
  struct BlockEnd {
    bool with_branch = false;  // the last instruction
    // Of InstructionTiming: the branch's.
    bool may_be_overruled = false;
    bool predicted_taken = false;
  };

  // Decides where a block ends while it is made: a block has no more than one branch, its last.
  template <class Instruction>
  class BlockShape {
   public:
    bool may_end() const { return true; }
    bool may_be_cut() const { return true; }
    bool accepts(const Instruction&) const { return true; }
    bool add(const Instruction& next) {
      end_.with_branch = next.is_branch;
      end_.may_be_overruled = next.is_branch && next.timing->may_be_overruled;
      end_.predicted_taken = next.timing->predicted_taken;
      return next.is_branch || next.always_traps;
    }
    BlockEnd end() const { return end_; }

   private:
    BlockEnd end_;
  };

  // What a pipeline needs to know of a block's end; `timed` has its instructions.
  static void describe_end(const BlockEnd& end, TimedBlock::Rest& timed) {
    if (end.with_branch) timed.followed = timed.instructions.back()->timing_class;
    timed.may_be_overruled = end.may_be_overruled;
  }
  template <class Block>
  static std::uint64_t continues_at(const Block& block) {
    return block.fall_through();
  }
  template <class Block>
  static bool has_slot(const Block&) {
    return false;
  }
  template <class Block>
  static bool ends_by_itself(const Block&) {
    return true;
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
    bool overruled = false;  // the predictor had said the opposite of what the branch says
    MadeTransfer made{};     // if taken
  };

  // The block's transfer of control.
  template <class Block>
  static std::optional<std::size_t> transfer_in(const Block& block) {
    if (!block.end.with_branch) return std::nullopt;
    return block.size() - 1;
  }
  static std::size_t slots_of(const BlockEnd&) { return 0; }
  static std::uint64_t comes_back_to(std::uint64_t pc) { return Rules::comes_back_to(pc); }
  static std::uint64_t target_of(std::uint64_t value) { return value; }

  class Sequencer {
   public:
    // Nullptr: branches do as they say of themselves, or are mispredicted.
    void predict_with(std::unique_ptr<TwoLevelPredictor> predictor) {
      predictor_ = std::move(predictor);
    }
    // Null: there is none.
    TwoLevelPredictor* predictor() const { return predictor_.get(); }

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
    BlockExit exit_of(const Block& block, const Interpreter& interpreter, bool) {
      const bool taken = interpreter.taken();
      if (block.end.may_be_overruled &&
          is_overruled(block.pc_of(block.size() - 1), block.end.predicted_taken, taken)) {
        return taken ? BlockExit::taken_overruled : BlockExit::overruled;
      }
      return taken ? BlockExit::taken : BlockExit::straight;
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
    template <class Interpreter, class Instruction>
    std::optional<Transfer> advance(Interpreter& interpreter, const Instruction& instruction) {
      const std::uint64_t pc = interpreter.registers().pc;
      interpreter.registers().set_pc(interpreter.after_slot());
      if (!instruction.is_branch) return std::nullopt;
      const InstructionTiming& timing = *instruction.timing;
      const bool taken = interpreter.taken();
      return Transfer{timing.timing_class,
                      taken,
                      timing.may_be_overruled && is_overruled(pc, timing.predicted_taken, taken),
                      {way_of(instruction), Rules::charged(pc)}};
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

    template <class Registers>
    void archive(Archive& to, const Registers&) {
      auto& [predictor] = *this;
      if (to.value(predictor != nullptr)) to.state(*predictor);
    }

   private:
    [[gnu::noinline]] bool is_overruled(std::uint64_t pc, bool hint, bool taken) {
      return predictor_ != nullptr && predictor_->predict(pc, hint, taken) != hint;
    }

    std::unique_ptr<TwoLevelPredictor> predictor_;
  };
};

}  // namespace hardclock
