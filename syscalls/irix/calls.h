// The handlers of calls that only IRIX has, or has in its own form; the others are those of
// syscalls/posix. Named as in syscalls.master. Each is described by its page in section 2 of the
// IRIX manual; the argument layout is the o32 one.
#pragma once

#include <optional>

#include "syscalls/host/guest_path.h"
#include "syscalls/posix/calls.h"
#include "syscalls/posix/timer_calls.h"

namespace hardclock::irix::calls {

using namespace posix::calls;
using posix::Call;
using posix::CallResult;
using posix::Errno;

// ---- file_calls.cc
CallResult xstat(Call& call);
CallResult lxstat(Call& call);
CallResult fxstat(Call& call);
CallResult stat(Call& call);
CallResult lstat(Call& call);
CallResult fstat(Call& call);
CallResult getdents(Call& call);
CallResult getdents64(Call& call);
CallResult ngetdents(Call& call);
CallResult ngetdents64(Call& call);
CallResult utime(Call& call);
CallResult xmknod(Call& call);
CallResult creat(Call& call);
// What open(2) answers to the path of an open file; nullopt: the path is another.
std::optional<CallResult> open_descriptor(Call& call, const host::GuestPath& path);

// ---- semaphore_calls.cc
CallResult open(Call& call);
CallResult ioctl(Call& call);

// ---- fcntl_calls.cc
CallResult fcntl(Call& call);

// ---- file_system_calls.cc
CallResult statvfs(Call& call);
CallResult fstatvfs(Call& call);
CallResult statvfs64(Call& call);
CallResult fstatvfs64(Call& call);
CallResult statfs(Call& call);
CallResult fstatfs(Call& call);
CallResult sysfs(Call& call);
CallResult getmountid(Call& call);

// ---- ipc_calls.cc
CallResult msgget(Call& call);
CallResult msgctl(Call& call);
CallResult msgrcv(Call& call);
CallResult msgsnd(Call& call);
CallResult shmat(Call& call);
CallResult shmctl(Call& call);
CallResult shmdt(Call& call);
CallResult shmget(Call& call);
CallResult semctl(Call& call);
CallResult semget(Call& call);
CallResult semop(Call& call);

// ---- elf_map.cc
CallResult sgi_elfmap(Call& call);

// ---- signal_calls.cc
CallResult ksigaction(Call& call);
CallResult signal(Call& call);
CallResult sigprocmask(Call& call);
CallResult sigreturn(Call& call);
CallResult sigpoll(Call& call);
CallResult ksigqueue(Call& call);
CallResult getcontext(Call& call);
CallResult setcontext(Call& call);
CallResult sgi_sigstack(Call& call);
CallResult sgi_sigaltstack(Call& call);

// ---- schedule_calls.cc
CallResult sched_getscheduler(Call& call);
CallResult sched_setscheduler(Call& call);
CallResult sched_getparam(Call& call);
CallResult sched_setparam(Call& call);
CallResult sched_rr_get_interval(Call& call);
CallResult sched(Call& call);

// ---- time_calls.cc
CallResult sginap(Call& call);
CallResult timer_create(Call& call);

// ---- process_calls.cc
CallResult sproc(Call& call);
CallResult sprocsp(Call& call);
CallResult nsproc(Call& call);

// ---- tracing.cc
CallResult ptrace(Call& call);

// ---- thread_calls.cc
CallResult init_threads(Call& call);
CallResult thread_ctl(Call& call);

// ---- usync_calls.cc
CallResult usync_block(Call& call);
CallResult usync_intr_block(Call& call);
CallResult usync_unblock_all(Call& call);
CallResult usync_unblock(Call& call);
CallResult usync_get_state(Call& call);
CallResult usync_handoff(Call& call);

// ---- share_calls.cc
CallResult maxprocs(Call& call);
CallResult maxpprocs(Call& call);
CallResult isblocked(Call& call);
CallResult setstacksize(Call& call);
CallResult getstacksize(Call& call);
CallResult unblkonexec(Call& call);
CallResult atomicsim(Call& call);
CallResult setexitsig(Call& call);
CallResult setabortsig(Call& call);
CallResult resident(Call& call);
CallResult termchild(Call& call);
CallResult getshmask(Call& call);
CallResult getnshare(Call& call);
CallResult lastshexit(Call& call);
CallResult procblk(Call& call);

// ---- system_calls.cc
CallResult sgi_sysid(Call& call);
CallResult sgi_invent(Call& call);
CallResult sgi_rdname(Call& call);
CallResult sgi_query_cyclecntr(Call& call);
CallResult sysconf(Call& call);
CallResult pathconf(Call& call);
CallResult sprofil(Call& call);
CallResult getrusage(Call& call);
CallResult sgi_fdhi(Call& call);
CallResult sgi_get_ust(Call& call);
CallResult sgi_settimetrim(Call& call);
CallResult sgi_gettimetrim(Call& call);
CallResult sgi_proc_attr_get(Call& call);
CallResult sgi_procmask_location(Call& call);
CallResult sgi_num_modules(Call& call);
CallResult sgi_ssync(Call& call);
CallResult sgi_rxev_get(Call& call);
CallResult sgi_set_fp_precise(Call& call);
CallResult sgi_tosstsave(Call& call);
CallResult sgi_set_fp_preserve(Call& call);
CallResult sgi_get_fp_precise(Call& call);
CallResult sgi_use_fp_bcopy(Call& call);
CallResult sgi_nofpe(Call& call);
CallResult nprocs(Call& call);
CallResult naprocs(Call& call);
CallResult pagesize(Call& call);
CallResult sasz(Call& call);
CallResult saget(Call& call);
CallResult clock(Call& call);
CallResult fastclock(Call& call);
CallResult cacheflush(Call& call);
CallResult cachectl(Call& call);

// ---- memory_calls.cc
CallResult madvise(Call& call);
CallResult pagelock(Call& call);
CallResult plock(Call& call);
CallResult sysmips(Call& call);

// ---- name_calls.cc
CallResult nuname(Call& call);
CallResult uname(Call& call);
CallResult ustat(Call& call);
CallResult sysinfo(Call& call);

// ---- identity_calls.cc
CallResult setsid(Call& call);
CallResult setpgid(Call& call);
CallResult getpgid(Call& call);
CallResult getsid(Call& call);
CallResult setgroups(Call& call);
CallResult getgroups(Call& call);
CallResult BSDgetpgrp(Call& call);
CallResult BSDsetpgrp(Call& call);

}  // namespace hardclock::irix::calls
