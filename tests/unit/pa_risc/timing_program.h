// PA-RISC assembly for the timing tests: its code, and a machine to run it on. The tools are
// Debian's binutils-hppa-linux-gnu; a test skips itself with missing_assembler() without them.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/endian.h"
#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/memory/page.h"
#include "tests/support/mips_tools.h"
#include "tests/support/pa_risc_machine.h"

namespace hardclock::pa_risc {

inline std::string missing_assembler() {
  const int status = std::system(
      "command -v hppa-linux-gnu-as hppa-linux-gnu-ld hppa-linux-gnu-objcopy >/dev/null 2>&1");
  return status == 0 ? "" : "binutils-hppa-linux-gnu is not installed";
}

// The bytes of a program that starts at support::code_base, before a BREAK. Error: what the tools
// said.
inline Result<std::vector<std::uint8_t>, std::string> assemble(const std::string& source,
                                                               const std::string& level = "1.1") {
  const support::TemporaryFolder folder;
  const std::string& path = folder.path();
  std::ofstream(path + "/program.s") << " .level " << level
                                     << "\n .section program,\"awx\",@progbits\n"
                                        " .globl _start\n_start:\n"
                                     << source << "\n break 0,0\n";
  const std::string command = "cd '" + path +
                              "' && { hppa-linux-gnu-as -o program.o program.s &&"
                              " hppa-linux-gnu-ld --section-start=program=0x400000 -e _start"
                              " -o program.elf program.o &&"
                              " hppa-linux-gnu-objcopy -O binary -j program program.elf program.bin"
                              "; } >log 2>&1";
  const int status = std::system(command.c_str());
  std::ifstream in(path + (status == 0 ? "/program.bin" : "/log"), std::ios::binary);
  const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(in), {}};
  if (status != 0) return Failure{std::string(bytes.begin(), bytes.end())};
  return bytes;
}

// A processor in the surroundings of tools/timing-check: buffers far from each other, 3 in the
// general registers, and in the floating-point ones a number that is normal as a double and in both
// halves as a single.
struct TimingMachine : support::PaRiscMachine {
  static constexpr std::uint64_t buffers = 0x80'0000;
  static constexpr std::uint64_t buffer_distance = 0x1'0000;
  static constexpr std::uint64_t buffer_count = 8;

  TimingMachine(std::string_view cpu_name, const std::vector<std::uint8_t>& code,
                bool reference = false)
      : support::PaRiscMachine(support::pa_risc_cpu(cpu_name), {.reference = reference}) {
    load(support::code_base, code);
    CHECK(memory.map(GuestAddr(buffers), buffer_count * buffer_distance, all, "buffers").ok());
    Registers& r = registers();
    r.gpr.fill(3);
    r.gpr[0] = 0;
    for (std::size_t i = 4; i < r.fpr.size(); ++i) r.fpr[i] = 0x3ff0'0800'3f80'0800;
  }

  // An address in the middle of a buffer, a multiple of 8.
  static std::uint64_t middle_of(std::uint64_t buffer) {
    return buffers + buffer * buffer_distance + buffer_distance / 2;
  }
};

}  // namespace hardclock::pa_risc
