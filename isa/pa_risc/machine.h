// The two machines on which PA-RISC semantics run: the Interpreter, whose values are numbers, and
// the Recorder, whose values are symbolic. Both offer the same operations; semantics.h uses nothing
// else.
#pragma once

#include <cstdint>

#include "isa/pa_risc/floating_point_status.h"
#include "isa/pa_risc/mode.h"
#include "isa/pa_risc/pa_risc_decode.h"
#include "isa/pa_risc/registers.h"
#include "sim/engine/block_interpreter.h"
#include "sim/engine/block_recorder.h"
#include "sim/engine/trap.h"
#include "sim/memory/address_space.h"

namespace hardclock::pa_risc {

// What of the level and the mode an instruction's meaning depends on. Not guest values: bodies may
// decide on these with a C++ `if`.
struct Widths {
  unsigned register_bits = 32;  // 64 from PA-RISC 2.0 on
  unsigned address_bits = 32;   // 64 in wide mode

  std::uint64_t register_mask() const { return mask(register_bits); }
  std::uint64_t address_mask() const { return mask(address_bits); }
  // The values of SAR, and the bits with a carry out of their nibble.
  std::uint64_t shift_amount_mask() const { return register_bits - 1; }
  std::uint64_t carries_mask() const { return nibble_ends & register_mask(); }

 private:
  static std::uint64_t mask(unsigned bits) {
    return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  }
};

inline Widths widths_of(Level level, const Mode& mode) {
  return {available(Opcode::ldd, level) ? 64U : 32U, mode.wide ? 64U : 32U};
}

class Interpreter : public BlockInterpreter<Interpreter, Registers, Operands> {
 public:
  explicit Interpreter(AddressSpace& memory, Widths widths = {})
      : BlockInterpreter(memory, widths.address_mask()),
        widths_(widths),
        register_mask_(widths.register_mask()),
        carries_mask_(widths.carries_mask()) {}

  // The PSW's E bit, which would reverse it, is 0 in HP-UX and in Linux.
  static constexpr Endian byte_order = Endian::big;

  // ---- The vocabulary of semantics.h, beside BlockInterpreter's.
  const Widths& widths() const { return widths_; }
  Value gpr(unsigned n) const { return registers_.gpr[n]; }
  void gpr(unsigned n, Value v) {
    registers_.gpr[n] = v & register_mask_;
    registers_.gpr[0] = 0;
  }
  // Carries out of bits; of those that are written, the ones out of nibbles stay.
  Value carries() const { return registers_.carry_bits; }
  void carries(Value v) { registers_.carry_bits = v & carries_mask_; }
  Value divide_step() const { return bit(registers_.divide_step); }
  void divide_step(Flag v) { registers_.divide_step = v; }
  Value shift_amount() const { return registers_.shift_amount; }
  void shift_amount(Value v) { registers_.shift_amount = v & widths_.shift_amount_mask(); }
  Value space(unsigned n) const { return registers_.space[n]; }
  void space(unsigned n, Value v) { registers_.space[n] = static_cast<std::uint32_t>(v); }
  Value temporary(unsigned n) const { return registers_.temporary[n]; }
  // Whether a program may do this there. Touches no page.
  Flag is_accessible(Value address, Access access) const {
    const Region* const region = memory().region_at(GuestAddr(address & address_mask()));
    if (region == nullptr) return false;
    return access == Access::write ? region->permissions.write : region->permissions.read;
  }
  // A branch's link: past its delay slot, with the privilege level of user programs.
  Value link() const { return (after_slot() & address_mask()) | Registers::privilege_bits; }

