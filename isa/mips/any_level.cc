#include "isa/mips/any_level.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "isa/mips/cpu.h"
#include "sim/base/check.h"

namespace hardclock::mips {
namespace {

struct Nearest {
  std::string_view timing_class, older;
};
// In the order in which they are looked for: `older` may be one that an earlier line has added.
constexpr Nearest nearest_classes[] = {
    {"cmov", "alu"},
    {"sync", "alu"},
    {"clock", "alu"},
    {"shift_32", "shift"},
    {"mul", "mult"},
    {"madd", "mult"},
    {"dmult", "mult"},
    {"ddiv", "div"},
    {"prefetch", "load"},
    {"store_conditional", "store"},
    {"fp_cmov", "fp_move"},
    {"fp_madd_s", "fp_mul_s"},
    {"fp_madd_d", "fp_mul_d"},
    {"fp_sqrt_s", "fp_div_s"},
    {"fp_sqrt_d", "fp_div_d"},
    {"fp_recip_s", "fp_div_s"},
    {"fp_recip_d", "fp_div_d"},
    {"fp_rsqrt_s", "fp_sqrt_s"},
    {"fp_rsqrt_d", "fp_sqrt_d"},
};

const TimingRow* row_of_class(const CpuDescription& cpu, std::string_view timing_class) {
  const auto found = std::ranges::find_if(cpu.rows, [&](const TimingRow& row) {
    if (row.keyword != "class") return false;
    const std::vector<std::string> names = words_of_list(row.name);
    return std::ranges::find(names, timing_class) != names.end();
  });
  return found == cpu.rows.end() ? nullptr : &*found;
}

void add_missing_classes(CpuDescription& cpu) {
  if (cpu.functional()) return;
  for (const auto& [timing_class, older] : nearest_classes) {
    if (row_of_class(cpu, timing_class) != nullptr) continue;
    const TimingRow* const like = row_of_class(cpu, older);
    if (like == nullptr) continue;  // no unit of this kind: its rows have no class of it
    TimingRow row = *like;
    row.name = timing_class;
    row.grade = "unverified";
    row.source = "as " + std::string(older);
    cpu.rows.push_back(row);
  }
}

}  // namespace

CpuDescription with_nearest_classes(const CpuDescription& description) {
  CpuDescription cpu = description;
  add_missing_classes(cpu);
  return cpu;
}

CpuDescription with_any_level(const CpuDescription& description) {
  const bool is_wide =
      supports(description, {.operation_bits = 64, .address_bits = 64, .fr = true});
  CpuDescription cpu = description;
  cpu.isa = is_wide ? "mips64r2" : "mips32r2";
  std::erase_if(cpu.rows, [](const TimingRow& row) { return row.keyword == "undecoded"; });
  std::erase_if(cpu.rows, [](const TimingRow& row) { return row.keyword == "has"; });
  add_missing_classes(cpu);
  CHECK(!mistake_in(cpu));  // a test widens every processor of timing/
  return cpu;
}

}  // namespace hardclock::mips
