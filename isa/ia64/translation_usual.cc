#include "isa/ia64/translation_usual.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "isa/ia64/isa.h"
#include "isa/ia64/semantics.h"
#include "isa/ia64/translation_places.h"

namespace hardclock::ia64 {
namespace {

template <auto function>
bool is_call_of(const Step& step) {
  return step.operation == Operation::call && step.callee == reinterpret_cast<Function*>(+function);
}

class Usual {
 public:
  explicit Usual(const Recording& from) : from_(from) {}

  // Nothing: it has a step that only the interpreter knows.
  std::optional<Recording> made() {
    result_.pipeline_names = from_.pipeline_names;
    for (const Step& step : from_.steps) {
      rewrite(step);
      if (failed_) return std::nullopt;
    }
    if (can_choose()) choose_by_predicate();
    for (const Step& write : writes_) add(write);
    return std::move(result_);
  }

 private:
  static constexpr std::uint64_t all = ~std::uint64_t{0};

  // ---- Steps of the result.
  StepIndex add(const Step& step) {
    result_.steps.push_back(step);
    return static_cast<StepIndex>(result_.steps.size() - 1);
  }
  StepIndex constant(std::uint64_t value) {
    return add({.operation = Operation::constant, .immediate = value});
  }
  StepIndex read(Resource resource) {
    return add({.operation = Operation::read_register, .resource = resource, .immediate = all});
  }
  StepIndex with(Operation operation, StepIndex a, StepIndex b) {
    return add({.operation = operation, .operands = {a, b}});
  }
  StepIndex with_number(Operation operation, StepIndex a, std::uint64_t b) {
    return with(operation, a, constant(b));
  }
  void rare_if(StepIndex condition, Rare how = Rare::interpreted) {
    if (is_zero(condition)) return;
    add({.operation = Operation::rare_if,
         .detail = static_cast<std::uint8_t>(how),
         .operands = {condition}});
  }
  void beside_if(StepIndex condition, std::uint32_t which) {
    rare_if(condition, Rare::implicit_accesses);
    if (!is_zero(condition)) result_.steps.back().immediate = which;
  }
  void write(Resource resource, StepIndex value) {
    writes_.push_back({.operation = Operation::write_register,
                       .resource = resource,
                       .operands = {value, unconditional},
                       .immediate = all});
  }
  bool is_zero(StepIndex index) const { return known(index) == 0; }
  std::optional<std::uint64_t> known(StepIndex index) const {
    const Step& step = result_.steps[index];
    if (step.operation != Operation::constant) return std::nullopt;
    return step.immediate;
  }
  StepIndex operand(const Step& step, std::size_t which) const {
    return places_[step.operands[which]];
  }

  // ---- Steps of the recording, whose values are those of steps of the result.
  void is_now(StepIndex index) { places_.push_back(index); }
  static constexpr StepIndex nothing = unconditional;

  void rewrite(const Step& step) {
    switch (step.operation) {
      case Operation::read_register:
        return is_now(reading(step));
      case Operation::write_register:
        writing(step);
        return is_now(nothing);
      case Operation::end_unless:
        predicate_ = operand(step, 0);
        if (!is_mere_branch()) add_mapped(step);
        return is_now(nothing);
      case Operation::branch:
        branching(step);
        return is_now(nothing);
      case Operation::load:
        return loading(step);
      case Operation::store:
        // The ALAT has to be told of it otherwise.
        rare_if(with(Operation::ne, read(watched_resource), constant(0)));
        add_mapped(step);
        return is_now(nothing);
      case Operation::transform:
        transforming(step);
        return is_now(nothing);
      case Operation::is_accessible:
        // A load that is not says so.
        if (!loads_if()) failed_ = true;
        return is_now(constant(1));
      case Operation::call:
        return calling(step);
      case Operation::result:
        return is_now(results_[step.detail]);
      case Operation::trap_if:
        if (!is_zero(operand(step, 0))) add_mapped(step);
        return is_now(nothing);
      case Operation::clock:
      case Operation::trap:
      case Operation::replaced:
      case Operation::nullify:
        failed_ = true;
        return is_now(nothing);
      case Operation::slow_if:
        add_mapped(step);
        return is_now(nothing);
      default:
        return is_now(value(step));
    }
  }
  bool loads_if() const {
    return std::any_of(from_.steps.begin(), from_.steps.end(), [](const Step& step) {
      return step.operation == Operation::load && step.operands[1] != unconditional;
    });
  }

