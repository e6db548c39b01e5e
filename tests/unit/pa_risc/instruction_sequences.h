// Short sequences of PA-RISC instructions, and the cycles in which each instruction of one does
// something: issue, or launch, or retire. For timing tests; they skip themselves without the tools
// of timing_program.h.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/pa_risc/timing_program.h"

namespace hardclock::pa_risc {

struct Sequence {
  const char* text;  // at most 15 instructions
  // Of each instruction that is not nullified, counted from the first one's.
  std::vector<std::uint64_t> cycles;
  const char* source;
};

using Moment = std::uint64_t(const InstructionTimes&);

// In order.
inline std::uint64_t issue_of(const InstructionTimes& times) {
  return times.issue;
}

// One assembly for all: each sequence begins at a multiple of 64 bytes. %r20 and %r21 point into
// two buffers, %r22 to the fourth instruction.
inline void expect_cycles(const std::vector<const char*>& cpus, Moment& moment,
                          const std::vector<Sequence>& sequences,
                          const std::string& level = "1.1") {
  if (const std::string missing = missing_assembler(); !missing.empty()) GTEST_SKIP() << missing;
  std::string source;
  for (const Sequence& sequence : sequences) {
    source += " .align 64\n" + std::string(sequence.text) + "\n break 0,0\n";
  }
  const auto code = assemble(source, level);
  ASSERT_TRUE(code.ok()) << code.error();
  for (const char* const cpu : cpus) {
    TimingMachine machine(cpu, *code);
    for (std::size_t i = 0; i < sequences.size(); ++i) {
      SCOPED_TRACE(std::string(cpu) + ": " + sequences[i].text);
      Registers& registers = machine.registers();
      registers.set_pc(support::code_base.value() + 64 * i);
      registers.gpr[20] = TimingMachine::middle_of(0);
      registers.gpr[21] = TimingMachine::middle_of(1);
      registers.gpr[22] = registers.pc + 12;
      machine.cpu->drain_pipeline();
      std::vector<std::uint64_t> cycles;
      machine.cpu->observe_timing({[&](const InstructionTimes& times) {
        if (times.completed) cycles.push_back(moment(times));
      }});
      EXPECT_EQ(machine.run().trap.kind, TrapKind::breakpoint);
      const std::uint64_t first = cycles.empty() ? 0 : cycles.front();
      for (std::uint64_t& cycle : cycles) cycle -= first;
      EXPECT_EQ(cycles, sequences[i].cycles) << sequences[i].source;
    }
  }
}

}  // namespace hardclock::pa_risc
