#include "syscalls/linux/tracing.h"

#include <array>
#include <span>

#include "syscalls/linux/calls.h"
#include "syscalls/linux/process_memory.h"
#include "syscalls/linux/signals.h"
#include "syscalls/linux/thread_ids.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux {
namespace {

using posix::Call;
using posix::CallResult;
using posix::Errno;
using posix::GuestStruct;
using posix::TraceEvent;
using posix::Tracing;

// include/uapi/linux/ptrace.h
enum Request : std::uint32_t {
  traceme = 0,
  peek_text = 1,
  peek_data = 2,
  peek_user = 3,
  poke_text = 4,
  poke_data = 5,
  poke_user = 6,
  cont = 7,
  kill = 8,
  attach = 16,
  detach = 17,
  syscall = 24,
  set_options = 0x4200,
  get_event_message = 0x4201,
  get_signal_info = 0x4202,
};

// PTRACE_O_*. A new thread is no event, though it may be asked for: it stops with its process.
constexpr std::uint32_t mark_calls = 1, kill_with_tracer = 0x100000;

constexpr std::uint32_t option_of(TraceEvent event) {
  return 1u << static_cast<unsigned>(event);
}
constexpr std::uint32_t known_events = option_of(TraceEvent::fork) | option_of(TraceEvent::vfork) |
                                       option_of(TraceEvent::clone) | option_of(TraceEvent::exec) |
                                       option_of(TraceEvent::end);

Thread* thread_with_id(Simulation& simulation, std::int32_t tid) {
  for (Process* const process : simulation.processes()) {
    if (Thread* const thread = find_thread(*process, tid)) return thread;
  }
  return nullptr;
}

// A parent outside the machine traces nobody: nothing would let the process go on.
CallResult trace_me(Call& call) {
  if (call.process.tracer != 0) return CallResult::failure(Errno::eperm);
  const Process* const parent = call.simulation.find(call.process.parent);
  if (parent != nullptr) call.os.begin_tracing(call.simulation, *parent, call.process);
  return CallResult::value(0);
}

CallResult attach_to(Call& call, Process& target) {
  const bool may_trace =
      may_look_into(call, target) && target.tracer == 0 && &target != &call.process;
  if (!may_trace) return CallResult::failure(Errno::eperm);
  const bool has_stopped = target.stopped_by != 0;
  call.os.begin_tracing(call.simulation, call.process, target);
  if (!has_stopped) call.os.post(call.simulation, target, call.system.signals.stop);
  return CallResult::value(0);
}

CallResult peek(Call& call, Process& target) {
  std::array<std::uint8_t, 8> bytes = {};
  const std::span word(bytes.data(), call.abi().long_bytes());
  if (!target.memory->read_bytes(call.address(2), word)) return CallResult::failure(Errno::eio);
  return GuestStruct(call).append(word).store(call, call.address(3));
}

CallResult poke(Call& call, Process& target) {
  GuestStruct word(call);
  word.word_long(call.arguments[3]);
  const bool written = write_forcibly(*target.memory, call.address(2), word.bytes());
  return written ? CallResult::value(0) : CallResult::failure(Errno::eio);
}

// Offsets are multiples of a long.
CallResult user_word(Call& call, Thread& thread, const TracedRegisters& registers, bool writes) {
  const std::uint64_t offset = call.arguments[2];
  if (writes) {
    const bool written = registers.poke(thread, offset, call.arguments[3]);
    return written ? CallResult::value(0) : CallResult::failure(Errno::eio);
  }
  const auto value = registers.peek(thread, offset);
  if (!value) return CallResult::failure(Errno::eio);
  return GuestStruct(call).word_long(*value).store(call, call.address(3));
}

bool is_signal(const Call& call, std::uint64_t number) {
  return number <= call.system.signals.last;
}

CallResult go_on(Call& call, Process& target, bool stops_at_calls) {
  const std::uint64_t signal = call.arguments[3];
  if (!is_signal(call, signal)) return CallResult::failure(Errno::eio);
  posix::state_of(target).tracing.stops_at_calls = stops_at_calls;
  call.os.continue_traced(call.simulation, target, static_cast<unsigned>(signal));
  return CallResult::value(0);
}

CallResult let_go(Call& call, Process& target) {
  const std::uint64_t signal = call.arguments[3];
  if (!is_signal(call, signal)) return CallResult::failure(Errno::eio);
  call.os.end_tracing(call.simulation, target, static_cast<unsigned>(signal));
  return CallResult::value(0);
}

CallResult take_options(Call& call, Tracing& tracing) {
  const std::uint64_t options = call.arguments[3];
  if ((options & ~std::uint64_t{mark_calls | kill_with_tracer | known_events}) != 0) {
    return CallResult::failure(Errno::einval);
  }
  tracing.marks_calls = (options & mark_calls) != 0;
  tracing.ends_with_tracer = (options & kill_with_tracer) != 0;
  tracing.events = static_cast<std::uint32_t>(options) & known_events;
  return CallResult::value(0);
}

// EINVAL: a stop signal has taken effect.
CallResult write_signal_info(Call& call, const Process& target) {
  const Tracing& tracing = posix::state_of(target).tracing;
  if (!tracing.info) return CallResult::failure(Errno::einval);
  const unsigned signal = tracing.is_for_signal ? target.stopped_by : unsigned{posix::sigtrap};
  return siginfo_struct(call.system, call.process, signal, *tracing.info)
      .store(call, call.address(3));
}

CallResult request_of_stopped(Call& call, Thread& thread, const TracedRegisters& registers) {
  Process& target = thread.process;
  Tracing& tracing = posix::state_of(target).tracing;
  switch (call.argument(0)) {
    case peek_text:
    case peek_data:
      return peek(call, target);
    case poke_text:
    case poke_data:
      return poke(call, target);
    case peek_user:
    case poke_user:
      return user_word(call, thread, registers, call.argument(0) == poke_user);
    case cont:
    case syscall:
      return go_on(call, target, call.argument(0) == syscall);
    case detach:
      return let_go(call, target);
    case set_options:
      return take_options(call, tracing);
    case get_event_message:
      return GuestStruct(call).word_long(tracing.message).store(call, call.address(3));
    case get_signal_info:
      return write_signal_info(call, target);
    default:
      return registers.own_request(call, thread, call.argument(0))
          .value_or(CallResult::failure(Errno::eio));
  }
}

}  // namespace

CallResult trace_request(Call& call, const TracedRegisters& registers) {
  const std::uint32_t request = call.argument(0);
  if (request == traceme) return trace_me(call);
  Thread* const thread = thread_with_id(call.simulation, call.signed_argument(1));
  if (thread == nullptr) return CallResult::failure(Errno::esrch);
  Process& target = thread->process;
  if (request == attach) return attach_to(call, target);
  if (target.tracer != call.process.pid) return CallResult::failure(Errno::esrch);
  if (request == kill) {
    call.os.post(call.simulation, target, posix::sigkill);
    return CallResult::value(0);
  }
  if (!target.stopped_for_tracer) return CallResult::failure(Errno::esrch);
  return request_of_stopped(call, *thread, registers);
}

}  // namespace hardclock::gnu_linux