  Step mapped(const Step& step) {
    Step made = step;
    for (std::size_t i = 0; i < operands_of(step); ++i) {
      if (step.operands[i] == unconditional) continue;
      made.operands[i] = operand(step, i);
      if (step.operation != Operation::eq && lacks_sign(made.operands[i])) failed_ = true;
    }
    return made;
  }
  // An exponent without its sign: good enough to ask whether it may be NaTVal's.
  bool lacks_sign(StepIndex index) const {
    const Step& step = result_.steps[index];
    return step.operation == Operation::read_register && step.resource >= first_exponent_only &&
           step.resource < first_exponent_only + first_rotating_fr;
  }
  StepIndex add_mapped(const Step& step) { return add(mapped(step)); }

  StepIndex value(const Step& step) {
    const auto a = operands_of(step) > 0 ? known(operand(step, 0)) : std::nullopt;
    const auto b = operands_of(step) > 1 ? known(operand(step, 1)) : std::nullopt;
    switch (step.operation) {
      case Operation::or_:
        if (a == 0) return operand(step, 1);
        if (b == 0) return operand(step, 0);
        break;
      case Operation::and_:
        if (a == 0 || b == 0) return constant(0);
        if (b == 1 && is_flag(operand(step, 0))) return operand(step, 0);
        if (a == 1 && is_flag(operand(step, 1))) return operand(step, 1);
        break;
      case Operation::xor_:
        if (a && b) return constant(*a ^ *b);
        break;
      case Operation::shl:
        if (a == 0) return constant(0);
        break;
      case Operation::eq:
        if (a && b) return constant(*a == *b ? 1 : 0);
        break;
      case Operation::ne:
        if (a && b) return constant(*a != *b ? 1 : 0);
        break;
      case Operation::ltu:
        if (a && b) return constant(*a < *b ? 1 : 0);
        break;
      case Operation::select:
        if (a) return operand(step, *a != 0 ? 1 : 2);
        break;
      default:
        break;
    }
    return add_mapped(step);
  }
  bool is_flag(StepIndex index) const {
    const Operation operation = result_.steps[index].operation;
    return operation >= Operation::eq && operation <= Operation::ltu;
  }

  StepIndex reading(const Step& step) {
    const Resource resource = step.resource;
    // What was written comes last: it cannot be read before.
    for (const Step& write : writes_) failed_ = failed_ || write.resource == resource;
    if (resource >= nat_resource(0) && resource < nat_resource(128)) return constant(0);
    if (resource == marker_resource && step.immediate == 0x7f) {
      return allocated_ ? constant(*allocated_) : read(frame_size_resource);
    }
    if (resource == marker_resource) return packed_marker();
    if (resource >= exponent_resource(0) && resource < exponent_resource(128)) {
      const unsigned n = resource - exponent_resource(0);
      failed_ = failed_ || n >= first_rotating_fr;
      return read(exponent_only_resource(n));
    }
    failed_ = failed_ || !place_of(resource).is_known();
    return add(step);
  }

  void writing(const Step& step) {
    const Resource resource = step.resource;
    if (resource >= nat_resource(0) && resource < nat_resource(128)) {
      const StepIndex nat = operand(step, 0);
      if (step.operands[1] != unconditional) failed_ = true;
      return rare_if(nat);
    }
    Step write = mapped(step);
    if (resource >= exponent_resource(0) && resource < exponent_resource(128)) {
      const unsigned n = resource - exponent_resource(0);
      const auto exponent = known(write.operands[0]);
      failed_ = failed_ || n >= first_rotating_fr || !exponent || *exponent >> 17 != 0;
      if (failed_) return;
      write.resource = tail_resource(n);
    } else if (resource == user_mask_resource) {
      failed_ = failed_ || (step.immediate != um_mfl && step.immediate != um_mfh);
      write.resource = written_half_resource;
    }
    failed_ = failed_ || !place_of(write.resource).is_known();
    if (resource == predicates_resource) write.operands[0] = chosen(write);
    writes_.push_back(write);
  }

