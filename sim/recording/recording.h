// What one instruction does, as data: the steps of its body in the order in which it takes them.
// The Recorder of an ISA makes recordings; the timing model reads from them what an instruction
// waits for, evaluate() performs them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/recording/trap.h"
#include "sim/timing/pipeline.h"

namespace hardclock {

// A step's operands are earlier steps. What else it has is in `detail`, `resource` and `immediate`;
// flags are 0 or 1, counts of shifts 0 to 63.
enum class Operation : std::uint8_t {
  // Values.
  constant,         // immediate
  read_register,    // resource; immediate: its bits that are read, the others are 0
  program_counter,  // of the instruction
  after_slot,       // where control goes when it is not transferred: in a branch, past its slot
  clock,            // cycles since it began
  load,             // (address, condition), detail: bytes; zero-extended; 0 without an access if
                    // the condition does not hold
  replaced,         // the same of memory of which a store will replace a part: as for a store, an
                    // access that is not allowed is a fault, but there is none beside the store's
  is_accessible,    // (address), detail: Access; a flag, never a fault
  call,             // (arguments...) of callee; the value is the first result
  transform,  // (argument, argument), detail: which of the ISA's; changes registers as a whole
              // and their memory, may trap
  result,     // (call), detail: which result
  add,
  sub,
  mul,
  and_,
  or_,
  xor_,
  shl,
  shr,
  sar,
  sext8,
  sext16,
  sext32,
  zext32,
  eq,
  ne,
  lt,
  ltu,
  select,  // (flag, if it is 1, if it is 0)
  // Effects. `unconditional` stands for a condition that always holds.
  write_register,  // (value, condition), resource; immediate: its bits that change
  store,           // (address, value, condition), detail: bytes; an access that is not allowed is a
                   // fault whatever the condition
  branch,          // (condition, target): after the delay slot
  end_unless,      // (condition): without it, what follows is not done, and the instruction is over
  nullify,         // (condition): the next instruction does not take place
  trap_if,         // (condition), detail: TrapKind, immediate: code; what follows is not done
  trap,            // the same without a condition: the instruction's whole purpose
  slow_if,         // (condition): by its operands the instruction takes longer
  rare_if,  // (condition), detail: Rare. In recordings for the translator only: the rest is not
            // true then, unless Rare says otherwise, and the interpreter runs the whole instruction
};

enum class Rare : std::uint8_t {
  interpreted,  // in the middle of translated code
  stepped,      // the code is left before the instruction
  // The instruction's accesses beside those of the program are made first, all at once, and then
  // the rest is true; `immediate` is the ISA's word for them, of 32 bits. As stepped where that may
  // not be.
  implicit_accesses
};

// How to call a function of numbers whose type is gone.
using Function = void();
struct Signature {
  std::uint8_t arguments;
  std::uint8_t results;
  void (*call)(Function* function, const std::uint64_t* arguments, std::uint64_t* results);
};

using StepIndex = std::uint32_t;
inline constexpr StepIndex unconditional = ~StepIndex{0};

struct Step {
  Operation operation;
  std::uint8_t detail = 0;
  Resource resource = 0;
  std::array<StepIndex, 8> operands{};
  std::uint64_t immediate = 0;
  Function* callee = nullptr;  // of a call
  const Signature* signature = nullptr;
};

// How many of a step's operands are steps; of an effect the last may be `unconditional`.
inline std::size_t operands_of(const Step& step) {
  switch (step.operation) {
    case Operation::constant:
    case Operation::read_register:
    case Operation::program_counter:
    case Operation::after_slot:
    case Operation::clock:
    case Operation::trap:
      return 0;
    case Operation::replaced:
    case Operation::is_accessible:
    case Operation::result:
    case Operation::sext8:
    case Operation::sext16:
    case Operation::sext32:
    case Operation::zext32:
    case Operation::nullify:
    case Operation::end_unless:
    case Operation::trap_if:
    case Operation::slow_if:
    case Operation::rare_if:
      return 1;
    case Operation::select:
    case Operation::store:
      return 3;
    case Operation::call:
      return step.signature->arguments;
    default:
      return 2;
  }
}

// The names under which a pipeline knows these bits of a register, appended. An ISA's: it may know
// the halves of a register apart, or a status register's conditions.
using PipelineNames = void (*)(Resource resource, std::uint64_t bits, std::vector<Resource>& names);

struct Recording {
  std::vector<Step> steps;
  PipelineNames pipeline_names = nullptr;  // null: every register has one name, its own

  // Pipeline's names, ascending, each once. What the instruction itself has written before is not
  // read.
  std::vector<Resource> reads() const;
  std::vector<Resource> writes() const;
  // The parts of reads() that the addresses of loads and stores come from; and that only the
  // values of stores do.
  std::vector<Resource> addresses() const;
  std::vector<Resource> stored() const;
  std::uint8_t bytes_accessed() const;  // by its loads and stores, the most; 0: none
  bool has(Operation operation) const;
  // Whether a branch, a nullification or a trap_if comes whatever the values are.
  bool always(Operation operation) const;
  bool touches_memory() const;  // loads or stores

 private:
  // What the steps marked, and those that they are made of, read.
  std::vector<Resource> reads_for(std::vector<bool> is_needed) const;
};

}  // namespace hardclock
