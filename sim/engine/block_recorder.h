// The symbolic counterpart of block_interpreter.h: what the Recorders of ISAs with delay slots have
// in common.
#pragma once

#include <cstdint>

#include "sim/engine/symbolic.h"
#include "sim/engine/trap.h"

namespace hardclock {

class BlockRecorder : public SymbolicArithmetic {
 public:
  Value pc() { return read_pc(); }

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

  void branch_if(Flag condition, Value target) { branch(condition.value(), target); }
  void jump(Value target) { branch(constant(1), target); }
  void nullify_if(Flag condition) { SymbolicArithmetic::nullify(condition.value()); }
  void nullify() { SymbolicArithmetic::nullify(constant(1)); }
  void trap_if(Flag condition, TrapKind kind, std::uint32_t = 0) {
    trap_when(condition.value(), kind);
  }
  void trap(TrapKind kind, std::uint32_t) { trap_always(kind); }
};

}  // namespace hardclock
