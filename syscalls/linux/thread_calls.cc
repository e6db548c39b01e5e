// Threads, and how they come to be, wait for each other and end.
#include <optional>

#include "syscalls/linux/calls.h"
#include "syscalls/linux/robust_locks.h"
#include "syscalls/linux/thread_ids.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux::calls {
namespace {

using posix::TraceEvent;

// clone(2)'s flags (include/uapi/linux/sched.h).
constexpr std::uint32_t clone_vm = 0x100, clone_fs = 0x200, clone_files = 0x400,
                        clone_sighand = 0x800, clone_vfork = 0x4000, clone_thread = 0x10000,
                        clone_sysvsem = 0x40000, clone_settls = 0x80000,
                        clone_parent_settid = 0x100000, clone_child_cleartid = 0x200000,
                        clone_child_settid = 0x1000000;
// What a tracer is told of, and traces, too.
constexpr std::uint32_t clone_ptrace = 0x2000, clone_untraced = 0x800000;
// CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET, and NEWTIME, a bit of CSIGNAL.
constexpr std::uint32_t clone_newns = 0x20000, clone_newuser = 0x10000000,
                        clone_newpid = 0x20000000;
constexpr std::uint32_t clone_new = clone_newns | 0x2000000 | 0x4000000 | 0x8000000 |
                                    clone_newuser | clone_newpid | 0x40000000 | 0x80;
constexpr std::uint32_t signal_mask = 0xff;  // CSIGNAL: tells of the child's end

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

void tell_tracer(Call& call, const CloneRequest& request, Thread& child, TraceEvent event) {
  if ((request.flags & clone_untraced) != 0) return;
  call.os.ptrace().trace_child(call.thread, child, event, (request.flags & clone_ptrace) != 0);
}

void unshare_paths(posix::ThreadState& thread) {
  thread.paths = std::make_shared<posix::PathContext>(*thread.paths);
}

CallResult make_thread(Call& call, const CloneRequest& request) {
  constexpr std::uint32_t needed = clone_vm | clone_sighand;
  if ((request.flags & needed) != needed) return CallResult::failure(Errno::einval);
  const auto created = call.os.create_thread(call.thread);
  if (!created) return CallResult::failure(created.error());
  Thread& thread = **created;
  posix::ThreadState& own = posix::thread_state_of(thread);
  if ((request.flags & clone_fs) == 0) unshare_paths(own);
  if ((request.flags & clone_files) == 0) own.descriptors->unshare();
  if ((request.flags & clone_sysvsem) == 0) call.os.unshare_undo_list(thread);
  thread.in_kernel = true;
  thread.cpu->complete_system_call();
  call.abi().set_result(*thread.cpu, 0, std::nullopt);
  set_up_child(call, request, thread);
  tell_tracer(call, request, thread, TraceEvent::clone);
  return CallResult::value(static_cast<std::uint64_t>(tid_of(thread)));
}

CallResult make_process(Call& call, const CloneRequest& request) {
  using posix::Kernel;
  const auto memory =
      (request.flags & clone_vm) != 0 ? Kernel::ChildMemory::shared : Kernel::ChildMemory::copied;
  if (!call.os.has_room_for_process(call.process, memory)) {
    return CallResult::failure(Errno::eagain);
  }
  Process& child = call.os.fork(call.thread, memory);
  if ((request.flags & clone_files) != 0) {
    posix::thread_state_of(child.main_thread()).descriptors->share(call.descriptors());
  }
  if ((request.flags & clone_fs) != 0) {
    posix::thread_state_of(child.main_thread()).paths = posix::thread_state_of(call.thread).paths;
  }
  set_up_child(call, request, child.main_thread());
  const std::uint32_t signal = request.flags & signal_mask;
  child.is_clone = signal != call.system.signals.child;
  if (child.is_clone) {
    posix::state_of(child).end_signal = signal <= call.system.signals.last ? signal : 0;
  }
  const bool waits = (request.flags & clone_vfork) != 0;
  if (waits) call.simulation().wait_for_vfork(call.thread, child);
  tell_tracer(call, request, child.main_thread(),
              waits            ? TraceEvent::vfork
              : child.is_clone ? TraceEvent::clone
                               : TraceEvent::fork);
  return CallResult::value(static_cast<std::uint64_t>(child.pid));
}

// Nobody here may make name spaces, see unshare() (Linux 6.1, kernel/fork.c, copy_process();
// kernel/nsproxy.c, copy_namespaces()).
std::optional<Errno> refusal_of_name_spaces(std::uint32_t flags) {
  const bool shares_paths = (flags & clone_fs) != 0 && (flags & (clone_newns | clone_newuser)) != 0;
  const bool is_thread =
      (flags & clone_thread) != 0 && (flags & (clone_newuser | clone_newpid)) != 0;
  if (shares_paths || is_thread) return Errno::einval;
  if ((flags & clone_new & ~signal_mask) != 0) return Errno::eperm;
  return std::nullopt;
}

}  // namespace

