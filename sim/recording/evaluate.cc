#include "sim/recording/evaluate.h"

#include <array>
#include <vector>

#include "sim/base/check.h"
#include "sim/recording/concrete.h"

namespace hardclock {
namespace {

using Arithmetic = ConcreteArithmetic;

std::uint64_t load(const std::uint8_t* host, unsigned bytes, Endian order) {
  switch (bytes) {
    case 1:
      return *host;
    case 2:
      return load_bytes<std::uint16_t>(host, order);
    case 4:
      return load_bytes<std::uint32_t>(host, order);
    default:
      return load_bytes<std::uint64_t>(host, order);
  }
}

void store(std::uint8_t* host, unsigned bytes, std::uint64_t value, Endian order) {
  switch (bytes) {
    case 1:
      *host = static_cast<std::uint8_t>(value);
      break;
    case 2:
      store_bytes(host, static_cast<std::uint16_t>(value), order);
      break;
    case 4:
      store_bytes(host, static_cast<std::uint32_t>(value), order);
      break;
    default:
      store_bytes(host, value, order);
  }
}

bool is_binary(Operation operation) {
  return (operation >= Operation::add && operation <= Operation::sar) ||
         (operation >= Operation::eq && operation <= Operation::ltu);
}

std::uint64_t binary(Operation operation, std::uint64_t a, std::uint64_t b) {
  switch (operation) {
    case Operation::add:
      return a + b;
    case Operation::sub:
      return a - b;
    case Operation::mul:
      return a * b;
    case Operation::and_:
      return a & b;
    case Operation::or_:
      return a | b;
    case Operation::xor_:
      return a ^ b;
    case Operation::shl:
      return a << b;
    case Operation::shr:
      return a >> b;
    case Operation::sar:
      return Arithmetic::sar(a, b);
    case Operation::eq:
      return Arithmetic::eq(a, b) ? 1 : 0;
    case Operation::ne:
      return Arithmetic::ne(a, b) ? 1 : 0;
    case Operation::lt:
      return Arithmetic::lt(a, b) ? 1 : 0;
    default:
      return Arithmetic::ltu(a, b) ? 1 : 0;
  }
}

class Evaluation {
 public:
  Evaluation(const Recording& recording, Place place, RegisterFile& registers, AddressSpace& memory,
             Endian order)
      : recording_(recording),
        place_(place),
        registers_(registers),
        memory_(memory),
        usual_{.order = order},
        values_(recording.steps.size()) {
    outcome_.after_slot = place.after_slot;
  }

  // Stores are not made from now on, but told by access().
  void only_look() { looks_ = true; }
  const std::optional<MemoryAccess>& access() const { return access_; }

  Evaluated run() {
    for (std::size_t i = 0; i < values_.size() && !outcome_.trap && !is_over_; ++i) {
      const Step& step = recording_.steps[i];
      if (step.operation < Operation::write_register)
        values_[i] = value(step);
      else
        perform(step);
    }
    return outcome_;
  }

 private:
  std::uint64_t operand(const Step& step, std::size_t index) const {
    return values_[step.operands[index]];
  }
  bool holds(StepIndex condition) const {
    return condition == unconditional || values_[condition] != 0;
  }

  std::uint64_t value(const Step& step) {
    if (is_binary(step.operation))
      return binary(step.operation, operand(step, 0), operand(step, 1));
    switch (step.operation) {
      case Operation::constant:
        return step.immediate;
      case Operation::read_register:
        return registers_.read(step.resource) & step.immediate;
      case Operation::program_counter:
        return place_.pc;
      case Operation::after_slot:
        return place_.after_slot;
      case Operation::clock:
        return place_.now.value();
      case Operation::load:
      case Operation::replaced:
        return loaded(step);
      case Operation::is_accessible:
        return is_accessible(GuestAddr(operand(step, 0)), static_cast<Access>(step.detail));
      case Operation::call:
        return called(step);
      case Operation::transform:
        return transformed(step);
      case Operation::result:
        return results_[step.detail];
      case Operation::sext8:
        return Arithmetic::sext8(operand(step, 0));
      case Operation::sext16:
        return Arithmetic::sext16(operand(step, 0));
      case Operation::sext32:
        return Arithmetic::sext32(operand(step, 0));
      case Operation::zext32:
        return Arithmetic::zext32(operand(step, 0));
      default:
        CHECK(step.operation == Operation::select);
        return operand(step, 0) != 0 ? operand(step, 1) : operand(step, 2);
    }
  }

  bool is_split(const Step& step, DataAccess how) const {
    return how.splits && operand(step, 0) % step.detail != 0;
  }
  // Of the byte at offset i, in the value.
  static unsigned place_of(unsigned i, unsigned bytes, Endian order) {
    return order == Endian::big ? bytes - 1 - i : i;
  }
  std::uint64_t loaded_in_bytes(const Step& step, Endian order) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < step.detail; ++i) {
      const std::uint8_t* const from = byte_at(operand(step, 0) + i, Access::read);
      if (from == nullptr) return 0;
      value |= std::uint64_t{*from} << 8 * place_of(i, step.detail, order);
    }
    return value;
  }

