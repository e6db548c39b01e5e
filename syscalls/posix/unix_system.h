// What makes one Unix different from another. The kernel (kernel.h) and the shared calls (calls.h)
// are written once; a system is one of these, its table of calls, and the calls that only it has.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/base/result.h"
#include "sim/load/image.h"
#include "sim/memory/address_space.h"
#include "sim/process/process.h"
#include "syscalls/host/synthetic_files.h"
#include "syscalls/master/call_info.h"
#include "syscalls/posix/call.h"
#include "syscalls/posix/errno.h"
#include "syscalls/posix/files/pipe.h"
#include "syscalls/posix/files/terminal.h"
#include "syscalls/posix/port.h"
#include "syscalls/posix/process_state.h"
#include "syscalls/posix/program_file.h"
#include "syscalls/posix/signals/signals.h"
#include "syscalls/profil/system.h"

namespace hardclock::posix {

struct IpcInterface;
struct SocketInterface;

// open(2)'s flags besides the access mode, which is 0, 1 or 2 everywhere. 0: there is no such flag.
struct OpenFlags {
  std::uint32_t append = 0, create = 0, truncate = 0, exclusive = 0;
  std::uint32_t non_block = 0;  // a call that would wait answers EAGAIN
  std::uint32_t no_delay = 0;   // System V's: it answers 0 instead
  std::uint32_t sync = 0;
  std::uint32_t directory = 0, no_follow = 0;
  std::uint32_t close_on_exec = 0;
  std::uint32_t async = 0;             // the file's news are told by a signal
  std::uint32_t keep_access_time = 0;  // of what its owner reads
  std::uint32_t kept = 0;  // further ones that fcntl(F_GETFL) reports and that do nothing here
};

// mmap(2)'s; sharing is 1 or 2 and protection 1, 2 and 4 everywhere.
struct MapFlags {
  std::uint32_t fixed = 0;
  std::uint32_t anonymous = 0;  // 0: anonymous memory is a mapping of /dev/zero
  std::uint32_t autogrow = 0;   // a store behind the file's end makes it longer; 0: no such flag
};

// struct sigaction in words of 32 bits.
struct SigactionLayout {
  unsigned words = 0;
  unsigned flags = 0, handler = 0, mask = 0;  // where they are
  unsigned mask_words = 1;
  std::uint32_t restart = 0, reset_handler = 0, no_defer = 0, with_info = 0, on_stack = 0;
  std::uint32_t no_child_wait = 0, no_child_stop = 0;  // 0: there is no such flag
  std::uint32_t block = 1, unblock = 2, set_mask = 3;  // sigprocmask()'s first argument
};

// The flags of struct sigvec. 0: there is no such flag; SV_ONSTACK is then EINVAL.
struct SigvecFlags {
  std::uint32_t on_stack = 0;
  std::uint32_t interrupt = 2;  // a call that the handler interrupts fails; else it is made again
  std::uint32_t restart = 0;    // where there is this one: it is made again; else it fails
  std::uint32_t reset_handler = 4;
};

// What sigprocmask(how, set) makes of a mask; nothing: `how` is none of the system's.
std::optional<SignalSet> changed_mask(const SigactionLayout& layout, std::uint32_t how,
                                      const SignalSet& mask, const SignalSet& set);

struct UnixSystem {
  std::string_view name;   // as --os spells it
  std::string_view title;  // "IRIX", in messages
  // Its call table, and who answers a call or a request of a multiplexed one; null: nobody.
  std::span<const CallInfo> calls;
  Handler (*handler)(unsigned number, std::optional<unsigned> subcode);
  // The call whose first argument is the number of the call to make.
  std::optional<unsigned> indirect_call;
  ErrnoNumbers errnos;
  OpenFlags open_flags;
  MapFlags map_flags;
  SignalTable signals;
  SigactionLayout sigaction;
  SigvecFlags sigvec = {};
  // Of each architecture and width that the system runs on.
  std::span<const Port> ports;
  Hertz clock_t_rate;  // of times(2), whatever the tick rate is set to
  // Whether waits and timers count time and not ticks: Linux's hrtimers (kernel/time/hrtimer.c).
  bool has_exact_timers = false;
  // What fork() leaves in the child: 0; or the parent's pid and 1 as second result, by which libc's
  // stub knows it.
  bool fork_returns_zero = false;
  // A user without privileges can give any file the sticky bit, not only directories (chmod(2)).
  bool has_sticky_files = false;
  // Character devices that every machine with the system has and that do nothing here: they open,
  // read as empty and lose what is written. Others are not there.
  std::span<const std::string_view> devices = {};
  bool has_full_device = false;    // /dev/full
  bool has_shared_memory = false;  // files of shm_open(3), in a file system at /dev/shm
  // ioctl(2) of terminals; null: the system has none.
  const TerminalInterface* terminal = nullptr;
  // System V's messages, semaphores and shared memory; null: the system has none.
  const IpcInterface* ipc = nullptr;
  // Its sockets; null: the system has none.
  const SocketInterface* sockets = nullptr;
  // The limits of the machine's first process, besides that of the stack; of open files open_max if
  // it is not among them, else none.
  std::span<const FirstLimit> first_limits = {};
  PipeSizes pipe_sizes = {};
  // A transfer to or from a regular file whose memory ends early moves what there is; if false, it
  // is EFAULT (4.4BSD, kern/sys_generic.c, read(): uiomove()'s error counts).
  bool moves_what_fits = false;
  // RLIMIT_DATA counts all private memory that can be written (Linux 6.1, mm/mmap.c,
  // may_expand_vm()); else the heap and the program's data.
  bool counts_private_data = false;
  // The longest first line of a script, "#!" included, in bytes; 0: exec knows no scripts.
  std::size_t script_line = 0;
  const profil::SystemRules* profiling;

  // What the system does besides what all do when a process has got a child (whose memory and state
  // are made), is about to exec or to end, and when a thread gets the processor; null: nothing.
  void (*after_fork)(Process& parent, Process& child) = nullptr;
  void (*before_exec)(Process& process) = nullptr;
  void (*before_exit)(Process& process) = nullptr;
  void (*switch_to)(Thread& thread) = nullptr;
  // The tree of files that the kernel itself makes; null: none.
  std::shared_ptr<const host::SyntheticFiles> (*synthetic_files)(const Kernel& kernel) = nullptr;
  // How messages call a call that is not in the table; null: by its number.
  std::string (*unknown_call)(unsigned number) = nullptr;
};

// The port for the programs in this file; null: the system does not run them.
const Port* find_port(const UnixSystem& system, const Image& image);

}  // namespace hardclock::posix
