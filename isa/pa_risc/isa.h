// What the engine needs to know of PA-RISC.
#pragma once

#include <cstdint>

#include "isa/pa_risc/cpu.h"
#include "isa/pa_risc/machine.h"
#include "isa/pa_risc/pa_risc_decode.h"
#include "isa/pa_risc/registers.h"
#include "sim/memory/fault.h"
#include "sim/timing/out_of_order.h"
#include "sim/timing/pipeline.h"

namespace hardclock::pa_risc {

class Isa {
 public:
  using CpuBase = pa_risc::CpuBase;
  using Machine = Interpreter;
  using Registers = pa_risc::Registers;
  static constexpr std::uint64_t instruction_bytes = 4;
  static constexpr Access fetch_access = Access::execute;
  static constexpr bool slot_restarts_at_branch = false;
  static constexpr bool carries_nullification = true;

  struct Predecoded {
    Interpreter::Op op;
    InstructionTiming timing;
    std::uint32_t word = 0;
    bool is_branch = false;         // a delay slot follows
    bool may_nullify = false;       // the next instruction
    bool always_nullifies = false;  // the delay slot
    bool always_traps = false;      // BREAK, privileged instructions, the kernel's gateway
    bool reads_clock = false;       // MFCTL of the interval timer
    bool touches_memory = false;
    bool stores = false;
    // Of a branch: how the target becomes known, and whether it is a call.
    OutOfOrderCore::Transfer transfer = OutOfOrderCore::Transfer::conditional;
    bool links = false;
  };

  explicit Isa(Level level, Mode mode = {})
      : level_(level), mode_(mode), widths_(widths_of(level, mode)) {}

  Interpreter machine(AddressSpace& memory) const { return Interpreter(memory, widths_); }
  // Instructions that the level does not have are illegal. Of those that are privileged, and of
  // GATE on the gateway page, the trap says what they are.
  Predecoded predecode(std::uint32_t word, std::uint64_t pc) const;

 private:
  Level level_;
  Mode mode_;
  Widths widths_;
};

// The dataflow of one instruction, as its body tells the Recorder. Null for an invalid opcode.
Recording record(const Instruction& instruction, Widths widths = {});

// The timing class, which is the pattern's but where operands decide, and the registers that hold
// an instruction up or that it makes others wait for. The status register's rounding mode and
// sticky flags are left out: they collect without an interlock.
InstructionTiming timing_of(const Instruction& instruction, const Recording& recording);

}  // namespace hardclock::pa_risc
