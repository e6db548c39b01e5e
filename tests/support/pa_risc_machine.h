// A bare PA-RISC machine for tests, and processors that do not exist.
#pragma once

#include <string>
#include <string_view>

#include "isa/pa_risc/cpu.h"
#include "isa/pa_risc/pa_risc_decode.h"
#include "sim/base/check.h"
#include "tests/support/bare_machine.h"

namespace hardclock::support {

inline const CpuDescription& pa_risc_cpu(std::string_view name) {
  const CpuDescription* const cpu = pa_risc::find_cpu(name);
  CHECK(cpu != nullptr);
  return *cpu;
}

// An invented in-order processor: the latencies of its classes are 1 to `latencies` cycles, and a
// division holds its unit for 9. `rows` are the other rows of a .timing file, with `issue`.
inline CpuDescription invented_pa_risc(pa_risc::Level level, unsigned latencies,
                                       const std::string& rows) {
  const std::string grade = " unverified: invented\n";
  std::string text = std::string("cpu invented\nisa ") + pa_risc::level_name(level) +
                     "\npipeline in-order\nabout for tests\nclock 100" + grade + rows;
  for (unsigned i = 0; i < pa_risc::timing_class_count; ++i) {
    const std::string name = pa_risc::timing_class_name(static_cast<pa_risc::TimingClass>(i));
    text += "class " + name + " latency " + std::to_string(1 + i % latencies) +
            (name.starts_with("fp_div") ? " repeat 9 unit divider" : "") + grade;
  }
  const auto description = parse_cpu_description(text);
  CHECK(description.ok());
  return *description;
}

struct PaRiscMachine : BareMachine<pa_risc::CpuBase> {
  explicit PaRiscMachine(const CpuDescription& description, const pa_risc::CpuOptions& options = {})
      : BareMachine(Endian::big, GuestAddr(0xc000'0000), [&](AddressSpace& space) {
          return pa_risc::make_cpu(description, space, options);
        }) {}
};

}  // namespace hardclock::support