  // Two predicates of which the one is what the other is not: one of two numbers.
  StepIndex chosen(const Step& write) {
    const StepIndex value = write.operands[0];
    const auto is = [this](StepIndex index, Operation operation) {
      return result_.steps[index].operation == operation;
    };
    const auto part = [this](StepIndex index, std::size_t which) {
      return result_.steps[index].operands[which];
    };
    if (!is(value, Operation::or_)) return value;
    const StepIndex holds = part(value, 0), fails = part(value, 1);
    if (!is(holds, Operation::shl) || !is(fails, Operation::shl)) return value;
    const StepIndex flag = part(holds, 0), opposite = part(fails, 0);
    const auto p1 = known(part(holds, 1)), p2 = known(part(fails, 1));
    if (!p1 || !p2 || !is_flag(flag) || !is(opposite, Operation::xor_)) return value;
    if (part(opposite, 0) != flag || known(part(opposite, 1)) != 1) return value;
    const StepIndex first = constant(std::uint64_t{1} << *p1 & write.immediate);
    const StepIndex second = constant(std::uint64_t{1} << *p2 & write.immediate);
    return add({.operation = Operation::select, .operands = {flag, first, second}});
  }

  // Whether the instruction can be computed whatever its predicate is, because it writes a general
  // register and does nothing else. Its conditions for what is rare are asked then, too, which
  // leaves it to the interpreter more often than it has to be. What it computes has to leave
  // temporaries to choose with.
  bool can_choose() const {
    constexpr std::ptrdiff_t most_operations = 3;
    const auto& steps = result_.steps;
    if (!predicate_ || writes_.size() != 1 || steps[*predicate_].operation == Operation::constant)
      return false;
    const Step& write = writes_.front();
    return write.resource < gr_resource(128) && write.operands[1] == unconditional &&
           write.immediate == all && std::all_of(steps.begin(), steps.end(), is_choosable) &&
           std::count_if(steps.begin(), steps.end(), is_arithmetic) <= most_operations;
  }
  static bool is_arithmetic(const Step& step) {
    switch (step.operation) {
      case Operation::add:
      case Operation::sub:
      case Operation::and_:
      case Operation::or_:
      case Operation::xor_:
      case Operation::shl:
      case Operation::shr:
      case Operation::sar:
        return true;
      default:
        return false;
    }
  }
  static bool is_choosable(const Step& step) {
    switch (step.operation) {
      case Operation::constant:
      case Operation::read_register:
      case Operation::eq:
      case Operation::ne:
      case Operation::ltu:
      case Operation::sext8:
      case Operation::sext16:
      case Operation::sext32:
      case Operation::zext32:
      case Operation::trap_if:
      case Operation::slow_if:
      case Operation::rare_if:
      case Operation::end_unless:
        return true;
      default:
        return is_arithmetic(step);
    }
  }
  // The host need not guess then which way the predicate goes.
  void choose_by_predicate() {
    for (Step& step : result_.steps) {
      if (step.operation == Operation::end_unless) step = {.operation = Operation::constant};
    }
    Step& write = writes_.front();
    const StepIndex old = read(write.resource);
    write.operands[0] =
        add({.operation = Operation::select, .operands = {*predicate_, write.operands[0], old}});
  }

  // Under a predicate, a transfer of control that has no other effect is one on that condition.
  void branching(const Step& step) {
    Step branch = mapped(step);
    const auto always = known(branch.operands[0]);
    if (predicate_ && is_mere_branch()) {
      if (!always) branch.operands[0] = with(Operation::and_, *predicate_, branch.operands[0]);
      if (always == 1) branch.operands[0] = *predicate_;
    } else if (predicate_) {
      failed_ = failed_ || always != 1;
    }
    add(branch);
  }
  bool is_mere_branch() const {
    return from_.has(Operation::branch) && !from_.has(Operation::write_register) &&
           !from_.has(Operation::transform);
  }

