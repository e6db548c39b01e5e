#include "sim/translator/block_emitter.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "sim/base/check.h"
#include "sim/translator/floating_emitter.h"
#include "sim/translator/floating_match.h"
#include "sim/translator/host_frame.h"
#include "sim/translator/host_registers.h"
#include "sim/translator/value_emitter.h"

namespace hardclock {
namespace {

using asmjit::Imm;
using asmjit::Label;
using namespace host;
using Condition = ValueEmitter::Condition;
using Held = ValueEmitter::Held;

using ExitKind = Translator::Exit::Kind;

constexpr std::uint64_t all = ~std::uint64_t{0};

bool is_simple(const Step& step, const GuestMode& mode) {
  switch (step.operation) {
    case Operation::call:
      return is_of_integers(function_of(step, mode));
    case Operation::is_accessible:
    case Operation::transform:
    case Operation::clock:
    case Operation::end_unless:
    case Operation::trap:
      return false;
    default:
      return true;
  }
}

// Whether an instruction of this recording can be emitted as its effects come: nothing that may
// leave comes after a register has changed, and no register is read that it changed before.
bool is_emittable(const Recording& recording, const GuestMode& mode) {
  std::vector<Resource> written;
  for (const Step& step : recording.steps) {
    if (!is_simple(step, mode)) return false;
    switch (step.operation) {
      case Operation::write_register:
        written.push_back(step.resource);
        break;
      case Operation::read_register:
        if (std::count(written.begin(), written.end(), step.resource) != 0) return false;
        break;
      case Operation::load:
        if (step.operands[1] != unconditional || !written.empty()) return false;
        break;
      case Operation::store:
        if (step.operands[2] != unconditional || !written.empty()) return false;
        break;
      case Operation::replaced:
      case Operation::trap_if:
        if (!written.empty()) return false;
        break;
      default:
        break;
    }
  }
  return true;
}

class BlockEmitter {
 public:
  BlockEmitter(x86::Assembler& assembler, const BlockSource& source, const GuestMode& mode,
               const CommonCode& common, std::uint32_t first_exit, const Counters& counters,
               const std::vector<bool>& interpreted, EmittedBlock& emitted)
      : a_(assembler),
        source_(source),
        mode_(mode),
        common_(common),
        first_exit_(first_exit),
        counters_(counters),
        interpreted_(interpreted),
        emitted_(emitted),
        values_(assembler, mode),
        floating_(assembler, mode),
        within_(source.instructions.size()) {
    for (const auto& each : source.instructions) {
      numbers_.push_back(floating_instruction(*each.recording, mode));
    }
  }

  // Returns the instruction that could not be emitted, if there is one; its code is not complete.
  std::optional<std::size_t> emit() {
    enter();
    const std::size_t straight = first_of_end();
    for (std::size_t i = 0; i < straight && !failed_; ++i) instruction(i, i);
    if (!failed_) end(straight);
    if (failed_) return failed_;
    emit_cold();
    emit_literals();
    return std::nullopt;
  }

  // Whether the block's end is of a kind that can be emitted.
  bool can_end() const {
    const std::size_t end = first_of_end();
    if (last_traps() || end == source_.instructions.size()) return true;
    const Recording& transfer = recording(end);
    if (is_interpreted(end) || transfer.has(Operation::call)) return false;
    if (!source_.with_slot) {
      return !transfer.has(Operation::nullify) || (source_.skip && !source_.notes_slow);
    }
    if (transfer.has(Operation::branch)) {
      // It runs again when its slot is left.
      if (transfer.has(Operation::trap_if) || transfer.touches_memory()) return false;
      if (changed_operands(transfer).size() > 1) return false;
    }
    if (transfer.always(Operation::nullify)) return true;
    return decides_once(end) && !may_transfer(recording(end + 1));
  }

 private:
  struct Cold {
    Label label;
    enum class Kind : std::uint8_t {
      access,
      leave,
      leave_slot,
      slow,
      late,
      late_skip,
      ran,
      fetch,
      run
    } kind;
    Label back;
    std::uint32_t number = 0;
    std::size_t index = 0;
    AccessSite site{};
    Label leaves{};  // if the engine says so
  };

  const Recording& recording(std::size_t i) const { return *source_.instructions[i].recording; }
  std::size_t size() const { return source_.instructions.size(); }
  // Of a transfer of control, or what may nullify the slot; size(): there is none.
  std::size_t first_of_end() const {
    if (last_traps()) return size() - 1;
    if (source_.with_slot) return size() - 2;
    const Recording& last = recording(size() - 1);
    return may_transfer(last) ? size() - 1 : size();
  }
  static bool may_transfer(const Recording& instruction) {
    return instruction.has(Operation::branch) || instruction.has(Operation::nullify);
  }
  // A slot that traps is always nullified.
  bool last_traps() const { return source_.last_traps && !source_.with_slot; }
  // Whether what it does to its slot follows from whether it is taken.
  bool decides_once(std::size_t transfer) const {
    const Step* const branch = find(transfer, Operation::branch);
    const Step* const nullify = find(transfer, Operation::nullify);
    return branch == nullptr || nullify == nullptr || branch->operands[0] == nullify->operands[0] ||
           nullifies_if_not(*branch, *nullify);
  }
  static std::set<Resource> registers(const Recording& instruction, Operation operation) {
    std::set<Resource> found;
    for (const Step& step : instruction.steps) {
      if (step.operation == operation) found.insert(step.resource);
    }
    return found;
  }
  static std::set<Resource> common(const std::set<Resource>& a, const std::set<Resource>& b) {
    std::set<Resource> both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                          std::inserter(both, both.begin()));
    return both;
  }
  // What an instruction reads and changes: with these as they are then, it cannot run again.
  static std::set<Resource> changed_operands(const Recording& instruction) {
    return common(registers(instruction, Operation::read_register),
                  registers(instruction, Operation::write_register));
  }

