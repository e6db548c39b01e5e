// Threads, and how they come to be, wait for each other and end.
#include <optional>

#include "syscalls/linux/calls.h"
#include "syscalls/linux/clone.h"
#include "syscalls/linux/time_forms.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux::calls {
namespace {

// clone(2)'s flags (include/uapi/linux/sched.h).
constexpr std::uint32_t clone_vm = 0x100, clone_sighand = 0x800, clone_vfork = 0x4000,
                        clone_thread = 0x10000, clone_settls = 0x80000,
                        clone_parent_settid = 0x100000, clone_child_cleartid = 0x200000,
                        clone_child_settid = 0x1000000;

// futex(2)'s operations; the flags above them say who shares the word and which clock counts.
constexpr std::uint32_t futex_command = 0x7f, futex_clock_realtime = 0x100;
enum FutexCommand : std::uint32_t {
  futex_wait = 0,
  futex_wake,
  futex_wait_bitset = 9,
  futex_wake_bitset
};

// A process's first thread has its number, and the others numbers that no process has: pids begin
// again below 32768 on Linux (kernel/pid.c, pid_max), and here they do not get as far.
constexpr int between_threads = 1 << 16;

int tid_of(const Thread& thread) {
  return thread.process.pid + (thread.id - 1) * between_threads;
}

// Nullptr: there is none.
Thread* find_thread(const Process& process, int tid) {
  const int above = tid - process.pid;
  return above % between_threads == 0 ? process.thread(above / between_threads + 1) : nullptr;
}

bool store_tid(AddressSpace& memory, GuestAddr where, const Thread& thread) {
  return memory.write(where, static_cast<std::uint32_t>(tid_of(thread))).ok();
}

// What the flags ask for in a child that has its registers. The kernel, too, ignores addresses that
// are not there (kernel/fork.c, schedule_tail()).
void set_up_child(Call& call, const CloneRequest& request, Thread& child) {
  if (request.stack != GuestAddr(0)) request.use_stack(call, *child.cpu, request);
  if ((request.flags & clone_settls) != 0) {
    call.abi().set_thread_pointer(*child.cpu, request.thread_pointer);
  }
  if ((request.flags & clone_parent_settid) != 0) {
    (void)store_tid(call.memory, request.parent_tid, child);
  }
  if ((request.flags & clone_child_settid) != 0) {
    (void)store_tid(*child.process.memory, request.child_tid, child);
  }
  if ((request.flags & clone_child_cleartid) != 0) {
    posix::thread_state_of(child).zero_at_end = request.child_tid;
  }
}

CallResult make_thread(Call& call, const CloneRequest& request) {
  constexpr std::uint32_t needed = clone_vm | clone_sighand;
  if ((request.flags & needed) != needed) return CallResult::failure(Errno::einval);
  const auto created = call.os.create_thread(call.simulation, call.thread);
  if (!created) return CallResult::failure(created.error());
  Thread& thread = **created;
  thread.in_kernel = true;
  thread.cpu->complete_system_call();
  call.abi().set_result(*thread.cpu, 0, std::nullopt);
  set_up_child(call, request, thread);
  return CallResult::value(static_cast<std::uint64_t>(tid_of(thread)));
}

CallResult make_process(Call& call, const CloneRequest& request) {
  using posix::Kernel;
  const auto memory =
      (request.flags & clone_vm) != 0 ? Kernel::ChildMemory::shared : Kernel::ChildMemory::copied;
  if (!call.os.has_room_for_process(call.simulation, call.process, memory)) {
    return CallResult::failure(Errno::eagain);
  }
  Process& child = call.os.fork(call.simulation, call.thread, memory);
  set_up_child(call, request, child.main_thread());
  if ((request.flags & clone_vfork) != 0) call.simulation.wait_for_vfork(call.thread, child);
  return CallResult::value(static_cast<std::uint64_t>(child.pid));
}

// FUTEX_WAIT's time limit is relative, FUTEX_WAIT_BITSET's a time of the clock.
Result<TimeLimit, Errno> futex_limit(Call& call, TimeForm form) {
  const std::uint32_t operation = call.argument(1);
  const auto time = read_time(call, 3, form);
  if (!time || !*time || (operation & futex_command) == futex_wait) return time;
  constexpr std::uint32_t realtime = 0, monotonic = 1;
  const std::uint32_t clock = (operation & futex_clock_realtime) != 0 ? realtime : monotonic;
  return TimeLimit(difference(time_now(call, clock), **time).value_or(TimeSpan{}));
}

// Waiting ends when the word changes: futex(2) allows it to end early, and whoever wakes has
// changed the word before.
CallResult futex_in(Call& call, TimeForm form) {
  const std::uint32_t command = call.argument(1) & futex_command;
  if (command == futex_wake || command == futex_wake_bitset) return CallResult::value(0);
  if (command != futex_wait && command != futex_wait_bitset) {
    return CallResult::failure(Errno::enosys);
  }
  const GuestAddr where = call.address(0);
  const auto word = call.memory.read<std::uint32_t>(where);
  if (!word) return CallResult::failure(Errno::efault);
  const std::uint32_t expected = call.argument(2);
  if (*word != expected) return CallResult::failure(Errno::eagain);
  const auto limit = futex_limit(call, form);
  if (!limit) return CallResult::failure(limit.error());
  if (!*limit) return CallResult::wait({.event = WordChange{where, expected}});
  const auto waits = wait_for(call, *limit, WordChange{where, expected});
  return waits ? *waits : CallResult::failure(Errno::etimedout);
}

}  // namespace

