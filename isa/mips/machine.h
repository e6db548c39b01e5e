// The two machines on which MIPS semantics run: the Interpreter, whose values are numbers, and the
// Recorder, whose values are symbolic. Both offer the same operations; semantics.h uses nothing
// else.
#pragma once

#include <cstdint>
#include <utility>

#include "isa/mips/mips_decode.h"
#include "isa/mips/registers.h"
#include "sim/base/endian.h"
#include "sim/engine/concrete.h"
#include "sim/engine/symbolic.h"
#include "sim/engine/trap.h"
#include "sim/memory/address_space.h"

namespace hardclock::mips {

// Leaves an instruction that cannot complete. Thrown by the Interpreter's slow paths and caught by
// the engine: the rest of the body does not run, and memory accesses that succeed pay nothing.
struct InstructionTrap {
  Trap trap;
};

class Interpreter : public ConcreteArithmetic {
 public:
  // A predecoded instruction.
  struct Op {
    void (*execute)(Interpreter&, const Op&) = nullptr;
    Operands operands{};
    std::uint64_t pc = 0;
  };

  explicit Interpreter(AddressSpace& memory) : memory_(&memory) {}

  Registers& registers() { return registers_; }
  const Registers& registers() const { return registers_; }

  // ---- The vocabulary of semantics.h.
  Value gpr(unsigned n) const { return registers_.gpr[n]; }
  void gpr(unsigned n, Value v) {
    registers_.gpr[n] = v;
    registers_.gpr[0] = 0;
  }
  Value hi() const { return registers_.hi; }
  void hi(Value v) { registers_.hi = v; }
  Value lo() const { return registers_.lo; }
  void lo(Value v) { registers_.lo = v; }
  Value fpr32(unsigned n) const { return registers_.fpr[n]; }
  void fpr32(unsigned n, Value v) { registers_.fpr[n] = static_cast<std::uint32_t>(v); }
  Value fpr64(unsigned n) const {
    require_even(n);
    return std::uint64_t{registers_.fpr[n + 1]} << 32 | registers_.fpr[n];
  }
  void fpr64(unsigned n, Value v) {
    require_even(n);
    registers_.fpr[n] = static_cast<std::uint32_t>(v);
    registers_.fpr[n + 1] = static_cast<std::uint32_t>(v >> 32);
  }
  Value fcsr() const { return registers_.fcsr; }
  // The rounding mode, enables and flags: everything but the condition bit.
  void fcsr(Value v) {
    registers_.fcsr = (registers_.fcsr & fcsr_condition) |
                      (static_cast<std::uint32_t>(v) & fcsr_writable & ~fcsr_condition);
  }
  // All of it, condition included.
  Value fp_control() const { return registers_.fcsr; }
  void fp_control(Value v) { registers_.fcsr = static_cast<std::uint32_t>(v) & fcsr_writable; }
  Flag fp_condition() const { return (registers_.fcsr & fcsr_condition) != 0; }
  void fp_condition(Value bit) {
    registers_.fcsr = (registers_.fcsr & ~fcsr_condition) | (bit != 0 ? fcsr_condition : 0);
  }
  Value pc() const { return op_->pc; }
  bool big_endian() const { return memory_->endian() == Endian::big; }

  Value load8(Value address) { return load<std::uint8_t>(address); }
  Value load16(Value address) { return load<std::uint16_t>(address); }
  Value load32(Value address) { return load<std::uint32_t>(address); }
  Value load64(Value address) { return load<std::uint64_t>(address); }
  void store8(Value address, Value v) { store(address, static_cast<std::uint8_t>(v)); }
  void store16(Value address, Value v) { store(address, static_cast<std::uint16_t>(v)); }
  void store32(Value address, Value v) { store(address, static_cast<std::uint32_t>(v)); }
  void store64(Value address, Value v) { store(address, v); }
  Value load_linked32(Value address);
  Flag store_conditional32(Value address, Value v);

  void branch_if(Flag condition, Value target) {
    if (condition) after_slot_ = zext32(target);
  }
  void branch_likely_if(Flag condition, Value target) {
    if (condition) {
      after_slot_ = zext32(target);
    } else {
      nullified_ = true;
      end_ = op_ + 1;
    }
  }
  void jump(Value target) { after_slot_ = zext32(target); }
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
  // a delay slot was nullified, code was overwritten, or that last one trapped (see take_trap).
  // `fall_through` is where control goes when no branch is taken. Throws InstructionTrap.
  const Op* run(const Op* first, const Op* end, std::uint64_t fall_through) {
    end_ = end;
    after_slot_ = fall_through;
    const Op* op = first;
    for (; op != end_; ++op) {
      op_ = op;
      op->execute(*this, *op);
    }
    return op;
  }
  const Op* current() const { return op_; }
  // Where control goes after the delay slot.
  std::uint64_t after_slot() const { return after_slot_; }
  // The trap that ended run(), if one did; forgets it.
  bool take_trap(Trap& trap) {
    if (!has_pending_trap_) return false;
    has_pending_trap_ = false;
    trap = pending_trap_;
    return true;
  }
  // Whether the last branch nullified its delay slot; forgets it.
  bool take_nullified() { return std::exchange(nullified_, false); }
  // Ends run() after the instruction that is executing: its page of code has changed.
  void stop_after_current() {
    if (op_ != nullptr) end_ = op_ + 1;
  }
  AddressSpace& memory() { return *memory_; }

