#include "sim/translator/floating_match.h"

#include <asmjit/x86.h>

#include <algorithm>
#include <vector>

namespace hardclock {
namespace {

const KnownFunction* known_function(const Step& call, const GuestMode& mode) {
  if (call.operation != Operation::call) return nullptr;
  const auto at =
      std::find_if(mode.functions.begin(), mode.functions.end(),
                   [&](const KnownFunction& known) { return known.function == call.callee; });
  return at == mode.functions.end() ? nullptr : &*at;
}

constexpr std::uint64_t all = ~std::uint64_t{0};
constexpr std::uint64_t high_word = low_word << 32;
constexpr std::uint64_t word_bits = 32;

bool is_double(HostFunction function) {
  switch (function) {
    case HostFunction::add_double:
    case HostFunction::subtract_double:
    case HostFunction::multiply_double:
    case HostFunction::divide_double:
    case HostFunction::square_root_double:
    case HostFunction::reciprocal_double:
    case HostFunction::reciprocal_root_double:
    case HostFunction::absolute_double:
    case HostFunction::negate_double:
    case HostFunction::double_to_single:
    case HostFunction::long_to_single:
    case HostFunction::long_to_double:
    case HostFunction::double_to_word:
    case HostFunction::double_to_long:
    case HostFunction::compare_double:
    case HostFunction::multiply_add_double:
    case HostFunction::fused_multiply_add_double:
    case HostFunction::to_integral_double:
    case HostFunction::compare_into_queue_double:
    case HostFunction::clear_sign_double:
    case HostFunction::change_sign_double:
    case HostFunction::set_sign_double:
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
    case HostFunction::unsigned_word_to_double:
    case HostFunction::single_to_long:
      return true;
    default:
      return is_double(function);
  }
}
bool compares_into_queue(HostFunction function) {
  return function == HostFunction::compare_into_queue_single ||
         function == HostFunction::compare_into_queue_double;
}
bool is_comparison(HostFunction function) {
  return function == HostFunction::compare_single || function == HostFunction::compare_double ||
         compares_into_queue(function);
}
bool multiplies_and_adds(HostFunction function) {
  return function == HostFunction::multiply_add_single ||
         function == HostFunction::multiply_add_double;
}
bool is_fused(HostFunction function) {
  return function == HostFunction::fused_multiply_add_single ||
         function == HostFunction::fused_multiply_add_double;
}
bool is_to_integer(HostFunction function) {
  return function >= HostFunction::single_to_word && function <= HostFunction::double_to_long;
}
bool computes(HostFunction function) {
  return function >= HostFunction::add_single && function <= HostFunction::divide_double;
}
bool is_binary(HostFunction function) {
  return computes(function) || is_comparison(function) || multiplies_and_adds(function) ||
         is_fused(function);
}
// As copies do, which have no exceptions.
bool moves_bits(HostFunction function) {
  return function >= HostFunction::copy_bits && function <= HostFunction::set_sign_double;
}
bool is_of_status(HostFunction function) {
  return function >= HostFunction::trapping_exceptions;
}

bool host_fuses() {
  static const bool fuses = asmjit::CpuInfo::host().features().x86().hasFMA();
  return fuses;
}

// Recordings are read as they are in plain cases: no special bit of the status is set, and none of
// the operations sets one.
class Matcher {
 public:
  Matcher(const Recording& recording, const GuestMode& mode)
      : steps_(recording.steps), mode_(mode), floating_(*mode.floating) {}

  std::optional<FloatingInstruction> match() {
    for (StepIndex i = 0; i < steps_.size(); ++i) {
      if (!accept(i)) return std::nullopt;
    }
    if (calls_.empty()) return match_move();
    const auto first = match_call(0);
    if (!first) return std::nullopt;
    FloatingInstruction found{*first, std::nullopt};
    if (calls_.size() == 1) return found;
    // Their exceptions are not told apart.
    const bool is_pair = calls_.size() == 2 && floating_.last_exceptions == 0;
    if (!is_pair || !computes(function_at(calls_[0])) || !computes(function_at(calls_[1]))) {
      return std::nullopt;
    }
    found.beside = match_call(1);
    return found.beside ? std::optional(found) : std::nullopt;
  }

