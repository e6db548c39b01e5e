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
using posix::FileAt;
using posix::Handler;

// ---- file_calls.cc
// The version of the structure is argument 0.
CallResult write_status(Call& call, FileAt which);
inline constexpr Handler xstat = with<write_status, FileAt::path>,
                         lxstat = with<write_status, FileAt::link>,
                         fxstat = with<write_status, FileAt::descriptor>;
// System V.3's struct stat, of 32 bytes, for programs of IRIX 4: they compare st_ino, at 0, and
// st_dev, at 4, in getwd(), and take the size from 16.
CallResult write_old_status(Call& call, FileAt which);
inline constexpr Handler stat = with<write_old_status, FileAt::path>,
                         lstat = with<write_old_status, FileAt::link>,
                         fstat = with<write_old_status, FileAt::descriptor>;
// With entries that are wide in o32, too.
CallResult read_dirents(Call& call, bool is_wide);
inline constexpr Handler getdents = with<read_dirents, false>,
                         getdents64 = with<read_dirents, true>;
CallResult read_dirents_and_end(Call& call, bool is_wide);
inline constexpr Handler ngetdents = with<read_dirents_and_end, false>,
                         ngetdents64 = with<read_dirents_and_end, true>;
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
CallResult write_statvfs(Call& call, FileAt which, bool is_wide);
inline constexpr Handler statvfs = with<write_statvfs, FileAt::path, false>,
                         fstatvfs = with<write_statvfs, FileAt::descriptor, false>,
                         statvfs64 = with<write_statvfs, FileAt::path, true>,
                         fstatvfs64 = with<write_statvfs, FileAt::descriptor, true>;
CallResult statfs(Call& call);
CallResult fstatfs(Call& call);
CallResult sysfs(Call& call);
CallResult getmountid(Call& call);

// Makes the call without its first argument, which chooses it.
CallResult without_first(Call& call, Handler proper);

// ---- System V's IPC: three calls with the kind of request as first argument.
inline constexpr Handler msgget = with<without_first, posix::calls::msgget>,
                         msgctl = with<without_first, posix::calls::msgctl>,
                         msgrcv = with<without_first, posix::calls::msgrcv>,
                         msgsnd = with<without_first, posix::calls::msgsnd>,
                         shmat = with<without_first, posix::calls::shmat>,
                         shmctl = with<without_first, posix::calls::shmctl>,
                         shmdt = with<without_first, posix::calls::shmdt>,
                         shmget = with<without_first, posix::calls::shmget>,
                         semctl = with<without_first, posix::calls::semctl>,
                         semget = with<without_first, posix::calls::semget>,
                         semop = with<without_first, posix::calls::semop>;

// ---- proc_calls.cc: what open(2) and ioctl(2) do with the files of /proc.
// nullopt: the path names no process.
std::optional<CallResult> open_process(Call& call, const host::GuestPath& path);
// nullopt: the file is no process, or the request none of /proc's.
std::optional<CallResult> process_request(Call& call);

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
// syssgi(SGI_SIGSTACK), syssgi(SGI_SIGALTSTACK)
inline constexpr Handler sgi_sigstack = with<sigstack_at, 1>,
                         sgi_sigaltstack = with<sigaltstack_at, 1>;

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
// A handoff wakes one at the second address, and waits at the first.
CallResult usync_wait(Call& call, bool restarts, bool hands_over);
inline constexpr Handler usync_block = with<usync_wait, true, false>,
                         usync_intr_block = with<usync_wait, false, false>,
                         usync_handoff = with<usync_wait, false, true>;
CallResult usync_unblock_all(Call& call);
CallResult usync_unblock(Call& call);
CallResult usync_get_state(Call& call);

