// Code for floating point: registers of the guest in registers of the host's SSE unit, and
// operations on them.
//
// Those in the host's registers lie in the context, too: whatever writes one writes both. So
// nothing is to be stored when the code is left, and whoever changes the context loads them again.
#pragma once

#include <asmjit/x86.h>

#include <cstdint>
#include <optional>

#include "sim/translator/block_source.h"
#include "sim/translator/floating_match.h"

namespace hardclock {

class FloatingEmitter {
 public:
  using Gp = asmjit::x86::Gp;
  using Xmm = asmjit::x86::Xmm;

  // `mode` has a FloatingMode, if anything but load_pinned() is called.
  FloatingEmitter(asmjit::x86::Assembler& assembler, const GuestMode& mode)
      : a_(assembler), mode_(mode) {}

  // Where the register stays, all of it.
  std::optional<Xmm> pin_of(const FloatingRegister& of) const;
  void load_pinned();
  // Whether the register, or a part of it, stays in one of the host's.
  bool is_pinned(Resource resource) const;

  // Jumps to `not_plain`, with nothing changed, if the case is one for the interpreter.
  // `notes_exceptions`: somebody may ask for the status register before the next operation. Uses
  // all temporaries.
  void emit(const FloatingInstruction& instruction, bool notes_exceptions,
            const asmjit::Label& not_plain);

  // The value has been written to the context, too.
  void written(Resource resource, std::uint64_t bits, Gp value);
  // Writes a double that lies in two registers; `value` is the caller's and void then.
  void write_split(const FloatingRegister& to, Gp value);

 private:
  asmjit::x86::Mem status() const;
  asmjit::x86::Mem word_of(const FloatingRegister& single) const;
  Xmm read(const FloatingRegister& from, Xmm temporary);
  void load(const FloatingRegister& from, Xmm to);
  void write(const FloatingRegister& to, Xmm value);
  void write_single(const FloatingRegister& to, Xmm value);

  void binary(const FloatingOperation& of);
  void compute_binary(const FloatingOperation& of, Xmm a, Xmm b);
  void two_at_once(const FloatingInstruction& of);
  void multiply_add(const FloatingOperation& of);
  void compute_sum(Xmm c, bool is_double, bool subtracts);
  void compute_fused(Xmm b, Xmm c, bool is_double, bool subtracts);
  void fused_multiply_add(const FloatingOperation& of);
  void unary(const FloatingOperation& of);
  void divide_one(Xmm by, bool is_double);
  void sign_bit(Xmm to, bool is_double);
  void change_sign(const FloatingOperation& of);
  void move_bits(const FloatingOperation& of);
  void to_number(const FloatingOperation& of);
  void load_integer(const FloatingOperation& of);
  void to_integer(const FloatingOperation& of);
  void convert_to_integer(const FloatingOperation& of, Xmm from, Gp to);
  void round_to_integer(const FloatingOperation& of, Xmm from);
  void compare(const FloatingOperation& of);
  void set_if(const Relations& relations, Gp flag);
  void set_condition(std::uint32_t bits);
  void move_queue();
  void leave_if_nan(Xmm value, bool is_double);
  void note(const FloatingOperation& of, Xmm a);
  void note(const FloatingOperation& of, Xmm a, Xmm b);
  void note(std::uint32_t last);
  void note(HostFunction last) { note(static_cast<std::uint32_t>(last)); }

  asmjit::x86::Assembler& a_;
  const GuestMode& mode_;
  asmjit::Label not_plain_;
  bool notes_exceptions_ = false;
};

}  // namespace hardclock
