// Making the members of a share group: sproc(2) and its relatives.
#include <optional>

#include "isa/mips/abi.h"
#include "sim/base/check.h"
#include "syscalls/irix/calls.h"
#include "syscalls/irix/share_group.h"
#include "syscalls/mips/abi.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::irix::calls {
namespace {

// The size of a child's stack, in bytes.
constexpr std::uint64_t default_stack_size = 256 * 1024;
// The frame that an o32 function expects from its caller: room for the four register arguments.
constexpr std::uint64_t argument_area = 16;

std::uint64_t stack_size(Call& call) {
  const std::uint64_t size = irix_state_of(call.process).stack_size;
  return size == 0 ? default_stack_size : size;
}

// sproc(2): "the new process ... begins executing at entry", with the argument in a0.
CallResult share(Call& call, GuestAddr stack_top) {
  using posix::Kernel;
  const std::uint32_t mask = shared_with(call.process, call.argument(1));
  const auto memory =
      (mask & pr_saddr) != 0 ? Kernel::ChildMemory::shared : Kernel::ChildMemory::copied;
  if (!call.os.has_room_for_process(call.simulation, call.process, memory)) {
    return CallResult::failure(Errno::eagain);
  }
  Process& child = call.os.fork(call.simulation, call.thread, memory);
  join_group(call.process, child, mask);
  if ((mask & pr_sfds) != 0) {
    posix::state_of(child).descriptors.share(call.state.descriptors);
  }
  posix::thread_state_of(child.main_thread()).alternate_stack = {};
  if ((call.argument(1) & pr_block) != 0) set_block_count(child, -1);
  Cpu& cpu = *child.main_thread().cpu;
  mips::Registers& registers = mips::registers_of(cpu);
  const auto held = [&](std::size_t argument) {
    return mips_ports::to_register(mips_ports::data_model_of(call.abi()), call.arguments[argument]);
  };
  registers.gpr[mips::a0] = held(2);
  registers.gpr[mips::t9] = held(0);
  registers.gpr[mips::ra] = 0;
  call.abi().start_at(cpu, call.address(0), stack_top - argument_area);
  return CallResult::value(static_cast<std::uint64_t>(child.pid));
}

std::optional<GuestAddr> map_stack(Call& call, std::uint64_t size) {
  for (const posix::Layout::Range& range : call.port().layout.mappings) {
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
  const bool shares_memory = (shared_with(call.process, call.argument(1)) & pr_saddr) != 0;
  const auto stack = map_stack(call, size);
  if (!stack) return CallResult::failure(Errno::enomem);
  const CallResult result = share(call, *stack + size);
  if (result.kind == CallResult::Kind::error || !shares_memory) {
    CHECK(call.memory.unmap(*stack, size).ok());
  }
  return result;
}

}  // namespace

CallResult sproc(Call& call) {
  return share_on_new_stack(call, stack_size(call));
}

// sprocsp(entry, share, argument, stack, length): the caller supplies the stack, whose top is in
// a3; for NULL the system makes one of that length (NetBSD, sys/compat/irix/irix_prctl.c
// irix_sproc()).
CallResult sprocsp(Call& call) {
  if (call.address(3) != GuestAddr(0)) return share(call, call.address(3));
  const std::uint64_t length = round_up_to_page(call.argument(4));
  return share_on_new_stack(call, length == 0 ? stack_size(call) : length);
}

}  // namespace hardclock::irix::calls
