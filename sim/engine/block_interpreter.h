// The part of an interpreting machine that every ISA with delay slots shares: running predecoded
// instructions, accesses to memory, transfers of control and traps. An ISA's Interpreter derives
// from it and adds its registers to the vocabulary of its semantics.
#pragma once

#include <cstdint>
#include <utility>

#include "sim/base/endian.h"
#include "sim/base/units.h"
#include "sim/engine/concrete.h"
#include "sim/engine/data_port.h"
#include "sim/engine/trap.h"
#include "sim/memory/address_space.h"

namespace hardclock {

// Derived is the ISA's Interpreter, on which its bodies run; Operands what decodegen made of its
// description.
template <class Derived, class Registers, class Operands>
class BlockInterpreter : public ConcreteArithmetic {
 public:
  // A predecoded instruction.
  struct Op {
    void (*execute)(Derived&, const Op&) = nullptr;
    Operands operands{};
    std::uint64_t pc = 0;
  };

  Registers& registers() { return registers_; }
  const Registers& registers() const { return registers_; }

  // ---- The vocabulary of semantics.h.
  // Cycles since the clock began: only in an instruction that the engine steps (see set_clock).
  Value clock() const { return clock_; }
  Value pc() const { return op_->pc; }
  // Where control goes when it is not transferred: in a branch, past its delay slot.
  Value after_slot() const { return after_slot_; }

  Value load8(Value address) { return load<std::uint8_t>(address); }
  Value load16(Value address) { return load<std::uint16_t>(address); }
  Value load32(Value address) { return load<std::uint32_t>(address); }
  Value load64(Value address) { return load<std::uint64_t>(address); }
  void store8(Value address, Value v) { store(address, static_cast<std::uint8_t>(v)); }
  void store16(Value address, Value v) { store(address, static_cast<std::uint16_t>(v)); }
  void store32(Value address, Value v) { store(address, static_cast<std::uint32_t>(v)); }
  void store64(Value address, Value v) { store(address, v); }
  // The word or doubleword of which a store will replace a part: no access of its own.
  Value replaced32(Value address) { return replaced<std::uint32_t>(address); }
  Value replaced64(Value address) { return replaced<std::uint64_t>(address); }

  // Continues there after the delay slot.
  void jump(Value target) {
    after_slot_ = target & address_mask_;
    taken_ = true;
  }
  void branch_if(Flag condition, Value target) {
    if (condition) jump(target);
  }
  // The next instruction does not take place.
  void nullify_if(Flag condition) {
    if (!condition) return;
    nullified_ = true;
    end_ = op_ + 1;
  }
  void nullify() { nullify_if(true); }
  void trap_if(Flag condition, TrapKind kind, std::uint32_t code = 0) {
    if (condition) raise(kind, code);
  }
  // A trap that is the instruction's whole purpose: it ends the run without unwinding.
  void trap(TrapKind kind, std::uint32_t code) {
    pending_trap_ = Trap{kind, code, Fault{}};
    has_pending_trap_ = true;
    end_ = op_ + 1;
  }

  // ---- The engine's side.
  // Runs predecoded instructions in order. Returns one past the last that ran: less than `end` when
  // the next one was nullified, code was overwritten, or that last one trapped (see take_trap).
  // `fall_through` is where control goes when no branch is taken. Throws InstructionTrap.
  const Op* run(const Op* first, const Op* end, std::uint64_t fall_through) {
    end_ = end;
    after_slot_ = fall_through;
    taken_ = false;
    const Op* op = first;
    for (; op != end_; ++op) {
      op_ = op;
      op->execute(static_cast<Derived&>(*this), *op);
    }
    return op;
  }
  const Op* current() const { return op_; }
  // Whether the run had a transfer of control that was taken.
  bool taken() const { return taken_; }
  // The trap that ended run(), if one did; forgets it.
  bool take_trap(Trap& trap) {
    if (!has_pending_trap_) return false;
    has_pending_trap_ = false;
    trap = pending_trap_;
    return true;
  }
  // Whether the last instruction nullified the next; forgets it.
  bool take_nullified() { return std::exchange(nullified_, false); }
  // Ends run() after the instruction that is executing: its page of code has changed.
  void stop_after_current() {
    if (op_ != nullptr) end_ = op_ + 1;
  }
  void set_clock(Cycles now) { clock_ = now.value(); }
  // From now on only the accesses in `unchecked` pass unseen; all others go through `port`. Before,
  // these are the address space's own.
  void connect(const AccessTable& unchecked, DataPort& port) {
    unchecked_ = &unchecked;
    port_ = &port;
  }

 protected:
  // Addresses have the bits of `address_mask`.
  BlockInterpreter(AddressSpace& memory, std::uint64_t address_mask)
      : memory_(&memory), unchecked_(&memory.translations()), address_mask_(address_mask) {}

  [[noreturn]] static void raise(TrapKind kind, std::uint32_t code) {
    throw InstructionTrap{Trap{kind, code, Fault{}}};
  }
  std::uint64_t address_mask() const { return address_mask_; }
  // Derived::byte_order, where the processor has but one.
  Endian endian() const {
    if constexpr (requires { Derived::byte_order; }) return Derived::byte_order;
    return memory_->endian();
  }
  AddressSpace& memory() { return *memory_; }
  const AddressSpace& memory() const { return *memory_; }

  template <class T>
  Value load(Value address) {
    const std::uint64_t at = address & address_mask_;
    const AccessTable::Entry& entry = unchecked_->at(at);
    if (entry.read_tag == unchecked_->tag(at, sizeof(T))) [[likely]] {
      return load_bytes<T>(entry.page + (at & page_mask), endian());
    }
    return load_bytes<T>(translate(at, sizeof(T), Access::read), endian());
  }
  template <class T>
  void store(Value address, T value) {
    const std::uint64_t at = address & address_mask_;
    const AccessTable::Entry& entry = unchecked_->at(at);
    if (entry.write_tag == unchecked_->tag(at, sizeof(T))) [[likely]] {
      store_bytes<T>(entry.page + (at & page_mask), value, endian());
      return;
    }
    store_bytes<T>(translate(at, sizeof(T), Access::write), value, endian());
  }
  // Takes the address exceptions of a store without making one.
  std::uint8_t* host_of_store(std::uint64_t address, unsigned size) {
    const AccessTable::Entry& entry = unchecked_->at(address);
    if (entry.write_tag == unchecked_->tag(address, size))
      return entry.page + (address & page_mask);
    return checked(memory_->translate(GuestAddr(address), size, Access::write));
  }

  Registers registers_;

 private:
  template <class T>
  Value replaced(Value address) {
    return load_bytes<T>(host_of_store(address & address_mask_, sizeof(T)), endian());
  }
  [[gnu::noinline]] std::uint8_t* translate(std::uint64_t address, unsigned size, Access access) {
    return checked(port_ != nullptr ? port_->access(GuestAddr(address), size, access)
                                    : memory_->translate(GuestAddr(address), size, access));
  }
  static std::uint8_t* checked(Result<std::uint8_t*, Fault> host) {
    if (!host) throw InstructionTrap{Trap{TrapKind::memory, 0, host.error()}};
    return *host;
  }

  AddressSpace* memory_;
  const AccessTable* unchecked_;
  DataPort* port_ = nullptr;
  std::uint64_t address_mask_;
  const Op* op_ = nullptr;
  const Op* end_ = nullptr;
  std::uint64_t after_slot_ = 0;
  std::uint64_t clock_ = 0;
  bool taken_ = false;
  bool nullified_ = false;
  bool has_pending_trap_ = false;
  Trap pending_trap_;
};

}  // namespace hardclock
