// The class behind emit_block(). What it does is in block_emitter.cc (entry, instructions),
// block_ends.cc (transfers of control, edges) and rare_code.cc (exits, and what is apart from the
// block's own code).
#pragma once

#include <asmjit/x86.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/translator/access_emitter.h"
#include "sim/translator/block_emitter.h"
#include "sim/translator/floating_emitter.h"
#include "sim/translator/floating_match.h"
#include "sim/translator/recording_facts.h"
#include "sim/translator/register_writer.h"
#include "sim/translator/value_emitter.h"

namespace hardclock {

class BlockEmitter {
 public:
  BlockEmitter(asmjit::x86::Assembler& assembler, const BlockSource& source, const GuestMode& mode,
               const CommonCode& common, std::uint32_t first_exit, const Counters& counters,
               const std::vector<bool>& interpreted, EmittedBlock& emitted)
      : a_(assembler),
        source_(source),
        mode_(mode),
        common_(common),
        first_exit_(first_exit),
        counters_(counters),
        emitted_(emitted),
        values_(assembler, mode),
        floating_(assembler, mode),
        writer_(assembler, mode, values_, floating_),
        accesses_(assembler, mode, values_),
        within_(source.instructions.size()) {
    assembler.code()->newSection(&rare_, rare_section, SIZE_MAX, {}, 8);
    numbers_.reserve(size());
    interpreted_.reserve(size());
    cold_.reserve(usual_cold);
    for (std::size_t i = 0; i < size(); ++i) {
      const Recording& each = recording(i);
      interpreted_.push_back(interpreted[i] || !is_emittable(each, mode) ||
                             uses_exceptions(each, mode));
      numbers_.push_back(interpreted[i] ? std::nullopt : floating_instruction(each, mode));
    }
  }

  // Returns the instruction that could not be emitted, if there is one; its code is not complete.
  std::optional<std::size_t> emit();

  // Whether the block's end is of a kind that can be emitted.
  bool can_end() const;

 private:
  using Label = asmjit::Label;
  using Condition = ValueEmitter::Condition;

  struct Cold {
    Label label{};
    enum class Kind : std::uint8_t {
      access,
      leave,
      leave_charged,
      leave_slot,
      leave_uncharged,
      slow,
      slow_edge,
      late,
      late_skip,
      ran,
      fetch,
      run,
      transfer,
      predict,
      beside
    } kind;
    Label back{};
    std::uint32_t number = 0;
    std::size_t index = 0;
    AccessSite site{};
    Label leaves{};                       // if the engine says so
    BlockExit way = BlockExit::straight;  // of an edge
    std::optional<std::uint64_t> target{};
    std::optional<ValueEmitter::Undo> undo{};  // before it is left
    bool is_emitted = false;
  };

  // ---- How the block ends.
  using Target = std::optional<std::uint64_t>;  // nothing: it is in rax, or in its slot

  // A transfer whose registers have been written: what is not known of it is in its slots.
  struct Transferred {
    std::optional<bool> taken;
    Target target;
  };

  // A register that says how a comparison came out, whose operands are still what they were.
  struct Decided {
    std::size_t by = 0;  // the instruction
    StepIndex comparison = 0;
    const Step* write = nullptr;
    std::uint64_t if_true = 0, if_false = 0;
    // The host's flags say so, too, as long as no code follows. 0: they do not.
    std::size_t flags_end = 0;
    Condition flags{};
  };

  const Recording& recording(std::size_t i) const { return *source_.instructions[i].recording; }
  std::size_t size() const { return source_.instructions.size(); }
  // Of a transfer of control, or what may nullify the slot; size(): there is none.
  std::size_t first_of_end() const;
  // A slot that traps is always nullified.
  bool last_traps() const { return source_.last_traps && !source_.with_slot; }

