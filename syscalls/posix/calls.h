// The calls that the systems share, named as in their syscalls.master. Each is described by its
// page in section 2 of the manuals; where systems differ, the UnixSystem says how.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "syscalls/posix/call.h"
#include "syscalls/posix/files/file_access.h"

namespace hardclock::posix::calls {

// ---- Handlers without a body of their own.
// The answer is always the same.
template <std::uint64_t value>
CallResult answer(Call&) {
  return CallResult::value(value);
}
template <Errno error>
CallResult refuse(Call&) {
  return CallResult::failure(error);
}
// It is what a function for several calls answers with these arguments.
template <auto function, auto... arguments>
CallResult with(Call& call) {
  return function(call, arguments...);
}
// It is what another call answers to 0 for an argument that this one lacks.
template <Handler proper, std::size_t argument>
CallResult with_zero(Call& call) {
  call.arguments[argument] = 0;
  return proper(call);
}

// ---- file_calls.cc
CallResult read(Call& call);
CallResult readv(Call& call);
CallResult pread(Call& call);
CallResult write(Call& call);
CallResult writev(Call& call);
CallResult pwrite(Call& call);
CallResult close(Call& call);
CallResult lseek(Call& call);
CallResult lseek64(Call& call);
CallResult truncate(Call& call);
CallResult truncate64(Call& call);
CallResult ftruncate(Call& call);
CallResult ftruncate64(Call& call);
CallResult fsync(Call& call);
inline constexpr Handler fdatasync = fsync;
// Schedules the writing of data that is not on the disk yet; the host does that by itself.
inline constexpr Handler sync = answer<0>;

// ---- open_calls.cc
CallResult open(Call& call);
CallResult creat(Call& call);
CallResult dup(Call& call);
CallResult dup2(Call& call);
CallResult pipe(Call& call);
CallResult umask(Call& call);

// ---- socket_calls.cc
CallResult socket(Call& call);
CallResult socketpair(Call& call);
CallResult bind(Call& call);
CallResult listen(Call& call);
// accept(2) whose descriptor gets these flags of socket(2)'s type.
CallResult accept_with(Call& call, std::uint32_t flags);
inline constexpr Handler accept = with<accept_with, 0>;
CallResult connect(Call& call);
CallResult getsockname(Call& call);
CallResult getpeername(Call& call);
CallResult shutdown(Call& call);

// ---- socket_data_calls.cc
CallResult send(Call& call);
CallResult sendto(Call& call);
CallResult recv(Call& call);
CallResult recvfrom(Call& call);

// ---- socket_message_calls.cc
CallResult sendmsg(Call& call);
CallResult recvmsg(Call& call);

// ---- socket_option_calls.cc
CallResult setsockopt(Call& call);
CallResult getsockopt(Call& call);

// ---- poll_calls.cc
CallResult poll(Call& call);
CallResult select(Call& call);

// ---- message_calls.cc
CallResult msgget(Call& call);
CallResult msgsnd(Call& call);
CallResult msgrcv(Call& call);
CallResult msgctl(Call& call);

// ---- semaphore_calls.cc
CallResult semget(Call& call);
CallResult semop(Call& call);
CallResult semctl(Call& call);

// ---- segment_calls.cc
CallResult shmget(Call& call);
CallResult shmat(Call& call);
CallResult shmdt(Call& call);
CallResult shmctl(Call& call);

// ---- priority_calls.cc
CallResult nice(Call& call);

// ---- path_calls.cc
CallResult access(Call& call);
CallResult chdir(Call& call);
CallResult fchdir(Call& call);
CallResult chmod(Call& call);
CallResult fchmod(Call& call);
// chown(path, owner, group)
CallResult keep_owner_at(Call& call, host::Follow follow);
inline constexpr Handler chown = with<keep_owner_at, host::Follow::yes>,
                         lchown = with<keep_owner_at, host::Follow::no>;
CallResult fchown(Call& call);
CallResult link(Call& call);
// mknod(path, ...) with the path at argument `first`.
CallResult mknod_at(Call& call, std::size_t first);
inline constexpr Handler mknod = with<mknod_at, 0>;
CallResult mkfifo(Call& call);
CallResult rename(Call& call);
CallResult symlink(Call& call);
CallResult readlink(Call& call);
CallResult unlink(Call& call);
CallResult mkdir(Call& call);
CallResult rmdir(Call& call);

// ---- process_calls.cc
CallResult exit(Call& call);
CallResult fork(Call& call);
CallResult vfork(Call& call);
CallResult execv(Call& call);
CallResult execve(Call& call);
CallResult getpid(Call& call);
CallResult getppid(Call& call);

// ---- identity_calls.cc
// Of the user's ids, or of the group's. The second result is the effective one.
using IdsOf = Ids Credentials::*;
CallResult get_ids(Call& call, IdsOf which);
CallResult get_effective(Call& call, IdsOf which);
CallResult set_id(Call& call, IdsOf which);
CallResult set_both(Call& call, IdsOf which);
CallResult set_all(Call& call, IdsOf which);
inline constexpr Handler getuid = with<get_ids, &Credentials::user>,
                         getgid = with<get_ids, &Credentials::group>,
                         geteuid = with<get_effective, &Credentials::user>,
                         getegid = with<get_effective, &Credentials::group>,
                         setuid = with<set_id, &Credentials::user>,
                         setgid = with<set_id, &Credentials::group>,
                         setreuid = with<set_both, &Credentials::user>,
                         setregid = with<set_both, &Credentials::group>,
                         setresuid = with<set_all, &Credentials::user>,
                         setresgid = with<set_all, &Credentials::group>;
CallResult getgroups(Call& call);
CallResult setgroups(Call& call);
CallResult getpgrp(Call& call);
CallResult setpgrp(Call& call);
CallResult getpgid(Call& call);
CallResult setpgid(Call& call);
CallResult getsid(Call& call);
CallResult setsid(Call& call);
CallResult setpgrp_of(Call& call);  // 4.3BSD's setpgrp(pid, group)

// ---- host_calls.cc
CallResult gethostname(Call& call);
CallResult getdomainname(Call& call);
// 0 until the superuser sets another (gethostid(2) of 4.3BSD).
inline constexpr Handler gethostid = answer<0>;
// Not even the superuser may do it: the machine's name is an option of the simulation.
inline constexpr Handler sethostname = refuse<Errno::eperm>, setdomainname = refuse<Errno::eperm>,
                         sethostid = refuse<Errno::eperm>;

// ---- limit_calls.cc
CallResult getrlimit(Call& call);
CallResult setrlimit(Call& call);
// With limits of 64 bits or of 32.
CallResult get_limit(Call& call, bool is_wide);
CallResult set_limit(Call& call, bool is_wide);
inline constexpr Handler getrlimit64 = with<get_limit, true>, setrlimit64 = with<set_limit, true>;
CallResult ulimit(Call& call);

// ---- wait_calls.cc
CallResult wait(Call& call);
CallResult wait3(Call& call);
CallResult wait4(Call& call);
CallResult waitpid(Call& call);
CallResult waitsys(Call& call);
inline constexpr Handler waitid = with_zero<waitsys, 4>;
CallResult wait_status(Call& call);
// wait(2) that stores a status word and a struct rusage, each unless its address is 0; the result
// is the number of the one who did something, or 0: nobody has, and the call does not `hang`.
CallResult wait_with_pointers(Call& call, const ChildEvent& wanted, bool hang, GuestAddr status,
                              GuestAddr rusage);
// waitid(2): the same with a siginfo_t, which `write` lays out. Its info is nullptr for nobody.
struct InfoWait {
  bool hang = true, takes = true;  // `takes`: what is told now is not told again
  GuestAddr info, rusage;          // 0: not wanted
  CallResult (*write)(Call& call, GuestAddr address, const SignalInfo* info) = nullptr;
};
CallResult wait_with_info(Call& call, const ChildEvent& wanted, const InfoWait& how);

// ---- memory_calls.cc
CallResult brk(Call& call);
CallResult mmap(Call& call);
CallResult mmap64(Call& call);
CallResult msync(Call& call);
CallResult munmap(Call& call);
CallResult mprotect(Call& call);
CallResult getpagesize(Call& call);

// ---- kill_calls.cc
CallResult kill(Call& call);
CallResult sigsendset(Call& call);

// ---- alternate_stack_calls.cc
// With the arguments from `first` on.
CallResult sigaltstack_at(Call& call, std::size_t first);
CallResult sigstack_at(Call& call, std::size_t first);
inline constexpr Handler sigaltstack = with<sigaltstack_at, 0>, sigstack = with<sigstack_at, 0>;

// ---- signal_calls.cc
CallResult pause(Call& call);
CallResult signal(Call& call);
CallResult sigaction(Call& call);
CallResult sigprocmask(Call& call);
CallResult sigpending(Call& call);
CallResult sigsuspend(Call& call);
CallResult sigvec(Call& call);
CallResult sigblock(Call& call);
CallResult sigsetmask(Call& call);
CallResult sigpause(Call& call);
CallResult sigreturn(Call& call);
CallResult setcontext(Call& call);

// ---- lwp_calls.cc
CallResult lwp_create(Call& call);
CallResult lwp_exit(Call& call);
CallResult lwp_self(Call& call);

// ---- fcntl_calls.cc
CallResult flock(Call& call);

// ---- Calls that only the superuser may make: EPERM, since no guest is the superuser.
inline constexpr Handler acct = refuse<Errno::eperm>, adjtime = refuse<Errno::eperm>,
                         chroot = refuse<Errno::eperm>, mlock = refuse<Errno::eperm>,
                         mlockall = refuse<Errno::eperm>, mount = refuse<Errno::eperm>,
                         munlock = refuse<Errno::eperm>, munlockall = refuse<Errno::eperm>,
                         plock = refuse<Errno::eperm>, reboot = refuse<Errno::eperm>,
                         settimeofday = refuse<Errno::eperm>, stime = refuse<Errno::eperm>,
                         swapon = refuse<Errno::eperm>, umount = refuse<Errno::eperm>,
                         vhangup = refuse<Errno::eperm>;

// ---- terminal_calls.cc
CallResult ioctl(Call& call);
CallResult gtty(Call& call);
CallResult stty(Call& call);

// ---- time_calls.cc
CallResult time(Call& call);
CallResult time_store(Call& call);
CallResult gettimeofday(Call& call);
CallResult BSDgettimeofday(Call& call);
// The rusage of a process or of its children at an address.
CallResult getrusage_at(Call& call, std::size_t first);
inline constexpr Handler getrusage = with<getrusage_at, 0>;
CallResult times(Call& call);
CallResult alarm(Call& call);
CallResult setitimer(Call& call);
CallResult getitimer(Call& call);

// ---- sleep_calls.cc
CallResult nanosleep(Call& call);
CallResult sched_yield(Call& call);

// ---- profile_calls.cc
CallResult profil(Call& call);
// sprofil whose arguments begin at `first`.
CallResult sprofil_at(Call& call, std::size_t first);
inline constexpr Handler sprofil = with<sprofil_at, 0>;
CallResult pcsample(Call& call);

// ---- For systems whose form of a call differs in its arguments.
// open(path, ...) with the path at argument 0.
CallResult open_with(Call& call, std::uint32_t flags, std::uint32_t mode);
// The first tick at which a wait of this length that begins now may end.
Ticks deadline_after(const Call& call, std::uint64_t seconds, std::uint64_t nanoseconds);
struct TimeSpan {
  std::uint64_t seconds = 0;
  std::uint64_t nanoseconds = 0;  // below 10^9
};
using TimeLimit = std::optional<TimeSpan>;  // none: for ever
// The same by the system's most exact timers, of a wait that may last so many nanoseconds longer
// (prctl(2), PR_SET_TIMERSLACK). Where such a timer interrupts, it ends with that slack or, if one
// comes before, with a tick.
Deadline end_after(const Call& call, const TimeSpan& time, std::uint64_t slack);
// The caller's slack; above a second it would make no difference.
std::uint64_t sleep_slack(const Call& call);
// The slack of a wait for events (Linux, fs/select.c, select_estimate_accuracy()).
std::uint64_t event_slack(const Call& call, const TimeSpan& time);
// Waits for the event, or for so long from the call's beginning. Nothing: the time is over.
std::optional<CallResult> wait_for(Call& call, const TimeLimit& limit, const WaitEvent& event);
// semop that waits so long at most.
CallResult semop_until(Call& call, const TimeLimit& limit);
// poll and select whose time limit has another form.
CallResult poll_for(Call& call, const TimeLimit& limit);
CallResult select_for(Call& call, const TimeLimit& limit);
// Sleeps until then; the result is then 0. A call that sleeps runs again, and its first
// deadline counts.
CallResult sleep_until(Call& call, const Deadline& deadline, const OnSignal& on_signal);
// A handler ends a sleep that would have lasted until `end`. Returns the call's result; nullopt: it
// is EINTR.
std::optional<std::uint64_t> tell_time_left(Call& call, const TellsTimeLeft& form,
                                            const Deadline& end);
// signal(signal, handler) with the C library's trampoline.
CallResult signal_through(Call& call, GuestAddr trampoline);
// sigaction(signal, new, old) whose arguments begin at `first`, with the C library's trampoline.
CallResult sigaction_at(Call& call, std::size_t first, GuestAddr trampoline);
// readv() and writev(), at `offset` or at the file's position.
CallResult readv_at(Call& call, std::optional<std::uint64_t> offset);
CallResult writev_at(Call& call, std::optional<std::uint64_t> offset);
// Sends a signal with a value to one process; `code` is the origin that siginfo names.
CallResult send_value(Call& call, std::int32_t pid, std::uint32_t signal, std::int32_t code,
                      std::uint64_t value);
// Sends a signal to one thread of the process; nullptr: to one that has ended.
CallResult signal_thread(Call& call, Process& process, Thread* target, std::uint32_t signal,
                         std::int32_t code);
// Blocks these signals only until the handler that ends the wait has returned.
CallResult suspend_with(Call& call, SignalSet mask);

}  // namespace hardclock::posix::calls
