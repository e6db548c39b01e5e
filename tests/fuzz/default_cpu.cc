#include "tests/fuzz/default_cpu.h"

#include "isa/mips/cpu.h"

namespace hardclock::fuzzing {

Result<std::unique_ptr<Cpu>, std::string> make_default_cpu(const Image& image,
                                                           AddressSpace& memory) {
  const CpuDescription* const description = mips::default_cpu(image.flags);
  const mips::Mode mode = mips::mode_of_program(image.flags, image.address_bits);
  if (description == nullptr || !mips::supports(*description, mode)) {
    return Failure{std::string("no processor for the program")};
  }
  return std::unique_ptr<Cpu>(mips::make_cpu(
      *description, memory, {.functional = true, .emulates_rdhwr = image.is_linux, .mode = mode}));
}

}  // namespace hardclock::fuzzing
