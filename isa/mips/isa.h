// What the engine needs to know of MIPS.
#pragma once

#include <cstdint>
#include <utility>

#include "isa/mips/chip.h"
#include "isa/mips/cpu.h"
#include "isa/mips/machine.h"
#include "isa/mips/mips_decode.h"
#include "isa/mips/registers.h"
#include "sim/memory/fault.h"
#include "sim/timing/out_of_order.h"
#include "sim/timing/pipeline.h"

namespace hardclock::mips {

class Isa {
 public:
  using CpuBase = mips::CpuBase;
  using Machine = Interpreter;
  using Registers = mips::Registers;
  static constexpr std::uint64_t instruction_bytes = 4;
  // The TLB of these processors has no execute permission: what can be read can run.
  static constexpr Access fetch_access = Access::read;
  static constexpr bool slot_restarts_at_branch = true;
  static constexpr bool carries_nullification = false;

  struct Predecoded {
    Interpreter::Op op;
    InstructionTiming timing;
    std::uint32_t word = 0;
    bool is_branch = false;  // a delay slot follows
    // Only branches nullify anything: their delay slot, and not always.
    static constexpr bool may_nullify = false;
    static constexpr bool always_nullifies = false;
    bool always_traps = false;  // SYSCALL, BREAK, reserved instructions
    bool reads_clock = false;   // RDHWR of the cycle counter
    bool touches_memory = false;
    bool stores = false;
    // Of a branch: how the target becomes known, and whether it is a call.
    OutOfOrderCore::Transfer transfer = OutOfOrderCore::Transfer::conditional;
    bool links = false;
  };

  // Instructions that `level` does not have, or that need 64-bit operations or FR = 1 in a mode
  // without, are reserved on this processor; the flag is that of CpuOptions.
  explicit Isa(Level level, Mode mode = {}, bool emulates_rdhwr = false, Chip chip = {})
      : level_(level), mode_(mode), emulates_rdhwr_(emulates_rdhwr), chip_(std::move(chip)) {}

  Interpreter machine(AddressSpace& memory) const {
    return Interpreter(memory, mode_, level_, chip_);
  }
  Predecoded predecode(std::uint32_t word, std::uint64_t pc) const;

 private:
  bool is_reserved(Opcode opcode) const;

  Level level_;
  Mode mode_;
  bool emulates_rdhwr_;
  Chip chip_;
};

// The dataflow of one instruction, as its body tells the Recorder. Null for an invalid opcode.
Recording record(const Instruction& instruction, Mode mode = {});

// The registers that hold an instruction up or that it makes others wait for. FCSR's rounding mode
// and sticky flags are left out: they collect without an interlock.
InstructionTiming timing_of(const Instruction& instruction, const Recording& recording);

}  // namespace hardclock::mips
