#include "isa/mips/abi.h"
#include "syscalls/irix/calls.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::irix::calls {
namespace {

// The share mask (IRIX <sys/prctl.h>). Without PR_SADDR the child gets a copy of the memory.
constexpr std::uint32_t pr_saddr = 0x40;
// The stack that sproc() makes for a child in its parent's memory.
constexpr std::uint64_t child_stack_size = 256 * 1024;

// sproc(2): "the new process ... begins executing at entry", with the argument in a0.
CallResult share(Call& call, GuestAddr stack_top) {
  if (call.simulation.at_process_limit()) return CallResult::failure(Errno::eagain);
  const bool shared = (call.argument(1) & pr_saddr) != 0;
  Process& child = call.os.fork(
      call.simulation, call.thread,
      shared ? posix::Kernel::ChildMemory::shared : posix::Kernel::ChildMemory::copied);
  Cpu& cpu = *child.main_thread().cpu;
  mips::Registers& registers = mips::registers_of(cpu);
  registers.gpr[mips::a0] = mips::to_register(call.argument(2));
  registers.gpr[mips::t9] = mips::to_register(call.argument(0));
  registers.gpr[mips::ra] = 0;
  call.state.convention->start_at(cpu, call.address(0), stack_top);
  return CallResult::value(static_cast<std::uint64_t>(child.pid));
}

}  // namespace

CallResult sproc(Call& call) {
  for (const posix::Layout::Range& range : call.system.layout.mappings) {
    const auto stack = call.memory.find_free(range.low, range.high, child_stack_size);
    if (!stack) continue;
    const auto mapped = call.memory.map(*stack, child_stack_size,
                                        Permissions{.read = true, .write = true}, "sproc stack");
    if (!mapped) return CallResult::failure(Errno::enomem);
    return share(call, *stack + child_stack_size);
  }
  return CallResult::failure(Errno::enomem);
}

// sprocsp(entry, share, argument, stack, length): the caller supplies the stack, whose top a3 is.
CallResult sprocsp(Call& call) {
  return share(call, call.address(3));
}

}  // namespace hardclock::irix::calls