  std::optional<FloatingRegister> operand(StepIndex i) const {
    const Step& of = steps_[i];
    if (of.operation == Operation::read_register && is_number(of)) {
      if (of.immediate == all) return whole(of.resource);
      if (of.immediate == low_word) return FloatingRegister{of.resource, of.resource};
      return std::nullopt;
    }
    if (of.operation == Operation::shr && is_constant(of.operands[1], word_bits)) {
      const Step& high = steps_[of.operands[0]];
      const bool is_high = high.operation == Operation::read_register && is_number(high) &&
                           high.immediate == high_word;
      if (!is_high) return std::nullopt;
      return FloatingRegister{high.resource, high.resource, false, true};
    }
    return of.operation == Operation::or_ ? split_operand(of) : std::nullopt;
  }

  // The one number that is written.
  std::optional<SplitWrite> written() const {
    if (writes_.size() == 1) return written(*writes_[0]);
    if (writes_.size() != 2) return std::nullopt;
    const Step &first = *writes_[0], &second = *writes_[1];
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
  static FloatingRegister whole(Resource resource) { return {resource, resource, true}; }
  std::optional<FloatingRegister> split_operand(const Step& of) const {
    const Step& shifted = steps_[of.operands[0]];
    if (shifted.operation != Operation::shl || !is_constant(shifted.operands[1], word_bits)) {
      return std::nullopt;
    }
    const auto high = operand(shifted.operands[0]), low = operand(of.operands[1]);
    if (!high || !low || high->is_double || low->is_double) return std::nullopt;
    return FloatingRegister{low->low, high->low, true};
  }
  // As an operand of this format.
  std::optional<FloatingRegister> operand(StepIndex i, bool is_double) const {
    if (is_constant(i, 0)) return FloatingRegister{.is_double = is_double, .is_zero = true};
    const auto found = operand(i);
    return found && found->is_double == is_double ? found : std::nullopt;
  }
  std::optional<SplitWrite> written(const Step& write) const {
    const Resource to = write.resource;
    const StepIndex value = write.operands[0];
    if (write.immediate == all) return SplitWrite{whole(to), value};
    if (write.immediate == low_word) return SplitWrite{{to, to}, value};
    const Step& shifted = steps_[value];
    if (write.immediate != high_word || shifted.operation != Operation::shl ||
        !is_constant(shifted.operands[1], word_bits)) {
      return std::nullopt;
    }
    return SplitWrite{{to, to, false, true}, shifted.operands[0]};
  }

  bool is_number(const Step& step) const {
    return floating_.holds_numbers(step.resource) && mode_.place(step.resource).bytes == 8;
  }
  bool is_constant(StepIndex i, std::uint64_t value) const {
    return steps_[i].operation == Operation::constant && steps_[i].immediate == value;
  }
  HostFunction function_at(StepIndex i) const { return function_of(steps_[i], mode_); }
  bool is_result(StepIndex i, StepIndex call, std::uint8_t which) const {
    const Step& of = steps_[i];
    return of.operation == Operation::result && of.operands[0] == call && of.detail == which;
  }
  bool is_value(StepIndex i, StepIndex call) const { return i == call || is_result(i, call, 0); }

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
      case Operation::eq:
      case Operation::select:
        return true;
      case Operation::read_register:
        return is_number(of) || of.resource == floating_.status;
      case Operation::call:
        return accept_call(i);
      case Operation::trap_if:
        return traps_by_status(of.operands[0]);
      case Operation::write_register:
        return (of.operands[1] == unconditional || holds(of.operands[1])) && accept_write(of);
      default:
        return false;
    }
  }
  bool accept_call(StepIndex i) {
    const HostFunction function = function_at(i);
    if (is_of_status(function)) return true;
    if (function == HostFunction::none || is_of_integers(function)) return false;
    if (is_fused(function) && !host_fuses()) return false;
    calls_.push_back(i);
    return true;
  }
  // Whether a value is 0 in plain cases.
  bool is_none(StepIndex i) const {
    const Step& of = steps_[i];
    if (function_at(i) == HostFunction::trapping_exceptions) return true;
    const std::uint64_t special = std::uint64_t{floating_.special} << floating_.status_shift;
    return of.operation == Operation::read_register && of.resource == floating_.status &&
           (of.immediate & ~special) == 0;
  }
  bool traps_by_status(StepIndex condition) const {
    const Step& of = steps_[condition];
    return of.operation == Operation::ne && is_constant(of.operands[1], 0) &&
           is_none(of.operands[0]);
  }
  bool holds(StepIndex condition) const {
    const Step& of = steps_[condition];
    return of.operation == Operation::eq && is_constant(of.operands[1], 0) &&
           is_none(of.operands[0]);
  }
  bool accept_write(const Step& write) {
    if (write.resource != floating_.status) {
      writes_.push_back(&write);
      return is_number(write);
    }
    const Step& of = steps_[write.operands[0]];
    if (of.operation == Operation::select) return accept_condition(write, of);
    writes_status_ = true;
    return is_status(write.operands[0]);
  }
  // The status after the operations.
  bool is_status(StepIndex i) const {
    const Step& of = steps_[i];
    if (of.operation == Operation::and_) return is_status(of.operands[0]);
    const HostFunction function = function_at(i);
    if (function == HostFunction::same_status) return is_status(of.operands[0]);
    if (function == HostFunction::merged_status) {
      return calls_.size() == 2 && is_result(of.operands[0], calls_[0], 1) &&
             is_result(of.operands[1], calls_[1], 1);
    }
    if (calls_.size() != 1) return false;
    return compares_into_queue(function) || is_result(i, calls_[0], 1);
  }
  // 1 or 0 at the bit that is written.
  bool accept_condition(const Step& write, const Step& chosen) {
    const Step& flag = steps_[chosen.operands[0]];
    condition_bits_ = static_cast<std::uint32_t>(write.immediate);
    return calls_.size() == 1 && flag.operation == Operation::ne &&
           is_result(flag.operands[0], calls_[0], 0) && is_constant(flag.operands[1], 0) &&
           is_constant(chosen.operands[1], write.immediate) && is_constant(chosen.operands[2], 0);
  }