 private:
  template <class T>
  Value load(Value address) {
    const std::uint64_t at = zext32(address);
    const AddressSpace::TlbEntry& entry = memory_->tlb_entry(at);
    if (entry.read_tag == (at & ~(page_mask ^ (sizeof(T) - 1)))) [[likely]] {
      return load_bytes<T>(entry.page + (at & page_mask), memory_->endian());
    }
    return load_bytes<T>(translate(at, sizeof(T), Access::read), memory_->endian());
  }
  template <class T>
  void store(Value address, T value) {
    const std::uint64_t at = zext32(address);
    const AddressSpace::TlbEntry& entry = memory_->tlb_entry(at);
    if (entry.write_tag == (at & ~(page_mask ^ (sizeof(T) - 1)))) [[likely]] {
      store_bytes<T>(entry.page + (at & page_mask), value, memory_->endian());
      return;
    }
    store_bytes<T>(translate(at, sizeof(T), Access::write), value, memory_->endian());
  }
  std::uint8_t* translate(std::uint64_t address, unsigned size, Access access);
  [[noreturn]] static void raise(TrapKind kind, std::uint32_t code);
  // With FR = 0 an odd register cannot name a double: reserved instruction.
  static void require_even(unsigned n) {
    if ((n & 1) != 0) raise(TrapKind::illegal_instruction, 0);
  }

  Registers registers_;
  AddressSpace* memory_;
  const Op* op_ = nullptr;
  const Op* end_ = nullptr;
  std::uint64_t after_slot_ = 0;
  bool nullified_ = false;
  bool has_pending_trap_ = false;
  Trap pending_trap_;
};

class Recorder : public SymbolicArithmetic {
 public:
  Value gpr(unsigned n) { return n == 0 ? constant(0) : read_register(gpr_resource(n)); }
  void gpr(unsigned n, Value v) {
    if (n != 0) write_register(gpr_resource(n), v);
  }
  Value hi() { return read_register(hi_resource); }
  void hi(Value v) { write_register(hi_resource, v); }
  Value lo() { return read_register(lo_resource); }
  void lo(Value v) { write_register(lo_resource, v); }
  Value fpr32(unsigned n) { return read_register(fpr_resource(n)); }
  void fpr32(unsigned n, Value v) { write_register(fpr_resource(n), v); }
  Value fpr64(unsigned n) {
    return read_register(fpr_resource(n & 30)) |
           (read_register(fpr_resource((n & 30) + 1)) << std::uint64_t{32});
  }
  void fpr64(unsigned n, Value v) {
    write_register(fpr_resource(n & 30), zext32(v));
    write_register(fpr_resource((n & 30) + 1), v >> std::uint64_t{32});
  }
  Value fcsr() { return read_register(fcsr_resource); }
  void fcsr(Value v) { write_register(fcsr_resource, v); }
  Value fp_control() {
    return read_register(fcsr_resource) | read_register(fp_condition_resource);
  }
  void fp_control(Value v) {
    write_register(fcsr_resource, v);
    write_register(fp_condition_resource, v);
  }
  Flag fp_condition() { return ne(read_register(fp_condition_resource), std::uint64_t{0}); }
  void fp_condition(Value bit) { write_register(fp_condition_resource, bit); }
  Value pc() { return read_pc(); }
  bool big_endian() const { return true; }

  Value load8(Value address) { return load(1, address); }
  Value load16(Value address) { return load(2, address); }
  Value load32(Value address) { return load(4, address); }
  Value load64(Value address) { return load(8, address); }
  void store8(Value address, Value v) { store(1, address, v); }
  void store16(Value address, Value v) { store(2, address, v); }
  void store32(Value address, Value v) { store(4, address, v); }
  void store64(Value address, Value v) { store(8, address, v); }
  Value load_linked32(Value address) {
    write_register(link_resource, address);
    return load(4, address);
  }
  Flag store_conditional32(Value address, Value v) {
    store(4, address, v);
    const Flag holds = eq(read_register(link_resource), address);
    write_register(link_resource, constant(0));
    return holds;
  }

  void branch_if(Flag condition, Value target) {
    branch(Effect::Kind::branch, condition.value(), target);
  }
  void branch_likely_if(Flag condition, Value target) {
    branch(Effect::Kind::branch_likely, condition.value(), target);
  }
  void jump(Value target) { branch(Effect::Kind::branch, constant(1), target); }
  void trap_if(Flag condition, TrapKind kind, std::uint32_t = 0) {
    trap_when(condition.value(), kind);
  }
  void trap(TrapKind kind, std::uint32_t) { trap_always(kind); }
};

}  // namespace hardclock::mips
