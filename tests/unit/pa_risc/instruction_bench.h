// Single PA-RISC instructions on the Interpreter: a word, registers and a page of memory in, what
// they become out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "isa/pa_risc/isa.h"
#include "isa/pa_risc/machine.h"
#include "isa/pa_risc/pa_risc_decode.h"
#include "sim/base/check.h"
#include "sim/memory/address_space.h"
#include "tests/unit/pa_risc/instruction_word.h"

namespace hardclock::pa_risc {

class InstructionBench {
 public:
  static constexpr std::uint64_t pc = 0x40'0000;
  static constexpr std::uint64_t data = 0x1000'0000;  // a page that can be read and written

  explicit InstructionBench(Level level, Mode mode = {})
      : isa_(level, mode),
        memory_(std::make_shared<MemoryBudget>(std::uint64_t{1} << 20), Endian::big,
                GuestAddr(0x8000'0000)),
        machine_(isa_.interpreter(memory_)) {
    CHECK(memory_.map(GuestAddr(data), page_size, {.read = true, .write = true}, "data").ok());
  }

  Registers& registers() { return machine_.registers(); }
  std::uint64_t& gpr(unsigned n) { return machine_.registers().gpr[n]; }
  AddressSpace& memory() { return memory_; }

  Isa::Predecoded predecode(std::uint32_t word) const { return isa_.predecode(word, pc); }
  void run(std::uint32_t word) { run(predecode(word)); }
  void run(const Isa::Predecoded& decoded) {
    trap_.reset();
    machine_.run(&decoded.op, &decoded.op + 1, pc, pc + 8);
    if (machine_.gave_up()) trap_ = machine_.take_end();
    nullified_ = machine_.take_nullified();
  }
  // What the last instruction did.
  const std::optional<Trap>& trap() const { return trap_; }
  bool nullified() const { return nullified_; }
  bool taken() const { return machine_.taken(); }
  std::uint64_t after_slot() const { return machine_.after_slot(); }

 private:
  Isa isa_;
  AddressSpace memory_;
  Interpreter machine_;
  std::optional<Trap> trap_;
  bool nullified_ = false;
};

}  // namespace hardclock::pa_risc