  // Null: the access is not allowed, and the instruction ends; or nothing is to be stored.
  std::uint8_t* host(const Step& step, Access access) {
    return host(operand(step, 0), step.detail, access);
  }
  std::uint8_t* byte_at(std::uint64_t address, Access access) { return host(address, 1, access); }
  void note(std::uint64_t address, unsigned bytes, Access access) {
    if (!access_) access_ = MemoryAccess{GuestAddr(address), bytes};
    access_->writes |= access == Access::write;
  }
  std::uint8_t* host(std::uint64_t address, unsigned bytes, Access access) {
    if (looks_) note(address, bytes, access);
    if (looks_ && access == Access::write) return nullptr;
    const auto found = memory_.translate(GuestAddr(address), bytes, access);
    if (found) return *found;
    outcome_.trap = Trap{TrapKind::memory, 0, found.error()};
    return nullptr;
  }
  std::uint64_t loaded(const Step& step) {
    if (step.operation == Operation::load && !holds(step.operands[1])) return 0;
    const Access access = step.operation == Operation::replaced ? Access::write : Access::read;
    const DataAccess how = registers_.data_access(usual_);
    if (is_split(step, how)) return loaded_in_bytes(step, how.order);
    const std::uint8_t* const from = host(step, access);
    return from != nullptr ? load(from, step.detail, how.order) : 0;
  }
  std::uint64_t is_accessible(GuestAddr address, Access access) const {
    const Region* const region = memory_.region_at(address);
    if (region == nullptr) return 0;
    return access == Access::write ? region->permissions.write : region->permissions.read;
  }
  std::uint64_t transformed(const Step& step) {
    const auto value = registers_.transform(step.detail, operand(step, 0), operand(step, 1));
    if (!value) outcome_.trap = registers_.why_not();
    return value.value_or(0);
  }
  // The results of a call stand right behind it.
  std::uint64_t called(const Step& step) {
    std::array<std::uint64_t, std::tuple_size_v<decltype(step.operands)>> arguments{};
    for (std::size_t i = 0; i < step.signature->arguments; ++i) arguments[i] = operand(step, i);
    CHECK(step.signature->results <= results_.size());
    step.signature->call(step.callee, arguments.data(), results_.data());
    return results_[0];
  }

  void perform(const Step& step) {
    switch (step.operation) {
      case Operation::write_register:
        if (holds(step.operands[1])) write(step);
        break;
      case Operation::store:
        stored(step);
        break;
      case Operation::branch:
        if (operand(step, 0) == 0) break;
        outcome_.taken = true;
        outcome_.after_slot = operand(step, 1);
        break;
      case Operation::end_unless:
        is_over_ = operand(step, 0) == 0;
        break;
      case Operation::nullify:
        outcome_.nullified |= operand(step, 0) != 0;
        break;
      case Operation::slow_if:  // in time, not in meaning
      case Operation::rare_if:
        break;
      case Operation::trap_if:
        if (operand(step, 0) != 0) end(step);
        break;
      default:
        CHECK(step.operation == Operation::trap);
        end(step);
    }
  }
  void stored(const Step& step) {
    const DataAccess how = registers_.data_access(usual_);
    if (holds(step.operands[2]) && is_split(step, how)) return stored_in_bytes(step, how.order);
    std::uint8_t* const to = host(step, Access::write);
    if (to != nullptr && holds(step.operands[2]))
      store(to, step.detail, operand(step, 1), how.order);
  }
  // From the last byte down: if the page behind is not there, nothing is stored.
  void stored_in_bytes(const Step& step, Endian order) {
    for (unsigned i = step.detail; i-- > 0;) {
      std::uint8_t* const to = byte_at(operand(step, 0) + i, Access::write);
      if (to == nullptr) return;
      *to = static_cast<std::uint8_t>(operand(step, 1) >> 8 * place_of(i, step.detail, order));
    }
  }
  void write(const Step& step) {
    const std::uint64_t bits = step.immediate;
    const std::uint64_t kept = registers_.read(step.resource) & ~bits;
    registers_.write(step.resource, kept | (operand(step, 0) & bits));
  }
  void end(const Step& step) {
    outcome_.trap =
        Trap{static_cast<TrapKind>(step.detail), static_cast<std::uint32_t>(step.immediate), {}};
  }

  const Recording& recording_;
  Place place_;
  RegisterFile& registers_;
  AddressSpace& memory_;
  DataAccess usual_;
  std::vector<std::uint64_t> values_;
  std::array<std::uint64_t, 8> results_{};  // of the last call
  bool is_over_ = false;
  bool looks_ = false;
  std::optional<MemoryAccess> access_;
  Evaluated outcome_;
};

}  // namespace

std::optional<std::uint64_t> RegisterFile::transform(std::uint8_t, std::uint64_t, std::uint64_t) {
  CHECK(false);
  return std::nullopt;
}

Evaluated evaluate(const Recording& recording, Place place, RegisterFile& registers,
                   AddressSpace& memory, Endian data_order) {
  return Evaluation(recording, place, registers, memory, data_order).run();
}

std::optional<MemoryAccess> access_of(const Recording& recording, Place place,
                                      RegisterFile& registers, AddressSpace& memory,
                                      Endian data_order) {
  Evaluation evaluation(recording, place, registers, memory, data_order);
  evaluation.only_look();
  evaluation.run();
  return evaluation.access();
}

}  // namespace hardclock
