// What the decoders of PA-RISC 1.x do not look at: the fields to which only 2.0 gives a meaning.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "sim/base/endian.h"
#include "tests/support/pa_risc_machine.h"

namespace hardclock::pa_risc {
namespace {

using support::PaRiscMachine;
using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t stop = 0x0000'0000;  // break 0,0
constexpr const char* processors[] = {"pa7000", "pa7100", "pa7100lc", "pa7200", "pa7300lc"};

// Runs the words, with BREAK behind them, on the processor.
struct Execution {
  Execution(const char* cpu, Words words, std::uint64_t r5 = 0, std::uint64_t r8 = 0,
            const CpuOptions& options = {})
      : machine(support::pa_risc_cpu(cpu), options) {
    words.push_back(stop);
    std::vector<std::uint8_t> bytes(4 * words.size());
    for (std::size_t i = 0; i < words.size(); ++i)
      store_bytes(&bytes[4 * i], words[i], Endian::big);
    machine.load(GuestAddr(0x40'0000), bytes);
    machine.registers().gpr[5] = r5;
    machine.registers().gpr[8] = r8;
    trap = machine.run().trap.kind;
  }

  PaRiscMachine machine;
  TrapKind trap;
};

// OpenSSL's question to the processor, crypto/modes/asm/ghash-parisc.pl (also sha512-parisc.pl,
// parisc-mont.pl): the word executes on PA-RISC 1.0, extracts a 1 and does not nullify what
// follows. On 2.0 it extracts a 0 of 64 bits, and nullifies.
TEST(Undecoded, OpensslsQuestionIsAnExtractOfAWord) {
  const Words question = {0x341d'003e,   // ldi 31,r29
                          0x017d'1840,   // mtctl r29,cr11
                          0xd3bd'321f,   // extrd,u,*= r29,sar,1,r29
                          0x340c'0002};  // ldi 1,r12
  for (const char* const cpu : processors) {
    for (const bool is_reference : {false, true}) {
      Execution asked(cpu, question, 0, 0, {.reference = is_reference});
      EXPECT_EQ(asked.trap, TrapKind::breakpoint) << cpu;
      EXPECT_EQ(asked.machine.registers().gpr[29], 1u) << cpu;
      EXPECT_EQ(asked.machine.registers().gpr[12], 1u) << cpu;
    }
  }
  Execution later("pa8000", question);
  EXPECT_EQ(later.trap, TrapKind::breakpoint);
  EXPECT_EQ(later.machine.registers().gpr[12], 0u) << "nullified";
  // The architecture as such says nothing of it.
  EXPECT_EQ(Execution("pa1_1", question).trap, TrapKind::illegal_instruction);
}

// Kernels of Debian 5 have such words, and boot on a 715/64 (PA-7100LC) and a B160L (PA-7300LC):
// QEMU, commit 3b65b742543b.
TEST(Undecoded, TheDoublewordOfThreeRegisters) {
  for (const char* const cpu : processors) {
    Execution either(cpu, {0x08a8'027c}, 5, 8);  // or,* r8,r5,r28
    EXPECT_EQ(either.trap, TrapKind::breakpoint) << cpu;
    EXPECT_EQ(either.machine.registers().gpr[28], 13u) << cpu;
    Execution sum(cpu, {0x0905'0abc}, 5, 8);  // shladd,l,* r5,2,r8,r28
    EXPECT_EQ(sum.trap, TrapKind::breakpoint) << cpu;
    EXPECT_EQ(sum.machine.registers().gpr[28], 28u) << cpu;
  }
}

// Other major opcodes are no instruction of 1.x.
TEST(Undecoded, OtherInstructionsOfLaterProcessorsTrap) {
  for (const char* const cpu : processors) {
    EXPECT_EQ(Execution(cpu, {0xd8a5'03e0}).trap, TrapKind::illegal_instruction)
        << "extrd,u " << cpu;
    EXPECT_EQ(Execution(cpu, {0x0ca0'10c6}, 0x40'0000).trap, TrapKind::illegal_instruction)
        << "ldd " << cpu;
  }
}

}  // namespace
}  // namespace hardclock::pa_risc
