// Making the members of a share group: sproc(2) and its relatives.
#include <optional>

#include "isa/mips/abi.h"
#include "sim/base/check.h"
#include "syscalls/irix/calls.h"
#include "syscalls/irix/share_group.h"
#include "syscalls/mips/abi.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/thread_numbers.h"

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

// How the child runs besides what it shares: the entry is argument 0.
struct Start {
  std::uint64_t argument = 0;  // a register's
  GuestAddr stack_top;
};

// sproc(2): "the new process ... begins executing at entry", with the argument in a0.
void start_child(Call& call, Thread& child, const Start& start) {
  posix::thread_state_of(child).alternate_stack = {};
  Cpu& cpu = *child.cpu;
  mips::Registers& registers = mips::registers_of(cpu);
  const auto held = [&](std::uint64_t value) {
    return mips_ports::to_register(mips_ports::data_model_of(call.abi()), value);
  };
  registers.gpr[mips::a0] = held(start.argument);
  registers.gpr[mips::t9] = held(call.arguments[0]);
  registers.gpr[mips::ra] = 0;
  call.abi().start_at(cpu, call.address(0), start.stack_top - argument_area);
}

CallResult share(Call& call, const Start& start) {
  using posix::Kernel;
  const std::uint32_t mask = shared_with(call.process, call.argument(1));
  const auto memory =
      (mask & pr_saddr) != 0 ? Kernel::ChildMemory::shared : Kernel::ChildMemory::copied;
  if (!call.os.has_room_for_process(call.process, memory)) {
    return CallResult::failure(Errno::eagain);
  }
  Process& child = call.os.fork(call.thread, memory);
  join_group(call.process, child, mask);
  if ((mask & pr_sfds) != 0) {
    posix::thread_state_of(child.main_thread()).descriptors->share(call.descriptors());
  }
  // "causes the calling process to be blocked before returning from a successful call" (sproc(2)).
  if ((call.argument(1) & pr_block) != 0) {
    set_block_count(call.process, irix_state_of(call.process).block_count - 1);
  }
  start_child(call, child.main_thread(), start);
  return CallResult::value(static_cast<std::uint64_t>(child.pid));
}

// A thread of the caller's process, which shares all but the data area.
CallResult add_thread(Call& call, const Start& start) {
  const auto created = call.os.create_thread(call.thread);
  if (!created) return CallResult::failure(created.error());
  Thread& thread = **created;
  const int number = posix::thread_number(thread);
  (void)share_memory(call.process, number);
  thread.in_kernel = true;
  thread.cpu->complete_system_call();
  start_child(call, thread, start);
  return CallResult::value(static_cast<std::uint64_t>(number));
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
template <class Make>
CallResult on_new_stack(Call& call, Make make, std::uint64_t argument, std::uint64_t size,
                        bool is_shared) {
  const auto stack = map_stack(call, size);
  if (!stack) return CallResult::failure(Errno::enomem);
  const CallResult result = make(call, Start{argument, *stack + size});
  if (result.kind == CallResult::Kind::error || !is_shared) {
    CHECK(call.memory.unmap(*stack, size).ok());
  }
  return result;
}

CallResult share_on_new_stack(Call& call, std::uint64_t argument, std::uint64_t size) {
  const bool shares_memory = (shared_with(call.process, call.argument(1)) & pr_saddr) != 0;
  return on_new_stack(call, share, argument, size, shares_memory);
}

// 0: the usual size.
std::uint64_t stack_size_for(Call& call, std::uint64_t asked) {
  return asked == 0 ? stack_size(call) : round_up_to_page(asked);
}

}  // namespace

CallResult sproc(Call& call) {
  return share_on_new_stack(call, call.arguments[2], stack_size(call));
}

// sprocsp(entry, share, argument, stack, length): the caller supplies the stack, whose top is in
// a3; for NULL the system makes one of that length (NetBSD, sys/compat/irix/irix_prctl.c
// irix_sproc()).
CallResult sprocsp(Call& call) {
  if (!call.is_null(3)) return share(call, {call.arguments[2], call.address(3)});
  return share_on_new_stack(call, call.arguments[2], stack_size_for(call, call.argument(4)));
}

// nsproc(entry, share, thread): struct prthread {entry, arg, int flags, stack, int length}, whose
// stack ends so many bytes above its address (a fork of QEMU that runs IRIX's threads,
// linux-user/syscall.c and syscall_defs.h). "A call to pthread_create() was attempted from a sproc
// program": EPERM (pthread_create(3P)).
CallResult nsproc(Call& call) {
  posix::GuestReader prthread(call, call.address(2));
  (void)prthread.pointer();
  const std::uint64_t argument = prthread.word_long();
  (void)prthread.word();
  const GuestAddr stack = prthread.pointer();
  const auto length = static_cast<std::int32_t>(prthread.word());
  if (!prthread.ok()) return CallResult::failure(Errno::efault);
  if (length < 0) return CallResult::failure(Errno::einval);
  const IrixState& own = irix_state_of(call.process);
  const bool is_thread = own.has_threads || (call.argument(1) & pr_threads) != 0;
  if (is_thread && own.group != nullptr) return CallResult::failure(Errno::eperm);
  const auto size = static_cast<std::uint64_t>(length);
  if (stack != GuestAddr(0)) {
    const Start start{argument, stack + size};
    return is_thread ? add_thread(call, start) : share(call, start);
  }
  if (!is_thread) return share_on_new_stack(call, argument, stack_size_for(call, size));
  return on_new_stack(call, add_thread, argument, stack_size_for(call, size), true);
}

}  // namespace hardclock::irix::calls
