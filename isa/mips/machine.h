// The two machines on which MIPS semantics run: the Interpreter, whose values are numbers, and the
// Recorder, whose values are symbolic. Both offer the same operations; semantics.h uses nothing
// else.
#pragma once

#include <cstdint>

#include "isa/mips/chip.h"
#include "isa/mips/mips_decode.h"
#include "isa/mips/mode.h"
#include "isa/mips/registers.h"
#include "sim/base/endian.h"
#include "sim/engine/block_interpreter.h"
#include "sim/engine/block_recorder.h"
#include "sim/engine/trap.h"
#include "sim/memory/address_space.h"

namespace hardclock::mips {

class Interpreter : public BlockInterpreter<Interpreter, Registers, Operands> {
 public:
  explicit Interpreter(AddressSpace& memory, Mode mode = {}, Level level = Level::mips2,
                       const Chip& chip = {});

  // ---- The vocabulary of semantics.h, beside BlockInterpreter's.
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
  Value fp_implementation() const { return registers_.fpu_revision; }
  // Whether MADD and its kin round once.
  bool fuses_multiply_add() const { return fuses_multiply_add_; }
  // An address as a register holds it: sign-extended where addresses have 32 bits.
  Value address_in_register(Value address) const {
    return address_mask() == low_word ? sext32(address) : address;
  }
  bool big_endian() const { return endian() == Endian::big; }

  Value load_linked32(Value address) { return load_linked<std::uint32_t>(address); }
  Value load_linked64(Value address) { return load_linked<std::uint64_t>(address); }
  Flag store_conditional32(Value address, Value v) {
    return store_conditional(address, static_cast<std::uint32_t>(v));
  }
  Flag store_conditional64(Value address, Value v) { return store_conditional(address, v); }

  void branch_likely_if(Flag condition, Value target) {
    branch_if(condition, target);
    nullify_if(!condition);
  }

 private:
  static constexpr std::uint64_t low_word = 0xffff'ffff;

  template <class T>
  Value load_linked(Value address);
  template <class T>
  Flag store_conditional(Value address, T value);
  // With FR = 0 an odd register cannot name a double: reserved instruction.
  static void require_even(unsigned n) {
    if ((n & 1) != 0) raise(TrapKind::illegal_instruction, 0);
  }

  std::uint32_t fcsr_writable_;
  bool fr_;
  bool fuses_multiply_add_;
};

class Recorder : public BlockRecorder {
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
  Value address_in_register(Value address) {
    return mode_.address_bits == 32 ? sext32(address) : address;
  }
  bool big_endian() const { return true; }

  Value load_linked32(Value address) { return load_linked(4, address); }
  Value load_linked64(Value address) { return load_linked(8, address); }
  Flag store_conditional32(Value address, Value v) { return store_conditional(4, address, v); }
  Flag store_conditional64(Value address, Value v) { return store_conditional(8, address, v); }

  void branch_likely_if(Flag condition, Value target) {
    branch_if(condition, target);
    nullify_if(not_(condition));
  }

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