  std::optional<FloatingInstruction> match_move() const {
    const auto result = written();
    const auto from = result ? operand(result->value) : std::nullopt;
    if (!from || from->is_double != result->to.is_double) return std::nullopt;
    FloatingInstruction found;
    found.a = *from;
    found.result = result->to;
    return found;
  }

  // Of one of the calls, with what is written of its results.
  std::optional<FloatingOperation> match_call(std::size_t which) const {
    const StepIndex at = calls_[which];
    FloatingOperation found;
    found.function = function_at(at);
    if (moves_bits(found.function) == writes_status_) return std::nullopt;
    if (!match_operands(steps_[at], found)) return std::nullopt;
    const bool is_matched =
        is_comparison(found.function) ? match_condition(found) : match_result(which, found);
    return is_matched ? std::optional(found) : std::nullopt;
  }
  bool match_condition(const FloatingOperation& found) const {
    return writes_.empty() && (compares_into_queue(found.function) || found.condition_bits != 0);
  }
  bool match_result(std::size_t which, FloatingOperation& found) const {
    const auto result = calls_.size() == 1 ? written() : written_by_one_of_two(which);
    if (!result || !is_value(result->value, calls_[which])) return false;
    const bool copies = found.function == HostFunction::copy_bits;
    if (copies && found.a.is_zero) found.a.is_double = result->to.is_double;
    const bool is_double = copies ? found.a.is_double : gives_double(found.function);
    found.result = result->to;
    return result->to.is_double == is_double;
  }
  std::optional<SplitWrite> written_by_one_of_two(std::size_t which) const {
    return writes_.size() == 2 ? written(*writes_[which]) : std::nullopt;
  }

