// The comparison with QEMU: one assembled program runs there as a Linux process and here on a bare
// processor for which the test plays Linux, and both write down their results.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace hardclock::pa_risc {

// What of the assembler and QEMU is not installed; empty when all is there.
std::string missing_tools();

// ---- Pieces of programs. The system uses r20 to r31 in calls and signal handlers; r27 and r28
// belong to Cases.
// Catches SIGILL, SIGTRAP, SIGFPE, SIGBUS and SIGSEGV: the handler notes the signal in the word at
// code_base + 8 and PSW's C/B{0} and V in the next, and skips the instruction.
std::string catch_signals();
// Writes `size` bytes from `label` on to the standard output.
std::string write_call(const std::string& label, std::size_t size);
std::string exit_call();
std::string load_immediate(unsigned r, std::uint32_t value);
std::string load_address(unsigned r, const std::string& label);
std::string instruction_word(std::uint32_t word);

// Collects cases: each is code that puts its results into r10 to r13.
class Cases {
 public:
  // What a case writes: the four registers, the signal, C/B{0} and V, SAR.
  static constexpr std::size_t record = 28;

  void add(const std::string& name, const std::string& code);

  const std::vector<std::string>& names() const { return names_; }
  // With 128 bytes at `data`.
  std::string program() const;

 private:
  std::ostringstream text_;
  std::vector<std::string> names_;
};

// Assembles `source`, runs it on both sides, here on the named processor, and reports where their
// outputs, `record` bytes for each of the cases, differ.
void compare_with_qemu(const std::string& source, std::size_t record,
                       const std::vector<std::string>& cases, const std::string& cpu = "pa1_1");
inline void compare_with_qemu(const Cases& cases) {
  compare_with_qemu(cases.program(), Cases::record, cases.names());
}

}  // namespace hardclock::pa_risc
