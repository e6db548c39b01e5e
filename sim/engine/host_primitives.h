// The primitives of an interpreter: values are numbers, registers those of the host's memory.
#pragma once

#include <cstdint>

#include "sim/engine/block_interpreter.h"
#include "sim/memory/address_space.h"
#include "sim/recording/primitives.h"

namespace hardclock {

// Derived is the ISA's Interpreter. The ISA says where its registers are: get(registers, register)
// and set(registers, register, value). Bodies that ask for the instruction's word need
// Derived::instruction_word().
template <class Derived, class Registers, class Operands>
class HostPrimitives : public BlockInterpreter<Derived, Registers, Operands> {
  using Base = BlockInterpreter<Derived, Registers, Operands>;

 public:
  using typename Base::Flag;
  using typename Base::Value;

  HostPrimitives(AddressSpace& memory, std::uint64_t address_mask) : Base(memory, address_mask) {}

  template <class Register>
  Value read(Register which, std::uint64_t bits = all_bits) const {
    return get(this->registers_, which) & bits;
  }
  template <class Register>
  void write(Register which, Value v, std::uint64_t bits = all_bits) {
    const Value kept = bits == all_bits ? 0 : get(this->registers_, which) & ~bits;
    set(this->registers_, which, kept | (v & bits));
  }
  template <class Register>
  void write_if(Flag condition, Register which, Value v, std::uint64_t bits = all_bits) {
    if (condition) write(which, v, bits);
  }

  using Base::load;
  template <class T>
  Value load_if(Flag condition, Value address) {
    return condition ? Base::template load<T>(address) : 0;
  }
  template <class T>
  void store(Value address, Value v) {
    Base::template store<T>(address, static_cast<T>(v));
  }
  template <class T>
  void store_if(Flag condition, Value address, Value v) {
    if (condition)
      store<T>(address, v);
    else
      this->host_of_store(address & this->address_mask(), sizeof(T));
  }
  template <class T>
  Value replaced(Value address) {
    return load_bytes<T>(this->host_of_store(address & this->address_mask(), sizeof(T)),
                         this->endian());
  }
  Flag is_accessible(Value address, Access access) const {
    const Region* const region =
        this->memory().region_at(GuestAddr(address & this->address_mask()));
    if (region == nullptr) return false;
    return access == Access::write ? region->permissions.write : region->permissions.read;
  }

  Value instruction_word_if(Flag condition) {
    if (!condition) [[likely]]
      return 0;
    return static_cast<Derived&>(*this).instruction_word();
  }
};

}  // namespace hardclock
