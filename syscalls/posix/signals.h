// What the systems' signals have in common, and what one system says about its own.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sim/base/units.h"
#include "sim/process/process.h"
#include "sim/process/signals.h"

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
  unsigned stop = 0;                   // besides SIGKILL the one that cannot be caught
  unsigned cont = 0;                   // can be caught, but neither blocked nor ignored
  unsigned child = 0;                  // a child has ended
  unsigned virtual_alarm = 0;
  unsigned profiling_alarm = 0;
  // Those whose default action is nothing. The machine has no job control: stop signals are here.
  std::span<const unsigned> ignored_by_default = {};
  // kill() with a number above `last` does nothing; else that is EINVAL.
  bool kill_takes_any_number = false;
};

// "SIGSEGV"; empty for a number without a name.
std::string_view signal_name(const SignalTable& table, unsigned signal);
// Whether the signal would have no effect on the process.
bool is_ignored(const SignalTable& table, Process& process, unsigned signal);
// KILL and STOP can be neither caught, blocked nor ignored.
bool is_uncatchable(const SignalTable& table, unsigned signal);
// The set without what cannot be blocked: asking for that is no error.
SignalSet blockable(const SignalTable& table, SignalSet set);

// What a handler is told besides the number.
struct SignalInfo {
  enum class Cause : std::uint8_t {
    sent,  // by kill() or a timer
    divide_by_zero,
    integer_overflow,
    floating_point,
    not_mapped,
    not_permitted,
    misaligned,
    illegal_instruction,
    breakpoint,
  };
  Cause cause = Cause::sent;
  GuestAddr address;  // of the fault, or of the instruction
};

// The mask that a handler's return brings back: sigsuspend()'s temporary one ends with the handler.
SignalSet mask_to_save(const Thread& thread);
// Blocks what must not interrupt the handler that starts.
void block_for_handler(Thread& thread, unsigned signal, const SignalAction& action);

}  // namespace hardclock::posix
