#include "isa/mips/machine.h"

namespace hardclock::mips {

void Interpreter::raise(TrapKind kind, std::uint32_t code) {
  throw InstructionTrap{Trap{kind, code, Fault{}}};
}

std::uint8_t* Interpreter::translate(std::uint64_t address, unsigned size, Access access) {
  auto host = memory_->translate(GuestAddr(address), size, access);
  if (!host) throw InstructionTrap{Trap{TrapKind::memory, 0, host.error()}};
  return *host;
}

Interpreter::Value Interpreter::load_linked32(Value address) {
  const Value loaded = load32(address);
  registers_.link_valid = true;
  registers_.link_address = zext32(address);
  return loaded;
}

Interpreter::Flag Interpreter::store_conditional32(Value address, Value v) {
  const bool holds = registers_.link_valid && registers_.link_address == zext32(address);
  if (holds) {
    store32(address, v);
  } else {
    // A conditional store that fails still takes the address exceptions of a store.
    translate(zext32(address), 4, Access::write);
  }
  registers_.link_valid = false;
  return holds;
}

}  // namespace hardclock::mips
