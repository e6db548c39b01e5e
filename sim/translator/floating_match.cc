#include "sim/translator/floating_match.h"

#include <algorithm>
#include <vector>

namespace hardclock {
namespace {

constexpr std::uint64_t all = ~std::uint64_t{0}, low_word = 0xffff'ffff;
constexpr std::uint64_t word_bits = 32;

bool is_double(HostFunction function) {
  switch (function) {
    case HostFunction::add_double:
    case HostFunction::subtract_double:
    case HostFunction::multiply_double:
    case HostFunction::divide_double:
    case HostFunction::square_root_double:
    case HostFunction::absolute_double:
    case HostFunction::negate_double:
    case HostFunction::double_to_single:
    case HostFunction::long_to_single:
    case HostFunction::long_to_double:
    case HostFunction::double_to_word:
    case HostFunction::double_to_long:
    case HostFunction::compare_double:
    case HostFunction::multiply_add_double:
      return true;
    default:
      return false;
  }
}
bool gives_double(HostFunction function) {
  switch (function) {
    case HostFunction::double_to_single:
    case HostFunction::long_to_single:
    case HostFunction::double_to_word:
      return false;
    case HostFunction::single_to_double:
    case HostFunction::word_to_double:
    case HostFunction::single_to_long:
      return true;
    default:
      return is_double(function);
  }
}
bool is_comparison(HostFunction function) {
  return function == HostFunction::compare_single || function == HostFunction::compare_double;
}
bool multiplies_and_adds(HostFunction function) {
  return function == HostFunction::multiply_add_single ||
         function == HostFunction::multiply_add_double;
}
bool is_to_integer(HostFunction function) {
  return function >= HostFunction::single_to_word && function <= HostFunction::double_to_long;
}
bool is_binary(HostFunction function) {
  return function <= HostFunction::divide_double || is_comparison(function) ||
         multiplies_and_adds(function);
}

class Matcher {
 public:
  Matcher(const Recording& recording, const GuestMode& mode)
      : steps_(recording.steps), mode_(mode), floating_(*mode.floating) {}

  std::optional<FloatingInstruction> match() {
    for (StepIndex i = 0; i < steps_.size(); ++i) {
      if (!accept(i)) return std::nullopt;
    }
    if (call_ ? !match_call() : !match_move()) return std::nullopt;
    if (!is_comparison(found_.function)) {
      const auto result = written();
      if (!result || result->to.is_double != gives_result_double()) return std::nullopt;
      found_.result = result->to;
    } else if (!writes_.empty() || found_.condition_bits == 0) {
      return std::nullopt;
    }
    return found_;
  }

  std::optional<FloatingRegister> operand(StepIndex i) const {
    const Step& of = steps_[i];
    if (of.operation == Operation::read_register && is_number(of)) {
      if (of.immediate == all) return FloatingRegister{of.resource, of.resource, true};
      if (of.immediate == low_word) return FloatingRegister{of.resource, of.resource, false};
      return std::nullopt;
    }
    if (of.operation != Operation::or_) return std::nullopt;
    const Step& shifted = steps_[of.operands[0]];
    if (shifted.operation != Operation::shl || !is_constant(shifted.operands[1], word_bits)) {
      return std::nullopt;
    }
    const auto high = operand(shifted.operands[0]), low = operand(of.operands[1]);
    if (!high || !low || high->is_double || low->is_double) return std::nullopt;
    return FloatingRegister{low->low, high->low, true};
  }

  // The one number that is written.
  std::optional<SplitWrite> written() const {
    if (writes_.empty() || writes_.size() > 2) return std::nullopt;
    const Step& first = *writes_[0];
    if (writes_.size() == 1) {
      if (first.immediate != all && first.immediate != low_word) return std::nullopt;
      return SplitWrite{{first.resource, first.resource, first.immediate == all},
                        first.operands[0]};
    }
    const Step& second = *writes_[1];
    const Step& shifted = steps_[second.operands[0]];
    if (first.immediate != low_word || second.immediate != low_word) return std::nullopt;
    if (shifted.operation != Operation::shr || shifted.operands[0] != first.operands[0] ||
        !is_constant(shifted.operands[1], word_bits)) {
      return std::nullopt;
    }
    return SplitWrite{{first.resource, second.resource, true}, first.operands[0]};
  }

  void collect_writes() {
    for (const Step& step : steps_) {
      if (step.operation == Operation::write_register) writes_.push_back(&step);
    }
  }
  bool writes_only_numbers() const {
    return std::all_of(writes_.begin(), writes_.end(), [this](const Step* write) {
      return write->operands[1] == unconditional && is_number(*write);
    });
  }

 private:
  bool is_number(const Step& step) const {
    return floating_.holds_numbers(step.resource) && mode_.place(step.resource).bytes == 8;
  }
  bool is_constant(StepIndex i, std::uint64_t value) const {
    return steps_[i].operation == Operation::constant && steps_[i].immediate == value;
  }
  bool is_result(StepIndex i, std::uint8_t which) const {
    const Step& of = steps_[i];
    return call_ && of.operation == Operation::result && of.operands[0] == *call_ &&
           of.detail == which;
  }
  bool gives_result_double() const {
    return call_ ? gives_double(found_.function) : found_.a.is_double;
  }

