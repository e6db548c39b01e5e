// libFuzzer: any bytes as bundles of an IA-64 program, run block by block and instruction by
// instruction. Whatever they are, nothing in hardclock breaks, and both ways end alike.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/base/check.h"
#include "sim/engine/instruction_layout.h"
#include "tests/fuzz/heap_bound.h"
#include "tests/support/ia64_machine.h"

namespace {

using namespace hardclock;
using support::Ia64Machine;

constexpr GuestAddr code_start{0x40'0000}, data_start{0x1000'0000}, store_start{0x1400'0000};
constexpr std::uint64_t data_size = 0x4000;
constexpr unsigned most_traps = 64;
constexpr Instructions most_slots{400};

// Byte 0 chooses the processor and the user mask; the rest is code.
struct Input {
  std::uint8_t choices = 0;
  std::span<const std::uint8_t> code;
};

void prepare(Ia64Machine& machine, const Input& input) {
  constexpr Permissions rw{.read = true, .write = true};
  machine.load(code_start, input.code);
  CHECK(machine.memory.map(data_start, data_size, rw, "data").ok());
  CHECK(machine.memory.map(store_start, data_size, rw, "backing store").ok());
  ia64::Registers& registers = machine.registers();
  registers.stack.start(store_start.value(), {.sof = 32, .sol = 24, .sor = 8});
  for (unsigned r = 1; r < 64; ++r) {
    const std::uint64_t address = (r % 3 == 0 ? code_start : data_start).value() + 16 * r;
    registers.stack.write(r, r % 5 == 0 ? r : address, r % 31 == 0);
  }
  for (std::size_t b = 0; b < registers.br.size(); ++b) {
    registers.br[b] = code_start.value() + 16 * b;
  }
  registers.lc = 3;
  registers.ec = 2;
  registers.predicates = 0x5555'5555'5555'5555;
  if ((input.choices & 2) != 0) registers.user_mask |= ia64::um_be;
  if ((input.choices & 4) != 0) registers.user_mask |= ia64::um_ac;
}

// Steps over what traps.
void run(Ia64Machine& machine) {
  for (unsigned traps = 0; traps < most_traps; ++traps) {
    const Stop stop = machine.run(Ia64Machine::far, most_slots);
    if (stop.reason != StopReason::trap) return;
    ia64::Registers& registers = machine.registers();
    registers.set_pc(BundleLayout::after(registers.pc, 1));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 17) return 0;
  static const fuzzing::HeapBound bound(fuzzing::growth_of_a_run);
  const Input input{data[0], {data + 1, (size - 1) / 16 * 16}};
  const CpuDescription& cpu = support::ia64_cpu((input.choices & 1) != 0 ? "mckinley" : "ia64");
  Ia64Machine blocks(cpu), reference(cpu, {.reference = true});
  for (Ia64Machine* const machine : {&blocks, &reference}) {
    prepare(*machine, input);
    run(*machine);
  }
  CHECK(blocks.registers() == reference.registers());
  CHECK(blocks.now == reference.now);
  bound.check();
  return 0;
}