  // ---- Entry and instructions.
  std::uint64_t begin_budget() const;
  std::uint32_t charged() const;
  // What the block may take longer, as a budget.
  std::uint64_t spare() const { return RunBudget::cycles(source_.longest - charged()); }
  bool issues_as_always() const;
  bool disturbs(std::size_t i, std::size_t restart) const;
  bool makes_implicit_accesses(std::size_t i) const;
  void enter();
  bool begins_line(std::size_t i) const;
  // The address of the line in which instruction i begins.
  std::uint64_t line_of(std::size_t i) const {
    return source_.pcs[i] >> mode_.fetch_shift << mode_.fetch_shift;
  }
  void ask_for_line(std::size_t i, std::size_t restart);
  // Whether it is an operation on floating-point registers.
  bool is_number(std::size_t i) const { return numbers_[i].has_value(); }
  void instruction(std::size_t i, std::size_t restart);
  bool is_open(std::size_t i) const;
  std::ptrdiff_t accesses_of(std::size_t i) const;
  bool is_interpreted(std::size_t i) const { return interpreted_[i]; }
  void floating(std::size_t i, std::size_t restart);
  void run_when(const Label& run, std::size_t i, std::size_t restart);
  bool may_be_asked_after(std::size_t i) const;
  void effects(std::size_t i, std::size_t restart);
  void trap_if(StepIndex condition, std::size_t restart);
  bool is_passed(std::size_t i, StepIndex condition);
  void forget_passed(std::size_t i);
  std::optional<Decided> decision_of(std::size_t i) const;
  void note_decided(std::size_t i, const std::optional<Decided>& made);
  bool decide(Decided& made);
  bool may_compare_again(const Recording& of, StepIndex comparison) const;
  bool changes_decided(const Recording& by) const;
  void slow_if(StepIndex at, std::size_t i, std::size_t restart);
  void slow_if_overflow(std::size_t i);
  bool notes_slow(std::size_t i) const { return source_.instructions[i].notes_slow; }
  void end_unless(StepIndex condition);
  void rare_if(const Step& step, std::size_t i, std::size_t restart);
  void beside_if(const Step& step, std::size_t i, std::size_t restart);
  AccessSite site_of(const Step& step, std::size_t i, std::size_t restart);
  // Cycles from when instruction i has issued, as AccessSite has them.
  std::uint32_t until_end(std::size_t i) const {
    return source_.longest - source_.instructions[i].issued;
  }
  void access(StepIndex k, std::size_t i, std::size_t restart);
  void interpret(std::size_t i, std::size_t restart);
  void run_one(std::size_t i, std::size_t restart);

  // ---- The block's end.
  void end(std::size_t first);
  std::optional<bool> known(const Step* effect) const;
  Target target_of(const Step* branch);
  Transferred transfer(std::size_t b, bool saves_operand);
  bool is_interpreted_transfer(std::size_t b) const;
  void interpreted_transfer(std::size_t b);
  void transfer_without_slot(std::size_t b);
  bool slot_can_go_first(std::size_t b) const;
  void transfer_with_slot(std::size_t b);
  void transfer_behind_slot(std::size_t b);
  void save_operand(std::size_t b);
  std::optional<Condition> decided_truth(const Recording& of, StepIndex condition);
  Condition truth_behind(StepIndex condition, const std::vector<RegisterWriter::Write>& writes);
  bool decides_once(std::size_t transfer) const;
  bool nullifies_if_not(const Step& branch, const Step& nullify) const;
  void transfer_that_nullifies(std::size_t b);
  void transfer_of_known_slot(std::size_t b, bool nullified, const Target& target);
  void nullifier_of_next(std::size_t b);
  void skip_next();
  void begin_transfer(std::size_t b);
  void end_transfer(std::size_t b);
  void save_truth(StepIndex condition, std::int32_t slot);
  void two_edges(std::optional<bool> taken, const Target& target, BlockExit straight,
                 BlockExit otherwise);
  void fork_edges(Condition taken, const Target& target, BlockExit straight, BlockExit otherwise);
  std::uint64_t correction(BlockExit way) const;
  bool is_mere_jump(BlockExit way) const;
  bool asks_for_slow() const;
  void predicted_edge(BlockExit way, const Target& target);
  void charged_edge(BlockExit way, std::uint64_t target, std::uint32_t lost, const Label& wrong);
  void leave_behind(BlockExit way, const Target& target);
  void edge(BlockExit way, const Target& target);
  asmjit::x86::Mem counter(std::uint32_t exit);
  bool is_noted(BlockExit way, const Target& target) const;
  void note(std::uint32_t exit, const Target& target);
  void direct_edge(std::uint32_t exit, std::optional<Condition> condition = std::nullopt);
  void jump_to_edge(std::uint32_t exit, const Label& leaves,
                    std::optional<Condition> condition = std::nullopt);
  void indirect_edge(std::uint32_t exit, PipelineStates::Id state);
  Target fall_through() const { return source_.continues_at; }

