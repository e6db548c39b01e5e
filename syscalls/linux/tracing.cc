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
  single_step = 9,
  attach = 16,
  detach = 17,
  syscall = 24,
  set_options = 0x4200,
  get_event_message = 0x4201,
  get_signal_info = 0x4202,
  seize = 0x4206,
  interrupt = 0x4207,
  listen = 0x4208,
};

// PTRACE_O_*. There are no filters of calls, so that the events of such never come.
constexpr std::uint32_t mark_calls = 1, filter_events = 0x80, kill_with_tracer = 0x100000;

constexpr std::uint32_t option_of(TraceEvent event) {
  return 1u << static_cast<unsigned>(event);
}
constexpr std::uint32_t known_events = option_of(TraceEvent::fork) | option_of(TraceEvent::vfork) |
                                       option_of(TraceEvent::clone) | option_of(TraceEvent::exec) |
                                       option_of(TraceEvent::vfork_end) |
                                       option_of(TraceEvent::end) | filter_events;
constexpr std::uint32_t known_options = mark_calls | kill_with_tracer | known_events;

Tracing& tracing_of(Thread& thread) {
  return posix::thread_state_of(thread).tracing;
}

Thread* thread_with_id(Simulation& simulation, std::int32_t tid) {
  for (Process* const process : simulation.processes()) {
    if (Thread* const thread = find_thread(*process, tid)) return thread;
  }
  return nullptr;
}

// The parent's thread that made the process. One outside the machine traces nobody: nothing would
// let the process go on.
CallResult trace_me(Call& call) {
  if (call.thread.tracer) return CallResult::failure(Errno::eperm);
  Process* const parent = call.simulation().find(call.process.parent);
  if (parent == nullptr) return CallResult::value(0);
  const Thread* const maker = parent->thread(call.process.parent_thread);
  call.os.ptrace().begin(maker != nullptr ? *maker : parent->main_thread(), call.thread, false);
  return CallResult::value(0);
}

void set_options_of(Tracing& tracing, std::uint32_t options) {
  tracing.marks_calls = (options & mark_calls) != 0;
  tracing.ends_with_tracer = (options & kill_with_tracer) != 0;
  tracing.events = options & known_events;
}

bool may_trace(const Call& call, const Thread& target) {
  return may_look_into(call, target.process) && !target.tracer && &target.process != &call.process;
}

CallResult attach_to(Call& call, Thread& target) {
  if (!may_trace(call, target)) return CallResult::failure(Errno::eperm);
  call.os.ptrace().begin(call.thread, target, false);
  call.os.signals().post_to(target, call.system.signals.stop, posix::SignalInfo{});
  return CallResult::value(0);
}

CallResult seize_thread(Call& call, Thread& target) {
  const std::uint64_t options = call.arguments[3];
  if (call.arguments[2] != 0 || (options & ~std::uint64_t{known_options}) != 0) {
    return CallResult::failure(Errno::eio);
  }
  if (!may_trace(call, target)) return CallResult::failure(Errno::eperm);
  call.os.ptrace().begin(call.thread, target, true);
  set_options_of(tracing_of(target), static_cast<std::uint32_t>(options));
  return CallResult::value(0);
}

CallResult answer_peek(Call& call, const TracedRegisters& registers, std::uint64_t value) {
  if (registers.peeks_are_results) return CallResult::value(value);
  return GuestStruct(call).word_long(value).store(call, call.address(3));
}

CallResult peek(Call& call, const TracedRegisters& registers, Process& target) {
  std::array<std::uint8_t, 8> bytes = {};
  const std::span word(bytes.data(), call.abi().long_bytes());
  if (!read_forcibly(*target.memory, call.address(2), word)) {
    return CallResult::failure(Errno::eio);
  }
  const Endian order = target.memory->endian();
  const bool is_long = word.size() == sizeof(std::uint64_t);
  return answer_peek(call, registers,
                     is_long ? load_bytes<std::uint64_t>(bytes.data(), order)
                             : load_bytes<std::uint32_t>(bytes.data(), order));
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
  return value ? answer_peek(call, registers, *value) : CallResult::failure(Errno::eio);
}

bool is_signal(const Call& call, std::uint64_t number) {
  return number <= call.system.signals.last;
}

CallResult go_on(Call& call, Thread& target, bool stops_at_calls) {
  const std::uint64_t signal = call.arguments[3];
  if (!is_signal(call, signal)) return CallResult::failure(Errno::eio);
  tracing_of(target).stops_at_calls = stops_at_calls;
  call.os.ptrace().go_on(target, static_cast<unsigned>(signal));
  return CallResult::value(0);
}

