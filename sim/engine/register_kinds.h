// From an instruction set's registers, which are types (isa/*/resources.h), to the numbers by which
// recordings know them, and back.
#pragma once

#include <cstdint>
#include <type_traits>

#include "sim/timing/pipeline.h"

namespace hardclock {

// The registers of a type, which have `count` numbers from `first` on: Register{n} each, or
// Register{} if there is only one.
template <class Register, Resource first, unsigned count = 1>
struct RegisterKind {
  static constexpr Resource number(Register r) {
    if constexpr (std::is_empty_v<Register>)
      return first;
    else
      return static_cast<Resource>(first + r.n);
  }
  static constexpr bool has(Resource resource) {
    return resource >= first && resource < first + count;
  }
  static constexpr Register at(Resource resource) {
    if constexpr (std::is_empty_v<Register>)
      return {};
    else
      return {unsigned{resource} - first};
  }
};

// What a number that is no register's stands for: it reads as 0, and a write has no effect.
struct NoRegister {};
template <class Registers>
std::uint64_t get(const Registers&, NoRegister) {
  return 0;
}
template <class Registers>
void set(Registers&, NoRegister, std::uint64_t) {}

// All kinds of an instruction set.
template <class... Kinds>
struct RegisterKinds : Kinds... {
  using Kinds::number...;

  // Calls visitor(register) with the register of the number.
  template <class Visitor>
  static auto visit(Resource resource, Visitor visitor) {
    return visit_one_of<Visitor, Kinds...>(resource, visitor);
  }

 private:
  template <class Visitor>
  static auto visit_one_of(Resource, Visitor& visitor) {
    return visitor(NoRegister{});
  }
  template <class Visitor, class Kind, class... Others>
  static auto visit_one_of(Resource resource, Visitor& visitor) {
    if (Kind::has(resource)) return visitor(Kind::at(resource));
    return visit_one_of<Visitor, Others...>(resource, visitor);
  }
};

}  // namespace hardclock
