// Bodies of IA-64 instructions on the Interpreter, one at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "isa/ia64/machine.h"
#include "sim/base/check.h"
#include "sim/memory/address_space.h"

namespace hardclock::ia64 {

class SemanticsBench {
 public:
  static constexpr std::uint64_t pc = 0x40'0000;
  // Pages that can be read and written, then one that can only be read; what follows is not mapped.
  static constexpr std::uint64_t start = 0x1000'0000, zone = 2 * page_size;
  static constexpr std::uint64_t read_only = start + zone, nowhere = read_only + page_size;

  explicit SemanticsBench(std::uint64_t user_end = std::uint64_t{1} << 32)
      : memory_(std::make_shared<MemoryBudget>(std::uint64_t{1} << 24), Endian::little,
                GuestAddr(user_end)),
        machine_(memory_, Settings{}) {
    CHECK(memory_.map(GuestAddr(start), zone, {.read = true, .write = true}, "data").ok());
    CHECK(memory_.map(GuestAddr(read_only), page_size, {.read = true}, "constants").ok());
  }

  Registers& registers() { return machine_.registers(); }
  AddressSpace& memory() { return memory_; }

  fp::FpRegister& fr(unsigned n) { return fr_of(registers(), n); }
  std::uint64_t gr(unsigned n) { return registers().stack.value(n); }
  bool nat(unsigned n) { return registers().stack.nat(n); }
  void set_gr(unsigned n, std::uint64_t value, bool nat = false) {
    registers().stack.write_value(n, value);
    registers().stack.write_nat(n, nat);
  }
  bool predicate(unsigned n) { return (registers().predicates >> n & 1) != 0; }

  // Past the ALAT.
  void put(std::uint64_t address, std::span<const std::uint8_t> bytes) {
    CHECK(memory_.initialize(GuestAddr(address), bytes).ok());
  }
  template <std::size_t count>
  std::array<std::uint8_t, count> bytes_at(std::uint64_t address) {
    std::array<std::uint8_t, count> bytes{};
    for (std::size_t i = 0; i < count; ++i)
      bytes[i] = **memory_.translate(GuestAddr(address + i), 1, Access::read);
    return bytes;
  }

  // Runs a body, `[](Interpreter& m, const Interpreter::Op&) { fma(m, F1{...}); }`. The trap in
  // which it ended, if it did.
  std::optional<Trap> run(Interpreter::Handler body) {
    const Interpreter::Op op{.execute = body};
    machine_.run(&op, &op + 1, pc, pc + 16);
    if (!machine_.gave_up()) return std::nullopt;
    return machine_.take_end();
  }
  // Where the last body has branched.
  std::optional<std::uint64_t> target() const {
    if (!machine_.taken()) return std::nullopt;
    return machine_.after_slot();
  }

 private:
  AddressSpace memory_;
  Interpreter machine_;
};

inline bool is_illegal(const std::optional<Trap>& trap, IllegalUse use) {
  return trap && trap->kind == TrapKind::illegal_instruction &&
         trap->code == static_cast<std::uint32_t>(use);
}
inline bool is_float(const std::optional<Trap>& trap) {
  return trap && trap->kind == TrapKind::floating_point;
}
inline bool is_memory(const std::optional<Trap>& trap, Fault::Kind kind) {
  return trap && trap->kind == TrapKind::memory && trap->fault.kind == kind;
}

}  // namespace hardclock::ia64

// A body with constant fields, for SemanticsBench::run.
#define BODY(...) [](Interpreter& m, const Interpreter::Op&) { __VA_ARGS__; }