  // ---- The register stack, while no register is rotated and none may rotate.
  StepIndex usual_marker() {
    const StepIndex marker = read(frame_marker_resource);
    rare_if(with(Operation::ne, with_number(Operation::shr, marker, 16), constant(0)));
    return marker;
  }
  StepIndex packed_marker() {
    const StepIndex marker = usual_marker();
    const StepIndex sol =
        with_number(Operation::and_, with_number(Operation::shr, marker, 1), 0x3f80);
    return with(Operation::or_, with_number(Operation::and_, marker, 0x7f), sol);
  }

  void transforming(const Step& step) {
    switch (static_cast<Transform>(step.detail)) {
      case Transform::alat_store:
        return;
      case Transform::call:
        return calling_frame();
      case Transform::ret:
        return returning_frame();
      case Transform::alloc:
        if (const auto frame = known(operand(step, 0))) return allocating(*frame);
        break;
      default:
        break;
    }
    failed_ = true;
  }

  // What is needed more than once is made anew: there are few temporaries.
  StepIndex sol_of_marker() { return with_number(Operation::shr, read(frame_marker_resource), 8); }
  // As RegisterStack::call().
  void calling_frame() {
    usual_marker();
    const auto skip = [this] { return with(Operation::add, sol_of_marker(), read(skip_resource)); };
    rare_if(with(Operation::ltu, constant(RegisterStack::most_skipped), skip()));
    const StepIndex distance =
        bytes(sol_of_marker(), sol_of_marker(), with_number(Operation::and_, word_of_bsp(), 63));
    write(bsp_resource, with(Operation::add, distance, read(bsp_resource)));
    write(dirty_resource, with(Operation::add, sol_of_marker(), read(dirty_resource)));
    write(position_resource, with(Operation::add, sol_of_marker(), read(position_resource)));
    write(skip_resource, skip());
    const StepIndex sof = with_number(Operation::and_, read(frame_marker_resource), 0x7f);
    write(frame_marker_resource, with(Operation::sub, sof, sol_of_marker()));
  }
  StepIndex word_of_bsp() { return with_number(Operation::shr, read(bsp_resource), 3); }
  // Of so many registers, given twice, and the collections on the way: the next one is 63 - slot
  // registers off.
  StepIndex bytes(StepIndex registers, StepIndex again, StepIndex slot) {
    const StepIndex end = with(Operation::add, registers, slot);
    // The quotient by 63: both are below 97.
    const StepIndex product = with_number(Operation::mul, end, 1041);
    const StepIndex collections = with_number(Operation::shr, product, 16);
    return with_number(Operation::shl, with(Operation::add, collections, again), 3);
  }

  // As RegisterStack::ret(), once the frame's registers are all dirty.
  void returning_frame() {
    const auto sof = [&] { return with_number(Operation::and_, read(pfs_resource), 0x7f); };
    const auto sol = [&] {
      return with_number(Operation::and_, with_number(Operation::shr, read(pfs_resource), 7), 0x7f);
    };
    // As few temporaries as can be: sol - sof, whose opposite is in the bits of a field.
    const auto in_use = [&] {
      const StepIndex shifted = with_number(Operation::shr, read(pfs_resource), 7);
      const StepIndex difference = with(Operation::sub, shifted, read(pfs_resource));
      const StepIndex outputs = with_number(Operation::and_, opposite(difference), 0x7f);
      return with(Operation::add, outputs, read(dirty_resource));
    };
    const auto others = [&] {
      return with_number(Operation::add, opposite(in_use()), stacked_registers);
    };
    beside_if(with(Operation::ltu, read(dirty_resource), sol()), fill_to_return);
    usual_marker();
    const StepIndex rotates =
        with_number(Operation::and_, read(pfs_resource), alu::field_mask(14, 24));
    rare_if(with(Operation::ne, rotates, constant(0)));
    rare_if(with(Operation::ltu, sof(), sol()));
    rare_if(with(Operation::ltu, constant(stacked_registers), in_use()));
    rare_if(with(Operation::ltu, read(skip_resource), sol()));
    keep_clean(others(), others());
    const StepIndex above = with_number(Operation::and_, word_of_bsp(), 63);
    const StepIndex distance = bytes(sol(), sol(), with(Operation::sub, constant(62), above));
    write(bsp_resource, with(Operation::sub, read(bsp_resource), distance));
    write(dirty_resource, with(Operation::sub, read(dirty_resource), sol()));
    write(position_resource, with(Operation::sub, read(position_resource), sol()));
    write(skip_resource, with(Operation::sub, read(skip_resource), sol()));
    write(frame_marker_resource,
          with(Operation::or_, with_number(Operation::shl, sol(), 8), sof()));
  }
  StepIndex opposite(StepIndex number) { return with(Operation::sub, constant(0), number); }
  // At most so many, given twice.
  void keep_clean(StepIndex most, StepIndex again) {
    const StepIndex is_less = with(Operation::ltu, most, read(clean_resource));
    write(clean_resource, add({.operation = Operation::select,
                               .operands = {is_less, again, read(clean_resource)}}));
  }

