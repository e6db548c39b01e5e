#include <algorithm>
#include <optional>

#include "isa/mips/abi.h"
#include "sim/base/check.h"
#include "syscalls/irix/calls.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::irix::calls {
namespace {

// The share mask (IRIX <sys/prctl.h>). Without PR_SADDR the child gets a copy of the memory.
constexpr std::uint32_t pr_saddr = 0x40;
// Of a child's stack, in bytes.
constexpr std::uint64_t default_stack_size = 256 * 1024;
// Of the frame that a function expects of its caller: room for the four register arguments.
constexpr std::uint64_t argument_area = 16;

bool shares_memory(const Call& call) {
  return (call.argument(1) & pr_saddr) != 0;
}

// sproc(2): "the new process ... begins executing at entry", with the argument in a0.
CallResult share(Call& call, GuestAddr stack_top) {
  if (call.simulation.at_process_limit()) return CallResult::failure(Errno::eagain);
  Process& child = call.os.fork(call.simulation, call.thread,
                                shares_memory(call) ? posix::Kernel::ChildMemory::shared
                                                    : posix::Kernel::ChildMemory::copied);
  Cpu& cpu = *child.main_thread().cpu;
  mips::Registers& registers = mips::registers_of(cpu);
  registers.gpr[mips::a0] = mips::to_register(call.argument(2));
  registers.gpr[mips::t9] = mips::to_register(call.argument(0));
  registers.gpr[mips::ra] = 0;
  call.state.convention->start_at(cpu, call.address(0), stack_top - argument_area);
  return CallResult::value(static_cast<std::uint64_t>(child.pid));
}

std::optional<GuestAddr> map_stack(Call& call, std::uint64_t size) {
  for (const posix::Layout::Range& range : call.system.layout.mappings) {
    const auto stack = call.memory.find_free(range.low, range.high, size);
    if (!stack) continue;
    const auto mapped =
        call.memory.map(*stack, size, Permissions{.read = true, .write = true}, "sproc stack");
    return mapped ? stack : std::nullopt;
  }
  return std::nullopt;
}

// On a new stack. A child with a copy of the memory has it in the copy.
CallResult share_on_new_stack(Call& call, std::uint64_t size) {
  const auto stack = map_stack(call, size);
  if (!stack) return CallResult::failure(Errno::enomem);
  const CallResult result = share(call, *stack + size);
  if (result.kind == CallResult::Kind::error || !shares_memory(call)) {
    CHECK(call.memory.unmap(*stack, size).ok());
  }
  return result;
}

}  // namespace

CallResult sproc(Call& call) {
  return share_on_new_stack(call, default_stack_size);
}

// sprocsp(entry, share, argument, stack, length): the caller supplies the stack, whose top a3 is;
// for NULL the system does, of that length (NetBSD, sys/compat/irix/irix_prctl.c irix_sproc()).
CallResult sprocsp(Call& call) {
  if (call.address(3) != GuestAddr(0)) return share(call, call.address(3));
  const std::uint64_t length = round_up_to_page(call.argument(4));
  return share_on_new_stack(call, length == 0 ? default_stack_size : length);
}

// prctl(PR_GETNSHARE): the members of the share group. Those count that share the memory, as in
// NetBSD (sys/compat/irix/irix_prctl.c); a process that is alone is in no group.
CallResult getnshare(Call& call) {
  const auto all = call.simulation.processes();
  const auto members = std::ranges::count(all, call.process.memory, &Process::memory);
  return CallResult::value(members > 1 ? static_cast<std::uint64_t>(members) : 0);
}

}  // namespace hardclock::irix::calls
