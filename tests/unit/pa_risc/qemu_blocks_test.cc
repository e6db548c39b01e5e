// Random straight code with forward branches against QEMU 7.2: chains of nullification, ,n
// branches, branches in delay slots, accesses that modify their base. Every register and the data
// are compared after each program. qemu_test.cc says what is left out and why; so are the
// instructions that trap.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/mips_tools.h"
#include "tests/unit/pa_risc/qemu_comparison.h"
#include "tests/unit/pa_risc/random_program.h"

namespace hardclock::pa_risc {
namespace {

constexpr unsigned programs = 125;
constexpr int window = 2048;  // bytes to each side of what the data register points to
// The data, general registers, floating-point registers, SAR, and the carry out of bit 0.
constexpr std::size_t record = 2 * window + 4 * 32 + 8 * 32 + 4 + 4;

std::string number(std::uint64_t value) {
  return std::to_string(value);
}

// All registers as they are to be before the program.
std::string load_registers(const Registers& registers) {
  std::string text = load_address(1, "doublewords");
  for (unsigned f = 4; f < 32; ++f) text += " fldds,ma 8(%r1),%fr" + number(f) + "\n";
  text += load_immediate(1, static_cast<std::uint32_t>(registers.shift_amount)) + " mtsar %r1\n" +
          load_immediate(1, static_cast<std::uint32_t>(registers.carry_bits)) +
          " add %r1,%r1,%r0\n";
  for (unsigned r = 1; r < 32; ++r) {
    const bool is_pointer = r == data_register || r == pointer_register;
    if (is_pointer)
      text += load_address(r, "middle");
    else if (r == pointer_register_2)
      text += load_address(r, "middle+64");
    else
      text += load_immediate(r, static_cast<std::uint32_t>(registers.gpr[r]));
  }
  return text;
}

std::string store_registers() {
  const std::string base = "(%r" + number(data_register) + ")\n";
  std::string text;
  for (unsigned r = 1; r < 32; ++r)
    text += " stw %r" + number(r) + "," + number(window + 4 * r) + base;
  text += " mfctl %cr11,%r1\n stw %r1," + number(window + 4 * 96) + base;
  text += " addc %r0,%r0,%r1\n stw %r1," + number(window + 4 * 97) + base;
  text += " ldo " + number(window + 128) + "(%r" + number(data_register) + "),%r1\n";
  for (unsigned f = 4; f < 32; ++f) text += " fstds,ma %fr" + number(f) + ",8(%r1)\n";
  return text;
}

std::string random_data(std::uint32_t seed, int bytes) {
  std::mt19937 random(seed);
  std::ostringstream text;
  for (int i = 0; i < bytes / 4; ++i) text << " .word " << random() << "\n";
  return text.str();
}

void compare_programs(std::uint32_t first_seed, const Mix& mix) {
  if (const std::string missing = missing_tools(); !missing.empty()) GTEST_SKIP() << missing;
  std::ostringstream source;
  std::vector<std::string> names;
  for (std::uint32_t seed = first_seed; seed < first_seed + programs; ++seed) {
    RandomProgram program(seed, mix, support::code_base, 30 + seed % 31);
    source << load_registers(program.registers());
    for (const std::uint32_t word : program.words()) source << instruction_word(word);
    // Where branches out of the program and a nullification at its end arrive.
    source << " nop\n nop\n" << store_registers() << write_call("window", record);
    names.push_back("seed " + number(seed));
  }
  source << exit_call() << " .align 16\ndoublewords:\n"
         << random_data(1, 8 * 32) << " .align 16\nwindow:\n"
         << random_data(2, window) << "middle:\n"
         << random_data(3, window) << " .space " << record - 2 * window << "\n";
  compare_with_qemu(source.str(), record, names);
}

Mix tame() {
  return {.memory = 25, .branches = 20, .floating_point = 0, .control = 0, .tame = true};
}

TEST(QemuBlocks, BranchesAndAccesses) {
  compare_programs(0, tame());
}

TEST(QemuBlocks, NullificationAndBranchesInDelaySlots) {
  Mix mix = tame();
  mix.branches = 35;
  mix.nullifying_percent = 80;
  mix.branch_in_slots = true;
  compare_programs(1000, mix);
}

}  // namespace
}  // namespace hardclock::pa_risc