  // ---- Exits and what is rare.
  // Before instruction `index`, or at the transfer whose slot it is.
  Label leave_before(std::size_t index) { return way_out(index).first; }
  std::uint32_t exit_before(std::size_t index) { return way_out(index).second; }
  std::uint32_t new_exit(const EmittedExit& exit);
  // Counts how often the instruction was slow.
  std::uint32_t new_delayed(std::size_t i);
  CodePlace place_of(std::size_t offset) const;
  Label literal(std::uint64_t value);
  Label charges(std::uint64_t charge);
  void add_to_budget(std::uint64_t packed);
  void compare_budget(std::uint64_t packed);
  void to_common(std::uint8_t opcode, std::uint64_t target);
  Label leave_by(std::uint32_t exit);
  // The same, where the engine takes back what was charged.
  Label leave_charged_by(std::uint32_t exit);
  const std::pair<Label, std::uint32_t>& way_out(std::size_t index);
  void emit_cold();
  bool stays_near(const Cold& cold) const;
  void emit_cold_code(bool near);
  bool may_be_plain(const AccessSite& site) const;
  void call_from(const Cold& cold, std::uint64_t function);
  void exchange_operand();
  void restore_operand();
  void leave(std::uint32_t exit);
  void charge_spare();
  void call_charged(std::uint64_t function);
  void note_moment(const Cold& cold);
  void leave_if_noted(const Cold& cold);
  void undo(const ValueEmitter::Undo& change, std::size_t i);
  void implicit_access(const Cold& cold);
  void slow(const Cold& cold);
  void slow_edge(BlockExit way, const std::optional<std::uint64_t>& target);
  void known_slow(const Label& set, BlockExit way, std::uint64_t target);
  void ran(const Cold& cold);
  void emit_literals();

  asmjit::x86::Assembler& a_;
  const BlockSource& source_;
  const GuestMode& mode_;
  const CommonCode& common_;
  std::uint32_t first_exit_;
  const Counters& counters_;
  EmittedBlock& emitted_;
  ValueEmitter values_;
  FloatingEmitter floating_;
  RegisterWriter writer_;
  AccessEmitter accesses_;
  static constexpr std::size_t usual_cold = 32;
  std::vector<bool> interpreted_;  // by instruction
  std::vector<std::optional<FloatingInstruction>> numbers_;
  Label entry_;
  Label late_;
  std::uint32_t begin_exit_ = 0;
  bool can_be_noted_ = false;  // HostFrame::moments
  std::vector<Cold> cold_;
  std::vector<std::pair<Label, std::uint64_t>> literals_;
  std::vector<std::pair<Label, std::uint64_t>> charges_;  // see emit_charge()
  std::vector<std::optional<std::pair<Label, std::uint32_t>>> within_;
  std::optional<Resource> saved_;  // changed by the transfer before its slot runs
  bool in_slot_ = false;           // what is emitted, behind a transfer that can be run again
  std::optional<std::pair<Label, std::uint32_t>> from_slot_;  // out of it
  std::optional<Label> not_plain_;  // of the instruction that is emitted: the interpreter runs it
  std::optional<Label> over_;       // where it ends
  // A register that is not below a number: an earlier instruction of the block has asked.
  struct Passed {
    RegisterPlace place;
    std::uint64_t number = 0;
  };
  std::optional<Passed> passed_;
  std::optional<Decided> decided_;
  std::optional<std::size_t> failed_;
  asmjit::Section* rare_ = nullptr;
};

}  // namespace hardclock
