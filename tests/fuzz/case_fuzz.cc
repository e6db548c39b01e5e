// libFuzzer: any bytes as a file of conformance cases. Those that can be read are performed by both
// backends.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

#include "syscalls/conform/case_parser.h"
#include "syscalls/conform/guest_backend.h"
#include "syscalls/conform/model_backend.h"
#include "tests/fuzz/heap_bound.h"
#include "tests/unit/conform/case_maker.h"

namespace {

using namespace hardclock;

constexpr std::uint64_t most_ticks = 200;

// Millions of ticks are no mistake, but take their time.
bool is_quick(const conform::Case& of) {
  std::uint64_t ticks = 0;
  for (const conform::Event& event : of.events) {
    if (const auto* const tick = std::get_if<conform::TickEvent>(&event.what)) ticks += tick->n;
    if (const auto* const run = std::get_if<conform::RunEvent>(&event.what)) {
      ticks += run->milliseconds;
    }
  }
  return ticks <= most_ticks;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzzing::HeapBound bound(fuzzing::growth_of_a_run);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto cases = conform::parse_cases(text, "fuzz.json");
  if (!cases) return 0;
  static conform::ModelBackend model;
  static conform::GuestBackend guest(conform::make_case_cpu);
  for (const conform::Case& each : *cases) {
    if (!each.defect.empty() || !is_quick(each)) continue;
    model.run(each);
    guest.run(each);
  }
  bound.check();
  return 0;
}
