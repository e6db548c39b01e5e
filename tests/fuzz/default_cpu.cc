#include "tests/fuzz/default_cpu.h"

#include "cli/processor_choice.h"

namespace hardclock::fuzzing {

Result<std::unique_ptr<Cpu>, std::string> make_default_cpu(const posix::Program& program,
                                                           const posix::Port& port,
                                                           AddressSpace& memory) {
  CpuSetup setup;
  setup.functional = true;
  const auto cpu = suitable_cpu(setup, program, port);
  if (!cpu) return Failure{cpu.error()};
  return make_cpu(setup, **cpu, program, port, memory);
}

}  // namespace hardclock::fuzzing
