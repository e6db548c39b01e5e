#include "sim/translator/register_writer.h"

#include <algorithm>
#include <set>

#include "sim/translator/floating_match.h"
#include "sim/translator/host_registers.h"

namespace hardclock {
namespace {

using asmjit::Label;
using namespace host;

constexpr std::uint64_t all = ~std::uint64_t{0}, high_word = all << 32;

}  // namespace

bool RegisterWriter::takes_low(const Step& write) const {
  const RegisterPlace place = mode_.place(write.resource);
  if (place.bytes < 8) return true;
  if (write.immediate == 0xffff'ffff) return true;
  const bool is_word = mode_.is_word != nullptr && mode_.is_word(write.resource);
  return is_word && pin_of(mode_, write.resource).has_value() && write.immediate == all &&
         values_.is_word(write.operands[0]);
}

// All values first, then all registers. `is_all`: nothing else of the instruction comes then.
auto RegisterWriter::compute(const Recording& recording, bool is_all) -> std::vector<Write> {
  std::vector<Write> writes;
  const auto& steps = recording.steps;
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

RegisterWriter::Held RegisterWriter::value_of(Write& write) {
  const StepIndex value = write.step->operands[0];
  const bool writes_high_word = write.is_whole && write.step->immediate == high_word;
  if (const auto word = writes_high_word ? values_.word_shifted_up(value) : std::nullopt) {
    write.is_high_word = true;
    return values_.low(*word);
  }
  return write.is_whole ? values_.whole(value) : values_.low(value);
}

RegisterWriter::Held RegisterWriter::value_for(Write& write) {
  const Step& step = *write.step;
  const auto pin = pin_of(mode_, step.resource);
  if (!pin || step.immediate != all || step.operands[1] != unconditional) return value_of(write);
  return write.is_whole ? values_.whole_for(step.operands[0], *pin)
                        : values_.low_for(step.operands[0], *pin);
}

// What another register of the instruction's holds may change before it is used.
RegisterWriter::Held RegisterWriter::apart(const Held& value, std::ptrdiff_t count) {
  if (count == 1 || value.owned) return value;
  const x86::Gp own = values_.temporary();
  a_.mov(own, value.reg);
  values_.release(value);
  return {own, true};
}

// Whether it can be written as a constant of the host's instruction.
bool RegisterWriter::is_plain_constant(const Write& write) const {
  const Step& step = *write.step;
  if (step.immediate != all || !values_.is_constant(step.operands[0])) return false;
  const RegisterPlace place = mode_.place(step.resource);
  return place.bytes == 4 || (place.bytes == 8 && !write.is_whole && pin_of(mode_, step.resource));
}

// Whether writing leaves the processor's flags alone.
bool RegisterWriter::keeps_flags(const Write& write) const {
  const std::uint64_t bits = write.step->immediate;
  return !write.condition && mode_.place(write.step->resource).bytes != 1 &&
         (bits == all || bits == 0xffff'ffff);
}

void RegisterWriter::write(const Write& write) {
  std::optional<Label> skip;
  if (write.condition) {
    skip = a_.newLabel();
    a_.test(write.condition->reg, write.condition->reg);
    values_.release(*write.condition);
    a_.jz(*skip);
  }
  if (write.value)
    write_value(write);
  else
    write_constant(*write.step);
  if (skip) a_.bind(*skip);
  if (write.value) values_.release(*write.value);
  find_frame_again(*write.step);
}

// If the register says where others lie.
void RegisterWriter::find_frame_again(const Step& step) {
  if (!mode_.frame) return;
  const RegisterPlace place = mode_.place(step.resource);
  if (!place.is_in_frame && place.offset == mode_.frame->skip) find_frame(a_, mode_);
}

void RegisterWriter::write_constant(const Step& step) {
  const auto number = static_cast<std::uint32_t>(values_.constant(step.operands[0]));
  if (const auto pin = pin_of(mode_, step.resource))
    a_.mov(pin->r32(), number);
  else
    a_.mov(in_context(mode_.place(step.resource), 4), number);
}

void RegisterWriter::write_value(const Write& write) {
  const Step& step = *write.step;
  const RegisterPlace place = mode_.place(step.resource);
  const auto pin = pin_of(mode_, step.resource);
  const x86::Gp value = write.value->reg;
  if (pin && step.immediate != all) {
    write_part(write, *pin);
  } else if (pin) {
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
  } else if (step.immediate == high_word && (write.is_high_word || write.value->owned)) {
    if (!write.is_high_word) a_.shr(value, 32);
    a_.mov(in_context(place, 4, 4), value.r32());
  } else {
    write_part(write, in_context(place, 8));
  }
  floating_.written(step.resource, step.immediate, value);
}

// Some bits of a register of eight bytes.
template <class Place>
void RegisterWriter::write_part(const Write& write, const Place& to) {
  const std::uint64_t bits = write.step->immediate, others = ~bits;
  const bool is_clean = (values_.possible_bits(write.step->operands[0]) & others) == 0;
  const x86::Gp value = write.value->reg;
  x86::Gp changed = value;
  if (!is_clean) {
    changed = values_.temporary();
    a_.mov(changed, bits);
    a_.and_(changed, value);
  }
  const auto narrow = static_cast<std::int32_t>(others);
  if (static_cast<std::uint64_t>(std::int64_t{narrow}) == others) {
    a_.and_(to, narrow);
  } else {
    const x86::Gp mask = values_.temporary();
    a_.mov(mask, others);
    a_.and_(to, mask);
    values_.release(mask);
  }
  a_.or_(to, changed);
  if (!is_clean) values_.release(changed);
}

void RegisterWriter::write_bits(RegisterPlace place, x86::Gp value, std::uint32_t bits) {
  const x86::Gp changed = values_.temporary();
  a_.mov(changed.r32(), value.r32());
  a_.and_(changed.r32(), static_cast<std::int32_t>(bits));
  a_.and_(in_context(place, 4), static_cast<std::int32_t>(~bits));
  a_.or_(in_context(place, 4), changed.r32());
  values_.release(changed);
}

void RegisterWriter::write(const std::vector<Write>& writes) {
  for (const Write& each : writes) write(each);
}

bool RegisterWriter::write_in_order(const Recording& recording) {
  const auto& steps = recording.steps;
  std::set<Resource> written;
  const auto reads_written = [&](auto& self, StepIndex index) -> bool {
    const Step& of = steps[index];
    if (of.operation == Operation::read_register) return written.count(of.resource) != 0;
    for (std::size_t i = 0; i < operands_of(of); ++i) {
      if (self(self, of.operands[i])) return true;
    }
    return false;
  };
  for (const Step& step : steps) {
    if (step.operation != Operation::write_register) continue;
    if (step.operands[1] != unconditional || reads_written(reads_written, step.operands[0]) ||
        !mode_.place(step.resource).is_known()) {
      return false;
    }
    written.insert(step.resource);
    Write next{&step, std::nullopt, !takes_low(step)};
    if (!is_plain_constant(next)) next.value = value_of(next);
    write(next);
  }
  return true;
}

void RegisterWriter::write_all(const Recording& recording) {
  if (const auto split = split_write(recording, mode_)) {
    const x86::Gp value = values_.own_whole(split->value);
    floating_.write_split(split->to, value);
    return values_.release(value);
  }
  if (!write_in_memory(recording)) write(compute(recording, true));
}

// The one register that it writes, if that is not pinned and the host's instructions can change it
// where it lies.
bool RegisterWriter::write_in_memory(const Recording& recording) {
  const Step* only = nullptr;
  for (const Step& step : recording.steps) {
    if (step.operation != Operation::write_register) continue;
    if (only != nullptr) return false;
    only = &step;
  }
  return only != nullptr && only->operands[1] == unconditional && only->immediate == all &&
         mode_.place(only->resource).bytes == 8 && !takes_low(*only) &&
         !floating_.is_pinned(only->resource) &&
         values_.change_in_memory(only->operands[0], only->resource);
}

}  // namespace hardclock
