// A bare IA-64 machine for tests.
#pragma once

#include <string_view>

#include "isa/ia64/cpu.h"
#include "sim/base/check.h"
#include "tests/support/bare_machine.h"

namespace hardclock::support {

inline const CpuDescription& ia64_cpu(std::string_view name) {
  const CpuDescription* const cpu = ia64::find_cpu(name);
  CHECK(cpu != nullptr);
  return *cpu;
}

struct Ia64Machine : BareMachine<ia64::CpuBase> {
  explicit Ia64Machine(const CpuDescription& description, const ia64::CpuOptions& options = {})
      : BareMachine(Endian::little, GuestAddr(0x8000'0000'0000'0000), [&](AddressSpace& space) {
          return ia64::make_cpu(description, space, options);
        }) {}
};

}  // namespace hardclock::support
