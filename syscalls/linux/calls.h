// The handlers of calls that Linux has in its own form; the others are those of syscalls/posix.
// Named as in the .master files. Each is described by its page in section 2 of the Linux manual
// pages.
#pragma once

#include "syscalls/posix/calls.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux::calls {

using namespace posix::calls;
using posix::Call;
using posix::CallResult;
using posix::Errno;

// ---- file_calls.cc
CallResult lseek(Call& call);
CallResult llseek(Call& call);
CallResult fallocate(Call& call);
CallResult dup3(Call& call);
CallResult pipe2(Call& call);
CallResult pipe_ends(Call& call);
CallResult fcntl(Call& call);
CallResult fcntl64(Call& call);
CallResult ioctl(Call& call);
CallResult getdents(Call& call);
CallResult getdents64(Call& call);
CallResult preadv(Call& call);
CallResult pwritev(Call& call);
CallResult preadv2(Call& call);
CallResult pwritev2(Call& call);
CallResult readahead(Call& call);
CallResult sync_file_range(Call& call);
CallResult syncfs(Call& call);
CallResult getcwd(Call& call);
CallResult fadvise64(Call& call);
CallResult close_range(Call& call);
CallResult open(Call& call);

// ---- file_system_calls.cc
CallResult statfs(Call& call);
CallResult fstatfs(Call& call);
CallResult statfs64(Call& call);
CallResult fstatfs64(Call& call);
CallResult setxattr(Call& call);
CallResult lsetxattr(Call& call);
CallResult fsetxattr(Call& call);
CallResult getxattr(Call& call);
CallResult lgetxattr(Call& call);
CallResult fgetxattr(Call& call);
CallResult listxattr(Call& call);
CallResult llistxattr(Call& call);
CallResult flistxattr(Call& call);
CallResult removexattr(Call& call);
CallResult lremovexattr(Call& call);
CallResult fremovexattr(Call& call);

// ---- futex_calls.cc
CallResult futex(Call& call);
CallResult futex_time64(Call& call);

// ---- ipc_calls.cc
CallResult msgctl(Call& call);
CallResult semctl(Call& call);
CallResult shmctl(Call& call);
CallResult msgctl_by_version(Call& call);
CallResult semctl_by_version(Call& call);
CallResult shmctl_by_version(Call& call);
CallResult semtimedop(Call& call);
CallResult semtimedop_time64(Call& call);
CallResult ipc_semget(Call& call);
CallResult ipc_msgget(Call& call);
CallResult ipc_shmget(Call& call);
CallResult ipc_semop(Call& call);
CallResult ipc_semtimedop(Call& call);
CallResult ipc_semctl(Call& call);
CallResult ipc_msgsnd(Call& call);
CallResult ipc_msgrcv(Call& call);
CallResult ipc_msgrcv_direct(Call& call);
CallResult ipc_msgctl(Call& call);
CallResult ipc_shmat(Call& call);
CallResult ipc_shmdt(Call& call);
CallResult ipc_shmctl(Call& call);

// ---- path_calls.cc
CallResult openat(Call& call);
CallResult mknod(Call& call);
CallResult mknodat(Call& call);
CallResult mkdirat(Call& call);
CallResult unlinkat(Call& call);
CallResult fchmodat(Call& call);
CallResult fchownat(Call& call);
CallResult faccessat(Call& call);
CallResult faccessat2(Call& call);
CallResult symlinkat(Call& call);
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
CallResult stat(Call& call);
CallResult lstat(Call& call);
CallResult fstat(Call& call);
CallResult stat64(Call& call);
CallResult lstat64(Call& call);
CallResult fstat64(Call& call);
CallResult fstatat64(Call& call);
CallResult statx(Call& call);

// ---- socket_calls.cc
CallResult accept4(Call& call);
CallResult sendmmsg(Call& call);
CallResult recvmmsg(Call& call);
CallResult recvmmsg_time64(Call& call);
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

// ---- event_calls.cc
CallResult eventfd(Call& call);
CallResult eventfd2(Call& call);
CallResult epoll_create(Call& call);
CallResult epoll_create1(Call& call);
CallResult epoll_ctl(Call& call);
CallResult epoll_wait(Call& call);
CallResult epoll_pwait(Call& call);
CallResult epoll_pwait2(Call& call);