  // Whether a step is of a kind that such an instruction has; notes what it says.
  bool accept(StepIndex i) {
    const Step& of = steps_[i];
    switch (of.operation) {
      case Operation::constant:
      case Operation::result:
      case Operation::or_:
      case Operation::and_:
      case Operation::shl:
      case Operation::shr:
      case Operation::ne:
      case Operation::select:
        return true;
      case Operation::read_register:
        return is_number(of) || of.resource == floating_.status;
      case Operation::call:
        return accept_call(i);
      case Operation::trap_if:
        return traps_by_status(of.operands[0]);
      case Operation::write_register:
        return of.operands[1] == unconditional && accept_write(of);
      default:
        return false;
    }
  }
  bool accept_call(StepIndex i) {
    const HostFunction function = function_of(steps_[i], mode_);
    if (function == HostFunction::trapping_exceptions) return true;
    if (function == HostFunction::none || is_of_integers(function) || call_) return false;
    call_ = i;
    found_.function = function;
    return true;
  }
  bool traps_by_status(StepIndex condition) const {
    const Step& of = steps_[condition];
    return of.operation == Operation::ne && is_constant(of.operands[1], 0) &&
           function_of(steps_[of.operands[0]], mode_) == HostFunction::trapping_exceptions;
  }
  bool accept_write(const Step& write) {
    if (write.resource != floating_.status) {
      writes_.push_back(&write);
      return is_number(write);
    }
    const Step& of = steps_[write.operands[0]];
    if (of.operation == Operation::select) return accept_condition(write, of);
    writes_status_ = true;
    return is_result(of.operation == Operation::and_ ? of.operands[0] : write.operands[0], 1);
  }
  // 1 or 0 at the bit that is written.
  bool accept_condition(const Step& write, const Step& chosen) {
    const Step& flag = steps_[chosen.operands[0]];
    found_.condition_bits = static_cast<std::uint32_t>(write.immediate);
    return flag.operation == Operation::ne && is_result(flag.operands[0], 0) &&
           is_constant(flag.operands[1], 0) && is_constant(chosen.operands[1], write.immediate) &&
           is_constant(chosen.operands[2], 0);
  }

  bool match_move() {
    const auto result = written();
    const auto from = result ? operand(result->value) : std::nullopt;
    if (!from) return false;
    found_.a = *from;
    return true;
  }

  bool match_call() {
    if (!writes_status_) return false;
    const Step& call = steps_[*call_];
    if (const auto result = written(); result && !is_result(result->value, 0)) return false;
    const auto a = operand(call.operands[0]);
    if (!a || a->is_double != is_double(found_.function)) return false;
    found_.a = *a;
    if (is_to_integer(found_.function)) return match_rounding(call.operands[2]);
    if (!is_binary(found_.function)) return true;
    const auto b = operand(call.operands[1]);
    if (!b || b->is_double != a->is_double) return false;
    found_.b = *b;
    if (multiplies_and_adds(found_.function)) return match_addition(call);
    if (!is_comparison(found_.function)) return true;
    const auto condition = above_status(call.operands[2]);
    found_.condition = condition.value_or(0);
    return condition.has_value();
  }
  bool match_addition(const Step& call) {
    const auto c = operand(call.operands[2]);
    const auto variant = above_status(call.operands[3]);
    if (!c || c->is_double != found_.a.is_double || !variant || *variant > 3) return false;
    found_.c = *c;
    found_.variant = *variant;
    return true;
  }
  bool match_rounding(StepIndex rounding) {
    const Step& of = steps_[rounding];
    // The status register's is to nearest in plain cases.
    if (of.operation == Operation::constant)
      found_.rounding = static_cast<std::uint32_t>(of.immediate);
    return of.operation == Operation::constant || of.operation == Operation::and_;
  }
  // The number in the high word of an argument whose low one is the status.
  std::optional<std::uint32_t> above_status(StepIndex argument) const {
    const Step& of = steps_[argument];
    if (of.operation == Operation::read_register) return 0;
    if (of.operation != Operation::or_) return std::nullopt;
    const Step& number = steps_[of.operands[1]];
    if (number.operation != Operation::constant) return std::nullopt;
    return static_cast<std::uint32_t>(number.immediate >> word_bits);
  }

  const std::vector<Step>& steps_;
  const GuestMode& mode_;
  const FloatingMode& floating_;
  FloatingInstruction found_;
  std::optional<StepIndex> call_;
  bool writes_status_ = false;
  std::vector<const Step*> writes_;
};

}  // namespace

HostFunction function_of(const Step& call, const GuestMode& mode) {
  if (call.operation != Operation::call) return HostFunction::none;
  const auto at =
      std::find_if(mode.functions.begin(), mode.functions.end(),
                   [&](const KnownFunction& known) { return known.function == call.callee; });
  return at == mode.functions.end() ? HostFunction::none : at->what;
}

std::optional<FloatingInstruction> floating_instruction(const Recording& recording,
                                                        const GuestMode& mode) {
  if (mode.floating == nullptr) return std::nullopt;
  return Matcher(recording, mode).match();
}

std::optional<FloatingRegister> floating_operand(const Recording& recording, const GuestMode& mode,
                                                 StepIndex value) {
  if (mode.floating == nullptr) return std::nullopt;
  return Matcher(recording, mode).operand(value);
}

std::optional<SplitWrite> split_write(const Recording& recording, const GuestMode& mode) {
  if (mode.floating == nullptr) return std::nullopt;
  Matcher matcher(recording, mode);
  matcher.collect_writes();
  if (!matcher.writes_only_numbers()) return std::nullopt;
  auto found = matcher.written();
  if (found && !found->to.is_split()) return std::nullopt;
  return found;
}

bool uses_exceptions(const Recording& recording, const GuestMode& mode) {
  if (mode.floating == nullptr) return false;
  const std::uint64_t bits = mode.floating->last_exceptions | mode.floating->all_exceptions;
  return std::any_of(recording.steps.begin(), recording.steps.end(), [&](const Step& step) {
    return (step.operation == Operation::read_register ||
            step.operation == Operation::write_register) &&
           step.resource == mode.floating->status && (step.immediate & bits) != 0;
  });
}

}  // namespace hardclock
