#include "tests/unit/conform/case_maker.h"

#include "isa/instruction_sets.h"

namespace hardclock::conform {

Event call_event(Call call) {
  CallStep step;
  step.call = std::move(call);
  Event event;
  event.what = std::move(step);
  return event;
}

Result<std::unique_ptr<Cpu>, std::string> make_case_cpu(const posix::Program& program,
                                                        const posix::Port& port,
                                                        AddressSpace& memory) {
  return make_default_cpu(*program.image, memory,
                          {.functional = true, .gateway_page = port.gateway_page});
}

}  // namespace hardclock::conform