// ---- inotify_calls.cc
CallResult inotify_init(Call& call);
CallResult inotify_init1(Call& call);
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
CallResult process_vm_readv(Call& call);
CallResult process_vm_writev(Call& call);

// ---- schedule_calls.cc
CallResult sched_get_priority_max(Call& call);
CallResult sched_get_priority_min(Call& call);
CallResult sched_getscheduler(Call& call);
CallResult sched_setscheduler(Call& call);
CallResult sched_getparam(Call& call);
CallResult sched_setparam(Call& call);
CallResult sched_rr_get_interval(Call& call);
CallResult sched_rr_get_interval_time64(Call& call);
CallResult sched_setaffinity(Call& call);
CallResult getpriority(Call& call);
CallResult setpriority(Call& call);
CallResult nice(Call& call);

// ---- timer_calls.cc
CallResult timer_create(Call& call);
CallResult timer_settime(Call& call);
CallResult timer_settime64(Call& call);
CallResult timer_gettime(Call& call);
CallResult timer_gettime64(Call& call);
CallResult timer_getoverrun(Call& call);
CallResult timer_delete(Call& call);
CallResult timerfd_create(Call& call);
CallResult timerfd_settime(Call& call);
CallResult timerfd_settime64(Call& call);
CallResult timerfd_gettime(Call& call);
CallResult timerfd_gettime64(Call& call);

// ---- poll_calls.cc
CallResult nanosleep(Call& call);
CallResult clock_nanosleep(Call& call);
CallResult clock_nanosleep_time64(Call& call);
CallResult ppoll(Call& call);
CallResult ppoll_time64(Call& call);
CallResult select(Call& call);
CallResult pselect6(Call& call);
CallResult pselect6_time64(Call& call);
CallResult rt_sigtimedwait(Call& call);
CallResult rt_sigtimedwait_time64(Call& call);

// ---- signal_file.cc
CallResult read(Call& call);
CallResult readv(Call& call);
CallResult signalfd(Call& call);
CallResult signalfd4(Call& call);

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
CallResult getresuid(Call& call);
CallResult getresgid(Call& call);
CallResult rseq(Call& call);

// ---- wait_calls.cc
CallResult wait4(Call& call);
CallResult waitpid(Call& call);
CallResult waitid(Call& call);

// ---- thread_calls.cc
CallResult clone(Call& call);
CallResult unshare(Call& call);
CallResult gettid(Call& call);
CallResult set_tid_address(Call& call);
CallResult set_robust_list(Call& call);
CallResult get_robust_list(Call& call);
CallResult getcpu(Call& call);
CallResult set_thread_area(Call& call);
CallResult exit(Call& call);
CallResult exit_group(Call& call);
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
CallResult sigaction(Call& call);
CallResult rt_sigprocmask(Call& call);
CallResult sigprocmask(Call& call);
CallResult rt_sigpending(Call& call);
CallResult rt_sigsuspend(Call& call);
CallResult sigpending(Call& call);
CallResult sgetmask(Call& call);
CallResult ssetmask(Call& call);
CallResult rt_sigqueueinfo(Call& call);
CallResult rt_sigreturn(Call& call);
CallResult sigreturn(Call& call);

// Adds the descriptor of a file that is none of the file system; `flags`: O_NONBLOCK and O_CLOEXEC.
CallResult add_anonymous_file(Call& call, const std::shared_ptr<posix::OpenFile>& file,
                              std::uint32_t flags);

// ---- For calls that wait under another signal mask, at argument `mask`, of argument `mask` + 1
// bytes. A null mask is none.
CallResult with_signal_mask(Call& call, std::size_t mask, posix::Handler handler);

// ---- time_calls.cc
CallResult clock_gettime(Call& call);
CallResult clock_gettime64(Call& call);
CallResult clock_getres(Call& call);
CallResult clock_getres_time64(Call& call);
CallResult clock_settime(Call& call);
CallResult clock_settime64(Call& call);
CallResult getrusage(Call& call);

// ---- interval_timer_calls.cc
CallResult setitimer(Call& call);
CallResult getitimer(Call& call);
CallResult alarm(Call& call);

// ---- privilege_calls.cc
CallResult delete_module(Call& call);
CallResult finit_module(Call& call);
CallResult init_module(Call& call);
CallResult pivot_root(Call& call);
CallResult swapoff(Call& call);
CallResult syslog(Call& call);
CallResult umount2(Call& call);
CallResult setfsuid(Call& call);
CallResult setfsgid(Call& call);
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