  bool match_operands(const Step& call, FloatingOperation& found) const {
    const bool takes_double = is_double(found.function);
    auto a = operand(call.operands[0], takes_double);
    if (!a && found.function == HostFunction::copy_bits) a = operand(call.operands[0], true);
    if (!a) return false;
    found.a = *a;
    if (is_to_integer(found.function)) return match_rounding(call, found);
    if (!is_binary(found.function)) return true;
    const auto b = operand(call.operands[1], takes_double);
    if (!b) return false;
    found.b = *b;
    if (multiplies_and_adds(found.function) || is_fused(found.function)) {
      return match_addition(call, found);
    }
    return !is_comparison(found.function) || match_relations(call.operands[2], found);
  }
  bool match_relations(StepIndex condition, FloatingOperation& found) const {
    if (compares_into_queue(found.function)) {
      constexpr std::uint64_t greater = 16, less = 8, equal = 4;
      const Step& of = steps_[condition];
      if (of.operation != Operation::constant) return false;
      const auto is = [&](std::uint64_t relation) { return (of.immediate & relation) != 0; };
      found.relations = {.less = is(less), .equal = is(equal), .greater = is(greater)};
      const auto bit = static_cast<unsigned>(of.immediate >> 5);
      found.condition_bits = bit == 0 ? 0 : floating_.queue.newest_other >> (bit - 1);
      return true;
    }
    constexpr std::uint32_t less = 4, equal = 2;
    const auto asked = above_status(condition);
    if (!asked) return false;
    found.relations = {.less = (*asked & less) != 0, .equal = (*asked & equal) != 0};
    found.condition_bits = condition_bits_;
    return true;
  }
  bool match_addition(const Step& call, FloatingOperation& found) const {
    const auto c = operand(call.operands[2], found.a.is_double);
    const auto variant =
        is_fused(found.function) ? variant_of(call) : above_status(call.operands[3]);
    if (!c || !variant || *variant > (host_fuses() ? 7 : 3)) return false;
    found.c = *c;
    found.variant = *variant;
    return true;
  }
  std::optional<std::uint32_t> variant_of(const Step& call) const {
    return known_function(call, mode_)->variant;
  }
  bool match_rounding(const Step& call, FloatingOperation& found) const {
    constexpr std::uint8_t with_rounding = 3;
    if (call.signature->arguments != with_rounding) {
      found.rounding = *variant_of(call);
      return true;
    }
    const Step& of = steps_[call.operands[2]];
    // The status register's is to nearest in plain cases.
    if (of.operation == Operation::constant)
      found.rounding = static_cast<std::uint32_t>(of.immediate);
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
  std::vector<StepIndex> calls_;     // that compute
  std::vector<const Step*> writes_;  // of numbers
  bool writes_status_ = false;
  std::uint32_t condition_bits_ = 0;
};

}  // namespace

HostFunction function_of(const Step& call, const GuestMode& mode) {
  const KnownFunction* const known = known_function(call, mode);
  return known == nullptr ? HostFunction::none : known->what;
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
  const std::uint64_t exceptions = mode.floating->last_exceptions | mode.floating->all_exceptions;
  const std::uint64_t bits = exceptions << mode.floating->status_shift;
  return std::any_of(recording.steps.begin(), recording.steps.end(), [&](const Step& step) {
    return (step.operation == Operation::read_register ||
            step.operation == Operation::write_register) &&
           step.resource == mode.floating->status && (step.immediate & bits) != 0;
  });
}

}  // namespace hardclock
