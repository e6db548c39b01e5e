// Common parts of the systems' signals, and one system's description of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string_view>

#include "sim/base/units.h"
#include "sim/process/process.h"
#include "sim/process/signals.h"
#include "sim/state/archive.h"

namespace hardclock::posix {

// The numbers that every Unix since V7 has.
enum Signal : unsigned {
  sighup = 1,
  sigint,
  sigquit,
  sigill,
  sigtrap,
  sigiot,
  sigemt,
  sigfpe,
  sigkill,
  sigbus,
  sigsegv,
  sigsys,
  sigpipe,
  sigalrm,
  sigterm,
};

// A system's signals. A number of 0 stands for a signal that it does not have.
struct SignalTable {
  std::span<const char* const> names;  // by number, from 0; "SIGHUP"
  unsigned last = 15;                  // the highest number
  unsigned stop = 0;                   // cannot be caught, like SIGKILL
  unsigned cont = 0;                   // continues the process; can be caught
  bool can_block_cont = false;         // `cont` can also be blocked or ignored
  unsigned child = 0;                  // a child has ended
  unsigned virtual_alarm = 0;
  unsigned profiling_alarm = 0;
  unsigned io = 0;  // SIGIO: a file has news
  // SIGTSTP, SIGTTIN, SIGTTOU and SIGWINCH.
  unsigned terminal_stop = 0, terminal_input = 0, terminal_output = 0, window_change = 0;
  // Signals without a default action. In a system without job control they include stop signals.
  std::span<const unsigned> ignored_by_default = {};
  bool has_job_control = false;  // `stop` and the terminal's three stop by default
  // A process that ignores `child` has no zombies: a child vanishes when it ends (sigaction(2) of
  // System V.4).
  bool ignoring_children_reaps = false;
  // A write or a file's new size is beyond RLIMIT_FSIZE; the processor time is beyond RLIMIT_CPU.
  unsigned file_size = 0, cpu_time = 0;
  // Signals from this number on queue behind pending ones, however they are sent, and lower ones
  // never do (Linux, kernel/signal.c, legacy_queue()). 0: those that carry a value queue, which
  // sigqueue(3) of IRIX promises for SA_SIGINFO and leaves open without it.
  unsigned first_real_time = 0;
  // Every child's end and stop has a signal of its own, however many are pending (System V.4). If
  // false, one pending signal stands for all.
  bool children_queue = false;
  // The process's first thread takes what is sent to the process, unless it blocks the signal or
  // cannot run (Linux 6.1, kernel/signal.c, complete_signal()). If false, any thread does.
  bool first_thread_takes = false;
  // kill(-1) also reaches the sender (kill(2) of System V.4).
  bool broadcast_reaches_sender = false;
  // kill() with a number above `last` does nothing; if false, that is EINVAL.
  bool kill_takes_any_number = false;
};

// The number of the signal with this name; 0: there is none.
unsigned signal_number(std::span<const char* const> names, std::string_view name);
// What System V with job control, and Linux, do with the signals that have these names; others are
// left out.
SignalTable job_control_signals(std::span<const char* const> names, unsigned last,
                                std::span<const unsigned> ignored_by_default);
// "SIGSEGV"; empty for a number without a name.
std::string_view signal_name(const SignalTable& table, unsigned signal);
// Whether the signal would have no effect on the process.
bool is_ignored(const SignalTable& table, const Process& process, unsigned signal);
// KILL and STOP can be neither caught, blocked nor ignored.
bool is_uncatchable(const SignalTable& table, unsigned signal);
// Whether the signal's default action is to stop the process.
bool stops(const SignalTable& table, unsigned signal);
// The set without signals that cannot be blocked: requesting those is no error.
SignalSet blockable(const SignalTable& table, SignalSet set);

// What a handler learns besides the number.
struct SignalInfo {
  enum class Cause : std::uint8_t {
    sent,    // by kill(), or by the kernel, whose pid is 0
    queued,  // with a value
    timer,   // of timer_create(2), whose number is `pid`
    child_exited,
    child_killed,
    child_trapped,  // stopped for the one who traces it
    child_stopped,
    child_continued,
    divide_by_zero,
    integer_overflow,
    floating_invalid,
    floating_divide_by_zero,
    floating_overflow,
    floating_underflow,
    floating_inexact,
    not_mapped,
    not_permitted,
    misaligned,
    no_object,  // beyond the end of a mapped file
    illegal_instruction,
    breakpoint,
    trace,      // an instruction was to be the only one
    file_news,  // of an open file (async_files.h)
  };
  Cause cause = Cause::sent;
  GuestAddr address;  // of the fault, or of the instruction
  // The sender, or the child.
  int pid = 0;
  std::uint32_t user = 0;   // real id
  std::uint64_t value = 0;  // of a queued signal; the descriptor of a file that has news
  // For a signal that was sent or queued, the origin that siginfo names, if that is not kill(). For
  // a trap, the processor's number for it, if it has numbers. For news of a file, which.
  std::int32_t code = 0;
  // For a child: its exit code, or the signal that ended, stopped or continued it; and the time
  // that it used, in clock_t. For a file: poll(2)'s events.
  unsigned status = 0;
  std::uint64_t user_time = 0;
  std::uint64_t system_time = 0;

  static constexpr std::size_t state_members = 9;
};
// The information of a signal from this process.
SignalInfo sent_by(const Process& sender, std::uint32_t real_user);

// The most signals with values that can wait for one process: SIGQUEUE_MAX of POSIX.1b.
inline constexpr std::size_t queue_max = 32;

// The information of the signals that are pending for a process.
class PendingSignals {
 public:
  // Adds a signal; `is_queued` says whether it queues behind pending ones of its number.
  void add(unsigned signal, const SignalInfo& info, bool is_queued);
  // Takes the first one; `more` says whether another one stays pending.
  SignalInfo take(unsigned signal, bool& more);
  // Drops signals that this child caused. Returns true if none of that number is left.
  bool forget_child(unsigned signal, int pid);
  void forget(unsigned signal) { infos_.erase(signal); }
  // Whether one of this number waits that the timer sent.
  bool has_of_timer(unsigned signal, int timer) const;
  // The number of signals with values, and of all.
  std::size_t queued() const;
  std::size_t size() const;
  void archive(Archive& to);

 private:
  std::map<unsigned, std::deque<SignalInfo>> infos_;
};

// No such signal is pending any more, for the process or one of its threads.
void drop_pending(Process& process, unsigned signal);

// Where the frame of a starting handler goes: at the stack pointer or, if the action asks for it
// and the thread is not on it yet, at the end of the alternate stack from which that grows.
GuestAddr handler_stack(Thread& thread, GuestAddr stack_pointer, const SignalAction& action);
// The mask that a handler's return restores: sigsuspend()'s temporary one ends with the handler.
SignalSet mask_to_save(const Thread& thread);
// Blocks the signals that must not interrupt the starting handler.
void block_for_handler(Thread& thread, unsigned signal, const SignalAction& action);

}  // namespace hardclock::posix
