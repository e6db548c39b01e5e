#include "tests/fuzz/default_cpu.h"

#include <array>

#include "sim/cli/instruction_sets.h"

namespace hardclock::fuzzing {

Result<std::unique_ptr<Cpu>, std::string> make_default_cpu(const posix::Program& program,
                                                           AddressSpace& memory) {
  const Image& image = *program.image;
  const InstructionSet* const set = find_instruction_set(image.machine);
  if (set == nullptr) return Failure{std::string("no processor for the program")};
  const auto cpu = set->default_cpu(std::array{&image});
  if (!cpu) return Failure{cpu.error()};
  return set->make_cpu(**cpu, image, memory, {.functional = true});
}

}  // namespace hardclock::fuzzing