  // ---- Entry and exits.
  std::uint64_t begin_budget() const {
    std::uint64_t accesses = 0;
    for (const auto& each : source_.instructions) accesses += each.touches_memory ? 1 : 0;
    return RunBudget::instructions(size()) + RunBudget::accesses(accesses) -
           RunBudget::cycles(source_.longest);
  }

  void enter() {
    entry_ = a_.newLabel();
    begin_literal_ = literal(begin_budget());
    a_.bind(entry_);
    begin_exit_ = new_exit({.kind = ExitKind::begin});
    a_.add(budget, x86::ptr(begin_literal_));
    late_ = a_.newLabel();
    a_.js(late_);
    cold_.push_back({late_, Cold::Kind::late, {}, begin_exit_, 0});
  }
  // Whether instruction i is the first of a line, as far as the block is concerned.
  bool begins_line(std::size_t i) const {
    const auto line_of = [&](std::size_t k) { return source_.pcs[k] >> mode_.fetch_shift; };
    return i == 0 || line_of(i) != line_of(i - 1);
  }
  // Before instruction i: its line has to be there.
  void ask_for_line(std::size_t i, std::size_t restart) {
    const std::uint64_t line = source_.pcs[i] >> mode_.fetch_shift;
    const std::size_t place = line & (mode_.fetch_entries - 1);
    const std::uint64_t address = line << mode_.fetch_shift;
    a_.mov(x86::rax, on_stack(fetch_slot));
    const auto known = x86::ptr(x86::rax, static_cast<std::int32_t>(place * sizeof line), 8);
    if (address < std::uint64_t{1} << 31) {
      a_.cmp(known, static_cast<std::int32_t>(address));
    } else {
      a_.mov(x86::rcx, address);
      a_.cmp(known, x86::rcx);
    }
    const Label missed = a_.newLabel(), back = a_.newLabel();
    a_.jne(missed);
    a_.bind(back);
    const std::uint32_t exit = i == 0 ? begin_exit_ : exit_before(restart);
    cold_.push_back({missed, Cold::Kind::fetch, back, 0, restart,
                     AccessSite{.exit = first_exit_ + exit, .in_slot = i != restart},
                     i == 0 ? late_ : leave_before(restart)});
  }

  std::uint32_t new_exit(const EmittedExit& exit) {
    emitted_.exits.push_back(exit);
    return static_cast<std::uint32_t>(emitted_.exits.size() - 1);
  }
  Label literal(std::uint64_t value) {
    for (const auto& [label, known] : literals_) {
      if (known == value) return label;
    }
    literals_.emplace_back(a_.newLabel(), value);
    return literals_.back().first;
  }
  Label leave_by(std::uint32_t exit) {
    const Label label = a_.newLabel();
    cold_.push_back({label, Cold::Kind::leave, {}, exit, 0});
    return label;
  }
  // Before instruction `index`, or at the transfer whose slot it is.
  Label leave_before(std::size_t index) { return way_out(index).first; }
  std::uint32_t exit_before(std::size_t index) { return way_out(index).second; }
  const std::pair<Label, std::uint32_t>& way_out(std::size_t index) {
    auto& way = in_slot_ ? from_slot_ : within_[index];
    if (!way) {
      const std::uint32_t exit = new_exit({.kind = ExitKind::within,
                                           .index = static_cast<std::uint32_t>(index),
                                           .in_slot = in_slot_});
      way = {leave_by(exit), exit};
      // From its slot, a transfer's operand is put back first.
      if (in_slot_ && saved_) cold_.back().kind = Cold::Kind::leave_slot;
    }
    return *way;
  }

  // ---- One instruction. `restart` is the one to run again if it cannot complete.
  void instruction(std::size_t i, std::size_t restart) {
    in_slot_ = i != restart;
    if (mode_.has_caches && begins_line(i)) ask_for_line(i, restart);
    if (is_number(i)) return floating(i, restart);
    // With caches, accesses would have to be looked at in the middle of it.
    const bool is_open = !is_interpreted(i) && accesses_of(i) <= 1;
    if (mode_.has_caches && source_.instructions[i].touches_memory && !is_open) {
      a_.jmp(leave_before(restart));
      return;
    }
    if (is_interpreted(i)) return run_one(i, restart);
    values_.begin(recording(i), source_.pcs[i], source_.continues_at);
    not_plain_.reset();
    effects(i, restart);
    commit(i);
    if (not_plain_) run_when(*not_plain_, i, restart);
    if (values_.failed()) failed_ = i;
  }

  // Without memory that is replaced: a machine's caches see the store alone.
  std::ptrdiff_t accesses_of(std::size_t i) const {
    return std::count_if(
        recording(i).steps.begin(), recording(i).steps.end(), [](const Step& step) {
          return step.operation == Operation::load || step.operation == Operation::store;
        });
  }
  // Whether it is an operation on floating-point registers.
  bool is_number(std::size_t i) const { return numbers_[i] && !interpreted_[i]; }
  bool is_interpreted(std::size_t i) const {
    return interpreted_[i] || !is_emittable(recording(i), mode_) ||
           uses_exceptions(recording(i), mode_);
  }

