#include "syscalls/irix/result.h"

#include "isa/mips/abi.h"

namespace hardclock::irix {

void set_result(Cpu& cpu, const CallResult& result) {
  mips::Registers& registers = mips::registers_of(cpu);
  const bool failed = result.kind == CallResult::Kind::error;
  const std::uint32_t value = failed ? static_cast<std::uint32_t>(result.error) : result.v0;
  registers.gpr[mips::v0] = mips::to_register(value);
  if (!failed) registers.gpr[mips::v1] = mips::to_register(result.v1);
  registers.gpr[mips::a3] = failed ? 1 : 0;
}

}  // namespace hardclock::irix
