// The comparison with QEMU: one assembled program runs there as a Linux process and here on a bare
// processor for which the test plays Linux, and both write down their results.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "isa/mips/mode.h"
#include "sim/base/endian.h"
#include "tests/support/mips_tools.h"

namespace hardclock::mips {

// A way to run a program on both sides.
struct Target {
  const char* name;
  support::MipsAbi abi;
  Endian endian;
  const char* march;  // for the assembler
  const char* cpu;    // here; QEMU's default processors are a 24Kf and a 5KEf, of release 2

  bool is_wide() const { return abi != support::MipsAbi::o32; }
  Mode mode() const;
  // Bytes of a register as the program stores it.
  unsigned register_bytes() const { return is_wide() ? 8 : 4; }
  const char* store() const { return is_wide() ? "sd" : "sw"; }
};
inline std::ostream& operator<<(std::ostream& out, const Target& target) {
  return out << target.name;
}

// What of the assembler and QEMU is not installed; empty when all is there.
std::string missing_tools();

// ---- Pieces of programs.
// Catches SIGILL, SIGTRAP, SIGFPE, SIGBUS and SIGSEGV: the handler notes the signal in the word at
// code_base + 8 and skips the instruction.
std::string catch_signals(const Target& target);
// Writes `size` bytes from `label` on to the standard output.
std::string write_call(const Target& target, const std::string& label, std::size_t size);
std::string exit_call(const Target& target);
// A word, sign-extended where registers have 64 bits; a doubleword needs such registers.
std::string load_immediate(unsigned r, std::uint32_t value);
std::string load_doubleword(unsigned r, std::uint64_t value);

// Collects cases: each is code that puts its results into $10 to $13.
class Cases {
 public:
  explicit Cases(const Target& target) : target_(target) {}

  void add(const std::string& name, const std::string& code);

  // Bytes that a case writes: the four registers and the signal.
  std::size_t record() const { return 5 * target_.register_bytes(); }
  const std::vector<std::string>& names() const { return names_; }
  std::string program() const;

 private:
  Target target_;
  std::ostringstream text_;
  std::vector<std::string> names_;
};

// Assembles `source`, runs it on both sides and reports where their outputs, `record` bytes for
// each of the cases, differ.
void compare_with_qemu(const Target& target, const std::string& source, std::size_t record,
                       const std::vector<std::string>& cases);

// ---- Operands.
struct OperandPair {
  std::uint64_t a;
  std::uint64_t b;
};
// All pairs of words at the edges and random ones, half of them equal or nearly so.
std::vector<OperandPair> operand_pairs(std::uint32_t seed);
std::vector<std::uint32_t> corner_words();
// The same of doublewords.
std::vector<OperandPair> wide_operand_pairs(std::uint32_t seed);
std::vector<std::uint64_t> corner_doublewords();

// "name 0xa 0xb", to name a case.
std::string describe_case(const std::string& name, std::uint64_t a, std::uint64_t b);

}  // namespace hardclock::mips
