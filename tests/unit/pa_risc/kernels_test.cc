// Loops whose cycles per trip are known, on the processor alone: those of tests/timing. Each kernel
// says where its figure is from; tools/timing-check --help describes the files.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "isa/pa_risc/cpu.h"
#include "tests/unit/pa_risc/timing_program.h"

namespace hardclock::pa_risc {
namespace {

using Json = nlohmann::json;

std::uint64_t& named(Registers& registers, const std::string& name) {
  return registers.gpr.at(std::stoul(name.substr(2)));
}

std::uint64_t cycles_of(const Json& kernel, const std::vector<std::uint8_t>& code,
                        std::uint64_t trips, bool reference) {
  TimingMachine machine(kernel.at("cpu").get<std::string>(), code, reference);
  Registers& registers = machine.registers();
  const Json& init = kernel.at("init");
  std::uint64_t buffer = 0;
  for (const Json& pointer : init.at("pointers")) {
    named(registers, pointer.get<std::string>()) = TimingMachine::middle_of(buffer++);
  }
  const std::uint64_t step = init.at("counter_step").get<std::uint64_t>();
  named(registers, init.at("counter").get<std::string>()) = trips * step;
  const Stop stop = machine.run();
  EXPECT_EQ(stop.trap.kind, TrapKind::breakpoint);
  EXPECT_EQ(named(registers, init.at("counter").get<std::string>()), 0u);
  return machine.now.value();
}

void expect_cycles(const Json& kernel) {
  SCOPED_TRACE(kernel.at("id").get<std::string>());
  const bool is_2_0 = find_cpu(kernel.at("cpu").get<std::string>())->isa == "pa2_0";
  const auto code = assemble(kernel.at("asm").get<std::string>(), is_2_0 ? "2.0" : "1.1");
  ASSERT_TRUE(code.ok()) << code.error();
  for (const bool reference : {true, false}) {
    const std::uint64_t once = cycles_of(kernel, *code, 100, reference);
    const std::uint64_t twice = cycles_of(kernel, *code, 200, reference);
    EXPECT_EQ(twice - once, 100 * kernel.at("cycles_per_iteration").get<std::uint64_t>())
        << kernel.at("source");
  }
}

// How many of the file's kernels are for processors of PA-RISC; all have to take their cycles.
unsigned expect_cycles_of_all(const std::string& path) {
  std::ifstream file(path);
  unsigned checked = 0;
  for (const Json& kernel : Json::parse(file)) {
    if (find_cpu(kernel.at("cpu").get<std::string>()) == nullptr) continue;
    expect_cycles(kernel);
    ++checked;
  }
  return checked;
}

TEST(PaRiscKernels, TakeTheCyclesOfGccsDescription) {
  if (const std::string missing = missing_assembler(); !missing.empty()) GTEST_SKIP() << missing;
  EXPECT_EQ(expect_cycles_of_all("tests/timing/pa7000.json"), 3u);
  EXPECT_EQ(expect_cycles_of_all("tests/timing/pa7100.json"), 2u);
}

TEST(PaRiscKernels, TakeTheCyclesOfPublishedLatencies) {
  if (const std::string missing = missing_assembler(); !missing.empty()) GTEST_SKIP() << missing;
  EXPECT_EQ(expect_cycles_of_all("tests/timing/latencies.json"), 10u);
}

}  // namespace
}  // namespace hardclock::pa_risc