  void floating(std::size_t i, std::size_t restart) {
    const Label run = a_.newLabel();
    floating_.emit(*numbers_[i], may_be_asked_after(i), run);
    run_when(run, i, restart);
  }
  // At the label, nothing of the instruction is done; it goes on here.
  void run_when(const Label& run, std::size_t i, std::size_t restart) {
    const Label back = a_.newLabel();
    a_.bind(back);
    cold_.push_back({run, Cold::Kind::run, back, static_cast<std::uint32_t>(i), restart});
  }
  // Whether the code may be left, or the status register be read, before another operation.
  bool may_be_asked_after(std::size_t i) const {
    for (std::size_t k = i + 1; k < size(); ++k) {
      if (mode_.has_caches && begins_line(k)) return true;
      if (is_number(k)) {
        if (numbers_[k]->function != HostFunction::none) return false;
        continue;
      }
      const Recording& next = recording(k);
      if (is_interpreted(k) || next.touches_memory() || next.has(Operation::trap_if) ||
          next.has(Operation::nullify)) {
        return true;
      }
    }
    return true;
  }

  void effects(std::size_t i, std::size_t restart) {
    const auto& steps = recording(i).steps;
    for (StepIndex k = 0; k < steps.size(); ++k) {
      switch (steps[k].operation) {
        case Operation::load:
        case Operation::replaced:
          load(k, steps[k], site_of(steps[k], i, restart), restart);
          break;
        case Operation::store:
          store(steps[k], site_of(steps[k], i, restart), restart);
          break;
        case Operation::trap_if:
          trap_if(steps[k].operands[0], restart);
          break;
        case Operation::call:
          if (values_.uses(k) == 0) break;
          if (!not_plain_) not_plain_ = a_.newLabel();
          values_.call(k, *not_plain_);
          break;
        case Operation::slow_if:
          slow_if(steps[k].operands[0], i);
          break;
        default:
          break;
      }
    }
  }

  void trap_if(StepIndex condition, std::size_t restart) {
    if (values_.is_constant(condition)) {
      if (values_.constant(condition) != 0) a_.jmp(leave_before(restart));
      return;
    }
    if (values_.overflows(condition))
      a_.jo(leave_before(restart));
    else
      a_.j(values_.truth(condition), leave_before(restart));
  }

  void slow_if(StepIndex condition, std::size_t i) {
    if (values_.is_constant(condition)) return;
    const Label slow = a_.newLabel(), back = a_.newLabel();
    if (values_.overflows(condition))
      a_.jo(slow);
    else
      a_.j(values_.truth(condition), slow);
    a_.bind(back);
    cold_.push_back({slow, Cold::Kind::slow, back, 0, i});
  }

  // ---- Accesses: the host's address of an access comes to rax.
  AccessSite site_of(const Step& step, std::size_t i, std::size_t restart) {
    return {.exit = first_exit_ + exit_before(restart),
            .in_slot = i != restart,
            .is_write = step.operation != Operation::load,
            .is_replaced = step.operation == Operation::replaced,
            .size = step.detail};
  }

  void translate(StepIndex address, const AccessSite& site, std::size_t restart) {
    values_.address_in_rax(address);
    const x86::Gp tag = values_.temporary();
    static_assert(sizeof(AccessTable::Entry) == 32);
    constexpr unsigned entry_bits = 5;
    const std::uint64_t piece = (std::uint64_t{1} << mode_.access_shift) - 1;
    const auto mask = static_cast<std::int32_t>(~(piece ^ (site.size - 1)));
    const bool is_narrow = mode_.address_bits == 32;
    a_.mov(x86::ecx, x86::eax);
    if (mode_.access_shift > entry_bits)
      a_.shr(x86::ecx, mode_.access_shift - entry_bits);
    else if (mode_.access_shift < entry_bits)
      a_.shl(x86::ecx, entry_bits - mode_.access_shift);
    a_.and_(x86::ecx, static_cast<std::int32_t>((mode_.access_entries - 1) << entry_bits));
    if (is_narrow) {
      a_.mov(tag.r32(), x86::eax);
      a_.and_(tag.r32(), mask);
    } else {
      a_.mov(tag, x86::rax);
      a_.and_(tag, mask);
    }
    const auto field = [&](std::size_t offset) {
      return x86::ptr(accesses, x86::rcx, 0, static_cast<std::int32_t>(offset), 8);
    };
    a_.cmp(tag, field(site.is_write ? offsetof(AccessTable::Entry, write_tag)
                                    : offsetof(AccessTable::Entry, read_tag)));
    values_.release(tag);
    values_.release(x86::rcx);
    const Label missed = a_.newLabel(), back = a_.newLabel();
    a_.jne(missed);
    a_.add(x86::rax, field(offsetof(AccessTable::Entry, addend)));
    a_.bind(back);
    cold_.push_back({missed, Cold::Kind::access, back, 0, restart, site, leave_before(restart)});
  }

  void load(StepIndex index, const Step& step, const AccessSite& site, std::size_t restart) {
    translate(step.operands[0], site, restart);
    const bool is_big = mode_.data_order == Endian::big;
    const auto from = [&](std::uint32_t bytes) { return x86::ptr(x86::rax, 0, bytes); };
    switch (step.detail) {
      case 1:
        a_.movzx(x86::eax, from(1));
        break;
      case 2:
        if (is_big) {
          a_.movbe(x86::ax, from(2));
          a_.movzx(x86::eax, x86::ax);
        } else {
          a_.movzx(x86::eax, from(2));
        }
        break;
      case 4:
        if (is_big)
          a_.movbe(x86::eax, from(4));
        else
          a_.mov(x86::eax, from(4));
        break;
      default:
        if (is_big)
          a_.movbe(x86::rax, from(8));
        else
          a_.mov(x86::rax, from(8));
    }
    values_.define(index, x86::rax);
  }