  // Floating-point registers as they are; fpr[0] has the status register in its left half.
  Value fpr64(unsigned n) const { return registers_.fpr[n]; }
  void fpr64(unsigned n, Value v) { registers_.fpr[n] = v; }
  Value fpr_left(unsigned n) const { return registers_.fpr[n] >> 32; }
  void fpr_left(unsigned n, Value v) { registers_.fpr[n] = zext32(registers_.fpr[n]) | v << 32; }
  Value fpr_right(unsigned n) const { return zext32(registers_.fpr[n]); }
  void fpr_right(unsigned n, Value v) {
    registers_.fpr[n] = (registers_.fpr[n] & ~std::uint64_t{0xffff'ffff}) | zext32(v);
  }
  // fr0 as a doubleword: the status register and exception register 1. Arithmetic leaves the
  // compare bits (C and the queue) alone, which are a resource of their own for a pipeline:
  // comparisons use fp_compare.
  Value fp_status() const { return registers_.fpr[0]; }
  void fp_status(Value v) {
    if (fp::traps(v) != 0) [[unlikely]]
      v = fp::load_instruction(v, current_word());
    registers_.fpr[0] = v;
  }
  Value fp_compare() const { return fp_status(); }
  void fp_compare(Value v) { fp_status(v); }
  // The result of an operation that left `fr0`, unless an exception keeps the register as it is.
  void fp_result(unsigned n, Value v, Value fr0) {
    if (fp::keeps_target(fr0) == 0) fpr64(n, v);
  }
  void fp_result_half(unsigned half, Value v, Value fr0) {
    if (fp::keeps_target(fr0) != 0) return;
    half < 32 ? fpr_left(half, v) : fpr_right(half - 32, v);
  }

 private:
  std::uint32_t current_word() {
    const auto word = memory().fetch(GuestAddr(pc()), Access::execute);
    return word ? *word : 0;
  }

  Widths widths_;
  std::uint64_t register_mask_;
  std::uint64_t carries_mask_;
};

class Recorder : public BlockRecorder {
 public:
  explicit Recorder(Widths widths = {}) : widths_(widths) {}

  const Widths& widths() const { return widths_; }
  Value gpr(unsigned n) { return n == 0 ? constant(0) : read_register(gpr_resource(n)); }
  void gpr(unsigned n, Value v) {
    if (n != 0) write_register(gpr_resource(n), v);
  }
  Value carries() { return read_register(carries_resource); }
  void carries(Value v) { write_register(carries_resource, v & constant(widths_.carries_mask())); }
  Value divide_step() { return read_register(divide_step_resource); }
  void divide_step(Flag v) { write_register(divide_step_resource, v.value()); }
  Value shift_amount() { return read_register(shift_amount_resource); }
  void shift_amount(Value v) { write_register(shift_amount_resource, v); }
  Value space(unsigned n) { return read_register(space_resource(n)); }
  void space(unsigned n, Value v) { write_register(space_resource(n), v); }
  Value temporary(unsigned n) { return read_register(temporary_resource(n)); }
  Value link() { return read_pc() + 8; }
  // What the address space answers is a function of the address.
  Flag is_accessible(Value address, Access) { return Flag(call(answer_to, address)); }
  Value clock() { return read_register(clock_resource); }

  Value fpr64(unsigned n) { return fpr_left(n) << std::uint64_t{32} | fpr_right(n); }
  void fpr64(unsigned n, Value v) {
    fpr_left(n, v >> std::uint64_t{32});
    fpr_right(n, zext32(v));
  }
  Value fpr_left(unsigned n) { return n == 0 ? fp_compare() : read_register(fpr_left_resource(n)); }
  void fpr_left(unsigned n, Value v) {
    n == 0 ? fp_compare(v) : write_register(fpr_left_resource(n), v);
  }
  Value fpr_right(unsigned n) {
    return n == 0 ? fp_status() : read_register(fpr_right_resource(n));
  }
  void fpr_right(unsigned n, Value v) {
    n == 0 ? fp_status(v) : write_register(fpr_right_resource(n), v);
  }
  Value fp_status() { return read_register(fp_status_resource); }
  void fp_status(Value v) { write_register(fp_status_resource, v); }
  Value fp_compare() { return read_register(fp_compare_resource) | fp_status(); }
  void fp_compare(Value v) {
    fp_status(v);
    write_register(fp_compare_resource, v);
  }
  void fp_result(unsigned n, Value v, Value) { fpr64(n, v); }
  void fp_result_half(unsigned half, Value v, Value) {
    half < 32 ? fpr_left(half, v) : fpr_right(half - 32, v);
  }

 private:
  static std::uint64_t answer_to(std::uint64_t address) { return address; }

  Widths widths_;
};

}  // namespace hardclock::pa_risc
