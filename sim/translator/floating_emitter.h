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

  // Jumps to `not_plain`, with nothing changed, if the case is one for the interpreter.
  // `notes_exceptions`: somebody may ask for the status register before the next operation. Uses
  // rax and rcx.
  void emit(const FloatingInstruction& instruction, bool notes_exceptions,
            const asmjit::Label& not_plain);

  // The value has been written to the context, too.
  void written(Resource resource, std::uint64_t bits, Gp value);
  // Writes a double that lies in two registers; `value` is the caller's and void then.
  void write_split(const FloatingRegister& to, Gp value);

 private:
  asmjit::x86::Mem status() const;
  Xmm read(const FloatingRegister& from, Xmm temporary);
  void load(const FloatingRegister& from, Xmm to);
  void write(const FloatingRegister& to, Xmm value);
  void write_single(const FloatingRegister& to, Xmm value);

  void binary(const FloatingInstruction& of);
  void multiply_add(const FloatingInstruction& of);
  void unary(const FloatingInstruction& of);
  void sign_bit(Xmm to, bool is_double);
  void change_sign(const FloatingInstruction& of);
  void to_number(const FloatingInstruction& of);
  void to_integer(const FloatingInstruction& of);
  void convert_to_integer(const FloatingInstruction& of, Xmm from, Gp to);
  void round_to_integer(const FloatingInstruction& of, Xmm from);
  void compare(const FloatingInstruction& of);
  void leave_if_nan(Xmm value, bool is_double);
  void note(const FloatingInstruction& of, Xmm a);
  void note(const FloatingInstruction& of, Xmm a, Xmm b);
  void note(HostFunction last);

  asmjit::x86::Assembler& a_;
  const GuestMode& mode_;
  asmjit::Label not_plain_;
  bool notes_exceptions_ = false;
};

}  // namespace hardclock
