#include "sim/debug/engine_difference.h"

#include <fmt/format.h>

namespace hardclock::debug {

std::string sentence(const EngineDifference::What& what, const RegisterSet& registers) {
  const RegisterValue checked = what.checked, reference = what.reference;
  switch (what.kind) {
    case EngineDifference::Kind::registers:
      return fmt::format("{} is {:#x}, and {:#x} in single steps",
                         registers.name(what.register_number), checked, reference);
    case EngineDifference::Kind::memory:
      return fmt::format("the byte at {:#x} is {:#04x}, and {:#04x} in single steps",
                         what.address.value(), checked, reference);
    case EngineDifference::Kind::state:
      return "a part of the processor that debuggers do not show is not as in single steps";
    case EngineDifference::Kind::stop:
      return "the program stops there, or for a reason, as it does not in single steps";
    case EngineDifference::Kind::cycles:
      return fmt::format("{} cycles have passed, and {} in single steps", checked, reference);
    case EngineDifference::Kind::instructions:
      return fmt::format("{} instructions have run, and {} in single steps", checked, reference);
    default:
      return "the caches or the TLB are not as in single steps";
  }
}

}  // namespace hardclock::debug
