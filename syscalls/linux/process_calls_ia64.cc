// clone() and clone2() of IA-64 (arch/ia64/kernel/entry.S, sys_clone and sys_clone2; process.c,
// copy_thread()). The child's memory stack grows down from the end of the area, and its register
// stack up from the beginning. The frame from which the call is made goes there with its values
// (glibc, sysdeps/unix/sysv/linux/ia64/clone2.S, counts on it); the frames below it are left
// behind.
#include "isa/ia64/abi.h"
#include "syscalls/ia64/backing_store.h"
#include "syscalls/linux/calls.h"

namespace hardclock::gnu_linux::calls {
namespace {

constexpr std::uint64_t scratch_bytes = 16;

void use_both_ends(const Call&, Cpu& child, const CloneRequest& request) {
  ia64::RegisterStack& stack = ia64::registers_of(child).stack;
  ia64_ports::start_stack(stack, request.stack.value());
  const GuestAddr end = request.stack + request.stack_bytes;
  stack.write(ia64::sp, end.value() - scratch_bytes, false);
}

CloneRequest request_of(const Call& call) {
  return {.flags = call.argument(0), .stack = call.address(1), .use_stack = use_both_ends};
}

}  // namespace

// clone(flags, stack, parent_tid, child_tid, tls): `stack` is the end of an area without a size, so
// that both stacks go away from it.
CallResult ia64_clone(Call& call) {
  CloneRequest request = request_of(call);
  request.stack_bytes = scratch_bytes;
  request.parent_tid = call.address(2);
  request.child_tid = call.address(3);
  request.thread_pointer = call.arguments[4];
  return clone_process(call, request);
}

// clone2(flags, stack, stack_bytes, parent_tid, child_tid, tls)
CallResult clone2(Call& call) {
  CloneRequest request = request_of(call);
  request.stack_bytes = call.arguments[2];
  request.parent_tid = call.address(3);
  request.child_tid = call.address(4);
  request.thread_pointer = call.arguments[5];
  return clone_process(call, request);
}

}  // namespace hardclock::gnu_linux::calls
