// A bare MIPS machine for tests.
#pragma once

#include <string>
#include <string_view>

#include "isa/mips/cpu.h"
#include "sim/base/check.h"
#include "tests/support/bare_machine.h"

namespace hardclock::support {

inline const CpuDescription& mips_cpu(std::string_view name) {
  for (const CpuDescription& cpu : mips::cpus()) {
    if (cpu.name == name) return cpu;
  }
  CHECK(false);
  return mips::cpus().front();
}

// One processor's timing with another level's instructions, so that both can be tested together.
// What the processor's own decoder does not look at is not among them.
inline CpuDescription with_timing_of(std::string_view name, const std::string& isa) {
  CpuDescription cpu = mips_cpu(name);
  cpu.isa = isa;
  std::erase_if(cpu.rows, [](const TimingRow& row) { return row.keyword == "undecoded"; });
  return cpu;
}
inline CpuDescription with_r3000_timing(const std::string& isa) {
  return with_timing_of("r3000", isa);
}
inline CpuDescription mips2_with_r3000_timing() {
  return with_r3000_timing("mips2");
}

struct MipsMachine : BareMachine<mips::CpuBase> {
  MipsMachine(Endian endian, const CpuDescription& description,
              const mips::CpuOptions& options = {})
      : BareMachine(endian, GuestAddr(0x8000'0000), [&](AddressSpace& space) {
          return mips::make_cpu(description, space, options);
        }) {}
};

}  // namespace hardclock::support
