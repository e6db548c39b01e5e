// Processes, and the calls of the C library about its one thread.
#include <algorithm>
#include <iterator>

#include "syscalls/linux/calls.h"
#include "syscalls/linux/clone.h"
#include "syscalls/linux/uapi.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux::calls {
namespace {

using posix::GuestReader;
using posix::GuestStruct;

// clone(2)'s flags (include/uapi/linux/sched.h).
constexpr std::uint32_t clone_vm = 0x100, clone_vfork = 0x4000, clone_thread = 0x10000,
                        clone_settls = 0x80000, clone_parent_settid = 0x100000,
                        clone_child_settid = 0x1000000;

// futex(2)'s operations; the flags above them say who shares the word and which clock counts.
constexpr std::uint32_t futex_command = 0x7f;
enum FutexCommand : std::uint32_t {
  futex_wait = 0,
  futex_wake,
  futex_wait_bitset = 9,
  futex_wake_bitset
};

// wait4(2): which children, by how they were cloned; they are all alike here.
constexpr std::uint32_t any_clone = 0xe0000000;

std::uint64_t tid_of(const Process& process) {
  return static_cast<std::uint64_t>(process.pid);
}

bool store_tid(AddressSpace& memory, GuestAddr where, const Process& process) {
  return memory.write(where, static_cast<std::uint32_t>(process.pid)).ok();
}

// ---- Limits. RLIM_INFINITY is smaller where a long has 32 bits.

enum class LimitForm : std::uint8_t { longs, wide };

bool is_narrow(const Call& call, LimitForm form) {
  return form == LimitForm::longs && call.abi().address_bits == 32;
}

CallResult write_limit(Call& call, GuestAddr address, const posix::Limit& limit, LimitForm form) {
  GuestStruct members(call);
  for (const std::uint64_t value : {limit.current, limit.maximum}) {
    if (is_narrow(call, form)) {
      members.word(std::min(value, uapi_of(call.system).infinity32));
    } else {
      members.wide(value);
    }
  }
  return members.store(call, address);
}

Result<posix::Limit, Errno> read_limit(Call& call, GuestAddr address, LimitForm form) {
  GuestReader members(call, address);
  const auto next = [&]() -> std::uint64_t {
    if (!is_narrow(call, form)) return members.wide();
    const std::uint64_t value = members.word();
    return value >= uapi_of(call.system).infinity32 ? posix::no_limit : value;
  };
  posix::Limit limit;
  limit.current = next();
  limit.maximum = next();
  if (!members.ok()) return Failure{Errno::efault};
  return limit;
}

// Sets the limit stored at `wanted` and stores the old one at `old`; either may be 0. Resources
// that only Linux has are not kept: they have no limit.
CallResult limits_of(Call& call, std::uint32_t resource, GuestAddr wanted, GuestAddr old,
                     LimitForm form) {
  const auto& resources = uapi_of(call.system).resources;
  if (resource >= resources.size()) return CallResult::failure(Errno::einval);
  posix::Limits& limits = call.state.limits;
  const std::size_t kind = resources[resource];
  const bool is_kept = kind < limits.size();
  const posix::Limit present = is_kept ? limits[kind] : posix::Limit{};
  Result<posix::Limit, Errno> limit = present;
  if (wanted != GuestAddr(0)) {
    limit = read_limit(call, wanted, form);
    if (!limit) return CallResult::failure(limit.error());
    if (limit->current > limit->maximum) return CallResult::failure(Errno::einval);
    if (limit->maximum > present.maximum) return CallResult::failure(Errno::eperm);
  }
  if (old != GuestAddr(0)) {
    const CallResult told = write_limit(call, old, present, form);
    if (told.kind == CallResult::Kind::error) return told;
  }
  if (is_kept) limits[kind] = *limit;
  return CallResult::value(0);
}

// getresuid(real, effective, saved)
CallResult write_ids(Call& call, const posix::Ids& ids) {
  const std::uint32_t values[] = {ids.real, ids.effective, ids.saved};
  for (std::size_t i = 0; i < std::size(values); ++i) {
    if (!call.memory.write(call.address(i), values[i])) return CallResult::failure(Errno::efault);
  }
  return CallResult::value(0);
}

}  // namespace

