// The handlers of calls that Linux has in its own form; the others are those of syscalls/posix.
// Named as in the .master files. Each is described by its page in section 2 of the Linux manual
// pages.
#pragma once

#include "syscalls/posix/calls.h"
#include "syscalls/posix/timer_calls.h"

namespace hardclock::gnu_linux::calls {

using namespace posix::calls;
using posix::Call;
using posix::CallResult;
using posix::Errno;
using posix::FileAt;
using posix::Handler;

// The members of a time: longs, or 64 bits each in the calls with time64 in their names.
enum class TimeForm : std::uint8_t { longs, wide };

// ---- file_calls.cc
CallResult lseek(Call& call);
CallResult llseek(Call& call);
CallResult fallocate(Call& call);
CallResult dup3(Call& call);
CallResult pipe2(Call& call);
inline constexpr Handler pipe_ends = with_zero<pipe2, 1>;  // returns them only in memory
CallResult fcntl(Call& call);
inline constexpr Handler fcntl64 = fcntl;
CallResult ioctl(Call& call);
CallResult getdents(Call& call);
CallResult getdents64(Call& call);
// readv() and writev() at an offset that the call gives; the second kind has flags, too.
using MoveVectors = CallResult (*)(Call& call, std::optional<std::uint64_t> offset);
CallResult move_vectors(Call& call, MoveVectors move);
CallResult move_vectors_with_flags(Call& call, MoveVectors move);
inline constexpr Handler preadv = with<move_vectors, readv_at>,
                         pwritev = with<move_vectors, writev_at>,
                         preadv2 = with<move_vectors_with_flags, readv_at>,
                         pwritev2 = with<move_vectors_with_flags, writev_at>;
CallResult readahead(Call& call);
CallResult sync_file_range(Call& call);
CallResult syncfs(Call& call);
CallResult getcwd(Call& call);
CallResult fadvise64(Call& call);
CallResult close_range(Call& call);
CallResult open(Call& call);
// open(path, flags) with O_PATH among the flags: the descriptor names a file without having it
// open. It serves for what needs no more than the name: fstat(2), fchdir(2), the directory of a
// call with "at" in its name, and opening the file later, by its link in /proc/self/fd.
CallResult open_path_only(Call& call);

// ---- file_system_calls.cc
CallResult write_statfs(Call& call, FileAt which, bool is_statfs64);
inline constexpr Handler statfs = with<write_statfs, FileAt::path, false>,
                         fstatfs = with<write_statfs, FileAt::descriptor, false>,
                         statfs64 = with<write_statfs, FileAt::path, true>,
                         fstatfs64 = with<write_statfs, FileAt::descriptor, true>;
// As of a file system without attributes (xattr(7): "not all filesystems support them").
CallResult no_attributes(Call& call, FileAt which);
inline constexpr Handler setxattr = with<no_attributes, FileAt::path>,
                         lsetxattr = with<no_attributes, FileAt::link>,
                         fsetxattr = with<no_attributes, FileAt::descriptor>, getxattr = setxattr,
                         lgetxattr = lsetxattr, fgetxattr = fsetxattr, listxattr = setxattr,
                         llistxattr = lsetxattr, flistxattr = fsetxattr, removexattr = setxattr,
                         lremovexattr = lsetxattr, fremovexattr = fsetxattr;

// ---- futex_calls.cc
CallResult futex_in(Call& call, TimeForm form);
inline constexpr Handler futex = with<futex_in, TimeForm::longs>,
                         futex_time64 = with<futex_in, TimeForm::wide>;

// ---- ipc_calls.cc
CallResult msgctl(Call& call);
CallResult semctl(Call& call);
CallResult shmctl(Call& call);
// The kernels that still have the structures of before 2.4 know the present ones by a flag of the
// command, the argument `index`, which the call proper does not get.
CallResult by_version(Call& call, std::size_t index, Handler proper);
inline constexpr Handler msgctl_by_version = with<by_version, 1, msgctl>,
                         semctl_by_version = with<by_version, 2, semctl>,
                         shmctl_by_version = with<by_version, 1, shmctl>;
// (set, operations, count, limit)
CallResult semop_within(Call& call, TimeForm form);
inline constexpr Handler semtimedop = with<semop_within, TimeForm::longs>,
                         semtimedop_time64 = with<semop_within, TimeForm::wide>;
// ipc(call, first, second, third, pointer, fifth): the call proper has these of its arguments.
template <Handler proper, std::size_t... order>
CallResult ipc(Call& call) {
  const auto given = call.arguments;
  std::size_t place = 0;
  ((call.arguments[place++] = given[order]), ...);
  return proper(call);
}
inline constexpr Handler ipc_semget = ipc<semget, 1, 2, 3>, ipc_msgget = ipc<msgget, 1, 2>,
                         ipc_shmget = ipc<shmget, 1, 2, 3>, ipc_semop = ipc<semop, 1, 4, 2>,
                         ipc_semtimedop = ipc<semtimedop, 1, 4, 2, 5>,
                         ipc_msgsnd = ipc<msgsnd, 1, 4, 2, 3>,
                         ipc_msgctl = ipc<msgctl_by_version, 1, 2, 4>, ipc_shmdt = ipc<shmdt, 4>,
                         ipc_shmctl = ipc<shmctl_by_version, 1, 2, 4>;
// Version 1: the pointer is to the message.
inline constexpr Handler ipc_msgrcv_direct = ipc<msgrcv, 1, 4, 2, 5, 3>;
CallResult ipc_semctl(Call& call);
CallResult ipc_msgrcv(Call& call);
CallResult ipc_shmat(Call& call);

// ---- path_calls.cc
CallResult mknod(Call& call);
// Answers call(..., directory, path, ...) as call(..., path, ...) in that directory.
CallResult in_directory(Call& call, std::size_t directory, Handler proper);
inline constexpr Handler openat = with<in_directory, 0, open>,
                         mknodat = with<in_directory, 0, mknod>,
                         mkdirat = with<in_directory, 0, mkdir>,
                         fchmodat = with<in_directory, 0, chmod>,
                         faccessat = with<in_directory, 0, access>,
                         symlinkat = with<in_directory, 1, symlink>;
CallResult unlinkat(Call& call);
CallResult fchownat(Call& call);
CallResult faccessat2(Call& call);
CallResult linkat(Call& call);
CallResult renameat(Call& call);
CallResult renameat2(Call& call);
CallResult utimensat(Call& call);
CallResult utimensat_time64(Call& call);
CallResult utime(Call& call);
CallResult utimes(Call& call);
CallResult futimesat(Call& call);
CallResult chroot(Call& call);
CallResult readlinkat(Call& call);

// ---- status_calls.cc
CallResult write_file_status(Call& call, FileAt which, bool is_stat64);
inline constexpr Handler stat = with<write_file_status, FileAt::path, false>,
                         lstat = with<write_file_status, FileAt::link, false>,
                         fstat = with<write_file_status, FileAt::descriptor, false>,
                         stat64 = with<write_file_status, FileAt::path, true>,
                         lstat64 = with<write_file_status, FileAt::link, true>,
                         fstat64 = with<write_file_status, FileAt::descriptor, true>;
CallResult fstatat64(Call& call);
CallResult statx(Call& call);

// ---- socket_calls.cc
CallResult accept4(Call& call);
CallResult sendmmsg(Call& call);
CallResult receive_messages(Call& call, TimeForm form);
inline constexpr Handler recvmmsg = with<receive_messages, TimeForm::longs>,
                         recvmmsg_time64 = with<receive_messages, TimeForm::wide>;
CallResult socketcall(Call& call);

// ---- netlink_calls.cc
CallResult socket(Call& call);
CallResult bind(Call& call);
CallResult getsockname(Call& call);
CallResult send(Call& call);
CallResult sendto(Call& call);
CallResult sendmsg(Call& call);
CallResult recv(Call& call);
CallResult recvfrom(Call& call);
CallResult recvmsg(Call& call);
CallResult setsockopt(Call& call);

// ---- For calls that wait under another signal mask, at argument `mask`, of argument `mask` + 1
// bytes. A null mask is none.
CallResult with_signal_mask(Call& call, std::size_t mask, Handler handler);

// ---- event_calls.cc
CallResult eventfd2(Call& call);
inline constexpr Handler eventfd = with_zero<eventfd2, 1>;
CallResult epoll_create(Call& call);
CallResult epoll_create1(Call& call);
CallResult epoll_ctl(Call& call);
CallResult epoll_wait(Call& call);
// epoll_pwait(epoll, events, count, milliseconds, mask, bytes)
inline constexpr Handler epoll_pwait = with<with_signal_mask, 4, epoll_wait>;
CallResult epoll_pwait2(Call& call);

// ---- inotify_calls.cc
CallResult inotify_init1(Call& call);
inline constexpr Handler inotify_init = with_zero<inotify_init1, 0>;
CallResult inotify_add_watch(Call& call);
CallResult inotify_rm_watch(Call& call);

// ---- copy_calls.cc
CallResult sendfile(Call& call);
CallResult sendfile64(Call& call);
CallResult copy_file_range(Call& call);

// ---- splice_calls.cc
CallResult splice(Call& call);
CallResult tee(Call& call);
CallResult vmsplice(Call& call);

// ---- remote_memory_calls.cc
// (process, local, local_count, remote, remote_count, flags)
CallResult copy_memory(Call& call, bool writes);
inline constexpr Handler process_vm_readv = with<copy_memory, false>,
                         process_vm_writev = with<copy_memory, true>;

// ---- schedule_calls.cc
CallResult priority_bound(Call& call, std::uint32_t of_real_time);
inline constexpr Handler sched_get_priority_max = with<priority_bound, 99>,
                         sched_get_priority_min = with<priority_bound, 1>;
CallResult sched_getscheduler(Call& call);
CallResult sched_setscheduler(Call& call);
CallResult sched_getparam(Call& call);
CallResult sched_setparam(Call& call);
CallResult write_time_slice(Call& call, TimeForm form);
inline constexpr Handler sched_rr_get_interval = with<write_time_slice, TimeForm::longs>,
                         sched_rr_get_interval_time64 = with<write_time_slice, TimeForm::wide>;
CallResult sched_setaffinity(Call& call);
CallResult getpriority(Call& call);
CallResult setpriority(Call& call);
CallResult nice(Call& call);

// ---- timer_calls.cc
CallResult timer_create(Call& call);
// timer_settime(timer, flags, value, old_value)
CallResult set_timer(Call& call, TimeForm form);
inline constexpr Handler timer_settime = with<set_timer, TimeForm::longs>,
                         timer_settime64 = with<set_timer, TimeForm::wide>;
// timer_gettime(timer, value)
CallResult get_timer(Call& call, TimeForm form);
inline constexpr Handler timer_gettime = with<get_timer, TimeForm::longs>,
                         timer_gettime64 = with<get_timer, TimeForm::wide>;
CallResult timerfd_create(Call& call);
// timerfd_settime(timer, flags, value, old_value)
CallResult set_timer_file(Call& call, TimeForm form);
inline constexpr Handler timerfd_settime = with<set_timer_file, TimeForm::longs>,
                         timerfd_settime64 = with<set_timer_file, TimeForm::wide>;
// timerfd_gettime(timer, value)
CallResult get_timer_file(Call& call, TimeForm form);
inline constexpr Handler timerfd_gettime = with<get_timer_file, TimeForm::longs>,
                         timerfd_gettime64 = with<get_timer_file, TimeForm::wide>;

// ---- poll_calls.cc
// A relative sleep; what is left goes to the next argument.
CallResult sleep_at(Call& call, std::size_t argument, TimeForm form);
inline constexpr Handler nanosleep = with<sleep_at, 0, TimeForm::longs>;
// clock_nanosleep(clock, flags, time, left)
CallResult sleep_by_clock(Call& call, TimeForm form);
inline constexpr Handler clock_nanosleep = with<sleep_by_clock, TimeForm::longs>,
                         clock_nanosleep_time64 = with<sleep_by_clock, TimeForm::wide>;
// ppoll(files, count, time, mask, bytes)
CallResult poll_within(Call& call, TimeForm form);
inline constexpr Handler ppoll = with<with_signal_mask, 3, with<poll_within, TimeForm::longs>>,
                         ppoll_time64 =
                             with<with_signal_mask, 3, with<poll_within, TimeForm::wide>>;
CallResult select(Call& call);
// pselect6(count, readable, writable, exceptional, time, mask)
CallResult select_within(Call& call, TimeForm form);
CallResult select_with_mask(Call& call, Handler proper);
inline constexpr Handler pselect6 = with<select_with_mask, with<select_within, TimeForm::longs>>,
                         pselect6_time64 =
                             with<select_with_mask, with<select_within, TimeForm::wide>>;
// rt_sigtimedwait(set, info, time, bytes): takes a pending signal.
CallResult take_signal(Call& call, TimeForm form);
inline constexpr Handler rt_sigtimedwait = with<take_signal, TimeForm::longs>,
                         rt_sigtimedwait_time64 = with<take_signal, TimeForm::wide>;

// ---- signal_file.cc
CallResult read(Call& call);
CallResult readv(Call& call);
CallResult signalfd4(Call& call);
inline constexpr Handler signalfd = with_zero<signalfd4, 3>;

// ---- memory_file.cc
CallResult memfd_create(Call& call);

// ---- memory_calls.cc
CallResult brk(Call& call);
CallResult mmap(Call& call);
CallResult mmap2(Call& call);
CallResult mprotect(Call& call);
CallResult mremap(Call& call);
CallResult madvise(Call& call);
CallResult mincore(Call& call);
CallResult mlock(Call& call);
CallResult mlock2(Call& call);
CallResult mlockall(Call& call);
CallResult munlock(Call& call);
CallResult munlockall(Call& call);

// ---- process_calls.cc
CallResult sched_getaffinity(Call& call);
CallResult getrlimit(Call& call);
CallResult setrlimit(Call& call);
CallResult prlimit64(Call& call);
// getresuid(real, effective, saved)
CallResult write_ids(Call& call, IdsOf which);
inline constexpr Handler getresuid = with<write_ids, &posix::Credentials::user>,
                         getresgid = with<write_ids, &posix::Credentials::group>;
// As in a kernel without restartable sequences, which the C library asks for at the start.
inline constexpr Handler rseq = refuse<Errno::enosys>;

// ---- wait_calls.cc
CallResult wait4(Call& call);
inline constexpr Handler waitpid = with_zero<wait4, 3>;
CallResult waitid(Call& call);

// ---- thread_calls.cc
// clone(2), whose arguments have an order of their own on each architecture.
struct CloneRequest {
  std::uint32_t flags = 0;
  GuestAddr stack = {};           // 0: the child goes on with the parent's
  std::uint64_t stack_bytes = 0;  // where the call has a size
  // Puts the child, which is about to return from the call, on `stack`. Never null.
  void (*use_stack)(const Call& call, Cpu& child, const CloneRequest& request) = nullptr;
  GuestAddr parent_tid = {}, child_tid = {};
  std::uint64_t thread_pointer = 0;
};
CallResult clone_process(Call& call, const CloneRequest& request);
CallResult clone(Call& call);
CallResult unshare(Call& call);
CallResult gettid(Call& call);
CallResult set_tid_address(Call& call);
CallResult set_robust_list(Call& call);
CallResult get_robust_list(Call& call);
CallResult getcpu(Call& call);
CallResult set_thread_area(Call& call);
CallResult exit(Call& call);
inline constexpr Handler exit_group = posix::calls::exit;
CallResult tgkill(Call& call);
CallResult tkill(Call& call);

// ---- exec_calls.cc
CallResult execve(Call& call);
CallResult execveat(Call& call);

// ---- tracing_ia64.cc
CallResult ptrace_ia64(Call& call);

// ---- tracing_mips.cc
CallResult ptrace_mips(Call& call);

// ---- tracing_pa_risc.cc
CallResult ptrace_pa_risc(Call& call);

// ---- process_calls_ia64.cc
CallResult ia64_clone(Call& call);
CallResult clone2(Call& call);

// ---- signal_calls.cc
CallResult rt_sigaction(Call& call);
// sigaction(signal, action, old_action)
CallResult change_action(Call& call, bool old_form);
inline constexpr Handler sigaction = with<change_action, true>;
CallResult rt_sigprocmask(Call& call);
CallResult sigprocmask(Call& call);
CallResult rt_sigpending(Call& call);
CallResult rt_sigsuspend(Call& call);
CallResult sigpending(Call& call);
CallResult sgetmask(Call& call);
CallResult ssetmask(Call& call);
CallResult rt_sigqueueinfo(Call& call);
CallResult leave_handler(Call& call, bool with_info);
inline constexpr Handler rt_sigreturn = with<leave_handler, true>,
                         sigreturn = with<leave_handler, false>;

// Adds the descriptor of a file that is none of the file system; `flags`: O_NONBLOCK and O_CLOEXEC.
CallResult add_anonymous_file(Call& call, const std::shared_ptr<posix::OpenFile>& file,
                              std::uint32_t flags);

// ---- time_calls.cc
CallResult write_now(Call& call, TimeForm form);
CallResult write_resolution(Call& call, TimeForm form);
CallResult refuse_to_set(Call& call, TimeForm form);
inline constexpr Handler clock_gettime = with<write_now, TimeForm::longs>,
                         clock_gettime64 = with<write_now, TimeForm::wide>,
                         clock_getres = with<write_resolution, TimeForm::longs>,
                         clock_getres_time64 = with<write_resolution, TimeForm::wide>,
                         clock_settime = with<refuse_to_set, TimeForm::longs>,
                         clock_settime64 = with<refuse_to_set, TimeForm::wide>;
CallResult getrusage(Call& call);

// ---- interval_timer_calls.cc
CallResult setitimer(Call& call);
CallResult getitimer(Call& call);
CallResult alarm(Call& call);

// ---- privilege_calls.cc
inline constexpr Handler delete_module = refuse<Errno::eperm>, finit_module = refuse<Errno::eperm>,
                         init_module = refuse<Errno::eperm>, pivot_root = refuse<Errno::eperm>,
                         swapoff = refuse<Errno::eperm>, syslog = refuse<Errno::eperm>,
                         umount2 = refuse<Errno::eperm>;
// The answer is the present id; only that can be set.
inline constexpr Handler setfsuid = geteuid, setfsgid = getegid;
CallResult capget(Call& call);
CallResult capset(Call& call);

// ---- prctl_calls.cc
CallResult prctl(Call& call);
CallResult personality(Call& call);
CallResult sysinfo(Call& call);

// ---- system_calls.cc
CallResult uname(Call& call);
CallResult getrandom(Call& call);
CallResult sysmips(Call& call);
CallResult cacheflush(Call& call);

// ---- gateway.cc
// r20 chooses: compare and swap, exchange, store. The result goes to r28, and an error's negated
// number to r21.
CallResult light_weight_call(Call& call);
CallResult set_thread_pointer(Call& call);

}  // namespace hardclock::gnu_linux::calls