// ---- share_calls.cc
inline constexpr Handler maxprocs = answer<150>;  // of a user: sysconf(_SC_CHILD_MAX)
// PR_MAXPPROCS: the number of processes that can run at once.
inline constexpr Handler maxpprocs = answer<1>;
CallResult isblocked(Call& call);
CallResult setstacksize(Call& call);
CallResult getstacksize(Call& call);
CallResult unblkonexec(Call& call);
// PR_ATOMICSIM, for libc's _syncinit() if the inventory has no processor with LL and SC; libc
// ignores the result.
inline constexpr Handler atomicsim = answer<0>;
CallResult setexitsig(Call& call);
CallResult setabortsig(Call& call);
inline constexpr Handler resident = refuse<Errno::eperm>;  // not the superuser (prctl(2))
CallResult termchild(Call& call);
CallResult getshmask(Call& call);
CallResult getnshare(Call& call);
CallResult lastshexit(Call& call);
CallResult procblk(Call& call);

// ---- system_calls.cc
CallResult sgi_sysid(Call& call);
CallResult sgi_invent(Call& call);
CallResult sgi_rdname(Call& call);
// ENODEV: the machine has no hardware cycle counter that could be mapped (syssgi(2)).
inline constexpr Handler sgi_query_cyclecntr = refuse<Errno::enodev>;
CallResult sysconf(Call& call);
CallResult pathconf(Call& call);
inline constexpr Handler sprofil = with<sprofil_at, 1>, getrusage = with<getrusage_at, 1>;
CallResult sgi_fdhi(Call& call);
CallResult sgi_get_ust(Call& call);
// The requests that only a superuser may make, and those whose answer is that there is nothing.
inline constexpr Handler sgi_settimetrim = refuse<Errno::eperm>;
CallResult sgi_gettimetrim(Call& call);
inline constexpr Handler sgi_proc_attr_get = refuse<Errno::einval>,
                         sgi_procmask_location = refuse<Errno::einval>, sgi_num_modules = answer<1>;
// Requests without meaning for this kernel: saved regions, unwritten buffers, a choice of floating
// point accuracy. NetBSD answers those that it knows in the same way (irix_syssgi.c).
inline constexpr Handler sgi_ssync = answer<0>, sgi_rxev_get = answer<0>,
                         sgi_set_fp_precise = answer<0>, sgi_tosstsave = answer<0>,
                         sgi_set_fp_preserve = answer<0>, sgi_get_fp_precise = answer<0>,
                         sgi_use_fp_bcopy = answer<0>, sgi_nofpe = answer<0>;
// sysmp(2). No activity is recorded; MP_CLOCK, MP_FASTCLOCK: the caller is not the superuser.
inline constexpr Handler nprocs = answer<1>, naprocs = answer<1>, pagesize = getpagesize,
                         sasz = refuse<Errno::einval>, saget = refuse<Errno::einval>,
                         clock = refuse<Errno::eperm>, fastclock = refuse<Errno::eperm>;
CallResult cacheflush(Call& call);
CallResult cachectl(Call& call);

// ---- memory_calls.cc
CallResult madvise(Call& call);
CallResult pagelock(Call& call);
CallResult plock(Call& call);
CallResult sysmips(Call& call);

// ---- name_calls.cc
// With fields of so many bytes.
CallResult write_names(Call& call, std::size_t field);
// uname is utssys(names, 0, 0): the struct of System V.3, with fields of eight characters and a
// NUL.
inline constexpr Handler nuname = with<write_names, 257>, uname = with<write_names, 9>;
// utssys(status, device, 2): no file system has a device number here. EINVAL: dev is not the device
// number of a device containing a mounted file system (ustat(2)).
inline constexpr Handler ustat = refuse<Errno::einval>;
CallResult sysinfo(Call& call);

// ---- identity_calls.cc: requests of syssgi(2), whose arguments follow the request's code, or
// other names.
inline constexpr Handler setsid = with<without_first, posix::calls::setsid>,
                         setpgid = with<without_first, posix::calls::setpgid>,
                         getpgid = with<without_first, posix::calls::getpgid>,
                         getsid = with<without_first, posix::calls::getsid>,
                         setgroups = with<without_first, posix::calls::setgroups>,
                         getgroups = with<without_first, posix::calls::getgroups>;
CallResult BSDgetpgrp(Call& call);
CallResult BSDsetpgrp(Call& call);

}  // namespace hardclock::irix::calls
