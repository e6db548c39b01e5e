// Code for what an instruction writes to guest registers: all values first, then all registers.
#pragma once

#include <asmjit/x86.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/translator/block_source.h"
#include "sim/translator/floating_emitter.h"
#include "sim/translator/value_emitter.h"

namespace hardclock {

class RegisterWriter {
 public:
  using Held = ValueEmitter::Held;

  struct Write {
    const Step* step;
    std::optional<Held> value;  // nothing: it is a constant
    bool is_whole;
    std::optional<Held> condition{};
    bool is_high_word = false;  // `value` is the word that goes to the register's high one
  };

  RegisterWriter(asmjit::x86::Assembler& assembler, const GuestMode& mode, ValueEmitter& values,
                 FloatingEmitter& floating)
      : a_(assembler), mode_(mode), values_(values), floating_(floating) {}

  // The instruction's writes, computed and not made. `is_all`: nothing else of the instruction
  // comes then.
  std::vector<Write> compute(const Recording& recording, bool is_all = false);
  void write(const std::vector<Write>& writes);
  // Both, for an instruction that does nothing else then.
  void write_all(const Recording& recording);
  // The same, one after the other if none is needed for the next; else false.
  bool write_in_order(const Recording& recording);
  // Whether writing leaves the processor's flags alone.
  bool keeps_flags(const Write& write) const;

 private:
  bool takes_low(const Step& write) const;
  Held value_of(Write& write);
  Held value_for(Write& write);
  Held apart(const Held& value, std::ptrdiff_t count);
  bool write_in_memory(const Recording& recording);
  bool is_plain_constant(const Write& write) const;
  void write(const Write& write);
  void write_constant(const Step& step);
  void write_value(const Write& write);
  template <class Place>
  void write_part(const Write& write, const Place& to);
  void find_frame_again(const Step& step);
  void write_bits(RegisterPlace place, asmjit::x86::Gp value, std::uint32_t bits);

  asmjit::x86::Assembler& a_;
  const GuestMode& mode_;
  ValueEmitter& values_;
  FloatingEmitter& floating_;
};

}  // namespace hardclock