  void store(const Step& step, const AccessSite& site, std::size_t restart) {
    const std::uint32_t size = step.detail;
    // In rax or rcx the value would be in the way of the access.
    Held value = size == 8 ? values_.whole(step.operands[1]) : values_.low(step.operands[1]);
    if (value.reg.id() == x86::rax.id() || value.reg.id() == x86::rcx.id()) {
      const x86::Gp elsewhere = values_.temporary();
      a_.mov(elsewhere, value.reg);
      values_.release(value);
      value = {elsewhere, true};
      if (elsewhere.id() == x86::rax.id() || elsewhere.id() == x86::rcx.id()) values_.fail();
    }
    translate(step.operands[0], site, restart);
    const bool is_big = mode_.data_order == Endian::big;
    const auto to = x86::ptr(x86::rax, 0, size);
    const x86::Gp sized = size == 1   ? value.reg.r8()
                          : size == 2 ? value.reg.r16()
                          : size == 4 ? value.reg.r32()
                                      : value.reg;
    if (is_big && size > 1)
      a_.movbe(to, sized);
    else
      a_.mov(to, sized);
    values_.release(x86::rax);
    values_.release(value);
  }

  // ---- Registers.
  struct Write {
    const Step* step;
    std::optional<Held> value;  // nothing: it is a constant
    bool is_whole;
    std::optional<Held> condition{};
  };

