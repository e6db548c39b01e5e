// A bare MIPS machine for tests.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "isa/mips/cpu.h"
#include "sim/base/check.h"
#include "sim/timing/cpu_description.h"
#include "tests/support/bare_machine.h"

namespace hardclock::support {

inline const CpuDescription& mips_cpu(std::string_view name) {
  for (const CpuDescription& cpu : mips::cpus()) {
    if (cpu.name == name) return cpu;
  }
  CHECK(false);
  return mips::cpus().front();
}

// Gives a processor rows of the classes that it has no instruction of: those of a relative.
inline void complete_classes(CpuDescription& cpu) {
  static const std::map<std::string_view, std::string_view> relatives = {
      {"shift_32", "shift"},
      {"store_conditional", "load"},
      {"fp_cmov", "fp_move"},
      {"dmult", "mult"},
      {"mul", "mult"},
      {"madd", "mult"},
      {"ddiv", "div"},
      {"fp_madd_s", "fp_mul_s"},
      {"fp_madd_d", "fp_mul_d"},
      {"fp_recip_s", "fp_div_s"},
      {"fp_recip_d", "fp_div_d"},
      {"fp_sqrt_s", "fp_div_s"},
      {"fp_sqrt_d", "fp_div_d"},
      {"fp_rsqrt_s", "fp_div_s"},
      {"fp_rsqrt_d", "fp_div_d"}};
  for (const char* const absent : mips::absent_timing_classes(cpu)) {
    const auto known = relatives.find(absent);
    const std::string relative(known == relatives.end() ? "alu" : known->second);
    const auto row = std::ranges::find_if(cpu.rows, [&](const TimingRow& each) {
      return each.keyword == "class" && std::ranges::count(words_of_list(each.name), relative) != 0;
    });
    CHECK(row != cpu.rows.end());
    TimingRow copy = *row;
    copy.name = absent;
    cpu.rows.insert(row, std::move(copy));
  }
}

// One processor's timing with another level's instructions, so that both can be tested together.
// Without the bits that the processor's own decoder ignores.
inline CpuDescription with_timing_of(std::string_view name, const std::string& isa) {
  CpuDescription cpu = mips_cpu(name);
  complete_classes(cpu);
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
