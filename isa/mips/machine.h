// The two machines on which MIPS semantics run: the Interpreter, whose values are numbers, and the
// Recorder, whose values are symbolic. Both offer the same operations; semantics.h uses nothing
// else.
#pragma once

#include <cstdint>
#include <utility>

#include "isa/mips/mips_decode.h"
#include "isa/mips/mode.h"
#include "isa/mips/registers.h"
#include "sim/base/endian.h"
#include "sim/base/units.h"
#include "sim/engine/concrete.h"
#include "sim/engine/data_port.h"
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

  explicit Interpreter(AddressSpace& memory, Mode mode = {}, Level level = Level::mips2,
                       bool fuses_multiply_add = false);

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
  Value user_local() const { return registers_.user_local; }
  // Cycles since the clock began: only in an instruction that the engine steps (see set_clock).
  Value clock() const { return clock_; }
  Value fpr32(unsigned n) const { return zext32(registers_.fpr[n]); }
  // The high word stays as it is.
  void fpr32(unsigned n, Value v) {
    registers_.fpr[n] = (registers_.fpr[n] & ~low_word) | zext32(v);
  }
  Value fpr64(unsigned n) const {
    if (fr_) return registers_.fpr[n];
    require_even(n);
    return registers_.fpr[n + 1] << 32 | zext32(registers_.fpr[n]);
  }
  void fpr64(unsigned n, Value v) {
    if (fr_) {
      registers_.fpr[n] = v;
      return;
    }
    require_even(n);
    fpr32(n, v);
    fpr32(n + 1, v >> 32);
  }
  // The high word of a double: MFHC1, MTHC1. With FR = 0, of the pair to which n belongs.
  Value fpr_high32(unsigned n) const { return fr_ ? registers_.fpr[n] >> 32 : fpr32(n | 1); }
  void fpr_high32(unsigned n, Value v) {
    if (fr_) {
      registers_.fpr[n] = zext32(registers_.fpr[n]) | v << 32;
    } else {
      fpr32(n | 1, v);
    }
  }
  Value fcsr() const { return registers_.fcsr; }
  // The rounding mode, enables and flags: everything but the conditions.
  void fcsr(Value v) {
    registers_.fcsr = (registers_.fcsr & fcsr_conditions) |
                      (static_cast<std::uint32_t>(v) & fcsr_writable_ & ~fcsr_conditions);
  }
  // All of it, conditions included.
  Value fp_control() const { return registers_.fcsr; }
  void fp_control(Value v) { registers_.fcsr = static_cast<std::uint32_t>(v) & fcsr_writable_; }
  Flag fp_condition(unsigned cc) const { return (registers_.fcsr & fcsr_condition(cc)) != 0; }
  void fp_condition(unsigned cc, Value bit) {
    const std::uint32_t mask = fcsr_condition(cc);
    registers_.fcsr = (registers_.fcsr & ~mask) | (bit != 0 ? mask : 0);
  }
  // What CFC1 finds in FCR0.
  Value fp_implementation() const { return fp_implementation_; }
  // Whether MADD and its kin round once.
  bool fuses_multiply_add() const { return fuses_multiply_add_; }
  Value pc() const { return op_->pc; }
  // An address as a register holds it: sign-extended where addresses have 32 bits.
  Value address_in_register(Value address) const {
    return address_mask_ == low_word ? sext32(address) : address;
  }
  bool big_endian() const { return memory_->endian() == Endian::big; }

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
  Value load_linked32(Value address) { return load_linked<std::uint32_t>(address); }
  Value load_linked64(Value address) { return load_linked<std::uint64_t>(address); }
  Flag store_conditional32(Value address, Value v) {
    return store_conditional(address, static_cast<std::uint32_t>(v));
  }
  Flag store_conditional64(Value address, Value v) { return store_conditional(address, v); }

  void branch_if(Flag condition, Value target) {
    if (condition) jump(target);
  }
  void branch_likely_if(Flag condition, Value target) {
    if (condition) {
      jump(target);
    } else {
      nullified_ = true;
      end_ = op_ + 1;
    }
  }
  void jump(Value target) {
    after_slot_ = target & address_mask_;
    taken_ = true;
  }
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
    taken_ = false;
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
  // Whether the run had a transfer of control that was taken.
  bool taken() const { return taken_; }
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
  void set_clock(Cycles now) { clock_ = now.value(); }
  // From now on only the accesses in `unchecked` pass unseen; all others go through `port`. Before,
  // these are the address space's own.
  void connect(const AccessTable& unchecked, DataPort& port) {
    unchecked_ = &unchecked;
    port_ = &port;
  }

 private:
  static constexpr std::uint64_t low_word = 0xffff'ffff;

  template <class T>
  Value load(Value address) {
    const std::uint64_t at = address & address_mask_;
    const AccessTable::Entry& entry = unchecked_->at(at);
    if (entry.read_tag == unchecked_->tag(at, sizeof(T))) [[likely]] {
      return load_bytes<T>(entry.page + (at & page_mask), memory_->endian());
    }
    return load_bytes<T>(translate(at, sizeof(T), Access::read), memory_->endian());
  }
  template <class T>
  void store(Value address, T value) {
    const std::uint64_t at = address & address_mask_;
    const AccessTable::Entry& entry = unchecked_->at(at);
    if (entry.write_tag == unchecked_->tag(at, sizeof(T))) [[likely]] {
      store_bytes<T>(entry.page + (at & page_mask), value, memory_->endian());
      return;
    }
    store_bytes<T>(translate(at, sizeof(T), Access::write), value, memory_->endian());
  }
  template <class T>
  Value replaced(Value address) {
    const std::uint64_t at = address & address_mask_;
    return load_bytes<T>(host_of_store(at, sizeof(T)), memory_->endian());
  }
  template <class T>
  Value load_linked(Value address);
  template <class T>
  Flag store_conditional(Value address, T value);
  std::uint8_t* translate(std::uint64_t address, unsigned size, Access access);
  std::uint8_t* host_of_store(std::uint64_t address, unsigned size);
  [[noreturn]] static void raise(TrapKind kind, std::uint32_t code);
  // With FR = 0 an odd register cannot name a double: reserved instruction.
  static void require_even(unsigned n) {
    if ((n & 1) != 0) raise(TrapKind::illegal_instruction, 0);
  }

  Registers registers_;
  AddressSpace* memory_;
  const AccessTable* unchecked_;
  DataPort* port_ = nullptr;
  std::uint64_t address_mask_;
  std::uint32_t fcsr_writable_;
  std::uint32_t fp_implementation_;
  bool fr_;
  bool fuses_multiply_add_;
  const Op* op_ = nullptr;
  const Op* end_ = nullptr;
  std::uint64_t after_slot_ = 0;
  std::uint64_t clock_ = 0;
  bool taken_ = false;
  bool nullified_ = false;
  bool has_pending_trap_ = false;
  Trap pending_trap_;
};