CallResult clone_process(Call& call, const CloneRequest& request) {
  const std::uint32_t flags = request.flags;
  if ((flags & clone_thread) != 0) return CallResult::failure(Errno::einval);
  using posix::Kernel;
  const auto memory =
      (flags & clone_vm) != 0 ? Kernel::ChildMemory::shared : Kernel::ChildMemory::copied;
  if (!call.os.has_room_for_process(call.simulation, call.process, memory)) {
    return CallResult::failure(Errno::eagain);
  }
  Process& child = call.os.fork(call.simulation, call.thread, memory);
  Cpu& cpu = *child.main_thread().cpu;
  if (request.stack != GuestAddr(0)) request.use_stack(call, cpu, request);
  if ((flags & clone_settls) != 0) call.abi().set_thread_pointer(cpu, request.thread_pointer);
  // The kernel, too, ignores addresses that are not there (kernel/fork.c, schedule_tail()).
  if ((flags & clone_parent_settid) != 0) (void)store_tid(call.memory, request.parent_tid, child);
  if ((flags & clone_child_settid) != 0) (void)store_tid(*child.memory, request.child_tid, child);
  if ((flags & clone_vfork) != 0) call.simulation.wait_for_vfork(call.thread, child);
  return CallResult::value(tid_of(child));
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
  return CallResult::value(tid_of(call.process));
}

// Nobody waits at the word for the end of a process's only thread.
CallResult set_tid_address(Call& call) {
  return CallResult::value(tid_of(call.process));
}

// The same for the locks that the thread holds.
CallResult set_robust_list(Call& call) {
  const std::uint64_t head_bytes = std::uint64_t{call.abi().long_bytes()} * 3;
  return call.arguments[1] == head_bytes ? CallResult::value(0)
                                         : CallResult::failure(Errno::einval);
}

CallResult set_thread_area(Call& call) {
  call.abi().set_thread_pointer(*call.thread.cpu, call.arguments[0]);
  return CallResult::value(0);
}

// Waiting ends when the word changes: futex(2) allows it to end early, and whoever wakes has
// changed the word before.
CallResult futex(Call& call) {
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
  return CallResult::wait({.event = WordChange{where, expected}});
}

// The time limit is ignored; it has 64 bits.
CallResult futex_time64(Call& call) {
  return futex(call);
}

// Applies to all threads, of which there is one.
CallResult exit_group(Call& call) {
  return exit(call);
}

CallResult sched_yield(Call&) {
  return CallResult::value(0);
}

// One processor. The result is the size of the kernel's set of processors.
CallResult sched_getaffinity(Call& call) {
  GuestStruct set(call);
  set.word_long(1);
  if (call.arguments[1] < set.bytes().size()) return CallResult::failure(Errno::einval);
  return set.store(call, call.address(2), CallResult::value(set.bytes().size()));
}

CallResult getrlimit(Call& call) {
  return limits_of(call, call.argument(0), GuestAddr(0), call.address(1), LimitForm::longs);
}

CallResult setrlimit(Call& call) {
  return limits_of(call, call.argument(0), call.address(1), GuestAddr(0), LimitForm::longs);
}

// prlimit64(process, resource, limit, old_limit)
CallResult prlimit64(Call& call) {
  const std::int32_t pid = call.signed_argument(0);
  if (pid != 0 && pid != call.process.pid) return CallResult::failure(Errno::esrch);
  return limits_of(call, call.argument(1), call.address(2), call.address(3), LimitForm::wide);
}

CallResult getresuid(Call& call) {
  return write_ids(call, call.state.credentials.user);
}

CallResult getresgid(Call& call) {
  return write_ids(call, call.state.credentials.group);
}

// As in a kernel without restartable sequences, which the C library asks for at the start.
CallResult rseq(Call&) {
  return CallResult::failure(Errno::enosys);
}

CallResult wait4(Call& call) {
  call.arguments[2] = call.argument(2) & ~any_clone;
  return posix::calls::wait4(call);
}

CallResult waitpid(Call& call) {
  call.arguments[3] = 0;
  return wait4(call);
}

}  // namespace hardclock::gnu_linux::calls