CallResult clone_process(Call& call, const CloneRequest& request) {
  return (request.flags & clone_thread) != 0 ? make_thread(call, request)
                                             : make_process(call, request);
}

// clone(flags, stack, parent_tid, tls, child_tid)
CallResult clone(Call& call) {
  const auto use_stack = [](const Call& of, Cpu& child, const CloneRequest& request) {
    of.abi().start_at(child, child.interrupted_pc(), request.stack);
  };
  return clone_process(call, {.flags = call.argument(0),
                              .stack = call.address(1),
                              .use_stack = use_stack,
                              .parent_tid = call.address(2),
                              .child_tid = call.address(4),
                              .thread_pointer = call.arguments[3]});
}

CallResult gettid(Call& call) {
  return CallResult::value(static_cast<std::uint64_t>(tid_of(call.thread)));
}

CallResult set_tid_address(Call& call) {
  posix::thread_state_of(call.thread).zero_at_end = call.address(0);
  return gettid(call);
}

// The locks that a thread holds at its end stay locked.
CallResult set_robust_list(Call& call) {
  const std::uint64_t head_bytes = std::uint64_t{call.abi().long_bytes()} * 3;
  return call.arguments[1] == head_bytes ? CallResult::value(0)
                                         : CallResult::failure(Errno::einval);
}

CallResult set_thread_area(Call& call) {
  call.abi().set_thread_pointer(*call.thread.cpu, call.arguments[0]);
  return CallResult::value(0);
}

CallResult futex(Call& call) {
  return futex_in(call, TimeForm::longs);
}

CallResult futex_time64(Call& call) {
  return futex_in(call, TimeForm::wide);
}

// Ends the thread, and whoever waits at its word goes on (kernel/fork.c, mm_release()). The process
// ends with its last thread.
CallResult exit(Call& call) {
  const GuestAddr word = posix::thread_state_of(call.thread).zero_at_end;
  if (word != GuestAddr(0)) (void)call.memory.write(word, std::uint32_t{0});
  constexpr std::uint32_t exit_code = 0xff;
  call.simulation.exit_thread(call.thread, ExitStatus{false, call.argument(0) & exit_code});
  return CallResult::no_return();
}

CallResult exit_group(Call& call) {
  return posix::calls::exit(call);
}

// tgkill(process, thread, signal). A first thread that has ended is there as long as its process.
CallResult tgkill(Call& call) {
  constexpr std::int32_t si_tkill = -6;  // include/uapi/asm-generic/siginfo.h
  const std::int32_t pid = call.signed_argument(0), tid = call.signed_argument(1);
  if (pid <= 0 || tid <= 0) return CallResult::failure(Errno::einval);
  Process* const process = call.simulation.find(pid);
  Thread* const target = process == nullptr ? nullptr : find_thread(*process, tid);
  if (process == nullptr || (target == nullptr && tid != pid)) {
    return CallResult::failure(Errno::esrch);
  }
  return posix::calls::signal_thread(call, *process, target, call.argument(2), si_tkill);
}

CallResult tkill(Call& call) {
  if (call.signed_argument(0) <= 0) return CallResult::failure(Errno::einval);
  call.arguments[2] = call.arguments[1];
  call.arguments[1] = call.arguments[0];
  call.arguments[0] %= between_threads;
  return tgkill(call);
}

}  // namespace hardclock::gnu_linux::calls