  // As RegisterStack::alloc(), once nothing has to be spilled.
  void allocating(std::uint64_t frame) {
    const std::uint64_t r1 = frame & 0xff, sof = frame >> 8 & 0xff, sol = frame >> 16 & 0xff;
    failed_ = failed_ || frame >> 24 != 0 ||
              !RegisterStack::can_allocate(static_cast<unsigned>(r1), static_cast<unsigned>(sof),
                                           static_cast<unsigned>(sol), 0);
    if (failed_) return;
    const auto most = [&] {
      return with(Operation::sub, constant(stacked_registers - sof), read(dirty_resource));
    };
    beside_if(with(Operation::ltu, constant(stacked_registers - sof), read(dirty_resource)),
              static_cast<std::uint32_t>(sof));
    usual_marker();
    keep_clean(most(), most());
    write(frame_marker_resource, constant(sof | sol << 8));
    allocated_ = sof;
  }

  void loading(const Step& step) {
    Step load = mapped(step);
    if (load.operands[1] != unconditional && known(load.operands[1]) == 1) {
      load.operands[1] = unconditional;
    }
    failed_ = failed_ || load.operands[1] != unconditional;
    is_now(add(load));
  }

  void calling(const Step& step) {
    const auto argument = [&](std::size_t which) { return operand(step, which); };
    if (is_call_of<set_significand>(step)) {
      results_ = {argument(0), constant(fp::integer_exponent)};
    } else if (is_call_of<OfNumbers<fp::xma_l, fp::Completer::none, 0, 1, 2>::alone>(step)) {
      for (const std::size_t exponent : {3, 4, 5}) {
        rare_if(with(Operation::eq, argument(exponent), constant(fp::nat_value_exponent)));
      }
      const StepIndex product = with(Operation::mul, argument(0), argument(1));
      results_ = {with(Operation::add, product, argument(2)), constant(fp::integer_exponent)};
    } else if (is_call_of<is_reserved_ar_pfs>(step)) {
      constexpr std::uint64_t reserved = alu::field_mask(38, 14) | alu::field_mask(58, 4);
      static_assert(is_reserved_pfs(std::uint64_t{1} << 38) && !is_reserved_pfs(~reserved));
      return is_now(with(Operation::and_, argument(0), constant(reserved)));
    } else if (is_call_of<predicates_by_number_of>(step) ||
               is_call_of<predicates_by_name_of>(step)) {
      // The marker, which has been read, says that none is rotated.
      return is_now(argument(0));
    } else {
      failed_ = true;
    }
    is_now(nothing);
  }

  const Recording& from_;
  Recording result_;
  std::vector<StepIndex> places_;  // of the values of the recording's steps, in the result
  std::vector<Step> writes_;       // they come last, when nothing else can happen
  std::array<StepIndex, 2> results_{};
  std::optional<StepIndex> predicate_;
  std::optional<std::uint64_t> allocated_;  // the sof that alloc leaves
  bool failed_ = false;
};

}  // namespace

std::optional<Recording> in_usual_case(const Recording& recording) {
  return Usual(recording).made();
}

}  // namespace hardclock::ia64
