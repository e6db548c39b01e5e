// ptrace(2) of IRIX, which its manual calls a parent's control of a child. Source: the manual page;
// for the user area, gdb's config/mips/xm-irix3.h.
#include <array>

#include "isa/mips/abi.h"
#include "sim/base/endian.h"
#include "syscalls/irix/calls.h"
#include "syscalls/irix/proc_file.h"
#include "syscalls/mips/context.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/process_memory.h"
#include "syscalls/posix/signals/process_control.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::irix::calls {
namespace {

enum Request : std::uint32_t {
  trace_me = 0,
  peek_text = 1,
  peek_data = 2,
  peek_user = 3,
  poke_text = 4,
  poke_data = 5,
  poke_user = 6,
  go_on = 7,
  end = 8,
  step = 9,
};

constexpr std::size_t word_bytes = 4;

// One outside the machine traces nobody: nothing would let the process go on.
CallResult let_parent_trace(Call& call) {
  if (call.thread.tracer) return CallResult::value(0);
  Process* const parent = call.simulation().find(call.process.parent);
  if (parent == nullptr) return CallResult::value(0);
  const Thread* const maker = parent->thread(call.process.parent_thread);
  call.os.ptrace().begin(maker != nullptr ? *maker : parent->main_thread(), call.thread, false);
  return CallResult::value(0);
}

CallResult peek(Call& call, Process& child) {
  const GuestAddr address = call.address(2);
  if (address.value() % word_bytes != 0) return CallResult::failure(Errno::eio);
  std::array<std::uint8_t, word_bytes> bytes{};
  const auto moved = posix::read_memory(*child.memory, bytes, address.value());
  if (!moved) return CallResult::failure(Errno::eio);
  return CallResult::value(load_bytes<std::uint32_t>(bytes.data(), child.memory->endian()));
}

CallResult poke(Call& call, Process& child) {
  const GuestAddr address = call.address(2);
  if (address.value() % word_bytes != 0) return CallResult::failure(Errno::eio);
  const std::uint32_t word = call.argument(3);
  const posix::GuestStruct value = posix::GuestStruct(call).word(word);
  if (!posix::write_forcibly(*child.memory, address, value.bytes())) {
    return CallResult::failure(Errno::eio);
  }
  return CallResult::value(word);
}

// The user area has the general registers and those of the floating-point unit at 0 to 63. Where it
// has the pc is not known, as it lies behind an array of signal handlers.
std::uint64_t* register_at(mips_ports::Context& context, GuestAddr address) {
  constexpr std::uint64_t first_fpr = 32, end_of_fprs = 64;
  const std::uint64_t number = address.value();
  if (number >= end_of_fprs) return nullptr;
  return number < first_fpr ? &context.gpr[number] : &context.fpr[number - first_fpr];
}

CallResult access_user_area(Call& call, Thread& child, bool writes) {
  mips_ports::Context context = mips_ports::context_of(child, {});
  std::uint64_t* const place = register_at(context, call.address(2));
  if (place == nullptr) return CallResult::failure(Errno::eio);
  if (!writes) return CallResult::value(static_cast<std::uint32_t>(*place));
  if (place != context.gpr.data()) *place = mips::to_register(call.argument(3));
  mips_ports::take_up_registers(context, child, sizeof(std::uint64_t));
  return CallResult::value(call.argument(3));
}

// "all pending signals including the one that caused the child to stop are canceled"
void cancel_signals(Call& call, Thread& child) {
  for (unsigned signal = 1; signal <= call.system.signals.last; ++signal) {
    if (signal == posix::sigkill) continue;
    posix::queue_of(child).drop(signal);
    posix::queue_of(child.process).drop(signal);
  }
}

// "The addr argument must be equal to 1."
CallResult resume(Call& call, Thread& child, bool steps) {
  const std::uint32_t signal = call.argument(3);
  if (call.argument(2) != 1 || signal > call.system.signals.last) {
    return CallResult::failure(Errno::eio);
  }
  cancel_signals(call, child);
  call.os.ptrace().go_on(child, signal);
  if (steps) {
    const auto control = posix::state_of(child.process).control.shared(child.process, first_call);
    posix::go_on(*control, {.steps = true});
  }
  return CallResult::value(signal);
}

CallResult request_of_child(Call& call, Thread& child) {
  switch (call.argument(0)) {
    case peek_text:
    case peek_data:
      return peek(call, child.process);
    case poke_text:
    case poke_data:
      return poke(call, child.process);
    case peek_user:
    case poke_user:
      return access_user_area(call, child, call.argument(0) == poke_user);
    case go_on:
    case step:
      return resume(call, child, call.argument(0) == step);
    default:
      call.simulation().exit(child.process, {});
      return CallResult::value(0);
  }
}

}  // namespace

CallResult ptrace(Call& call) {
  if (call.argument(0) == trace_me) return let_parent_trace(call);
  if (call.argument(0) > step) return CallResult::failure(Errno::eio);
  Process* const process = call.simulation().find(call.signed_argument(1));
  if (process == nullptr || process->exit_status) return CallResult::failure(Errno::esrch);
  Thread& child = process->main_thread();
  if (!child.tracer.is(call.thread) || child.traced_stop == 0) {
    return CallResult::failure(Errno::esrch);
  }
  return request_of_child(call, child);
}

}  // namespace hardclock::irix::calls