  bool takes_low(const Step& write) const {
    const RegisterPlace place = mode_.place(write.resource);
    if (place.bytes < 8) return true;
    if (write.immediate == 0xffff'ffff) return true;
    const bool is_word = mode_.is_word != nullptr && mode_.is_word(write.resource);
    return is_word && pin_of(mode_, write.resource).has_value() && write.immediate == all &&
           values_.is_word(write.operands[0]);
  }

  // All values first, then all registers. `is_all`: nothing else of the instruction comes then.
  std::vector<Write> compute_writes(std::size_t i, bool is_all = false) {
    std::vector<Write> writes;
    const auto& steps = recording(i).steps;
    const auto count = std::count_if(steps.begin(), steps.end(), [](const Step& step) {
      return step.operation == Operation::write_register;
    });
    for (const Step& step : steps) {
      if (step.operation != Operation::write_register) continue;
      if (!mode_.place(step.resource).is_known()) values_.fail();
      Write write{&step, std::nullopt, !takes_low(step)};
      if (!is_plain_constant(write)) {
        write.value = is_all && count == 1 ? value_for(write) : apart(value_of(write), count);
      }
      const StepIndex condition = step.operands[1];
      if (condition != unconditional) write.condition = apart(values_.whole(condition), count);
      writes.push_back(write);
    }
    return writes;
  }
  Held value_of(const Write& write) {
    const StepIndex value = write.step->operands[0];
    return write.is_whole ? values_.whole(value) : values_.low(value);
  }
  Held value_for(const Write& write) {
    const Step& step = *write.step;
    const auto pin = pin_of(mode_, step.resource);
    if (!pin || step.immediate != all || step.operands[1] != unconditional) return value_of(write);
    return write.is_whole ? values_.whole_for(step.operands[0], *pin)
                          : values_.low_for(step.operands[0], *pin);
  }
  // What another register of the instruction's holds may change before it is used.
  Held apart(const Held& value, std::ptrdiff_t count) {
    if (count == 1 || value.owned) return value;
    const x86::Gp own = values_.temporary();
    a_.mov(own, value.reg);
    values_.release(value);
    return {own, true};
  }
  // Whether it can be written as a constant of the host's instruction.
  bool is_plain_constant(const Write& write) const {
    const Step& step = *write.step;
    if (step.immediate != all || !values_.is_constant(step.operands[0])) return false;
    const RegisterPlace place = mode_.place(step.resource);
    return place.bytes == 4 ||
           (place.bytes == 8 && !write.is_whole && pin_of(mode_, step.resource));
  }
  // Whether writing leaves the processor's flags alone.
  bool keeps_flags(const Write& write) const {
    const std::uint64_t bits = write.step->immediate;
    return !write.condition && mode_.place(write.step->resource).bytes != 1 &&
           (bits == all || bits == 0xffff'ffff);
  }

  void write(const Write& write) {
    const Label skip = a_.newLabel();
    if (write.condition) {
      a_.test(write.condition->reg, write.condition->reg);
      values_.release(*write.condition);
      a_.jz(skip);
    }
    if (write.value)
      write_value(write);
    else
      write_constant(*write.step);
    a_.bind(skip);
    if (write.value) values_.release(*write.value);
  }

  void write_constant(const Step& step) {
    const auto number = static_cast<std::uint32_t>(values_.constant(step.operands[0]));
    if (const auto pin = pin_of(mode_, step.resource))
      a_.mov(pin->r32(), number);
    else
      a_.mov(in_context(mode_.place(step.resource), 4), number);
  }

  void write_value(const Write& write) {
    const Step& step = *write.step;
    const RegisterPlace place = mode_.place(step.resource);
    const auto pin = pin_of(mode_, step.resource);
    const x86::Gp value = write.value->reg;
    if (pin) {
      if (step.immediate != all) values_.fail();
      if (value.id() == pin->id()) return;
      if (write.is_whole)
        a_.mov(*pin, value);
      else
        a_.mov(pin->r32(), value.r32());
    } else if (place.bytes == 1) {
      a_.test(value.r32(), value.r32());
      a_.setne(in_context(place, 1));
    } else if (place.bytes == 4 && step.immediate != all && step.immediate != 0xffff'ffff) {
      write_bits(place, value, static_cast<std::uint32_t>(step.immediate));
    } else if (place.bytes == 4 || step.immediate == 0xffff'ffff) {
      a_.mov(in_context(place, 4), value.r32());
    } else if (step.immediate == all) {
      a_.mov(in_context(place, 8), value);
    } else if (step.immediate == 0xffff'ffff'0000'0000 && write.value->owned) {
      a_.shr(value, 32);
      a_.mov(in_context(place, 4, 4), value.r32());
    } else {
      values_.fail();
    }
    floating_.written(step.resource, step.immediate, value);
  }

  void write_bits(RegisterPlace place, x86::Gp value, std::uint32_t bits) {
    const x86::Gp changed = values_.temporary();
    a_.mov(changed.r32(), value.r32());
    a_.and_(changed.r32(), static_cast<std::int32_t>(bits));
    a_.and_(in_context(place, 4), static_cast<std::int32_t>(~bits));
    a_.or_(in_context(place, 4), changed.r32());
    values_.release(changed);
  }

  void commit(std::size_t i) {
    if (const auto split = split_write(recording(i), mode_)) {
      const x86::Gp value = values_.own_whole(split->value);
      floating_.write_split(split->to, value);
      return values_.release(value);
    }
    for (const Write& each : compute_writes(i, true)) write(each);
  }

  // ---- On the interpreter.
  void run_one(std::size_t i, std::size_t restart) {
    a_.mov(x86::rsi, reinterpret_cast<std::uint64_t>(source_.instructions[i].op));
    a_.mov(x86::rdx, source_.pcs[i]);
    a_.mov(x86::ecx, static_cast<std::uint32_t>(i));
    a_.call(Imm(common_.run_one));
    const Label left = a_.newLabel(), back = a_.newLabel();
    a_.jnz(left);
    a_.bind(back);
    cold_.push_back({left, Cold::Kind::ran, back, static_cast<std::uint32_t>(i), restart,
                     AccessSite{}, leave_before(restart)});
  }

  // ---- How the block ends.
  struct Target {
    std::optional<std::uint64_t> known;  // else it is in rax, or where `is_saved` says
    bool is_saved = false;
  };

  void end(std::size_t first) {
    in_slot_ = false;
    // A transfer whose slot goes first is in the same order as the fetches all the same: it makes
    // no access itself.
    if (!last_traps() && first != size() && mode_.has_caches && begins_line(first))
      ask_for_line(first, first);
    if (last_traps()) {
      a_.jmp(leave_before(first));
    } else if (first == size()) {
      edge(BlockExit::straight, {.known = source_.continues_at});
    } else if (source_.skip) {
      nullifier_of_next(first);
    } else if (!source_.with_slot) {
      transfer_without_slot(first);
    } else if (recording(first).has(Operation::nullify)) {
      transfer_that_nullifies(first);
    } else {
      transfer_with_slot(first);
    }
  }

  const Step* find(std::size_t i, Operation operation) const {
    for (const Step& step : recording(i).steps) {
      if (step.operation == operation) return &step;
    }
    return nullptr;
  }
  // True or false whatever the values are; nothing: it depends.
  std::optional<bool> known(const Step* effect) const {
    if (effect == nullptr) return false;
    if (!values_.is_constant(effect->operands[0])) return std::nullopt;
    return values_.constant(effect->operands[0]) != 0;
  }

  // The transfer's target, computed now.
  Target target_of(const Step* branch) {
    if (branch == nullptr) return {};
    if (values_.is_constant(branch->operands[1])) {
      return {.known = values_.constant(branch->operands[1])};
    }
    const Held held = values_.whole(branch->operands[1]);
    a_.mov(on_stack(target_slot), held.reg);
    values_.release(held);
    return {.known = std::nullopt, .is_saved = true};
  }

  void commit_computed(const std::vector<Write>& writes) {
    for (const Write& each : writes) write(each);
  }

  // A transfer whose registers have been written: what is not known of it is in its slots.
  struct Transferred {
    std::optional<bool> taken;
    Target target;
  };
  Transferred transfer(std::size_t b, bool saves_operand) {
    begin_transfer(b);
    const Step* const branch = find(b, Operation::branch);
    const std::optional<bool> taken = known(branch);
    const Target target = target_of(branch);
    const std::vector<Write> writes = compute_writes(b);
    if (!taken) save_truth(branch->operands[0], condition_slot);
    if (saves_operand) save_operand(b);
    commit_computed(writes);
    end_transfer(b);
    return {taken, target};
  }

  void transfer_without_slot(std::size_t b) {
    const Transferred made = transfer(b, false);
    two_edges(made.taken, made.target, BlockExit::straight, BlockExit::taken);
  }

  // Whether the slot can run before the transfer is looked at: neither changes what the other
  // needs.
  bool slot_can_go_first(std::size_t b) const {
    if (!is_number(b + 1) && is_interpreted(b + 1)) return false;
    const auto reads = [&](std::size_t i) {
      return registers(recording(i), Operation::read_register);
    };
    const auto writes = [&](std::size_t i) {
      return registers(recording(i), Operation::write_register);
    };
    return common(writes(b + 1), reads(b)).empty() && common(writes(b + 1), writes(b)).empty() &&
           common(reads(b + 1), writes(b)).empty();
  }

  void transfer_with_slot(std::size_t b) {
    if (slot_can_go_first(b)) {
      instruction(b + 1, b);
      if (!failed_) transfer_behind_slot(b);
      return;
    }
    const Transferred made = transfer(b, true);
    if (failed_) return;
    instruction(b + 1, b);
    if (!failed_) two_edges(made.taken, made.target, BlockExit::straight, BlockExit::taken);
  }

  void transfer_behind_slot(std::size_t b) {
    begin_transfer(b);
    const Step* const branch = find(b, Operation::branch);
    const std::optional<bool> taken = known(branch);
    const Target target = target_of(branch);
    const std::vector<Write> writes = compute_writes(b);
    if (taken) {
      commit_computed(writes);
      end_transfer(b);
      return two_edges(taken, target, BlockExit::straight, BlockExit::taken);
    }
    const Condition condition = truth_behind(branch->operands[0], writes);
    end_transfer(b);
    fork_edges(condition, target, BlockExit::straight, BlockExit::taken);
  }

  // Keeps what the transfer is about to change of its operands, in case it has to run again. Leaves
  // the processor's flags alone.
  void save_operand(std::size_t b) {
    const std::set<Resource> changed = changed_operands(recording(b));
    if (changed.empty()) return;
    saved_ = *changed.begin();
    const RegisterPlace place = mode_.place(*saved_);
    const auto pin = pin_of(mode_, *saved_);
    const x86::Gp old = pin ? *pin : values_.temporary();
    if (!pin) a_.mov(part(old, place.bytes), in_context(place, place.bytes));
    a_.mov(on_stack(saved_slot), old);
    values_.release(old);
  }
  void restore_operand() {
    const RegisterPlace place = mode_.place(*saved_);
    const auto pin = pin_of(mode_, *saved_);
    const x86::Gp old = pin ? *pin : x86::rax;
    a_.mov(old, on_stack(saved_slot));
    if (!pin) a_.mov(in_context(place, place.bytes), part(old, place.bytes));
  }
  static x86::Gp part(const x86::Gp& reg, std::uint32_t bytes) {
    return bytes == 1 ? reg.r8() : bytes == 4 ? reg.r32() : reg;
  }

  // The condition's truth; the registers are written behind it.
  Condition truth_behind(StepIndex condition, const std::vector<Write>& writes) {
    const bool keeps = std::all_of(writes.begin(), writes.end(),
                                   [this](const Write& each) { return keeps_flags(each); });
    if (!keeps) save_truth(condition, condition_slot);
    const Condition truth = keeps ? values_.truth(condition) : Condition::kNotEqual;
    commit_computed(writes);
    if (!keeps) a_.cmp(on_stack(condition_slot, 1), 0);
    return truth;
  }

  // Whether the slot is nullified when the transfer is not taken. Else it is when it is taken.
  bool nullifies_if_not(const Step& branch, const Step& nullify) const {
    const auto& steps = recording(first_of_end()).steps;
    const Step& condition = steps[nullify.operands[0]];
    if (condition.operation != Operation::eq || condition.operands[0] != branch.operands[0])
      return false;
    const Step& zero = steps[condition.operands[1]];
    return zero.operation == Operation::constant && zero.immediate == 0;
  }

  // The slot runs, or it does not: whether, the branch's own condition says, if there is a branch.
  void transfer_that_nullifies(std::size_t b) {
    begin_transfer(b);
    effects(b, b);
    const Step* const branch = find(b, Operation::branch);
    const Step* const nullify = find(b, Operation::nullify);
    const Target target = target_of(branch);
    if (const std::optional<bool> nullified = known(nullify)) {
      return transfer_of_known_slot(b, *nullified, target);
    }
    const bool is_opposite = branch != nullptr && nullifies_if_not(*branch, *nullify);
    if (branch != nullptr) values_.forget(nullify->operands[0]);
    const StepIndex decides = (branch != nullptr ? branch : nullify)->operands[0];
    const std::vector<Write> writes = compute_writes(b);
    if (branch != nullptr) save_operand(b);
    const Condition truth = truth_behind(decides, writes);
    end_transfer(b);
    if (failed_) return;
    const Label skips = a_.newLabel();
    a_.j(is_opposite ? asmjit::x86::negateCond(truth) : truth, skips);
    instruction(b + 1, branch != nullptr ? b : b + 1);
    if (failed_) return;
    if (is_opposite) {
      edge(BlockExit::taken, target);
      a_.bind(skips);
      edge(BlockExit::nullified, fall_through());
    } else {
      edge(BlockExit::straight, fall_through());
      a_.bind(skips);
      edge(branch != nullptr ? BlockExit::taken_nullified : BlockExit::nullified,
           branch != nullptr ? target : fall_through());
    }
  }

  void transfer_of_known_slot(std::size_t b, bool nullified, const Target& target) {
    const Step* const branch = find(b, Operation::branch);
    const std::optional<bool> taken = known(branch);
    const std::vector<Write> writes = compute_writes(b);
    if (!taken) save_truth(branch->operands[0], condition_slot);
    if (branch != nullptr) save_operand(b);
    commit_computed(writes);
    end_transfer(b);
    if (failed_) return;
    if (nullified) {
      return two_edges(taken, target, BlockExit::nullified, BlockExit::taken_nullified);
    }
    instruction(b + 1, branch != nullptr ? b : b + 1);
    if (!failed_) two_edges(taken, target, BlockExit::straight, BlockExit::taken);
  }

  // What it may nullify begins another block.
  void nullifier_of_next(std::size_t b) {
    begin_transfer(b);
    effects(b, b);
    const Step* const nullify = find(b, Operation::nullify);
    const std::optional<bool> nullified = known(nullify);
    const std::vector<Write> writes = compute_writes(b);
    const Label skips = a_.newLabel();
    if (nullified)
      commit_computed(writes);
    else
      a_.j(truth_behind(nullify->operands[0], writes), skips);
    end_transfer(b);
    if (failed_) return;
    if (!nullified.value_or(false)) edge(BlockExit::straight, fall_through());
    a_.bind(skips);
    if (nullified.value_or(true)) skip_next();
  }

  // The engine has to do it when the clock's event comes before, or when it counts cycles for each
  // instruction.
  void skip_next() {
    const std::uint32_t to_engine = new_exit(
        {.kind = ExitKind::skips, .way = BlockExit::straight, .target = source_.continues_at});
    if (source_.counts_edges) {
      count(to_engine);
      a_.add(budget, x86::ptr(literal(correction(BlockExit::straight))));
      a_.jmp(leave_by(to_engine));
      return;
    }
    const BlockSource::Edge& way = source_.edges[static_cast<std::size_t>(BlockExit::nullified)];
    const std::uint64_t left = std::uint64_t{source_.longest} - way.cycles;  // may be negative
    a_.add(budget, x86::ptr(literal(RunBudget::cycles(left))));
    const Label late = a_.newLabel();
    // An event at the block's end comes first even if the other instruction takes no time.
    if (source_.skip->cycles == 0) a_.cmp(budget, x86::ptr(literal(RunBudget::cycles(1))));
    a_.jl(late);
    cold_.push_back({late, Cold::Kind::late_skip, {}, to_engine, 0});
    direct_edge(new_exit(
        {.kind = ExitKind::edge, .way = BlockExit::nullified, .target = source_.skip->target}));
  }

  void begin_transfer(std::size_t b) {
    values_.begin(recording(b), source_.pcs[b], source_.continues_at);
  }
  void end_transfer(std::size_t b) {
    if (values_.failed()) failed_ = b;
  }
  void save_truth(StepIndex condition, std::int32_t slot) {
    a_.set(values_.truth(condition), on_stack(slot, 1));
  }

  void two_edges(std::optional<bool> taken, const Target& target, BlockExit straight,
                 BlockExit otherwise) {
    if (taken) return *taken ? edge(otherwise, target) : edge(straight, fall_through());
    a_.cmp(on_stack(condition_slot, 1), 0);
    fork_edges(Condition::kNotEqual, target, straight, otherwise);
  }
  void fork_edges(Condition taken, const Target& target, BlockExit straight, BlockExit otherwise) {
    if (target.known && is_mere_jump(otherwise)) {
      const std::uint32_t exit =
          new_exit({.kind = ExitKind::edge, .way = otherwise, .target = *target.known});
      direct_edge(exit, taken);
      return edge(straight, fall_through());
    }
    const Label goes = a_.newLabel();
    a_.j(taken, goes);
    edge(straight, fall_through());
    a_.bind(goes);
    edge(otherwise, target);
  }
  Target fall_through() const { return {.known = source_.continues_at}; }

  // What was charged for the block when it was entered is put right.
  std::uint64_t correction(BlockExit way) const {
    const BlockSource::Edge& of = source_.edges[static_cast<std::size_t>(way)];
    std::uint64_t packed = RunBudget::cycles(source_.longest - of.cycles);
    if (!is_nullified(way)) return packed;
    packed -= RunBudget::instructions(1);
    return packed - RunBudget::accesses(source_.instructions.back().touches_memory ? 1 : 0);
  }

  bool is_mere_jump(BlockExit way) const {
    return correction(way) == 0 && !source_.notes_slow && !source_.counts_edges;
  }

  void edge(BlockExit way, const Target& target) {
    const auto kind = [&](ExitKind direct, ExitKind indirect) {
      return target.known ? direct : indirect;
    };
    if (source_.notes_slow) {
      a_.mov(x86::rcx, on_stack(frame_slot));
      a_.cmp(in_frame(x86::rcx, &HostFrame::slow), 0);
      a_.jne(leave_by(new_exit({.kind = kind(ExitKind::slow, ExitKind::slow_indirect),
                                .way = way,
                                .target = target.known.value_or(0)})));
    }
    const std::uint32_t exit = new_exit({.kind = kind(ExitKind::edge, ExitKind::indirect),
                                         .way = way,
                                         .target = target.known.value_or(0)});
    if (source_.counts_edges) count(exit);
    if (const std::uint64_t packed = correction(way); packed != 0) {
      a_.add(budget, x86::ptr(literal(packed)));
    }
    if (target.known)
      direct_edge(exit);
    else
      indirect_edge(exit, source_.edges[static_cast<std::size_t>(way)].exit);
  }

  void count(std::uint32_t exit) {
    a_.mov(x86::rcx, reinterpret_cast<std::uint64_t>(counters_(exit)));
    a_.inc(x86::ptr(x86::rcx, 0, 8));
  }

  // Translator::link() changes the displacement, which comes last in a conditional jump, too.
  void direct_edge(std::uint32_t exit, std::optional<Condition> condition = std::nullopt) {
    if (condition)
      a_.long_().j(*condition, leave_by(exit));
    else
      a_.long_().jmp(leave_by(exit));
    emitted_.exits[exit].jump = static_cast<std::uint32_t>(a_.offset() - 4);
  }

  // The target is in its slot.
  void indirect_edge(std::uint32_t exit, PipelineStates::Id state) {
    const Label missed = leave_by(exit);
    a_.mov(x86::rax, on_stack(target_slot));
    if (mode_.address_bits != 32) {
      a_.mov(x86::rcx, x86::rax);
      a_.shr(x86::rcx, indirect_key_bits);
      a_.jnz(missed);
    }
    a_.mov(x86::rcx, x86::rax);
    a_.shr(x86::rcx, indirect_pc_shift);
    a_.xor_(x86::ecx, static_cast<std::int32_t>(indirect_salt(state)));
    a_.and_(x86::ecx, static_cast<std::int32_t>((1u << mode_.indirect_bits) - 1));
    a_.shl(x86::ecx, std::countr_zero(sizeof(IndirectEntry)));
    a_.add(x86::rcx, on_stack(indirect_slot));
    if (state != 0) {
      a_.mov(x86::rdx, std::uint64_t{state} << indirect_key_bits);
      a_.or_(x86::rax, x86::rdx);
    }
    a_.cmp(x86::rax, x86::ptr(x86::rcx, offsetof(IndirectEntry, key), 8));
    a_.jne(missed);
    a_.jmp(x86::ptr(x86::rcx, offsetof(IndirectEntry, code), 8));
  }

  // ---- What is rare.
  void emit_cold() {
    in_slot_ = false;
    for (std::size_t i = 0; i < cold_.size(); ++i) {
      const Cold cold = cold_[i];  // emitting one may add others
      a_.bind(cold.label);
      switch (cold.kind) {
        case Cold::Kind::access:
          call_from(cold, common_.access);
          break;
        case Cold::Kind::fetch:
          call_from(cold, common_.fetch);
          break;
        case Cold::Kind::slow:
          slow(cold);
          break;
        case Cold::Kind::ran:
          ran(cold);
          break;
        case Cold::Kind::run:
          in_slot_ = cold.number != cold.index;
          run_one(cold.number, cold.index);
          a_.jmp(cold.back);
          in_slot_ = false;
          break;
        case Cold::Kind::late:
          a_.sub(budget, x86::ptr(begin_literal_));
          emitted_.gone = static_cast<std::uint32_t>(a_.offset());
          leave(cold.number);
          break;
        case Cold::Kind::late_skip:
          a_.add(budget, x86::ptr(literal(RunBudget::cycles(source_.skip->cycles))));
          leave(cold.number);
          break;
        case Cold::Kind::leave_slot:
          restore_operand();
          leave(cold.number);
          break;
        case Cold::Kind::leave:
          leave(cold.number);
      }
    }
  }
  // Calls the engine, which may say that the code has to be left.
  void call_from(const Cold& cold, std::uint64_t function) {
    Label leaves = cold.leaves;
    // The engine may run the transfer before the slot again, and the slot.
    const bool exchanges = saved_ && cold.site.in_slot;
    if (exchanges) {
      exchange_operand();
      leaves = leave_by(cold.site.exit - first_exit_);
    }
    a_.mov(x86::ecx, cold.site.pack());
    a_.call(Imm(function));
    a_.jz(leaves);
    if (exchanges) exchange_operand();
    a_.jmp(cold.back);
  }
  // Puts the operand back that the transfer has changed, and keeps what it was changed to; or the
  // other way round.
  void exchange_operand() {
    const RegisterPlace place = mode_.place(*saved_);
    if (const auto pin = pin_of(mode_, *saved_)) {
      a_.xchg(on_stack(saved_slot), *pin);
      return;
    }
    a_.mov(part(x86::rcx, place.bytes), in_context(place, place.bytes));
    a_.xchg(on_stack(saved_slot), x86::rcx);
    a_.mov(in_context(place, place.bytes), part(x86::rcx, place.bytes));
  }
  void leave(std::uint32_t exit) {
    a_.mov(x86::eax, first_exit_ + exit);
    a_.jmp(Imm(common_.leave));
  }
  void slow(const Cold& cold) {
    if (!source_.notes_slow) {
      a_.sub(budget, x86::ptr(literal(RunBudget::cycles(mode_.slow_cycles))));
    } else {
      a_.push(x86::rcx);
      a_.mov(x86::rcx, on_stack(frame_slot + 8));
      a_.bts(in_frame(x86::rcx, &HostFrame::slow), static_cast<std::uint32_t>(cold.index));
      a_.pop(x86::rcx);
    }
    a_.jmp(cold.back);
  }
  // The interpreter did not just complete the instruction.
  void ran(const Cold& cold) {
    const bool is_slot = source_.with_slot && cold.number + 1 == size();
    a_.cmp(x86::eax, static_cast<std::int32_t>(HostFrame::not_completed));
    a_.je(cold.leaves);
    // Behind a slot the block is over anyhow.
    if (is_slot || cold.number + 1 == size())
      a_.jmp(cold.back);
    else
      a_.jmp(leave_before(cold.number + 1));
  }
  void emit_literals() {
    a_.align(asmjit::AlignMode::kData, 8);
    for (const auto& [label, value] : literals_) {
      a_.bind(label);
      a_.embedUInt64(value);
    }
  }

  x86::Assembler& a_;
  const BlockSource& source_;
  const GuestMode& mode_;
  const CommonCode& common_;
  std::uint32_t first_exit_;
  const Counters& counters_;
  const std::vector<bool>& interpreted_;
  EmittedBlock& emitted_;
  ValueEmitter values_;
  FloatingEmitter floating_;
  std::vector<std::optional<FloatingInstruction>> numbers_;
  Label entry_;
  Label late_;
  Label begin_literal_;
  std::uint32_t begin_exit_ = 0;
  std::vector<Cold> cold_;
  std::vector<std::pair<Label, std::uint64_t>> literals_;
  std::vector<std::optional<std::pair<Label, std::uint32_t>>> within_;
  std::optional<Resource> saved_;  // changed by the transfer before its slot runs
  bool in_slot_ = false;           // what is emitted, behind a transfer that can be run again
  std::optional<std::pair<Label, std::uint32_t>> from_slot_;  // out of it
  std::optional<Label> not_plain_;                            // of the instruction that is emitted
  std::optional<std::size_t> failed_;
};

}  // namespace

bool emit_block(x86::Assembler& assembler, const BlockSource& source, const GuestMode& mode,
                const CommonCode& common, std::uint32_t first_exit, const Counters& counters,
                EmittedBlock& emitted) {
  std::vector<bool> interpreted(source.instructions.size());
  for (;;) {
    emitted = {};
    BlockEmitter emitter(assembler, source, mode, common, first_exit, counters, interpreted,
                         emitted);
    if (!emitter.can_end()) return false;
    const std::optional<std::size_t> failed = emitter.emit();
    if (!failed) return true;
    interpreted[*failed] = true;
    asmjit::CodeHolder& code = *assembler.code();
    const asmjit::Environment environment = code.environment();
    code.reset();
    code.init(environment);
    code.attach(&assembler);
  }
}

}  // namespace hardclock