CallResult clone_process(Call& call, const CloneRequest& request) {
  if (const auto refused = refusal_of_name_spaces(request.flags)) {
    return CallResult::failure(*refused);
  }
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

// unshare(flags), as kernel/fork.c of Linux 6.1 has it: ksys_unshare(), check_unshare_flags(). What
// cannot be taken apart is EINVAL where it is shared. Only the superuser makes name spaces
// (kernel/nsproxy.c, unshare_nsproxy_namespaces()), and none of users where a system denies them to
// ordinary users (user_namespaces(7), /proc/sys/user/max_user_namespaces).
CallResult unshare(Call& call) {
  constexpr std::uint32_t known =
      clone_vm | clone_fs | clone_files | clone_sighand | clone_thread | clone_sysvsem | clone_new;
  std::uint32_t flags = call.argument(0);
  if ((flags & clone_newuser) != 0) flags |= clone_thread | clone_fs;
  if ((flags & clone_vm) != 0) flags |= clone_sighand;
  if ((flags & clone_sighand) != 0) flags |= clone_thread;
  if ((flags & clone_newns) != 0) flags |= clone_fs;
  if ((flags & ~known) != 0) return CallResult::failure(Errno::einval);
  if ((flags & clone_thread) != 0 && call.process.threads.size() > 1) {
    return CallResult::failure(Errno::einval);
  }
  if ((flags & clone_vm) != 0 && !call.process.memory.is_only_one()) {
    return CallResult::failure(Errno::einval);
  }
  if ((flags & clone_new) != 0) return CallResult::failure(Errno::eperm);
  if ((flags & clone_fs) != 0) unshare_paths(posix::thread_state_of(call.thread));
  if ((flags & clone_files) != 0) call.descriptors().unshare();
  if ((flags & clone_sysvsem) != 0) call.os.unshare_undo_list(call.thread);
  return CallResult::value(0);
}

CallResult gettid(Call& call) {
  return CallResult::value(static_cast<std::uint64_t>(tid_of(call.thread)));
}

CallResult set_tid_address(Call& call) {
  posix::thread_state_of(call.thread).zero_at_end = call.address(0);
  return gettid(call);
}

CallResult set_robust_list(Call& call) {
  const std::uint64_t head_bytes = std::uint64_t{call.abi().long_bytes()} * 3;
  if (call.arguments[1] != head_bytes) return CallResult::failure(Errno::einval);
  posix::thread_state_of(call.thread).robust_list = call.address(0);
  return CallResult::value(0);
}

// get_robust_list(thread, head, bytes); thread 0 is the caller.
CallResult get_robust_list(Call& call) {
  const std::int32_t tid = call.signed_argument(0);
  Thread* const thread = tid == 0 ? &call.thread : find_thread(call.process, tid);
  if (thread == nullptr) {
    return CallResult::failure(call.simulation().find(tid) == nullptr ? Errno::esrch
                                                                      : Errno::eperm);
  }
  const std::uint64_t head = posix::thread_state_of(*thread).robust_list.value();
  const CallResult told = posix::GuestStruct(call).word_long(head).store(call, call.address(1));
  if (told.kind == CallResult::Kind::error) return told;
  return posix::GuestStruct(call)
      .word_long(std::uint64_t{call.abi().long_bytes()} * 3)
      .store(call, call.address(2));
}

// getcpu(processor, node, cache): the machine has one of each.
CallResult getcpu(Call& call) {
  for (const std::size_t argument : {0, 1}) {
    if (call.is_null(argument)) continue;
    const CallResult told = posix::GuestStruct(call).word(0).store(call, call.address(argument));
    if (told.kind == CallResult::Kind::error) return told;
  }
  return CallResult::value(0);
}

CallResult set_thread_area(Call& call) {
  call.abi().set_thread_pointer(*call.thread.cpu, call.arguments[0]);
  return CallResult::value(0);
}

// The process ends with its last thread.
CallResult exit(Call& call) {
  constexpr std::uint32_t exit_code = 0xff;
  const ExitStatus own{false, call.argument(0) & exit_code};
  if (call.os.ptrace().stops_before_end(call.thread, own.code)) {
    return CallResult::no_return();
  }
  release_words(call.thread);
  call.os.end_thread(call.thread, own, own);
  return CallResult::no_return();
}

// tgkill(process, thread, signal). A first thread that has ended is there as long as its process.
CallResult tgkill(Call& call) {
  constexpr std::int32_t si_tkill = -6;  // include/uapi/asm-generic/siginfo.h
  const std::int32_t pid = call.signed_argument(0), tid = call.signed_argument(1);
  if (pid <= 0 || tid <= 0) return CallResult::failure(Errno::einval);
  Process* const process = call.simulation().find(pid);
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