class Recorder : public SymbolicArithmetic {
 public:
  explicit Recorder(Mode mode = {}) : mode_(mode) {}

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
  Value user_local() { return read_register(user_local_resource); }
  Value clock() { return read_register(clock_resource); }
  Value fpr64(unsigned n) {
    if (mode_.fr) return read_register(fpr_resource(n));
    return read_register(fpr_resource(n & 30)) |
           (read_register(fpr_resource((n & 30) + 1)) << std::uint64_t{32});
  }
  void fpr64(unsigned n, Value v) {
    if (mode_.fr) {
      write_register(fpr_resource(n), v);
      return;
    }
    write_register(fpr_resource(n & 30), zext32(v));
    write_register(fpr_resource((n & 30) + 1), v >> std::uint64_t{32});
  }
  Value fpr_high32(unsigned n) {
    return mode_.fr ? read_register(fpr_resource(n)) >> std::uint64_t{32}
                    : read_register(fpr_resource(n | 1));
  }
  void fpr_high32(unsigned n, Value v) { write_register(fpr_resource(mode_.fr ? n : n | 1), v); }
  Value fcsr() { return read_register(fcsr_resource); }
  void fcsr(Value v) { write_register(fcsr_resource, v); }
  Value fp_control() {
    Value all = read_register(fcsr_resource);
    for (unsigned cc = 0; cc < fp_conditions; ++cc) {
      all = all | read_register(fp_condition_resource(cc));
    }
    return all;
  }
  void fp_control(Value v) {
    write_register(fcsr_resource, v);
    for (unsigned cc = 0; cc < fp_conditions; ++cc) write_register(fp_condition_resource(cc), v);
  }
  Flag fp_condition(unsigned cc) {
    return ne(read_register(fp_condition_resource(cc)), std::uint64_t{0});
  }
  void fp_condition(unsigned cc, Value bit) { write_register(fp_condition_resource(cc), bit); }
  Value fp_implementation() { return constant(0); }
  bool fuses_multiply_add() const { return false; }
  Value pc() { return read_pc(); }
  Value address_in_register(Value address) {
    return mode_.address_bits == 32 ? sext32(address) : address;
  }
  bool big_endian() const { return true; }

  Value load8(Value address) { return load(1, address); }
  Value load16(Value address) { return load(2, address); }
  Value load32(Value address) { return load(4, address); }
  Value load64(Value address) { return load(8, address); }
  void store8(Value address, Value v) { store(1, address, v); }
  void store16(Value address, Value v) { store(2, address, v); }
  void store32(Value address, Value v) { store(4, address, v); }
  void store64(Value address, Value v) { store(8, address, v); }
  Value replaced32(Value address) { return load(4, address); }
  Value replaced64(Value address) { return load(8, address); }
  Value load_linked32(Value address) { return load_linked(4, address); }
  Value load_linked64(Value address) { return load_linked(8, address); }
  Flag store_conditional32(Value address, Value v) { return store_conditional(4, address, v); }
  Flag store_conditional64(Value address, Value v) { return store_conditional(8, address, v); }

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

 private:
  Value load_linked(unsigned bytes, Value address) {
    write_register(link_resource, address);
    return load(bytes, address);
  }
  Flag store_conditional(unsigned bytes, Value address, Value v) {
    store(bytes, address, v);
    const Flag holds = eq(read_register(link_resource), address);
    write_register(link_resource, constant(0));
    return holds;
  }

  Mode mode_;
};

}  // namespace hardclock::mips
