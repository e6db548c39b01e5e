// Why cycles pass: each cycle of a program has one reason. docs/timing.md, "Cycles by reason", says
// how a cycle gets its reason where there could be two.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hardclock {

enum class CycleReason : std::uint8_t {
  issue,             // an instruction issues; out of order, it graduates
  operand,           // it waits for a register that an earlier instruction makes
  unit,              // it waits for a unit or a stage that is busy, or takes longer in its own
  branch,            // a transfer of control comes first, or was predicted wrongly
  instruction_miss,  // its line comes from the second-level cache, or memory if there is none
  data_miss,         // the same for data
  second_level,      // a line, of either side, that the second-level cache does not have
  tlb,               // the TLB is refilled
  write_buffer,      // the write buffer is full, or must be empty first
  kernel,            // the kernel works for the thread; such cycles are not the program's own
};
inline constexpr std::size_t cycle_reasons = 10;

// As reports and files name them: "issue", "operand", "instruction miss".
inline constexpr std::array<std::string_view, cycle_reasons> cycle_reason_names = {
    "issue",     "operand",      "unit", "branch",       "instruction miss",
    "data miss", "second level", "tlb",  "write buffer", "kernel"};

// Cycles of each reason.
class CyclesByReason {
 public:
  std::uint64_t& operator[](CycleReason reason) {
    return cycles_[static_cast<std::size_t>(reason)];
  }
  std::uint64_t operator[](CycleReason reason) const {
    return cycles_[static_cast<std::size_t>(reason)];
  }
  CyclesByReason& operator+=(const CyclesByReason& other) {
    for (std::size_t i = 0; i < cycle_reasons; ++i) cycles_[i] += other.cycles_[i];
    return *this;
  }
  // Without the kernel's: the program's own.
  std::uint64_t own() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t cycles : cycles_) sum += cycles;
    return sum - (*this)[CycleReason::kernel];
  }

  friend bool operator==(const CyclesByReason&, const CyclesByReason&) = default;

 private:
  std::array<std::uint64_t, cycle_reasons> cycles_{};
};

}  // namespace hardclock