CallResult step(Call& call, const TracedRegisters& registers, Thread& target) {
  const std::uint64_t signal = call.arguments[3];
  if (registers.begin_step == nullptr || !is_signal(call, signal)) {
    return CallResult::failure(Errno::eio);
  }
  tracing_of(target).stops_at_calls = false;
  const bool is_over = registers.begin_step(target);
  call.os.ptrace().step(target, static_cast<unsigned>(signal), is_over);
  return CallResult::value(0);
}

CallResult let_go(Call& call, Thread& target) {
  const std::uint64_t signal = call.arguments[3];
  if (!is_signal(call, signal)) return CallResult::failure(Errno::eio);
  call.os.ptrace().end(target, static_cast<unsigned>(signal));
  return CallResult::value(0);
}

CallResult take_options(Call& call, Tracing& tracing) {
  const std::uint64_t options = call.arguments[3];
  if ((options & ~std::uint64_t{known_options}) != 0) return CallResult::failure(Errno::einval);
  set_options_of(tracing, static_cast<std::uint32_t>(options));
  return CallResult::value(0);
}

// EINVAL: a stop signal has taken effect.
CallResult write_signal_info(Call& call, const Thread& target, const Tracing& tracing) {
  constexpr unsigned signal_mask = 0x7f;
  if (!tracing.info) return CallResult::failure(Errno::einval);
  const bool is_call = tracing.stop == posix::TracedStop::call;
  const unsigned signal = is_call ? unsigned{posix::sigtrap} : target.traced_stop & signal_mask;
  return siginfo_struct(call.system, call.process, signal, *tracing.info)
      .store(call, call.address(3));
}

CallResult wait_for_news(Call& call, Thread& target) {
  const bool listens = tracing_of(target).is_seized && call.os.ptrace().listen(target);
  return listens ? CallResult::value(0) : CallResult::failure(Errno::eio);
}

CallResult request_of_stopped(Call& call, Thread& thread, const TracedRegisters& registers) {
  Process& target = thread.process;
  Tracing& tracing = tracing_of(thread);
  switch (call.argument(0)) {
    case peek_text:
    case peek_data:
      return peek(call, registers, target);
    case poke_text:
    case poke_data:
      return poke(call, target);
    case peek_user:
    case poke_user:
      return user_word(call, thread, registers, call.argument(0) == poke_user);
    case cont:
    case syscall:
      return go_on(call, thread, call.argument(0) == syscall);
    case single_step:
      return step(call, registers, thread);
    case detach:
      return let_go(call, thread);
    case listen:
      return wait_for_news(call, thread);
    case set_options:
      return take_options(call, tracing);
    case get_event_message:
      return GuestStruct(call).word_long(tracing.message).store(call, call.address(3));
    case get_signal_info:
      return write_signal_info(call, thread, tracing);
    default:
      return registers.own_request(call, thread, call.argument(0))
          .value_or(CallResult::failure(Errno::eio));
  }
}

// Requests that a running thread answers, too; nullopt: it is another one.
std::optional<CallResult> request_of_any(Call& call, Thread& target) {
  if (call.argument(0) == kill) {
    call.os.signals().post(target.process, posix::sigkill);
    return CallResult::value(0);
  }
  if (call.argument(0) != interrupt) return std::nullopt;
  if (!tracing_of(target).is_seized) return CallResult::failure(Errno::eio);
  call.os.ptrace().interrupt(target);
  return CallResult::value(0);
}

}  // namespace

CallResult trace_request(Call& call, const TracedRegisters& registers) {
  const std::uint32_t request = call.argument(0);
  if (request == traceme) return trace_me(call);
  Thread* const thread = thread_with_id(call.simulation(), call.signed_argument(1));
  if (thread == nullptr) return CallResult::failure(Errno::esrch);
  if (request == attach) return attach_to(call, *thread);
  if (request == seize) return seize_thread(call, *thread);
  if (!thread->tracer.is(call.thread)) return CallResult::failure(Errno::esrch);
  if (const auto answer = request_of_any(call, *thread)) return *answer;
  const bool stands_still = thread->traced_stop != 0 && !tracing_of(*thread).listens;
  if (!stands_still) return CallResult::failure(Errno::esrch);
  return request_of_stopped(call, *thread, registers);
}

}  // namespace hardclock::gnu_linux
