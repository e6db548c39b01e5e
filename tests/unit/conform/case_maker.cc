#include "tests/unit/conform/case_maker.h"

#include "isa/mips/cpu.h"
#include "isa/pa_risc/cpu.h"

namespace hardclock::conform {

Event call_event(Call call) {
  CallStep step;
  step.call = std::move(call);
  Event event;
  event.what = std::move(step);
  return event;
}

Result<std::unique_ptr<Cpu>, std::string> make_case_cpu(const posix::Program& program,
                                                        AddressSpace& memory) {
  const Image& image = *program.image;
  if (image.machine == Machine::pa_risc) {
    return std::unique_ptr<Cpu>(
        pa_risc::make_cpu(*pa_risc::default_cpu(image.flags), memory,
                          {.functional = true, .mode = {.wide = image.address_bits == 64}}));
  }
  return std::unique_ptr<Cpu>(mips::make_cpu(
      *mips::default_cpu(image.flags), memory,
      {.functional = true, .mode = mips::mode_of_program(image.flags, image.address_bits)}));
}

}  // namespace hardclock::conform
